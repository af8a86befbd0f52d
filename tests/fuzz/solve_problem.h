/* How fuzz_solve.c makes a problem of bytes: residuals f(A x) + g(B y) - d, or a loss of them, two
 * variables, and what trains them. Mostly one that can be solved: linear, exponential, rational. Now
 * and then with NaN, infinity and numbers near the largest, of any rank. */
#ifndef GLK_TESTS_SOLVE_PROBLEM_H
#define GLK_TESTS_SOLVE_PROBLEM_H

#include "fuzz.h"

enum { ROWS = 6, MOST = 40, OPS = 14, JOINS = 4, LOSSES = 6 };

static const char *const unary[OPS] = {NULL,   "exp", "square", "reciprocal", "sigmoid",
                                       "tanh", "sin", "abs",    "log",        "sqrt",
                                       "relu", "cos", "exp2",   "softplus"};
static const char *const joins[JOINS] = {"add", "mul", "div", "sub"};

typedef glk_status command(void);

/** What bytes say, the same for every context. */
typedef struct problem {
  uint32_t trainer;    /* an update rule, or SOLVERS_FROM and a method */
  uint32_t count;      /* of the variables that are trained */
  uint32_t is_watched; /* 1: audits watch what is locked */
  uint32_t rows, sizes[2], ops[2], join, loss;
  glk_real matrix[2][ROWS * MOST], start[2][MOST], data[ROWS];
} problem;

enum { SOLVERS_FROM = GLK_RULE_COUNT };

static bytes input;
static problem p;
static heap memory;
static glk_context *c;
static glk_handle trainer, program, x[2];

static int has_policies; /* which may lock and free in any step */

static int is_solver(void) { return p.trainer >= SOLVERS_FROM; }
static int has_residuals(void) { return p.trainer == SOLVERS_FROM + GLK_LEVENBERG_MARQUARDT; }

/* ------------------------------------------------------------------------------------- numbers */

static glk_real next_real(void) {
  static const double odd[16] = {0,     -0.0, 1e-40, 3e38,  -3e38, 1e10, -1e10, 1e-20,
                                 -1e20, 1e5,  1e-4,  -1e-7, 100,   1,    NAN,   INFINITY};
  const uint32_t k = next_u8(&input);
  return (glk_real)(k < 226 ? (k - 113.0) / 16 : k == 255 ? -INFINITY : odd[k % 16]);
}

/* Each by a byte, or by a pattern, which takes few bytes and has a low rank if its period is
 * short. */
static void next_reals(glk_real *out, uint32_t count) {
  const uint32_t way = next_u8(&input);
  const uint32_t period = way % 3 ? 0 : 1 + way / 3 % 13;
  for (uint32_t i = 0; i < count; i++) {
    out[i] = period && i >= period ? out[i - period] : next_real();
  }
}

/* Of options and schedules, in their ranges or not. */
static double next_setting(const glk_option_info *of) {
  static const double numbers[24] = {0,   1,   2,   3,     0.5,  0.9,  0.25,  1e-3,
                                     10,  100, 1.5, 0.1,   1e-8, 0.99, 1.001, 4,
                                     0.3, -1,  20,  1e-30, 1e29, 7,    5,     -0.5};
  const uint32_t k = next_u8(&input);
  if (of->is_flag && k < 250) return k % 2;
  if (k > 252) return k == 253 ? NAN : k == 254 ? of->low : of->initial;
  return numbers[k % 24];
}

/* ------------------------------------------------------------------------------------- problem */

static void read_problem(void) {
  const uint32_t kind = next_below(&input, SOLVERS_FROM + 12), shape = next_u8(&input);
  memset(&p, 0, sizeof p);
  p.trainer = kind < SOLVERS_FROM ? kind : SOLVERS_FROM + kind % 2;
  p.count = 1 + shape % 2;
  p.is_watched = shape / 2 % 2;
  p.rows = 1 + shape / 4 % ROWS;
  p.join = next_below(&input, JOINS);
  p.loss = next_below(&input, LOSSES);
  next_reals(p.data, p.rows);
  for (int i = 0; i < 2; i++) {
    const uint32_t size = next_u8(&input);
    p.sizes[i] = size < 240 ? 1 + size % 5 : size < 245 ? 0 : MOST;
    p.ops[i] = next_below(&input, OPS);
    next_reals(p.matrix[i], p.rows * p.sizes[i]);
    next_reals(p.start[i], p.sizes[i]);
  }
}

static glk_handle apply(const char *name, glk_handle a, glk_handle b, uint32_t attributes) {
  const glk_handle in[2] = {a, b};
  const double zeros[2] = {0};
  glk_handle out = 0;
  uint32_t op = 0;
  if (!name) return a;
  if (glk_op_find(c, name, &op) || glk_apply(c, op, in, b ? 2 : 1, zeros, attributes, &out)) {
    BROKEN("%s: %s", name, glk_context_detail(c));
  }
  return out;
}

static glk_handle constant(uint32_t rows, uint32_t columns, const glk_real *values) {
  const uint32_t dims[2] = {rows, columns};
  glk_handle out = 0;
  if (glk_tensor_create(c, 2, dims, values, (size_t)rows * columns, &out)) BROKEN("no tensor");
  return out;
}

/* A scalar, or what Levenberg-Marquardt takes; for few inputs what the method refuses. */
static glk_handle loss_of(glk_handle residuals) {
  const int refused = p.loss == LOSSES - 1;
  if (has_residuals() ? !refused : refused) return residuals;
  if (p.loss == 4) return apply("sum", residuals, 0, 1);
  if (p.loss == 3) return apply("mean", apply("abs", residuals, 0, 0), 0, 1);
  return apply(p.loss == 2 ? "mean" : "sum", apply("square", residuals, 0, 0), 0, 1);
}

static void record(void) {
  glk_handle parts[2], all;
  for (int i = 0; i < 2; i++) parts[i] = constant(p.rows, p.sizes[i], p.matrix[i]);
  all = constant(p.rows, 1, p.data);
  glk_program_begin(c, GLK_TRACE);
  for (int i = 0; i < 2; i++) {
    parts[i] = apply(unary[p.ops[i]], apply("matMul", parts[i], x[i], 2), 0, 0);
  }
  const glk_handle residuals = apply("sub", apply(joins[p.join], parts[0], parts[1], 0), all, 0);
  const glk_handle out = loss_of(residuals);
  if (glk_program_end(c, &out, 1, &program)) BROKEN("%s", glk_context_detail(c));
}

static glk_status create_trainer(glk_handle *out) {
  if (!is_solver()) return glk_optimizer_create(c, (glk_rule)p.trainer, out);
  return glk_solver_create(c, (glk_method)(p.trainer - SOLVERS_FROM), out);
}

/* All of it, in a context of its own. */
static void make(void) {
  static const char *const names[2] = {"x", "y"};
  memory = (heap){.most = (size_t)64 << 20, .countdown = -1};
  c = context_on(&memory);
  for (int i = 0; i < 2; i++) {
    const uint32_t dims[2] = {p.sizes[i], 1};
    if (glk_variable_create(c, 2, dims, p.start[i], dims[0], names[i], 1, &x[i])) BROKEN("no x");
    if (p.is_watched) glk_locks_watch(c, x[i], 1);
  }
  record();
  if (create_trainer(&trainer)) BROKEN("no trainer");
}

#endif
