/* AdaDelta: steps in the units of x, from a decaying average of earlier steps.
 * Source: Zeiler 2012, arXiv:1212.5701, Algorithm 1, in the form of Keras 3, which has a learning
 * rate:
 *     a = rho a + (1 - rho) g^2;   d = sqrt(s + epsilon) g / sqrt(a + epsilon)
 *     s = rho s + (1 - rho) d^2;   x = x - rate d */
#include "optim/rule.h"

enum { RHO = GLK_SHARED_OPTION_COUNT, EPSILON, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.001, 0),
    {"rho", 0.95, 0, 1, 0},
    {"epsilon", 1e-7, 0, 1e30, 0},
};

enum { RATE, KEPT, GAIN, STABILISER };

static void coefficients(const double *o, double steps, glk_real *c) {
  (void)steps;
  c[RATE] = (glk_real)o[GLK_OPTION_LEARNING_RATE];
  c[KEPT] = (glk_real)o[RHO];
  c[GAIN] = (glk_real)(1 - o[RHO]);
  c[STABILISER] = (glk_real)o[EPSILON];
}

GLK_INLINE void adadelta(glk_lanes *e, vreal g, const vreal *c) {
  vreal *a = &e->slot[0], *s = &e->slot[1];
  *a = c[KEPT] * *a + c[GAIN] * (g * g);
  const vreal d = vsqrt(*s + c[STABILISER]) * g / vsqrt(*a + c[STABILISER]);
  *s = c[KEPT] * *s + c[GAIN] * (d * d);
  e->x -= c[RATE] * d;
}

static int update(const double *o, const glk_update *u) {
  (void)o;
  return glk_update_run_small(u, 2, adadelta);
}

GLK_RULE(adadelta, .slot_count = 2, .slots = {"accumulatedGrad", "accumulatedDeltaVar"})
