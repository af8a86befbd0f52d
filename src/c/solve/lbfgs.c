/* L-BFGS: limited-memory quasi-Newton steps with a strong Wolfe line search, over the free
 * elements. All lists are [free_count] in double. A pair (s, y) is a step and the change of the
 * gradient along it; pairs without positive curvature s.y are left out.
 *
 * Sources: Liu & Nocedal 1989, Math. Programming 45; Nocedal & Wright 2006, Numerical Optimization,
 * 2nd ed., Algorithms 7.4 (two loops) and 7.5, initial scaling eq. 7.20. First steps, tolerances
 * and defaults are those of torch.optim.LBFGS(line_search_fn='strong_wolfe'). */
#include <string.h>

#include "core/memory.h"
#include "solve/line_search.h"
#include "solve/solver.h"

enum {
  LEARNING_RATE,
  HISTORY_SIZE,
  MAX_EVALUATIONS,
  TOLERANCE_GRADIENT,
  TOLERANCE_CHANGE,
  OPTION_COUNT
};

/* f64 has twice the digits of f32, and a bit: its tolerances are the squares. */
#define FOR_REAL(f32) (sizeof(glk_real) == 8 ? (f32) * (f32) : (f32))

static const glk_option_info options[OPTION_COUNT] = {
    {"learningRate", 1, 1e-30, 1e30, 0},
    {"historySize", 100, 1, 1025, 0},
    {"maxEvaluations", 25, 1, 1e6, 0},
    {"toleranceGradient", FOR_REAL(1e-7), 0, 1e30, 0},
    {"toleranceChange", FOR_REAL(1e-9), 0, 1e30, 0}};

/* Number of lists besides the history. */
enum { LISTS = 5 };

typedef struct lbfgs {
  glk_solver solver;
  /* LISTS lists; then per pair s, y, and two numbers. */
  double *memory;
  uint32_t free_count, capacity;
  /* A ring of pairs: the oldest one's index, and how many. */
  uint32_t first, count;
  /* Scale of the initial Hessian approximation: s.y / y.y of the newest pair (eq. 7.20). */
  double scale;
} lbfgs;

/* Views into the memory. */
typedef struct lists {
  /* [free_count] */
  double *x, *gradient, *direction, *trial, *lowest;
  /* [capacity]; curvature is 1 / s.y */
  double *alpha, *curvature;
  /* [capacity][free_count] */
  double *s, *y;
} lists;

static size_t memory_count(size_t free_count, size_t capacity) {
  return LISTS * free_count + 2 * capacity + 2 * capacity * free_count;
}

static lists lists_of(const lbfgs *l) {
  const size_t n = l->free_count, pairs = l->capacity;
  double *at = l->memory;
  return (lists){at,
                 at + n,
                 at + 2 * n,
                 at + 3 * n,
                 at + 4 * n,
                 at + LISTS * n,
                 at + LISTS * n + pairs,
                 at + LISTS * n + 2 * pairs,
                 at + LISTS * n + 2 * pairs + pairs * n};
}

static void release(glk_context *context, glk_solver *solver) {
  lbfgs *l = (lbfgs *)solver;
  glk_release(context, l->memory, memory_count(l->free_count, l->capacity), sizeof *l->memory);
}

/* Copy the newest pairs, as many as there is room for, oldest first. */
static void copy_pairs(const lbfgs *from, lbfgs *to) {
  const lists a = lists_of(from), b = lists_of(to);
  const size_t n = from->free_count;
  to->count = from->count < to->capacity ? from->count : to->capacity;
  to->scale = from->scale;
  for (uint32_t k = 0; k < to->count; k++) {
    const size_t i = (from->first + from->count - to->count + k) % from->capacity;
    memcpy(b.s + k * n, a.s + i * n, n * sizeof *b.s);
    memcpy(b.y + k * n, a.y + i * n, n * sizeof *b.y);
    b.curvature[k] = a.curvature[i];
  }
}

static glk_status reserve(glk_solver *solver, const glk_objective *objective, int is_known,
                          uint32_t steps) {
  lbfgs *l = (lbfgs *)solver;
  const uint32_t most = (uint32_t)solver->options[HISTORY_SIZE];
  const uint32_t held = is_known ? l->count : 0, room = is_known ? l->capacity : 0;
  uint32_t capacity = steps < most - (held < most ? held : most) ? held + steps : most;
  if (is_known && l->memory && room <= most && capacity <= room) return GLK_OK;
  if (capacity < room + room / 2) capacity = room + room / 2; /* for callers of single steps */
  if (capacity > most) capacity = most;
  lbfgs next = *l;
  next.free_count = objective->free_count;
  next.capacity = capacity ? capacity : 1;
  next.first = next.count = 0;
  size_t count; /* checked here: one that wrapped around would pass glk_allocate */
  if (!glk_size_multiply((size_t)next.free_count + 1, LISTS + 2 * (size_t)next.capacity, &count)) {
    return glk_fail(objective->context, GLK_ERROR_OUT_OF_MEMORY,
                    "%u steps of %u elements do not fit any memory", next.capacity,
                    next.free_count);
  }
  GLK_TRY(glk_allocate(objective->context, memory_count(next.free_count, next.capacity),
                       sizeof(double), &next.memory));
  if (is_known && l->memory) copy_pairs(l, &next);
  release(objective->context, solver);
  *l = next;
  return GLK_OK;
}

/* direction = -H gradient, by Algorithm 7.4. */
static void find_direction(lbfgs *l, const lists *v) {
  const uint32_t n = l->free_count;
  double *d = v->direction;
  for (uint32_t i = 0; i < n; i++) d[i] = -v->gradient[i];
  for (uint32_t k = l->count; k-- > 0;) {
    const size_t i = (l->first + k) % l->capacity;
    v->alpha[i] = v->curvature[i] * glk_list_dot(v->s + i * n, d, n);
    glk_list_add(d, -v->alpha[i], v->y + i * n, n);
  }
  if (l->count) {
    for (uint32_t i = 0; i < n; i++) d[i] *= l->scale;
  }
  for (uint32_t k = 0; k < l->count; k++) {
    const size_t i = (l->first + k) % l->capacity;
    const double beta = v->curvature[i] * glk_list_dot(v->y + i * n, d, n);
    glk_list_add(d, v->alpha[i] - beta, v->s + i * n, n);
  }
}

/* Add the pair of a step from v->x, where the gradient is v->gradient, to v->direction, where it is
 * `gradient`. A pair without positive curvature could make directions that go uphill: left out. */
static void learn(lbfgs *l, const lists *v, const double *gradient) {
  const uint32_t n = l->free_count;
  double sy = 0, yy = 0;
  for (uint32_t i = 0; i < n; i++) {
    const double s = v->direction[i] - v->x[i], y = gradient[i] - v->gradient[i];
    sy += s * y;
    yy += y * y;
  }
  if (!(sy > 0x1p-52 * yy)) return;
  const size_t slot = (l->first + l->count) % l->capacity;
  for (uint32_t i = 0; i < n; i++) {
    v->s[slot * n + i] = v->direction[i] - v->x[i];
    v->y[slot * n + i] = gradient[i] - v->gradient[i];
  }
  v->curvature[slot] = 1 / sy;
  l->scale = sy / yy;
  if (l->count < l->capacity) {
    l->count++;
  } else {
    l->first = (l->first + 1) % l->capacity;
  }
}

/* Length of a search's first trial. Before there is a pair nothing is known of the scale: then it
 * is at most 1 in the sum of magnitudes. */
static double first_trial(const lbfgs *l, const lists *v) {
  const double rate = l->solver.options[LEARNING_RATE];
  if (l->count) return rate;
  double sum = 0;
  for (uint32_t i = 0; i < l->free_count; i++) sum += glk_magnitude(v->gradient[i]);
  return (1 < 1 / sum ? 1 : 1 / sum) * rate;
}

/* One line search; if it fails along a quasi-Newton direction, another along the gradient (as
 * L-BFGS-B does). *left is the further decrease of the loss that the quadratic model predicts: 0 if
 * the search took the whole step, infinite while there is no model. */
static glk_status search(lbfgs *l, glk_objective *objective, const lists *v, double loss,
                         glk_line *line, double *left) {
  const double tolerance = l->solver.options[TOLERANCE_CHANGE];
  *line = (glk_line){.objective = objective,
                     .x = v->x,
                     .direction = v->direction,
                     .gradient = v->trial,
                     .lowest_gradient = v->lowest,
                     .tolerance = tolerance,
                     .evaluations = (uint32_t)l->solver.options[MAX_EVALUATIONS]};
  *left = __builtin_inf();
  for (;;) {
    find_direction(l, v);
    const double slope = glk_list_dot(v->gradient, v->direction, l->free_count);
    if (l->count) *left = -slope / 2;
    line->start = line->lowest = (glk_line_point){0, loss, slope};
    if (glk_is_finite(slope) && slope < 0) {
      const double t = first_trial(l, v);
      GLK_TRY(glk_line_search(line, t));
      if (line->lowest.t >= t && l->count) *left = 0;
      if (line->lowest.t != 0) return GLK_OK;
    }
    if (!l->count || !line->evaluations) return GLK_OK;
    l->count = 0;
  }
}

/* Largest movement of an element from v->x to v->direction, where a step led. */
static double distance(const lbfgs *l, const lists *v) {
  double longest = 0;
  for (uint32_t i = 0; i < l->free_count; i++) {
    const double moved = glk_magnitude(v->direction[i] - v->x[i]);
    if (moved > longest) longest = moved;
  }
  return longest;
}

/* Return why a step that moved elements by up to `moved` was the last, or that it was not. */
static glk_stop judge(const lbfgs *l, const glk_line *line, double left, double moved) {
  const double tolerance = l->solver.options[TOLERANCE_CHANGE];
  const double change = glk_magnitude(line->lowest.loss - line->start.loss);
  if (glk_line_is_endless(line)) return GLK_STOP_UNBOUNDED;
  if (moved > tolerance && change >= tolerance) return GLK_STOP_STEPS;
  if (left <= tolerance) return GLK_STOP_CHANGE;
  return moved > 0 || line->evaluations ? GLK_STOP_RESOLUTION : GLK_STOP_NO_PROGRESS;
}

/* One step from v->x, where the loss is *loss, to a lower loss; sets info.stop if it was the
 * last. */
static glk_status step(lbfgs *l, glk_objective *objective, const lists *v, double *loss) {
  const uint32_t n = l->free_count;
  glk_line line;
  double left;
  const glk_status status = search(l, objective, v, *loss, &line, &left);
  glk_objective_move(objective, v->x, status == GLK_OK ? line.lowest.t : 0, v->direction);
  objective->program->is_computed = 0; /* the variables have moved since */
  if (status != GLK_OK) return status;
  glk_objective_values(objective, v->direction);
  const double moved = distance(l, v);
  l->solver.info.stop = judge(l, &line, left, moved);
  if (moved == 0) {
    l->count = 0;
    return GLK_OK;
  }
  learn(l, v, line.lowest_gradient);
  memcpy(v->x, v->direction, n * sizeof *v->x);
  memcpy(v->gradient, line.lowest_gradient, n * sizeof *v->gradient);
  *loss = line.lowest.loss;
  l->solver.info.iterations++;
  return GLK_OK;
}

static glk_status take_steps(lbfgs *l, glk_objective *objective, const lists *v, uint32_t steps,
                             double *loss) {
  glk_solver_info *info = &l->solver.info;
  for (uint32_t i = 0;; i++) {
    info->gradient = glk_list_largest(v->gradient, l->free_count);
    if (!glk_is_finite(info->gradient) || !glk_is_finite(*loss)) {
      info->stop = GLK_STOP_NOT_FINITE;
    } else if (info->gradient <= l->solver.options[TOLERANCE_GRADIENT]) {
      info->stop = GLK_STOP_GRADIENT;
    }
    if (i == steps || info->stop != GLK_STOP_STEPS) return GLK_OK;
    GLK_TRY(step(l, objective, v, loss));
  }
}

static double measure(const glk_objective *objective) {
  const glk_program *program = objective->program;
  return (double)glk_program_values(program, program->outputs[0])[0];
}

static glk_status solve(glk_solver *solver, glk_objective *objective, uint32_t steps,
                        double *loss) {
  lbfgs *l = (lbfgs *)solver;
  const lists v = lists_of(l);
  glk_objective_need(objective, 1);
  GLK_TRY(glk_objective_run(objective));
  *loss = measure(objective);
  glk_objective_values(objective, v.x);
  glk_objective_gradient(objective, v.gradient);
  const glk_status status = take_steps(l, objective, &v, steps, loss);
  solver->info.history = l->count;
  return status;
}

/* Get room for pairs that are about to be read. */
static void make_room(glk_archive *a, lbfgs *l, uint32_t free_count, uint32_t count) {
  if (count > l->solver.options[HISTORY_SIZE] ||
      (uint64_t)count * free_count * (2 * sizeof(double)) > a->end - a->at) {
    glk_archive_refuse(a, "its history is too long");
  }
  if (a->status != GLK_OK) return;
  const uint32_t capacity = count ? count : 1;
  a->status =
      glk_allocate(a->context, memory_count(free_count, capacity), sizeof(double), &l->memory);
  if (a->status != GLK_OK) return;
  l->free_count = free_count;
  l->capacity = capacity;
  l->count = l->solver.info.history = count;
}

/* Pairs from the oldest to the newest. */
static void walk(glk_archive *a, glk_solver *solver, uint32_t free_count) {
  lbfgs *l = (lbfgs *)solver;
  uint32_t count = l->count;
  glk_archive_values(a, "scale", 'd', &l->scale, 1);
  glk_archive_begin(a, "pairs", '[', &count);
  if (a->in) make_room(a, l, free_count, count);
  for (uint32_t k = 0; k < count && a->status == GLK_OK; k++) {
    const lists v = lists_of(l);
    const size_t i = (l->first + k) % l->capacity;
    glk_archive_begin(a, "", '{', NULL);
    glk_archive_values(a, "step", 'd', v.s + i * free_count, free_count);
    glk_archive_values(a, "change", 'd', v.y + i * free_count, free_count);
    glk_archive_values(a, "curvature", 'd', v.curvature + i, 1);
    glk_archive_end(a);
  }
  glk_archive_end(a);
}

static glk_status differentiate(glk_objective *objective) {
  glk_program *program = objective->program;
  GLK_TRY(glk_program_differentiate(objective->context, program, objective->variables,
                                    objective->variable_count));
  objective->derivatives = program->derivatives;
  objective->derivative_count = program->derivative_count;
  return GLK_OK;
}

const glk_method_row glk_method_lbfgs = {{"lbfgs", options,
                                          GLK_COUNT_WITHIN(OPTION_COUNT, GLK_MAX_METHOD_OPTIONS),
                                          1 << HISTORY_SIZE | 1 << MAX_EVALUATIONS},
                                         sizeof(lbfgs),
                                         differentiate,
                                         measure,
                                         reserve,
                                         solve,
                                         release,
                                         walk,
                                         0};
