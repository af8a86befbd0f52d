/* Levenberg-Marquardt: least squares over the free elements, min F(x) = 1/2 sum of r_i(x)^2.
 * A step h solves (J'J + mu D) h = -J'r. D is the largest J'J[j][j] so far, so the units of
 * parameters do not matter. Refuses more than MOST_FREE free elements: a step factorises J'J
 * (solve/linear_model.h), and each residual costs a run of the program.
 *
 * Convergence is judged by the undamped (Gauss-Newton) step: by how far it would move, and by the
 * reduction that it predicts. A damped step cannot tell, since enough damping makes any step short.
 * The undamped step is also tried where damping grows far or leaves no step: a long step may be
 * lower where no short one is. A trial must also have a finite Jacobian.
 *
 * In f64 the first step is no longer than x. If the undamped one is much longer than the damped
 * one, both are measured, and the lower one is taken.
 *
 * With bounds (solve/projection.h), a step leaves out the elements that a bound stops, exactly
 * as if they were locked, and it is projected at the bounds. Without, nothing of this is computed.
 *
 * Sources: Levenberg 1944; Marquardt 1963, J. SIAM 11. Damping mu: Nielsen 1999 as in Madsen,
 * Nielsen & Tingleff 2004, Methods for Non-Linear Least Squares Problems, Algorithm 3.16, with
 * bounded growth and, in f64, a faster fall. D: Moré 1978, eq. 6.3. The first step's length: trf of
 * SciPy (Branch, Coleman & Li 1999). Convergence: xtol and ftol of MINPACK (Moré, Garbow &
 * Hillstrom 1980, ANL-80-74). */
#include "core/memory.h"
#include "solve/linear_model.h"
#include "solve/projection.h"
#include "solve/solver.h"

enum { INITIAL_DAMPING, MAX_EVALUATIONS, TOLERANCE_GRADIENT, TOLERANCE_CHANGE, OPTION_COUNT };

/* In f64, 1e-22 of the loss is 1e-11 of the parameters' standard errors: the digits that NIST
 * certifies. The slope has no such measure, so none is small enough there, as in MINPACK. */
#define FOR_REAL(f32, f64) (sizeof(glk_real) == 8 ? (f64) : (f32))

static const glk_option_info options[OPTION_COUNT] = {
    {"initialDamping", 1e-3, 1e-30, 1e30, 0},
    {"maxEvaluations", 25, 1, 1e6, 0},
    {"toleranceGradient", FOR_REAL(1e-8, 0), 0, 1e30, 0},
    {"toleranceChange", FOR_REAL(1e-8, 1e-22), 0, 1e30, 0}};

enum { MOST_FREE = 2048 };

/* Growth of damping is bounded, since else it would leap from where it helps to where no f32 moves.
 * From FAR_DAMPING on a step is that of D alone, hardly of J. */
enum { MOST_GROWTH = 16, FAR_DAMPING = 100 };

/* What a good step leaves of damping. In f64 fits go on for longer, with damping that hardly damps.
 * In f32, where this is Nielsen's, the bits of every fit would change. */
static const double least_factor = FOR_REAL(1.0 / 3, 0.03);

/* An undamped first step counts as much longer than the damped one from this factor on, in f64.
 * Steps that are about as long lead to about the same point. */
static const double much_longer = 4;

typedef struct levenberg {
  glk_solver solver;
  /* The memory of the linear model. */
  double *memory;
  uint32_t free_count;
  /* 0: damping, growth and scale are set again, and the next trial is the first one. */
  int is_started;
  /* nu: the factor by which damping grows when the next trial fails. */
  double growth;
  glk_projection projection;
  /* 1: the call keeps elements within bounds. */
  int is_bounded;
  /* 1: the last trial was projected; its predicted reduction. */
  int is_projected;
  double predicted;
} levenberg;

static void free_memory(glk_context *context, levenberg *l) {
  glk_release(context, l->memory, glk_linear_model_memory(l->free_count), sizeof *l->memory);
}

static void release(glk_context *context, glk_solver *solver) {
  levenberg *l = (levenberg *)solver;
  free_memory(context, l);
  glk_projection_free(context, &l->projection);
}

static glk_status reserve(glk_solver *solver, const glk_objective *objective, int is_known,
                          uint32_t steps) {
  levenberg *l = (levenberg *)solver;
  const uint32_t n = objective->free_count;
  (void)steps;
  if (is_known && !objective->is_bounded) return GLK_OK;
  if (n > MOST_FREE) {
    return glk_fail(objective->context, GLK_ERROR_LIMIT,
                    "levenbergMarquardt is for up to %u free elements, these are %u: use lbfgs",
                    (uint32_t)MOST_FREE, n);
  }
  void *memory;
  if (objective->is_bounded) GLK_TRY(glk_projection_reserve(objective->context, &l->projection, n));
  if (is_known) return GLK_OK;
  GLK_TRY(glk_allocate(objective->context, glk_linear_model_memory(n), sizeof(double), &memory));
  free_memory(objective->context, l);
  l->memory = memory;
  l->free_count = n;
  l->is_started = 0;
  return GLK_OK;
}

/* Bend v->step, of some damping of `scale`, until it stays within bounds. */
static void project(levenberg *l, const glk_linear_model *v, double *scale, double damping) {
  glk_linear_model projected = *v;
  if (!l->is_bounded) return;
  projected.gradient = l->projection.gradient;
  projected.normal = l->projection.normal;
  projected.scale = scale;
  glk_projection_begin(&l->projection);
  while (glk_projection_project(&l->projection, v->x, v->step, v->gradient, v->normal)) {
    if (glk_factorise(&projected, damping)) glk_solve_factored(&projected);
  }
}

/* v->step = the step of some damping of D, within bounds; returns 0 if there is none. */
static int solve_damped(levenberg *l, const glk_linear_model *v, double damping) {
  if (!glk_factorise(v, damping)) return 0;
  glk_solve_factored(v);
  project(l, v, v->scale, damping);
  return 1;
}

/* True if the undamped step, in v->step, would change every element, or the loss, by less than the
 * tolerance. */
static int is_bottom(const levenberg *l, const glk_linear_model *v, double least_fall) {
  const uint32_t n = l->free_count;
  const double tolerance = l->solver.options[TOLERANCE_CHANGE];
  uint32_t small = 0;
  for (uint32_t j = 0; j < n; j++) {
    small += glk_magnitude(v->step[j]) <= tolerance * (glk_magnitude(v->x[j]) + tolerance);
  }
  return small == n || -glk_list_dot(v->gradient, v->step, n) / 2 <= least_fall;
}

/* True if no element changes when rounded to f32. */
static int is_same_point(glk_objective *objective, const glk_linear_model *v) {
  glk_objective_values(objective, v->moved);
  for (uint32_t j = 0; j < objective->free_count; j++) {
    if (v->moved[j] != v->x[j]) return 0;
  }
  return 1;
}

/* Bounded, since damping would never come back from 0 or infinity. */
static void set_damping(levenberg *l, double damping) {
  l->solver.info.damping = damping < 0x1p-100 ? 0x1p-100 : damping > 0x1p100 ? 0x1p100 : damping;
}

static void damp_more(levenberg *l) {
  set_damping(l, l->solver.info.damping * l->growth);
  if (l->growth < MOST_GROWTH) l->growth *= 2;
}

/* The reduction as a part of the predicted one. A projected step may predict none, and be lower. */
static double gain_of(const levenberg *l, const glk_linear_model *v, double fall) {
  if (!l->is_projected) return fall / glk_predicted(v, l->solver.info.damping);
  return l->predicted > 0 ? fall / l->predicted : 0;
}

static void damp_less(levenberg *l, double gain) {
  const double u = 2 * gain - 1, factor = 1 - u * u * u;
  set_damping(l, l->solver.info.damping * (factor > least_factor ? factor : least_factor));
  l->growth = 2;
}

/* Result of a step: a higher or a lower loss, or no change. */
typedef enum ending { IS_HIGHER, IS_LOWER, IS_NOWHERE } ending;

/* Move the variables by v->step. */
static void move(levenberg *l, glk_objective *objective, const glk_linear_model *v) {
  l->is_projected = l->is_bounded && glk_projection_move(&l->projection, v->x, v->step, v->moved);
  if (l->is_bounded) {
    glk_objective_move(objective, v->moved, 0, NULL);
  } else {
    glk_objective_move(objective, v->x, 1, v->step);
  }
}

/* Try v->step. It counts as lower if the loss is lower, by *fall, and the gradient is finite there.
 * One backward pass of a weighted sum of all residuals checks this. Then *loss and v->x become
 * those of the new point. */
static glk_status try_step(levenberg *l, glk_objective *objective, const glk_linear_model *v,
                           double *loss, double *fall, ending *out) {
  move(l, objective, v);
  *out = IS_NOWHERE;
  if (is_same_point(objective, v)) return GLK_OK;
  if (l->is_projected) {
    l->predicted = glk_projection_predict(&l->projection, v->x, v->moved, v->gradient, v->normal);
  }
  GLK_TRY(glk_objective_run(objective));
  const double after = glk_half_square(objective);
  *fall = *loss - after;
  glk_objective_gradient(objective, v->row);
  if (l->is_bounded) glk_projection_zero_active(&l->projection, v->row);
  *out = IS_HIGHER;
  if (!(*fall > 0) || !glk_is_finite(glk_list_largest(v->row, l->free_count))) return GLK_OK;
  *out = IS_LOWER;
  *loss = after;
  glk_objective_values(objective, v->x);
  l->solver.info.iterations++;
  return GLK_OK;
}

/* Try the undamped step, unless it shows convergence. If it is lower, damping is reset. */
static glk_status try_undamped(levenberg *l, glk_objective *objective, const glk_linear_model *v,
                               double tolerance, double *loss, ending *out) {
  double fall;
  const double damping = glk_solve_undamped(v);
  *out = IS_NOWHERE;
  if (!is_bottom(l, v, tolerance)) {
    project(l, v, v->row, damping);
    GLK_TRY(try_step(l, objective, v, loss, &fall, out));
  }
  if (*out == IS_NOWHERE) l->solver.info.stop = GLK_STOP_CHANGE;
  if (*out == IS_LOWER) l->is_started = 0;
  return GLK_OK;
}

/* Trials with more and more damping, and one without, until one is lower. */
static glk_status try_steps(levenberg *l, glk_objective *objective, const glk_linear_model *v,
                            double *loss) {
  glk_solver_info *info = &l->solver.info;
  const double tolerance = l->solver.options[TOLERANCE_CHANGE] * *loss;
  uint32_t trials = (uint32_t)l->solver.options[MAX_EVALUATIONS];
  ending end = IS_HIGHER, undamped = IS_HIGHER;
  double fall;
  for (int may_undamp = 1; end == IS_HIGHER && trials; trials--) {
    if (solve_damped(l, v, info->damping)) GLK_TRY(try_step(l, objective, v, loss, &fall, &end));
    if (end == IS_LOWER) {
      damp_less(l, gain_of(l, v, fall));
      /* What a projection put on a bound must be looked at before anything is concluded. */
      if (fall > tolerance || l->is_projected) return GLK_OK;
      glk_solve_undamped(v);
      if (is_bottom(l, v, tolerance)) info->stop = GLK_STOP_CHANGE;
      return GLK_OK;
    }
    damp_more(l);
    if (may_undamp && (end == IS_NOWHERE || trials == 1 || info->damping > FAR_DAMPING)) {
      may_undamp = 0;
      GLK_TRY(try_undamped(l, objective, v, tolerance, loss, &undamped));
      if (undamped != IS_HIGHER) return GLK_OK;
    }
  }
  info->stop = end == IS_NOWHERE ? GLK_STOP_RESOLUTION : GLK_STOP_NO_PROGRESS;
  return GLK_OK;
}

/* The loss where the step of some damping leads; infinite, if there is none. */
static glk_status measure_step(levenberg *l, glk_objective *objective, const glk_linear_model *v,
                               double damping, double *loss) {
  *loss = __builtin_inf();
  if (!solve_damped(l, v, damping)) return GLK_OK;
  move(l, objective, v);
  glk_objective_need(objective, 0);
  const glk_status status = glk_objective_run(objective);
  glk_objective_need(objective, 1);
  if (status == GLK_OK) *loss = glk_half_square(objective);
  return status;
}

/* Set the damping of the first trial, in f64: the initial one, or if the undamped step is much
 * longer and leads lower, the least. More in both cases, if the step would be longer than x. */
static glk_status choose_damping(levenberg *l, glk_objective *objective,
                                 const glk_linear_model *v) {
  double *damping = &l->solver.info.damping, least = glk_least_damping, damped, undamped;
  const double square = glk_solve_short(v, damping), most = glk_solve_short(v, &least);
  if (!(most > much_longer * much_longer * square)) return GLK_OK;
  GLK_TRY(measure_step(l, objective, v, *damping, &damped));
  GLK_TRY(measure_step(l, objective, v, least, &undamped));
  if (undamped < damped) *damping = least;
  return GLK_OK;
}

/* D, which never falls but at the start. */
static void raise_scale(const levenberg *l, const glk_linear_model *v) {
  for (uint32_t j = 0; j < l->free_count; j++) {
    const double square = v->normal[(size_t)j * l->free_count + j];
    if (!l->is_started || square > v->scale[j]) v->scale[j] = square;
  }
}

/* Compute Jacobian and gradient at the variables, and set info.stop if they end the call. */
static glk_status examine(levenberg *l, glk_objective *objective, const glk_linear_model *v,
                          double loss) {
  const uint32_t n = l->free_count;
  glk_solver_info *info = &l->solver.info;
  GLK_TRY(glk_linearise(objective, v));
  if (l->is_bounded) {
    glk_projection_find_active(&l->projection, v->x, v->gradient, v->normal);
    glk_bounds_hold(&l->solver.bounds, objective, l->projection.is_active);
  }
  int is_finite = glk_is_finite(loss);
  for (uint32_t j = 0; j < n; j++) is_finite &= glk_is_finite(v->normal[(size_t)j * n + j]);
  raise_scale(l, v);
  info->gradient = glk_list_largest(v->gradient, n);
  if (!is_finite || !glk_is_finite(info->gradient)) {
    info->stop = GLK_STOP_NOT_FINITE;
    return GLK_OK;
  }
  if (!l->is_started) {
    info->damping = l->solver.options[INITIAL_DAMPING];
    l->growth = 2;
  }
  if (info->gradient <= l->solver.options[TOLERANCE_GRADIENT]) info->stop = GLK_STOP_GRADIENT;
  return GLK_OK;
}

/* True if the step in v->step leads out of the bounds. */
static int leaves_bounds(levenberg *l, const glk_linear_model *v) {
  if (!l->is_bounded) return 0;
  glk_projection_begin(&l->projection);
  return glk_projection_project(&l->projection, v->x, v->step, v->gradient, v->normal) > 0;
}

/* Jacobian and gradient at v->x, without what a bound holds. */
static glk_status linearise_within(levenberg *l, glk_objective *objective,
                                   const glk_linear_model *v) {
  GLK_TRY(glk_linearise(objective, v));
  if (l->is_bounded) glk_projection_remove_active(&l->projection, v->gradient, v->normal);
  return GLK_OK;
}

/* Undamped steps near the bottom, in f64, by the gradient alone: there rounding hides which loss is
 * lower, since parameters that differ in their 8th digit have losses that differ in their 16th. A
 * step counts if the next one predicts less, and the loss keeps half of its digits. What a bound
 * stops stays where it is, and each such step needs a look. None counts, if *is_moved is 0. */
static glk_status refine(levenberg *l, glk_objective *objective, const glk_linear_model *v,
                         double last, double *loss, int *is_moved) {
  const uint32_t n = l->free_count;
  glk_solver_info *info = &l->solver.info;
  double left = glk_predicted_undamped(v), near = 0x1p-26 * *loss;
  *is_moved = 0;
  while (left > 0 && left <= near && !leaves_bounds(l, v)) {
    move(l, objective, v);
    GLK_TRY(linearise_within(l, objective, v));
    const double after = glk_half_square(objective), next = glk_predicted_undamped(v);
    if (!(next <= 0.9 * left) || !(glk_magnitude(after - *loss) <= near)) {
      glk_objective_move(objective, v->x, 0, NULL);
      return *is_moved ? GLK_OK : linearise_within(l, objective, v);
    }
    *is_moved = 1;
    glk_objective_values(objective, v->x);
    raise_scale(l, v);
    info->gradient = glk_list_largest(v->gradient, n);
    info->iterations++;
    *loss = after, left = next, near = 0x1p-26 * after;
    if (is_bottom(l, v, l->solver.options[TOLERANCE_CHANGE] * after)) info->stop = GLK_STOP_CHANGE;
    if (info->stop != GLK_STOP_STEPS || info->iterations >= last || l->is_bounded) return GLK_OK;
  }
  return GLK_OK;
}

/* Steps, the last of which may be number `last`; or none, and info.stop says why. */
static glk_status step(levenberg *l, glk_objective *objective, const glk_linear_model *v,
                       double last, double *loss) {
  int is_moved = 0;
  GLK_TRY(examine(l, objective, v, *loss));
  if (l->solver.info.stop != GLK_STOP_STEPS) return GLK_OK;
  glk_status status = GLK_OK;
  if (sizeof(glk_real) == 8) {
    status = refine(l, objective, v, last, loss, &is_moved);
    if (!is_moved && !l->is_started && status == GLK_OK) status = choose_damping(l, objective, v);
  }
  if (!is_moved && status == GLK_OK) {
    l->is_started = 1;
    glk_weigh_residuals(objective, 4);
    status = try_steps(l, objective, v, loss);
    glk_weigh_residuals(objective, 0);
  }
  glk_objective_move(objective, v->x, 0, NULL);
  objective->program->is_computed = 0; /* the variables have moved since */
  return status;
}

static glk_status solve(glk_solver *solver, glk_objective *objective, uint32_t steps,
                        double *loss) {
  levenberg *l = (levenberg *)solver;
  const glk_linear_model v = glk_linear_model_in(l->memory, l->free_count);
  const glk_solver_info *info = &solver->info;
  const double last = info->iterations + steps;
  l->is_bounded = objective->is_bounded;
  if (l->is_bounded)
    glk_bounds_gather(&solver->bounds, objective, l->projection.lower, l->projection.upper);
  glk_objective_need(objective, 0);
  GLK_TRY(glk_objective_run(objective));
  *loss = glk_half_square(objective);
  glk_objective_values(objective, v.x);
  glk_objective_need(objective, 1);
  glk_status status = GLK_OK;
  while (info->iterations < last && info->stop == GLK_STOP_STEPS && status == GLK_OK) {
    status = step(l, objective, &v, last, loss);
  }
  glk_objective_need(objective, 0);
  /* Damping that grew until nothing moved would only hold the next call back. */
  if (info->stop != GLK_STOP_STEPS) l->is_started = 0;
  return status;
}

static void walk(glk_archive *a, glk_solver *solver, uint32_t free_count) {
  levenberg *l = (levenberg *)solver;
  uint32_t is_started = l->is_started != 0;
  glk_archive_whole(a, "isStarted", 1, &is_started);
  glk_archive_values(a, "growth", 'd', &l->growth, 1);
  if (a->in) {
    if (free_count > MOST_FREE) glk_archive_refuse(a, "it has too many free elements");
    if (a->status != GLK_OK) return;
    a->status =
        glk_allocate(a->context, glk_linear_model_memory(free_count), sizeof(double), &l->memory);
    if (a->status != GLK_OK) return;
    l->free_count = free_count;
    l->is_started = (int)is_started;
  }
  glk_archive_values(a, "scale", 'd', glk_linear_model_in(l->memory, free_count).scale, free_count);
}

static glk_status differentiate(glk_objective *objective) {
  glk_program *program = objective->program;
  if (!program->nodes[program->outputs[0]].shape->rank) {
    return glk_fail(
        objective->context, GLK_ERROR_SHAPE,
        "levenbergMarquardt takes residuals, of shape [n], and minimises half the sum of "
        "their squares; it was given a scalar loss: give the residuals themselves (one "
        "residual has shape [1])");
  }
  GLK_TRY(glk_program_jacobian(objective->context, program, objective->variables,
                               objective->variable_count));
  objective->derivatives = program->rows;
  objective->derivative_count = program->row_count;
  return GLK_OK;
}

const glk_method_row glk_method_levenberg_marquardt = {
    {"levenbergMarquardt", options, GLK_COUNT_WITHIN(OPTION_COUNT, GLK_MAX_METHOD_OPTIONS),
     1 << MAX_EVALUATIONS},
    sizeof(levenberg),
    differentiate,
    glk_half_square,
    reserve,
    solve,
    release,
    walk,
    1};
