/* AdaGrad: each element's rate falls with the sum of its squared gradients.
 * Source: Duchi, Hazan & Singer 2011, JMLR 12, "Adaptive subgradient methods", figure 1 with
 * diagonal matrices, in the form of Keras 3, where epsilon is under the root:
 *     a = a + g^2;   x = x - rate g / sqrt(a + epsilon),   a from initialAccumulatorValue. */
#include "optim/rule.h"

enum { INITIAL = GLK_SHARED_OPTION_COUNT, EPSILON, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.001, 0),
    {"initialAccumulatorValue", 0.1, 0, 1e30, 0},
    {"epsilon", 1e-7, 0, 1e30, 0},
};

enum { RATE, STABILISER };

static void coefficients(const double *o, double steps, glk_real *c) {
  (void)steps;
  c[RATE] = (glk_real)o[GLK_OPTION_LEARNING_RATE];
  c[STABILISER] = (glk_real)o[EPSILON];
}

GLK_INLINE void adagrad(glk_lanes *e, vreal g, const vreal *c) {
  e->slot[0] += g * g;
  e->x -= (c[RATE] * g) / vsqrt(e->slot[0] + c[STABILISER]);
}

static int update(const double *o, const glk_update *u) {
  (void)o;
  return glk_update_run_small(u, 1, adagrad);
}

GLK_RULE(adagrad, .slot_count = 1, .slots = {"accumulator"}, .slot_start = {INITIAL})
