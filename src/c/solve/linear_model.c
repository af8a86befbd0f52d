/* Normal equations, their Cholesky factor, and steps. */
#include "solve/linear_model.h"

#include <string.h>

enum { LISTS = 6 };

size_t glk_linear_model_memory(size_t count) { return (LISTS + 2 * count) * count; }

glk_linear_model glk_linear_model_in(double *at, uint32_t count) {
  const size_t n = count;
  return (glk_linear_model){count,
                            at,
                            at + n,
                            at + 2 * n,
                            at + 3 * n,
                            at + 4 * n,
                            at + 5 * n,
                            at + LISTS * n,
                            at + LISTS * n + n * n};
}

double glk_half_square(const glk_objective *objective) {
  const uint32_t output = objective->program->outputs[0];
  const uint32_t count = objective->program->nodes[output].shape->count;
  const glk_real *r = glk_program_values(objective->program, output);
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += (double)r[i] * (double)r[i];
  return sum / 2;
}

void glk_weigh_residuals(glk_objective *objective, glk_real least) {
  const glk_program *program = objective->program;
  const uint32_t count = program->nodes[program->outputs[0]].shape->count;
  for (uint32_t i = 0; i < count; i++) {
    program->seed[i] = least + least * (glk_real)i / (glk_real)count;
  }
}

glk_status glk_linearise(glk_objective *objective, const glk_linear_model *v) {
  const uint32_t n = v->count;
  const glk_program *program = objective->program;
  const uint32_t output = program->outputs[0], count = program->nodes[output].shape->count;
  memset(v->gradient, 0, n * sizeof(double));
  memset(v->normal, 0, (size_t)n * n * sizeof(double));
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    program->seed[i] = 1;
    status = glk_objective_run(objective);
    if (status == GLK_OK) glk_objective_gradient(objective, v->row); /* it may be the seed itself */
    program->seed[i] = 0;
    if (status != GLK_OK) break;
    glk_list_add(v->gradient, (double)glk_program_values(program, output)[i], v->row, n);
    for (uint32_t j = 0; j < n; j++) {
      if (v->row[j] != 0) glk_list_add(v->normal + (size_t)j * n, v->row[j], v->row, j + 1);
    }
  }
  return status;
}

/* D[j], or 1 where that is 0. */
static double scale_at(const glk_linear_model *v, uint32_t j) {
  return v->scale[j] > 0 ? v->scale[j] : 1;
}

int glk_factorise(const glk_linear_model *v, double damping) {
  const uint32_t n = v->count;
  for (uint32_t i = 0; i < n; i++) {
    double *row = v->factor + (size_t)i * n;
    for (uint32_t j = 0; j <= i; j++) {
      const double *other = v->factor + (size_t)j * n;
      double sum = v->normal[(size_t)i * n + j];
      if (i == j) sum += damping * scale_at(v, i);
      sum -= glk_list_dot(row, other, j);
      if (i != j) {
        row[j] = sum / other[j];
      } else if (sum > 0 && glk_is_finite(sum)) {
        row[j] = glk_sqrt(sum);
      } else {
        return 0;
      }
    }
  }
  return 1;
}

void glk_solve_factored(const glk_linear_model *v) {
  const uint32_t n = v->count;
  for (uint32_t i = 0; i < n; i++) {
    const double *row = v->factor + (size_t)i * n;
    v->step[i] = (-v->gradient[i] - glk_list_dot(row, v->step, i)) / row[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    double sum = v->step[i];
    for (uint32_t k = i + 1; k < n; k++) sum -= v->factor[(size_t)k * n + i] * v->step[k];
    v->step[i] = sum / v->factor[(size_t)i * n + i];
  }
}

double glk_solve_undamped(const glk_linear_model *v) {
  glk_linear_model own = *v;
  own.scale = v->row;
  for (uint32_t j = 0; j < v->count; j++) own.scale[j] = v->normal[(size_t)j * v->count + j];
  double damping = glk_least_damping;
  while (!glk_factorise(&own, damping) && damping < 0x1p100) damping *= 16;
  glk_solve_factored(&own);
  return damping;
}

/* h' D h: the square of a length that the units of parameters do not change. */
static double square_of(const glk_linear_model *v, const double *h) {
  double sum = 0;
  for (uint32_t j = 0; j < v->count; j++) sum += v->scale[j] * h[j] * h[j];
  return sum;
}

double glk_solve_short(const glk_linear_model *v, double *damping) {
  const double most = square_of(v, v->x);
  double square = 0;
  for (; *damping < 0x1p100; *damping *= 4) {
    if (!glk_factorise(v, *damping)) continue;
    glk_solve_factored(v);
    square = square_of(v, v->step);
    if (!(square > most) || most == 0) break;
  }
  return square;
}

/* F(x) - model(step) = 1/2 step' (mu D step - gradient), Madsen, Nielsen & Tingleff, eq. 3.14. */
double glk_predicted(const glk_linear_model *v, double damping) {
  double sum = 0;
  for (uint32_t j = 0; j < v->count; j++) {
    sum += v->step[j] * (damping * scale_at(v, j) * v->step[j] - v->gradient[j]);
  }
  return sum / 2;
}

double glk_predicted_undamped(const glk_linear_model *v) {
  glk_solve_undamped(v);
  return -glk_list_dot(v->gradient, v->step, v->count) / 2;
}
