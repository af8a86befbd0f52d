/* Problems for second-order methods, and their reduced problems.
 *
 * A problem of n elements is written over a tensor x. Where x is a variable with locks, the reduced
 * problem puts a variable of the free elements alone between constants (concat, gather), which
 * changes no bit of the loss or a gradient. */
#ifndef GLK_TESTS_SOLVING_H
#define GLK_TESTS_SOLVING_H

#include <stdlib.h>

#include "vectors.h"

static glk_handle part(glk_handle x, uint32_t from, uint32_t count) {
  return apply_with("slice", x, 0, (double[]){from, count}, 2);
}

static glk_handle solver(glk_method method) {
  glk_handle s = 0;
  CHECK_STATUS(glk_solver_create(c, method, &s), GLK_OK);
  return s;
}

static inline void set(glk_handle s, const char *name, double value) {
  CHECK_STATUS(glk_solver_set(c, s, &name, &value, 1), GLK_OK);
}

static glk_solver_info info_of(glk_handle s) {
  glk_solver_info info = {0};
  CHECK_STATUS(glk_solver_describe(c, s, &info), GLK_OK);
  return info;
}

static double solve(glk_handle s, glk_handle program, glk_handle x, uint32_t steps) {
  double loss = 0;
  CHECK_STATUS(glk_solver_minimize(c, s, program, &x, 1, steps, &loss), GLK_OK);
  return loss;
}

/* ------------------------------------------------------------------------------------- problems */

typedef glk_handle problem(glk_handle x, uint32_t n);

/* Rosenbrock's valley, chained: residuals 10 (x[i+1] - x[i]^2) and 1 - x[i]. */
static glk_handle rosenbrock_residuals(glk_handle x, uint32_t n) {
  const glk_handle a = part(x, 0, n - 1), b = part(x, 1, n - 1);
  const glk_handle bend = apply("mul", apply("sub", b, apply("square", a, 0)), scalar(10));
  return apply_with("concat", bend, apply("sub", scalar(1), a), (double[]){0}, 1);
}

static glk_handle sum_of_squares(glk_handle r) { return apply("sum", apply("square", r, 0), 0); }

static glk_handle rosenbrock(glk_handle x, uint32_t n) {
  return sum_of_squares(rosenbrock_residuals(x, n));
}

/* A program over a variable. */
static glk_handle trace(problem *write, glk_handle x, uint32_t n) {
  glk_handle program = 0;
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle out = write(x, n);
  CHECK_STATUS(glk_program_end(c, &out, 1, &program), GLK_OK);
  return program;
}

/* The same over the free elements of x: *reduced is their variable. `values` are where the elements
 * are now. */
static inline glk_handle trace_reduced(problem *write, const glk_real *values, const uint8_t *mask,
                                       uint32_t n, glk_handle *reduced) {
  glk_real *held = calloc(n, sizeof *held), *free_values = calloc(n, sizeof *held);
  glk_real *order = calloc(n, sizeof *order);
  uint32_t free_count = 0, held_count = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!mask[i]) free_values[free_count++] = values[i];
  }
  uint32_t next = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (mask[i]) held[held_count] = values[i];
    order[i] = (glk_real)(mask[i] ? free_count + held_count++ : next++);
  }
  *reduced = variable(free_count, free_values);
  const glk_handle constants = tensor(held_count, held), order_at = tensor(n, order);
  glk_handle program = 0;
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle all = apply_with("concat", *reduced, constants, (double[]){0}, 1);
  const glk_handle out = write(apply_with("gather", all, order_at, (double[]){0, 0}, 2), n);
  CHECK_STATUS(glk_program_end(c, &out, 1, &program), GLK_OK);
  free(held);
  free(free_values);
  free(order);
  return program;
}

static int same_bits(glk_real a, glk_real b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Laws 1, 3, 17 and 18: locks change between calls; what is locked keeps its bits, and what is free
 * goes, bit for bit, where a new solver leads the reduced problem. */
static inline void check_reduced(glk_method method, problem *write, uint32_t n, int rounds) {
  glk_real *values = calloc(n, sizeof *values), *after = calloc(n, sizeof *after);
  glk_real *reduced_values = calloc(n, sizeof *values);
  uint8_t *mask = calloc(n, 1), *before = calloc(n, 1);
  for (uint32_t i = 0; i < n; i++) values[i] = rng_real(-1.5, 1.5);
  const glk_handle x = variable(n, values), program = trace(write, x, n);
  const glk_handle s = solver(method);
  for (int round = 0; round < rounds; round++) {
    uint32_t free_count = 0;
    memcpy(before, mask, n);
    do {
      for (uint32_t i = 0; i < n; i++) mask[i] = rng_below(3) == 0;
      mask[rng_below(n)] = 0;
    } while (round && !memcmp(before, mask, n));
    for (uint32_t i = 0; i < n; i++) free_count += !mask[i];
    lock_mask(x, mask, n);
    glk_handle reduced;
    const glk_handle other_program = trace_reduced(write, values, mask, n, &reduced);
    const glk_handle other = solver(method);
    for (int call = 0; call < 3; call++) {
      const uint32_t steps = 1 + rng_below(5);
      const double loss = solve(s, program, x, steps);
      CHECK(loss == solve(other, other_program, reduced, steps));
      read_all(x, after, n);
      read_all(reduced, reduced_values, free_count);
      uint32_t next = 0;
      for (uint32_t i = 0; i < n; i++) {
        const glk_real expected = mask[i] ? values[i] : reduced_values[next++];
        CHECK_MSG(same_bits(after[i], expected),
                  "n=%u round %d call %d: element %u, locked %d, is %.9g, expected %.9g", n, round,
                  call, i, mask[i], (double)after[i], (double)expected);
      }
    }
    CHECK_EQ(info_of(s).history, info_of(other).history);
    memcpy(values, after, n * sizeof *values);
    glk_dispose(c, other_program);
    glk_dispose(c, other);
    glk_dispose(c, reduced);
  }
  free(values);
  free(after);
  free(reduced_values);
  free(mask);
  free(before);
}

/* How much a loss may rise: in f64, by the rounding of a loss near the bottom. */
static inline double may_rise(double loss) {
  return sizeof(glk_real) == 8 ? 1e-12 * (loss < 0 ? -loss : loss) : 0;
}

#endif
