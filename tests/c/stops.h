/* What a method stops for. */
#ifndef GLK_TESTS_STOPS_H
#define GLK_TESTS_STOPS_H

#include "solving.h"

/* |x^2 - 2| + 1 has no slope to stop at where it is least, and no real number is there. */
static inline glk_handle kink_residuals(glk_handle x, uint32_t n) {
  (void)n;
  const glk_handle off = apply("sub", apply("square", x, 0), scalar(2));
  return apply("add", apply("abs", off, 0), scalar(1));
}

static inline glk_handle kink_loss(glk_handle x, uint32_t n) {
  return apply("sum", kink_residuals(x, n), 0);
}

static inline glk_handle absolute(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sum", apply("abs", x, 0), 0);
}

static inline glk_handle logarithms_of(glk_handle x, uint32_t n) {
  (void)n;
  return apply("log", x, 0);
}

static inline glk_handle sum_of_logarithms(glk_handle x, uint32_t n) {
  return apply("sum", logarithms_of(x, n), 0);
}

static inline glk_handle total(glk_handle x, uint32_t n) {
  (void)n;
  return apply("sum", x, 0);
}

/* x^2 + 1 and x + 1: flat enough at the bottom, -0.59, that steps go on for a while. */
static inline glk_handle bent(glk_handle x, uint32_t n) {
  (void)n;
  return apply_with("concat", apply("add", apply("square", x, 0), scalar(1)),
                    apply("add", x, scalar(1)), (double[]){0}, 1);
}

/* sum of x^4 + x^2: curvature is learnt until no more is promised. */
static inline glk_handle bowl(glk_handle x, uint32_t n) {
  (void)n;
  const glk_handle square = apply("square", x, 0);
  return apply("sum", apply("add", apply("square", square, 0), square), 0);
}

/* Steps end small long before the loss does. */
static inline glk_handle steep_bowl(glk_handle x, uint32_t n) {
  return apply("mul", bowl(x, n), scalar((glk_real)1e6));
}

static inline glk_handle itself(glk_handle x, uint32_t n) {
  (void)n;
  return apply("mul", x, scalar(1));
}

typedef struct stop_case {
  const char *name;
  glk_method method;
  glk_stop stop;
  problem *write;
  uint32_t n;
  glk_real start[3];
  uint32_t steps;
  const char *option;
  double value;
} stop_case;

enum { LM = GLK_LEVENBERG_MARQUARDT, LBFGS = GLK_LBFGS };

static const stop_case stop_cases[] = {
    {"lm steps", LM, GLK_STOP_STEPS, rosenbrock_residuals, 2, {2, 1}, 1, 0, 0},
    {"lm gradient", LM, GLK_STOP_GRADIENT, itself, 1, {3}, 90, "toleranceGradient", 1e-8},
    {"lm change", LM, GLK_STOP_CHANGE, bent, 2, {3, -3}, 90, "toleranceChange", 1e-8},
    {"lm no progress", LM, GLK_STOP_NO_PROGRESS, kink_residuals, 1, {3}, 90, "maxEvaluations", 1},
    {"lm resolution", LM, GLK_STOP_RESOLUTION, kink_residuals, 1, {3}, 90, "maxEvaluations", 99},
    {"lm not finite", LM, GLK_STOP_NOT_FINITE, logarithms_of, 1, {0}, 9, 0, 0},
    {"lbfgs steps", LBFGS, GLK_STOP_STEPS, rosenbrock, 2, {2, 1}, 1, 0, 0},
    {"lbfgs gradient", LBFGS, GLK_STOP_GRADIENT, bowl, 2, {3, -1}, 90, "toleranceChange", 0},
    {"lbfgs change", LBFGS, GLK_STOP_CHANGE, steep_bowl, 2, {3, -1}, 90, "toleranceChange", 1e-3},
    {"lbfgs no progress", LBFGS, GLK_STOP_NO_PROGRESS, kink_loss, 1, {3}, 90, "maxEvaluations", 1},
    {"lbfgs resolution", LBFGS, GLK_STOP_RESOLUTION, absolute, 1, {(glk_real)1e25}, 9, 0, 0},
    {"lbfgs unbounded", LBFGS, GLK_STOP_UNBOUNDED, total, 3, {1, 2, 3}, 90, 0, 0},
    {"lbfgs not finite", LBFGS, GLK_STOP_NOT_FINITE, sum_of_logarithms, 1, {-1}, 9, 0, 0}};

enum { STOP_CASES = sizeof stop_cases / sizeof stop_cases[0] };

typedef struct stopped {
  glk_context *context;
  glk_handle solver, program, x;
} stopped;

/* The problem before a run. */
static inline stopped prepare_stop(const stop_case *k) {
  begin();
  stopped s = {.context = c, .x = variable(k->n, k->start)};
  s.program = trace(k->write, s.x, k->n);
  s.solver = solver(k->method);
  if (k->option) set(s.solver, k->option, k->value);
  return s;
}

#endif
