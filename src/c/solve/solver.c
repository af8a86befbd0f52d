/* Solvers from creation to disposal, their options, and the call around a method's steps: it checks
 * the variables, and drops the estimate of other elements. Refuses tapes and lock policies. */
#include "solve/solver.h"

#include <string.h>

#include "core/memory.h"
#include "lock/policy.h"

static const glk_method_row *const methods[GLK_METHOD_COUNT] = {
    [GLK_LBFGS] = &glk_method_lbfgs, [GLK_LEVENBERG_MARQUARDT] = &glk_method_levenberg_marquardt};

static int is_method(glk_method method) { return (int)method >= 0 && method < GLK_METHOD_COUNT; }

glk_status glk_method_describe(glk_method method, const char **out_name, uint32_t *out_options) {
  if (!is_method(method)) return GLK_ERROR_ARGUMENT;
  if (out_name) *out_name = methods[method]->table.name;
  if (out_options) *out_options = methods[method]->table.count;
  return GLK_OK;
}

glk_status glk_method_option(glk_method method, uint32_t option, glk_option_info *out) {
  if (!is_method(method) || option >= methods[method]->table.count || !out) {
    return GLK_ERROR_ARGUMENT;
  }
  *out = methods[method]->table.options[option];
  return GLK_OK;
}

static void destroy_solver(glk_context *context, glk_object *object) {
  glk_solver *solver = (glk_solver *)object;
  solver->method->release(context, solver);
  glk_bounds_clear_locks(context, &solver->bounds);
  glk_bounds_free(context, &solver->bounds);
  glk_release(context, solver->subject, solver->subject_count, sizeof *solver->subject);
  glk_release(context, solver, 1, solver->method->solver_bytes);
}

glk_status glk_solver_create(glk_context *context, glk_method method, glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  if (!is_method(method)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no method %u", (uint32_t)method);
  }
  glk_solver *solver;
  GLK_TRY(glk_allocate(context, 1, methods[method]->solver_bytes, &solver));
  solver->object = (glk_object){GLK_KIND_SOLVER, 1, 0, destroy_solver};
  solver->method = methods[method];
  glk_options_init(&solver->method->table, solver->options);
  GLK_TRY(glk_publish(context, &solver->object, out));
  solver->bounds.owner = *out;
  return GLK_OK;
}

glk_status glk_expect_solver(const glk_context *context, glk_handle handle, glk_solver **out) {
  glk_object *object;
  GLK_TRY(glk_expect(context, handle, GLK_KIND_SOLVER, "the solver", &object));
  *out = (glk_solver *)object;
  return GLK_OK;
}

glk_status glk_solver_set(glk_context *context, glk_handle solver, const char *const *names,
                          const double *values, uint32_t count) {
  glk_solver *s;
  GLK_REFUSE_IF(context, (count && (!names || !values)));
  GLK_TRY(glk_expect_solver(context, solver, &s));
  double options[GLK_MAX_METHOD_OPTIONS];
  memcpy(options, s->options, sizeof options);
  GLK_TRY(glk_options_set(context, &s->method->table, names, values, count, options));
  memcpy(s->options, options, sizeof options);
  return GLK_OK;
}

glk_status glk_solver_get(const glk_context *context, glk_handle solver, const char *name,
                          double *out) {
  glk_solver *s;
  uint32_t option;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_solver(context, solver, &s));
  GLK_TRY(glk_options_find(context, &s->method->table, name, &option));
  *out = s->options[option];
  return GLK_OK;
}

glk_status glk_solver_describe(const glk_context *context, glk_handle solver,
                               glk_solver_info *out) {
  glk_solver *s;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_solver(context, solver, &s));
  *out = s->info;
  return GLK_OK;
}

glk_status glk_solver_bounds(glk_context *context, glk_handle solver, glk_handle variable,
                             const glk_real *lower, const glk_real *upper, size_t count) {
  glk_solver *s;
  glk_variable *v;
  GLK_REFUSE_IF(context, !lower != !upper);
  GLK_TRY(glk_require_idle(context, "setting bounds"));
  GLK_TRY(glk_expect_solver(context, solver, &s));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  if (!s->method->takes_bounds) {
    return glk_fail(context, GLK_ERROR_OPTION, "%s takes no bounds: use levenbergMarquardt",
                    s->method->table.name);
  }
  if (!lower) {
    glk_bounds_remove(context, &s->bounds, v);
    return GLK_OK;
  }
  GLK_TRY(glk_expect_count(context, &v->tensor.shape, count));
  return glk_bounds_set(context, &s->bounds, v, lower, upper);
}

glk_status glk_solver_bounded(const glk_context *context, glk_handle solver, glk_handle variable,
                              glk_real *lower, glk_real *upper, size_t count, int *out) {
  glk_solver *s;
  glk_variable *v;
  GLK_REFUSE_IF(context, !out || !lower || !upper);
  GLK_TRY(glk_expect_solver(context, solver, &s));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_expect_count(context, &v->tensor.shape, count));
  const glk_bound *bound = glk_bounds_find(&s->bounds, v);
  const glk_real infinity = (glk_real)__builtin_inf();
  for (size_t i = 0; i < count; i++) {
    lower[i] = bound ? bound->lower[i] : -infinity;
    upper[i] = bound ? bound->upper[i] : infinity;
  }
  *out = bound != NULL;
  return GLK_OK;
}

static glk_status read_variables(const glk_solver *solver, const glk_handle *handles,
                                 glk_objective *objective) {
  const uint64_t visit = glk_visit_new(objective->context);
  for (uint32_t i = 0; i < objective->variable_count; i++) {
    glk_variable **v = &objective->variables[i];
    GLK_TRY(glk_variable_visit(objective->context, handles[i], "a variable to train", visit, v));
    if (glk_policies_exist((*v)->holders)) {
      return glk_fail(objective->context, GLK_ERROR_ARGUMENT,
                      "variable '%s' has a lock policy, which only optimizers apply: this method "
                      "needs locks that do not change",
                      (*v)->name);
    }
    objective->locks[i] = glk_bounds_locks(objective->context, &solver->bounds, *v);
    objective->is_bounded |= glk_bounds_find(&solver->bounds, *v) != NULL;
    objective->free_count += objective->locks[i]->shape.count - objective->locks[i]->locked;
  }
  return GLK_OK;
}

uint32_t glk_subject_count(glk_variable *const *variables, uint32_t variable_count) {
  uint32_t count = 1;
  for (uint32_t i = 0; i < variable_count; i++) count += 1 + variables[i]->locks.word_count;
  return count;
}

void glk_subject_write(const glk_program *program, glk_variable *const *variables,
                       const glk_lockset *const *locks, uint32_t variable_count, uint32_t *out) {
  *out++ = program->serial;
  for (uint32_t i = 0; i < variable_count; i++) {
    *out++ = variables[i]->tensor.object.handle;
    memcpy(out, locks[i]->words, locks[i]->word_count * sizeof *out);
    out += locks[i]->word_count;
  }
}

int glk_solver_knows(const glk_solver *solver, const uint32_t *subject, uint32_t count) {
  return solver->subject && solver->subject_count == count &&
         !memcmp(subject, solver->subject, count * sizeof *subject);
}

/* Get memory for the steps, and drop the estimate of other elements; all or nothing. */
static glk_status prepare(glk_solver *solver, const glk_objective *objective, uint32_t steps) {
  glk_context *context = objective->context;
  const uint32_t count = glk_subject_count(objective->variables, objective->variable_count);
  uint32_t *subject;
  GLK_TRY(glk_allocate(context, count, sizeof(uint32_t), &subject));
  glk_subject_write(objective->program, objective->variables, objective->locks,
                    objective->variable_count, subject);
  const int is_known = glk_solver_knows(solver, subject, count);
  const glk_status status = solver->method->reserve(solver, objective, is_known, steps);
  if (status != GLK_OK) {
    glk_release(context, subject, count, sizeof *subject);
    return status;
  }
  glk_release(context, solver->subject, solver->subject_count, sizeof *solver->subject);
  solver->subject = subject;
  solver->subject_count = count;
  return GLK_OK;
}

/* Take the steps, or measure where there are none to take. */
static glk_status run(glk_solver *solver, glk_objective *objective, uint32_t steps, double *loss) {
  const glk_method_row *method = solver->method;
  glk_status status;
  objective->draw = objective->program->runs;
  solver->info.stop = objective->free_count ? GLK_STOP_STEPS : GLK_STOP_LOCKED;
  if (steps && objective->free_count) {
    status = method->solve(solver, objective, steps, loss);
  } else {
    glk_objective_need(objective, 0);
    status = glk_objective_run(objective);
    if (status == GLK_OK) *loss = method->measure(objective);
  }
  solver->info.evaluations += objective->runs;
  return status;
}

static glk_status minimize(glk_solver *solver, glk_objective *objective,
                           const glk_handle *variables, uint32_t steps, double *loss) {
  const glk_method_row *method = solver->method;
  glk_program *program = objective->program;
  if (program->mode == GLK_TAPE) {
    return glk_fail(objective->context, GLK_ERROR_RECORDING,
                    "%s computes the loss several times a step, a tape holds one computation: "
                    "trace the program",
                    method->table.name);
  }
  GLK_TRY(read_variables(solver, variables, objective));
  GLK_TRY(method->differentiate(objective));
  glk_objective_need(objective, steps > 0);
  GLK_TRY(glk_program_prepare(objective->context, program));
  GLK_TRY(glk_program_gradient_buffers(objective->context, program));
  const int is_bounded = steps && objective->is_bounded;
  if (is_bounded) GLK_TRY(glk_bounds_begin(&solver->bounds, objective));
  glk_status status = steps ? prepare(solver, objective, steps) : GLK_OK;
  if (status == GLK_OK) status = run(solver, objective, steps, loss);
  if (is_bounded) glk_bounds_end(&solver->bounds, objective);
  return status;
}

glk_status glk_solver_minimize(glk_context *context, glk_handle solver, glk_handle program,
                               const glk_handle *variables, uint32_t count, uint32_t steps,
                               double *out_loss) {
  glk_solver *s;
  glk_program *p;
  glk_objective objective = {.context = context, .variable_count = count};
  double loss;
  GLK_REFUSE_IF(context, (count && !variables));
  GLK_TRY(glk_require_idle(context, "training"));
  GLK_TRY(glk_expect_solver(context, solver, &s));
  GLK_TRY(glk_expect_program(context, program, &p));
  if (p->average_count) {
    return glk_fail(context, GLK_ERROR_RECORDING,
                    "a moving average counts steps, but a solver runs the program several times a "
                    "step: train with an optimizer, or leave out the moving average");
  }
  objective.program = p;
  GLK_TRY(glk_allocate(context, count, sizeof *objective.variables, &objective.variables));
  glk_status status = glk_allocate(context, count, sizeof *objective.locks, &objective.locks);
  if (status == GLK_OK) status = minimize(s, &objective, variables, steps, &loss);
  glk_release(context, objective.locks, count, sizeof *objective.locks);
  glk_release(context, objective.variables, count, sizeof *objective.variables);
  if (status == GLK_OK && out_loss) *out_loss = loss;
  return status;
}
