/* Lion: the sign of a mixture of gradient and momentum.
 * Source: Chen et al. 2023, arXiv:2302.06675, Algorithm 2, in the form of Keras 3:
 *     x = x - rate sign(beta1 m + (1 - beta1) g);   m = beta2 m + (1 - beta2) g
 * The sign of a zero is a zero and of NaN is NaN. beta1 = 0, which Keras refuses, is the sign of
 * the gradient alone. */
#include "optim/rule.h"

enum { BETA1 = GLK_SHARED_OPTION_COUNT, BETA2, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.001, 0),
    {"beta1", 0.9, 0, 1, 0},
    {"beta2", 0.99, 0, 1, 0},
};

enum { RATE, KEPT1, GAIN1, KEPT2, GAIN2 };

static void coefficients(const double *o, double steps, glk_real *c) {
  (void)steps;
  c[RATE] = (glk_real)o[GLK_OPTION_LEARNING_RATE];
  c[KEPT1] = (glk_real)o[BETA1];
  c[GAIN1] = (glk_real)(1 - o[BETA1]);
  c[KEPT2] = (glk_real)o[BETA2];
  c[GAIN2] = (glk_real)(1 - o[BETA2]);
}

GLK_INLINE void lion(glk_lanes *e, vreal g, const vreal *c) {
  vreal *m = &e->slot[0];
  const vreal mixture = *m * c[KEPT1] + g * c[GAIN1];
  const vreal one = vsplat(1);
  const vreal sign = vselect(mixture > 0, one, vselect(mixture < 0, -one, mixture));
  e->x -= c[RATE] * sign;
  *m = *m * c[KEPT2] + g * c[GAIN2];
}

static int update(const double *o, const glk_update *u) {
  (void)o;
  return glk_update_run_small(u, 1, lion);
}

GLK_RULE(lion, .slot_count = 1, .slots = {"m"})
