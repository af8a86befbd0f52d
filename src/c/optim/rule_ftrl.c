/* FTRL-Proximal: follow the regularized leader, whose L1 term makes exact zeros.
 * Source: McMahan et al. 2013, "Ad click prediction: a view from the trenches", Algorithm 1, with
 * the L2 shrinkage of Keras, in the form of Keras 3; p = -learningRatePower:
 *     n' = n + g^2;   z = z + g + 2 shrinkage x - (n'^p - n^p) / rate x
 *     n = n', from initialAccumulatorValue
 *     x = (clip(z, -l1, l1) - z) / (n^p / rate + 2 l2 + beta / rate)
 * x is a function of z and n alone: a first step leaves the value that x had behind, as Keras's
 * does. Everything is divided by the learning rate, so with a rate of 0, where Keras has NaN,
 * nothing moves, not even n and z. */
#include "kernels/math_exp.h"
#include "optim/rule.h"

enum { POWER = GLK_SHARED_OPTION_COUNT, INITIAL, L1, L2, SHRINKAGE, BETA, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.001, 0),
    {"learningRatePower", -0.5, -100, GLK_ABOVE_ZERO, 0},
    {"initialAccumulatorValue", 0.1, 0, 1e30, 0},
    {"l1RegularizationStrength", 0, 0, 1e30, 0},
    {"l2RegularizationStrength", 0, 0, 1e30, 0},
    {"l2ShrinkageRegularizationStrength", 0, 0, 1e30, 0},
    {"beta", 0, 0, 1e30, 0},
};

enum { RATE, EXPONENT, THRESHOLD, TWICE_L2, TWICE_SHRINKAGE, OFFSET };

static void coefficients(const double *o, double steps, glk_real *c) {
  (void)steps;
  c[RATE] = (glk_real)o[GLK_OPTION_LEARNING_RATE];
  c[EXPONENT] = (glk_real)-o[POWER];
  c[THRESHOLD] = (glk_real)o[L1];
  c[TWICE_L2] = (glk_real)(2 * o[L2]);
  c[TWICE_SHRINKAGE] = (glk_real)(2 * o[SHRINKAGE]);
  c[OFFSET] = (glk_real)o[BETA];
}

enum { ACCUMULATOR, LINEAR };

GLK_INLINE void step(glk_lanes *e, vreal g, const vreal *c, vreal sum, vreal before, vreal after) {
  vreal *z = &e->slot[LINEAR];
  *z += g + c[TWICE_SHRINKAGE] * e->x - (after - before) / c[RATE] * e->x;
  const vreal quadratic = after / c[RATE] + (c[TWICE_L2] + c[OFFSET] / c[RATE]);
  e->x = (vmax(vmin(*z, c[THRESHOLD]), -c[THRESHOLD]) - *z) / quadratic;
  e->slot[ACCUMULATOR] = sum;
}

GLK_INLINE void with_roots(glk_lanes *e, vreal g, const vreal *c) {
  const vreal n = e->slot[ACCUMULATOR], sum = n + g * g;
  step(e, g, c, sum, vsqrt(n), vsqrt(sum));
}

GLK_INLINE void with_powers(glk_lanes *e, vreal g, const vreal *c) {
  const vreal n = e->slot[ACCUMULATOR], sum = n + g * g;
  step(e, g, c, sum, vpow(n, c[EXPONENT]), vpow(sum, c[EXPONENT]));
}

static int update(const double *o, const glk_update *u) {
  if (u->coefficient[RATE] == 0) return 1;
  if (o[POWER] == -0.5) {
    return glk_update_run_small(u, 2, with_roots);
  } else {
    return glk_update_run_small(u, 2, with_powers);
  }
}

GLK_RULE(ftrl, .slot_count = 2, .slots = {"accumulator", "linear"}, .slot_start = {INITIAL})
