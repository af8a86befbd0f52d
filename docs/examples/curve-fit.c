/* Fit a curve with a parameter that is known: logistic growth, y = b1 / (1 + exp(b2 - b3 t)), by
 * Levenberg-Marquardt.
 *
 * The data are real: the yield of a pasture over its growing time (Ratkowsky 1983, Nonlinear
 * Regression Modeling, pp. 61 and 88), as NIST has them among its Statistical Reference Datasets
 * under the name Rat42. NIST certifies b = 72.462238, 2.6180768, 0.067359200 and a sum of squares
 * of 8.0565229.
 *
 * b1 is what the yield levels off at. Say it is known from other years to be 75: set it, lock it,
 * fit the rest. Program and solver stay; nothing is rebuilt, and 75 stays 75 to the bit.
 *
 *   $ make lib
 *   $ export PKG_CONFIG_PATH=build/lib
 *   $ cc docs/examples/curve-fit.c -o build/curve-fit $(pkg-config --cflags --libs gradlock)
 *   $ LD_LIBRARY_PATH=build/lib build/curve-fit
 *   all free: b = 72.4622 2.61808 0.0673592   sum of squares 8.0565
 *   b1 held:  b = 75.0000 2.56478 0.0634447   sum of squares 10.6749 */
#include <gradlock.h>
#include <stdio.h>
#include <stdlib.h>

enum { READINGS = 9, PARAMETERS = 3 };

static const glk_real times[READINGS] = {9, 14, 21, 28, 42, 57, 63, 70, 79};
static const glk_real yields[READINGS] = {8.93f,  10.80f, 18.59f, 22.33f, 39.35f,
                                          56.11f, 61.73f, 64.62f, 67.08f};

static glk_context *g;

static void check(glk_status status) {
  if (status == GLK_OK) return;
  fprintf(stderr, "%s: %s\n", glk_status_name(status), glk_context_detail(g));
  exit(EXIT_FAILURE);
}

/* An op by its name, of one or two operands (b is 0 where there is one). */
static glk_handle apply(const char *name, glk_handle a, glk_handle b) {
  uint32_t op;
  check(glk_op_find(g, name, &op));
  glk_handle out;
  check(glk_apply(g, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, &out));
  return out;
}

/* A list of values that stay. */
static glk_handle constant(uint32_t count, const glk_real *values) {
  glk_handle out;
  check(glk_tensor_create(g, 1, &count, values, count, &out));
  return out;
}

/* b[i], as a list of one element, which meets any other list element by element. */
static glk_handle element(glk_handle b, uint32_t i) {
  uint32_t slice;
  check(glk_op_find(g, "slice", &slice));
  glk_handle out;
  check(glk_apply(g, slice, &b, 1, (double[]){i, 1}, 2, &out)); /* from i on, one */
  return out;
}

/* What the curve with parameters b misses each reading by. */
static glk_handle record_residuals(glk_handle b) {
  check(glk_program_begin(g, GLK_TRACE));
  const glk_handle t = constant(READINGS, times), y = constant(READINGS, yields);
  const glk_handle power = apply("sub", element(b, 1), apply("mul", element(b, 2), t));
  const glk_handle below = apply("add", constant(1, (glk_real[]){1}), apply("exp", power, 0));
  const glk_handle residuals = apply("sub", apply("div", element(b, 0), below), y);
  glk_handle program;
  check(glk_program_end(g, &residuals, 1, &program));
  return program;
}

static void fit_and_print(const char *what, glk_handle solver, glk_handle residuals, glk_handle b) {
  double half_of_squares;
  glk_real found[PARAMETERS];
  check(glk_solver_minimize(g, solver, residuals, &b, 1, 100, &half_of_squares));
  check(glk_read(g, b, found, PARAMETERS));
  printf("%-9s b = %.4f %.5f %.7f   sum of squares %.4f\n", what, found[0], found[1], found[2],
         2 * half_of_squares);
}

int main(void) {
  check(glk_context_create(NULL, &g));

  const uint32_t shape = PARAMETERS;
  const glk_real start[PARAMETERS] = {75, 2.5f, 0.07f}; /* NIST's second start */
  glk_handle b, solver;
  check(glk_variable_create(g, 1, &shape, start, PARAMETERS, "b", 1, &b));
  check(glk_solver_create(g, GLK_LEVENBERG_MARQUARDT, &solver));
  const glk_handle residuals = record_residuals(b);

  fit_and_print("all free:", solver, residuals, b);

  check(glk_variable_fix(g, b, 0, 75)); /* set and lock */
  fit_and_print("b1 held:", solver, residuals, b);

  glk_context_dispose(g);
  return EXIT_SUCCESS;
}
