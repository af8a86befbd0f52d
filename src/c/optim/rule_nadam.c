/* Nadam: Adam with Nesterov's look-ahead, and a momentum that warms up.
 * Source: Dozat 2016, "Incorporating Nesterov momentum into Adam", Algorithm 8 with the schedule of
 * its section 4, in the form of Keras 3, where epsilon is added to the root:
 *     m = m + (g - m)(1 - beta1);   v = v + (g^2 - v)(1 - beta2);   u(t) = beta1 (1 - 0.96^t / 2)
 *     p(t) = u(1) u(2) ... u(t);   h = u(t+1) m / (1 - p(t+1)) + (1 - u(t)) g / (1 - p(t))
 *     x = x - rate h / (sqrt(v / (1 - beta2^t)) + epsilon)
 * with t the element's own count of steps (docs/laws.md, law 4), which Keras keeps as one product
 * for all variables. */
#include "optim/rule.h"

enum { BETA1 = GLK_SHARED_OPTION_COUNT, BETA2, EPSILON, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.001, 0),
    {"beta1", 0.9, 0, 1, 0},
    {"beta2", 0.999, 0, 1, 0},
    {"epsilon", 1e-7, 0, 1e30, 0},
};

enum { ALPHA, SHARE, CORRECTION, GAIN1, GAIN2, STABILISER };

/* beta1^t times the product of the warm-up, whose factors are 1 in double from t = 900 on. */
static double product(double beta1, double t) {
  double result = glk_power(beta1, t), decay = 0.96;
  for (double i = 1; i <= t && i < 900 && result > 1e-30; i++, decay *= 0.96) {
    result *= 1 - decay / 2;
  }
  return result;
}

static double momentum(double beta1, double t) { return beta1 * (1 - glk_power(0.96, t) / 2); }

static void coefficients(const double *o, double steps, glk_real *c) {
  const double here = momentum(o[BETA1], steps), next = momentum(o[BETA1], steps + 1);
  const double p = product(o[BETA1], steps), of_gradient = (1 - here) / (1 - p);
  c[ALPHA] = (glk_real)(o[GLK_OPTION_LEARNING_RATE] * of_gradient);
  c[SHARE] = (glk_real)(next / (1 - p * next) / of_gradient);
  c[CORRECTION] = (glk_real)(1 / (1 - glk_power(o[BETA2], steps)));
  c[GAIN1] = (glk_real)(1 - o[BETA1]);
  c[GAIN2] = (glk_real)(1 - o[BETA2]);
  c[STABILISER] = (glk_real)o[EPSILON];
}

GLK_INLINE void nadam(glk_lanes *e, vreal g, const vreal *c) {
  vreal *m = &e->slot[0], *v = &e->slot[1];
  *m = glk_approach(*m, g, c[GAIN1]);
  *v = glk_approach(*v, g * g, c[GAIN2]);
  e->x -= (*m * c[SHARE] + g) * c[ALPHA] / (vsqrt(*v * c[CORRECTION]) + c[STABILISER]);
}

static int update(const double *o, const glk_update *u) {
  (void)o;
  return glk_update_run_by_count(u, 2, CORRECTION + 1, nadam);
}

GLK_RULE(nadam, .slot_count = 2, .slots = {"m", "v"}, .by_count = CORRECTION + 1)
