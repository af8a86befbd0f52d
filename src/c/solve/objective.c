/* Runs of a program for a second-order method, and copies between its variables and lists of their
 * free elements. */
#include "solve/objective.h"

/* The derivative that a variable's gradient is read from, or NULL. */
static glk_derivative *find(const glk_objective *objective, glk_variable *variable) {
  return glk_derivative_find(objective->program, objective->derivatives,
                             objective->derivative_count, variable);
}

void glk_objective_need(glk_objective *objective, int wanted) {
  glk_program *program = objective->program;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_program_need(program, &program->derivatives[i], 0);
  }
  for (uint32_t i = 0; i < program->row_count; i++) {
    glk_program_need(program, &program->rows[i], 0);
  }
  for (uint32_t i = 0; i < objective->variable_count && wanted; i++) {
    glk_variable *variable = objective->variables[i];
    if (!glk_lockset_is_full(objective->locks[i])) {
      glk_program_need(program, find(objective, variable), 1);
    }
  }
}

glk_status glk_objective_run(glk_objective *objective) {
  objective->program->runs = objective->draw;
  const glk_status status = glk_program_execute(objective->context, objective->program);
  objective->runs++;
  objective->program->runs = objective->draw + (uint32_t)objective->runs;
  return status;
}

/* The free elements of an array that has the shape of `locks`; how many there were. */
static uint32_t gather(const glk_lockset *locks, const glk_real *values, double *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < locks->shape.count; i++) {
    if (!glk_lockset_has(locks, i)) out[count++] = (double)values[i];
  }
  return count;
}

void glk_objective_values(const glk_objective *objective, double *out) {
  for (uint32_t k = 0; k < objective->variable_count; k++) {
    const glk_variable *variable = objective->variables[k];
    out += gather(objective->locks[k], variable->tensor.storage->values, out);
  }
}

void glk_objective_gradient(const glk_objective *objective, double *out) {
  for (uint32_t k = 0; k < objective->variable_count; k++) {
    glk_variable *variable = objective->variables[k];
    if (glk_lockset_is_full(objective->locks[k])) continue;
    const uint32_t value = find(objective, variable)->value;
    out += gather(objective->locks[k], glk_program_values(objective->program, value), out);
  }
}

void glk_objective_move(const glk_objective *objective, const double *x, double t,
                        const double *d) {
  uint32_t j = 0;
  for (uint32_t k = 0; k < objective->variable_count; k++) {
    glk_variable *variable = objective->variables[k];
    const glk_lockset *locks = objective->locks[k];
    for (uint32_t i = 0; i < locks->shape.count; i++) {
      if (glk_lockset_has(locks, i)) continue;
      variable->tensor.storage->values[i] = (glk_real)(t == 0 ? x[j] : x[j] + t * d[j]);
      j++;
    }
    variable->writes++;
  }
}

double glk_list_dot(const double *a, const double *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

double glk_list_largest(const double *a, uint32_t count) {
  double largest = 0;
  for (uint32_t i = 0; i < count; i++) {
    const double magnitude = glk_magnitude(a[i]);
    if (!(magnitude <= largest)) largest = magnitude;
    if (largest != largest) break;
  }
  return largest;
}

void glk_list_add(double *y, double factor, const double *x, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) y[i] += factor * x[i];
}
