/* Levenberg-Marquardt: least squares over the free elements, min F(x) = 1/2 sum of r_i(x)^2.
 * A step h solves (J'J + mu D) h = -J'r. D is the largest J'J[j][j] so far, so the units of
 * parameters do not matter. Refuses more than MOST_FREE free elements: J'J is summed row by row in
 * double, J is never stored, and one row costs a run of the program.
 *
 * Convergence is judged by the undamped (Gauss-Newton) step: by how far it would move, and by the
 * reduction that it promises. A damped step cannot tell, since enough damping makes any step short.
 * The undamped step is also tried where damping grows far or leaves no step: a long step may be
 * lower where no short one is. A trial must also have a finite Jacobian.
 *
 * In f64 the first step is no longer than x. If the undamped one is much longer than the damped
 * one, both are measured, and the lower one is taken.
 *
 * With bounds (optim/box.h), a step leaves out the elements that a bound stops, exactly as if they
 * were locked, and it is bent at the bounds. Without, nothing of this is computed.
 *
 * Sources: Levenberg 1944; Marquardt 1963, J. SIAM 11. Damping mu: Nielsen 1999 as in Madsen,
 * Nielsen & Tingleff 2004, Methods for Non-Linear Least Squares Problems, Algorithm 3.16, with
 * bounded growth and, in f64, a faster fall. D: Moré 1978, eq. 6.3. The first step's length: trf of
 * SciPy (Branch, Coleman & Li 1999). Convergence: xtol and ftol of MINPACK (Moré, Garbow &
 * Hillstrom 1980, ANL-80-74). */
#include <string.h>

#include "core/memory.h"
#include "optim/box.h"
#include "optim/method.h"

enum { INITIAL_DAMPING, MAX_EVALUATIONS, TOLERANCE_GRADIENT, TOLERANCE_CHANGE, OPTION_COUNT };

/* In f64, 1e-22 of the loss is 1e-11 of the parameters' standard errors: the digits that NIST
 * certifies. The slope has no such measure, so none is small enough there, as in MINPACK. */
#define FOR_REAL(f32, f64) (sizeof(glk_real) == 8 ? (f64) : (f32))

static const glk_option_info options[OPTION_COUNT] = {
    {"initialDamping", 1e-3, 1e-30, 1e30, 0},
    {"maxEvaluations", 25, 1, 1e6, 0},
    {"toleranceGradient", FOR_REAL(1e-8, 0), 0, 1e30, 0},
    {"toleranceChange", FOR_REAL(1e-8, 1e-22), 0, 1e30, 0}};

enum { MOST_FREE = 2048, LISTS = 6 };

/* Growth of damping is bounded, since else it would leap from where it helps to where no f32 moves.
 * From FAR_DAMPING on a step is that of D alone, hardly of J. */
enum { MOST_GROWTH = 16, FAR_DAMPING = 100 };

/* What a good step leaves of damping. In f64 fits go on for longer, with damping that hardly damps.
 * In f32, where this is Nielsen's, the bits of every fit would change. */
static const double least_factor = FOR_REAL(1.0 / 3, 0.03);

/* The least damping, as a part of the diagonal of J'J: the square of f32's resolution, since
 * anything smaller is rounding in J. */
static const double least_damping = 0x1p-46;

/* An undamped first step counts as much longer than the damped one from this factor on, in f64.
 * Steps that are about as long lead to about the same place. */
static const double much_longer = 4;

typedef struct levenberg {
  glk_solver solver;
  /* LISTS lists, then two square matrices. */
  double *memory;
  uint32_t free_count;
  /* 0: damping, growth and scale are set again, and the next trial is the first one. */
  int is_started;
  /* nu: the factor by which damping grows when the next trial fails. */
  double growth;
  glk_box box;
  /* 1: the call keeps elements in the box. */
  int is_bounded;
  /* 1: bounds bend the last trial, whose promise is this. */
  int is_bent;
  double bent_promise;
} levenberg;

/* Views into the memory. */
typedef struct lists {
  /* [free_count] */
  double *x, *gradient, *scale, *row, *step, *moved;
  /* [free_count][free_count], lower triangles: J'J, and the Cholesky factor. */
  double *normal, *factor;
} lists;

static size_t memory_count(size_t free_count) { return (LISTS + 2 * free_count) * free_count; }

static lists lists_of(const levenberg *l) {
  const size_t n = l->free_count;
  double *at = l->memory;
  return (lists){at,         at + n,     at + 2 * n,     at + 3 * n,
                 at + 4 * n, at + 5 * n, at + LISTS * n, at + LISTS * n + n * n};
}

static void free_lists(glk_context *context, levenberg *l) {
  glk_release(context, l->memory, memory_count(l->free_count), sizeof *l->memory);
}

static void release(glk_context *context, glk_solver *solver) {
  levenberg *l = (levenberg *)solver;
  free_lists(context, l);
  glk_box_free(context, &l->box);
}

static glk_status reserve(glk_solver *solver, const glk_problem *problem, int is_known,
                          uint32_t steps) {
  levenberg *l = (levenberg *)solver;
  const uint32_t n = problem->free_count;
  (void)steps;
  if (is_known && !problem->is_bounded) return GLK_OK;
  if (n > MOST_FREE) {
    return glk_fail(problem->context, GLK_ERROR_LIMIT,
                    "levenbergMarquardt is for up to %u free elements, these are %u: use lbfgs",
                    (uint32_t)MOST_FREE, n);
  }
  void *memory;
  if (problem->is_bounded) GLK_TRY(glk_box_reserve(problem->context, &l->box, n));
  if (is_known) return GLK_OK;
  GLK_TRY(glk_allocate(problem->context, memory_count(n), sizeof(double), &memory));
  free_lists(problem->context, l);
  l->memory = memory;
  l->free_count = n;
  l->is_started = 0;
  return GLK_OK;
}

/* ------------------------------------------------------------------------------------ Jacobian */

static double measure(const glk_problem *problem) {
  const uint32_t output = problem->program->outputs[0];
  const uint32_t count = problem->program->nodes[output].shape->count;
  const glk_real *r = glk_program_values(problem->program, output);
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += (double)r[i] * (double)r[i];
  return sum / 2;
}

/* Seed the reverse sweep with weights of all residuals, from `some` to twice that, or with 0. They
 * differ, lest the gradients of opposite residuals cancel. */
static void weigh(glk_problem *problem, glk_real some) {
  const glk_program *program = problem->program;
  const uint32_t count = program->nodes[program->outputs[0]].shape->count;
  for (uint32_t i = 0; i < count; i++) {
    program->seed[i] = some + some * (glk_real)i / (glk_real)count;
  }
}

/* v->gradient = J'r and v->normal = J'J, its lower triangle, one row of J at a time. All weights of
 * the seed are 0 before and after. */
static glk_status linearise(glk_problem *problem, const lists *v) {
  const uint32_t n = problem->free_count;
  const glk_program *program = problem->program;
  const uint32_t output = program->outputs[0], count = program->nodes[output].shape->count;
  memset(v->gradient, 0, n * sizeof(double));
  memset(v->normal, 0, (size_t)n * n * sizeof(double));
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    program->seed[i] = 1;
    status = glk_problem_run(problem);
    if (status == GLK_OK) glk_problem_gradient(problem, v->row); /* it may be the seed itself */
    program->seed[i] = 0;
    if (status != GLK_OK) break;
    glk_list_add(v->gradient, (double)glk_program_values(program, output)[i], v->row, n);
    for (uint32_t j = 0; j < n; j++) {
      if (v->row[j] != 0) glk_list_add(v->normal + (size_t)j * n, v->row[j], v->row, j + 1);
    }
  }
  return status;
}

/* ------------------------------------------------------------------------------ linear algebra */

static double scale_at(const lists *v, uint32_t j) { return v->scale[j] > 0 ? v->scale[j] : 1; }

/* Cholesky: factor factor' = normal + damping D; returns 0 unless that is positive definite. */
static int factorise(const lists *v, double damping, uint32_t n) {
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

/* step = -(factor factor')^-1 gradient */
static void solve_factored(const lists *v, uint32_t n) {
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

/* ---------------------------------------------------------------------------------------- steps */

/* v->step = the undamped step. The least damping by the diagonal of J'J stays, v->row, or more if
 * double needs it. Returns it. */
static double solve_undamped(const lists *v, uint32_t n) {
  lists own = *v;
  own.scale = v->row;
  for (uint32_t j = 0; j < n; j++) own.scale[j] = v->normal[(size_t)j * n + j];
  double damping = least_damping;
  while (!factorise(&own, damping, n) && damping < 0x1p100) damping *= 16;
  solve_factored(&own, n);
  return damping;
}

/* Bend v->step, of some damping of `scale`, until it stays within bounds. */
static void bend(levenberg *l, const lists *v, double *scale, double damping) {
  lists bent = *v;
  if (!l->is_bounded) return;
  bent.gradient = l->box.gradient;
  bent.normal = l->box.normal;
  bent.scale = scale;
  glk_box_straighten(&l->box);
  while (glk_box_bend(&l->box, v->x, v->step, v->gradient, v->normal)) {
    if (factorise(&bent, damping, l->free_count)) solve_factored(&bent, l->free_count);
  }
}

/* v->step = the step of some damping of D, within bounds; returns 0 if there is none. */
static int solve_damped(levenberg *l, const lists *v, double damping) {
  if (!factorise(v, damping, l->free_count)) return 0;
  solve_factored(v, l->free_count);
  bend(l, v, v->scale, damping);
  return 1;
}

/* True if the undamped step, in v->step, would change every element, or the loss, by less than the
 * tolerance. */
static int is_bottom(const levenberg *l, const lists *v, double least_fall) {
  const uint32_t n = l->free_count;
  const double tolerance = l->solver.options[TOLERANCE_CHANGE];
  uint32_t small = 0;
  for (uint32_t j = 0; j < n; j++) {
    small += glk_magnitude(v->step[j]) <= tolerance * (glk_magnitude(v->x[j]) + tolerance);
  }
  return small == n || -glk_list_dot(v->gradient, v->step, n) / 2 <= least_fall;
}

/* True if no element changes when rounded to f32. */
static int is_same_place(glk_problem *problem, const lists *v) {
  glk_problem_values(problem, v->moved);
  for (uint32_t j = 0; j < problem->free_count; j++) {
    if (v->moved[j] != v->x[j]) return 0;
  }
  return 1;
}

/* Reduction that the linear model promises: F(x) - model(step) = 1/2 step' (mu D step - gradient),
 * Madsen, Nielsen & Tingleff, eq. 3.14. */
static double promised(const levenberg *l, const lists *v) {
  double sum = 0;
  for (uint32_t j = 0; j < l->free_count; j++) {
    sum += v->step[j] * (l->solver.info.damping * scale_at(v, j) * v->step[j] - v->gradient[j]);
  }
  return sum / 2;
}

/* Bounded, since damping would never come back from 0 or infinity. */
static void set_damping(levenberg *l, double damping) {
  l->solver.info.damping = damping < 0x1p-100 ? 0x1p-100 : damping > 0x1p100 ? 0x1p100 : damping;
}

static void damp_more(levenberg *l) {
  set_damping(l, l->solver.info.damping * l->growth);
  if (l->growth < MOST_GROWTH) l->growth *= 2;
}

/* The reduction as a part of what was promised. A bent step may promise nothing, and be lower. */
static double gain_of(const levenberg *l, const lists *v, double fall) {
  if (!l->is_bent) return fall / promised(l, v);
  return l->bent_promise > 0 ? fall / l->bent_promise : 0;
}

static void damp_less(levenberg *l, double gain) {
  const double u = 2 * gain - 1, factor = 1 - u * u * u;
  set_damping(l, l->solver.info.damping * (factor > least_factor ? factor : least_factor));
  l->growth = 2;
}

/* Result of a step: a higher or a lower loss, or no change. */
typedef enum ending { IS_HIGHER, IS_LOWER, IS_NOWHERE } ending;

/* Move the variables by v->step. */
static void move(levenberg *l, glk_problem *problem, const lists *v) {
  l->is_bent = l->is_bounded && glk_box_move(&l->box, v->x, v->step, v->moved);
  if (l->is_bounded) {
    glk_problem_move(problem, v->moved, 0, NULL);
  } else {
    glk_problem_move(problem, v->x, 1, v->step);
  }
}

/* Try v->step. It counts as lower if the loss is lower, by *fall, and the gradient is finite there.
 * One sweep of a weighted sum of all residuals checks this. Then *loss and v->x become those of the
 * new place. */
static glk_status try_step(levenberg *l, glk_problem *problem, const lists *v, double *loss,
                           double *fall, ending *out) {
  move(l, problem, v);
  *out = IS_NOWHERE;
  if (is_same_place(problem, v)) return GLK_OK;
  if (l->is_bent) {
    l->bent_promise = glk_box_promise(&l->box, v->x, v->moved, v->gradient, v->normal);
  }
  GLK_TRY(glk_problem_run(problem));
  const double after = measure(problem);
  *fall = *loss - after;
  glk_problem_gradient(problem, v->row);
  if (l->is_bounded) glk_box_mute(&l->box, v->row);
  *out = IS_HIGHER;
  if (!(*fall > 0) || !glk_is_finite(glk_list_largest(v->row, l->free_count))) return GLK_OK;
  *out = IS_LOWER;
  *loss = after;
  glk_problem_values(problem, v->x);
  l->solver.info.iterations++;
  return GLK_OK;
}

/* Try the undamped step, unless it shows convergence. If it is lower, damping is reset. */
static glk_status try_undamped(levenberg *l, glk_problem *problem, const lists *v, double tolerance,
                               double *loss, ending *out) {
  double fall;
  const double damping = solve_undamped(v, l->free_count);
  *out = IS_NOWHERE;
  if (!is_bottom(l, v, tolerance)) {
    bend(l, v, v->row, damping);
    GLK_TRY(try_step(l, problem, v, loss, &fall, out));
  }
  if (*out == IS_NOWHERE) l->solver.info.stop = GLK_STOP_CHANGE;
  if (*out == IS_LOWER) l->is_started = 0;
  return GLK_OK;
}

/* Trials with more and more damping, and one without, until one is lower. */
static glk_status try_steps(levenberg *l, glk_problem *problem, const lists *v, double *loss) {
  glk_solver_info *info = &l->solver.info;
  const double tolerance = l->solver.options[TOLERANCE_CHANGE] * *loss;
  uint32_t trials = (uint32_t)l->solver.options[MAX_EVALUATIONS];
  ending end = IS_HIGHER, undamped = IS_HIGHER;
  double fall;
  for (int may_undamp = 1; end == IS_HIGHER && trials; trials--) {
    if (solve_damped(l, v, info->damping)) GLK_TRY(try_step(l, problem, v, loss, &fall, &end));
    if (end == IS_LOWER) {
      damp_less(l, gain_of(l, v, fall));
      /* What a bend put on a bound must be looked at before anything is concluded. */
      if (fall > tolerance || l->is_bent) return GLK_OK;
      solve_undamped(v, l->free_count);
      if (is_bottom(l, v, tolerance)) info->stop = GLK_STOP_CHANGE;
      return GLK_OK;
    }
    damp_more(l);
    if (may_undamp && (end == IS_NOWHERE || trials == 1 || info->damping > FAR_DAMPING)) {
      may_undamp = 0;
      GLK_TRY(try_undamped(l, problem, v, tolerance, loss, &undamped));
      if (undamped != IS_HIGHER) return GLK_OK;
    }
  }
  info->stop = end == IS_NOWHERE ? GLK_STOP_RESOLUTION : GLK_STOP_NO_PROGRESS;
  return GLK_OK;
}

/* h' D h: the square of a length that the units of parameters do not change. */
static double square_of(const lists *v, const double *h, uint32_t n) {
  double sum = 0;
  for (uint32_t j = 0; j < n; j++) sum += v->scale[j] * h[j] * h[j];
  return sum;
}

/* Solve for the step of the least damping, from *damping on, that is no longer than x. Returns the
 * square of its length. */
static double solve_short(const lists *v, double *damping, uint32_t n) {
  const double most = square_of(v, v->x, n);
  double square = 0;
  for (; *damping < 0x1p100; *damping *= 4) {
    if (!factorise(v, *damping, n)) continue;
    solve_factored(v, n);
    square = square_of(v, v->step, n);
    if (!(square > most) || most == 0) break;
  }
  return square;
}

/* The loss where the step of some damping leads; infinite, if there is none. */
static glk_status measure_step(levenberg *l, glk_problem *problem, const lists *v, double damping,
                               double *loss) {
  *loss = __builtin_inf();
  if (!solve_damped(l, v, damping)) return GLK_OK;
  move(l, problem, v);
  glk_problem_want(problem, 0);
  const glk_status status = glk_problem_run(problem);
  glk_problem_want(problem, 1);
  if (status == GLK_OK) *loss = measure(problem);
  return status;
}

/* Set the damping of the first trial, in f64: the initial one, or if the undamped step is much
 * longer and leads lower, the least. More in both cases, if the step would be longer than x. */
static glk_status choose_damping(levenberg *l, glk_problem *problem, const lists *v) {
  const uint32_t n = l->free_count;
  double *damping = &l->solver.info.damping, least = least_damping, damped, undamped;
  const double square = solve_short(v, damping, n), most = solve_short(v, &least, n);
  if (!(most > much_longer * much_longer * square)) return GLK_OK;
  GLK_TRY(measure_step(l, problem, v, *damping, &damped));
  GLK_TRY(measure_step(l, problem, v, least, &undamped));
  if (undamped < damped) *damping = least;
  return GLK_OK;
}

/* D, which never falls but at the start. */
static void raise_scale(const levenberg *l, const lists *v) {
  for (uint32_t j = 0; j < l->free_count; j++) {
    const double square = v->normal[(size_t)j * l->free_count + j];
    if (!l->is_started || square > v->scale[j]) v->scale[j] = square;
  }
}

/* Compute Jacobian and gradient at the variables, and set info.stop if they end the call. */
static glk_status look(levenberg *l, glk_problem *problem, const lists *v, double loss) {
  const uint32_t n = l->free_count;
  glk_solver_info *info = &l->solver.info;
  GLK_TRY(linearise(problem, v));
  if (l->is_bounded) {
    glk_box_hold(&l->box, v->x, v->gradient, v->normal);
    glk_bounds_hold(&l->solver.bounds, problem, l->box.is_held);
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

/* True if the step in v->step leads out of the box. */
static int leaves_box(levenberg *l, const lists *v) {
  if (!l->is_bounded) return 0;
  glk_box_straighten(&l->box);
  return glk_box_bend(&l->box, v->x, v->step, v->gradient, v->normal) > 0;
}

/* Jacobian and gradient at v->x, without what a bound holds. */
static glk_status linearise_within(levenberg *l, glk_problem *problem, const lists *v) {
  GLK_TRY(linearise(problem, v));
  if (l->is_bounded) glk_box_take_out(&l->box, v->gradient, v->normal);
  return GLK_OK;
}

/* Solve for the undamped step, and return the reduction that it promises. */
static double promised_undamped(const lists *v, uint32_t n) {
  solve_undamped(v, n);
  return -glk_list_dot(v->gradient, v->step, n) / 2;
}

/* Undamped steps near the bottom, in f64, by the gradient alone: there rounding hides which loss is
 * lower, since parameters that differ in their 8th digit have losses that differ in their 16th. A
 * step counts if the next one promises less, and the loss keeps half of its digits. What a bound
 * stops stays where it is, and each such step needs a look. None counts, if *is_moved is 0. */
static glk_status refine(levenberg *l, glk_problem *problem, const lists *v, double last,
                         double *loss, int *is_moved) {
  const uint32_t n = l->free_count;
  glk_solver_info *info = &l->solver.info;
  double left = promised_undamped(v, n), near = 0x1p-26 * *loss;
  *is_moved = 0;
  while (left > 0 && left <= near && !leaves_box(l, v)) {
    move(l, problem, v);
    GLK_TRY(linearise_within(l, problem, v));
    const double after = measure(problem), next = promised_undamped(v, n);
    if (!(next <= 0.9 * left) || !(glk_magnitude(after - *loss) <= near)) {
      glk_problem_move(problem, v->x, 0, NULL);
      return *is_moved ? GLK_OK : linearise_within(l, problem, v);
    }
    *is_moved = 1;
    glk_problem_values(problem, v->x);
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
static glk_status step(levenberg *l, glk_problem *problem, const lists *v, double last,
                       double *loss) {
  int is_moved = 0;
  GLK_TRY(look(l, problem, v, *loss));
  if (l->solver.info.stop != GLK_STOP_STEPS) return GLK_OK;
  glk_status status = GLK_OK;
  if (sizeof(glk_real) == 8) {
    status = refine(l, problem, v, last, loss, &is_moved);
    if (!is_moved && !l->is_started && status == GLK_OK) status = choose_damping(l, problem, v);
  }
  if (!is_moved && status == GLK_OK) {
    l->is_started = 1;
    weigh(problem, 4);
    status = try_steps(l, problem, v, loss);
    weigh(problem, 0);
  }
  glk_problem_move(problem, v->x, 0, NULL);
  glk_problem_outdate(problem);
  return status;
}

static glk_status solve(glk_solver *solver, glk_problem *problem, uint32_t steps, double *loss) {
  levenberg *l = (levenberg *)solver;
  const lists v = lists_of(l);
  const glk_solver_info *info = &solver->info;
  const double last = info->iterations + steps;
  l->is_bounded = problem->is_bounded;
  if (l->is_bounded) glk_bounds_gather(&solver->bounds, problem, l->box.lower, l->box.upper);
  glk_problem_want(problem, 0);
  GLK_TRY(glk_problem_run(problem));
  *loss = measure(problem);
  glk_problem_values(problem, v.x);
  glk_problem_want(problem, 1);
  glk_status status = GLK_OK;
  while (info->iterations < last && info->stop == GLK_STOP_STEPS && status == GLK_OK) {
    status = step(l, problem, &v, last, loss);
  }
  glk_problem_want(problem, 0);
  /* Damping that grew until nothing moved would only hold the next call back. */
  if (info->stop != GLK_STOP_STEPS) l->is_started = 0;
  return status;
}

/* ---------------------------------------------------------------------------------------- state */

static void walk(glk_archive *a, glk_solver *solver, uint32_t free_count) {
  levenberg *l = (levenberg *)solver;
  uint32_t is_started = l->is_started != 0;
  void *memory;
  glk_archive_whole(a, "isStarted", 1, &is_started);
  glk_archive_values(a, "growth", 'd', &l->growth, 1);
  if (a->in) {
    if (free_count > MOST_FREE) glk_archive_refuse(a, "it has too many free elements");
    if (a->status != GLK_OK) return;
    a->status = glk_allocate(a->context, memory_count(free_count), sizeof(double), &memory);
    if (a->status != GLK_OK) return;
    l->memory = memory;
    l->free_count = free_count;
    l->is_started = (int)is_started;
  }
  glk_archive_values(a, "scale", 'd', lists_of(l).scale, free_count);
}

/* ------------------------------------------------------------------------------------------ row */

static glk_status differentiate(glk_problem *problem) {
  glk_program *program = problem->program;
  if (!program->nodes[program->outputs[0]].shape->rank) {
    return glk_fail(
        problem->context, GLK_ERROR_SHAPE,
        "levenbergMarquardt takes residuals, of shape [n], and minimises half the sum of "
        "their squares; it was given a scalar loss: give the residuals themselves (one "
        "residual has shape [1])");
  }
  GLK_TRY(
      glk_program_jacobian(problem->context, program, problem->variables, problem->variable_count));
  problem->derivatives = program->rows;
  problem->derivative_count = program->row_count;
  return GLK_OK;
}

const glk_method_row glk_method_levenberg_marquardt = {
    {"levenbergMarquardt", options, GLK_COUNT_WITHIN(OPTION_COUNT, GLK_MAX_METHOD_OPTIONS)},
    1 << MAX_EVALUATIONS,
    sizeof(levenberg),
    differentiate,
    measure,
    reserve,
    solve,
    release,
    walk,
    1};
