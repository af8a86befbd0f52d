/* Adamax: Adam with the infinity norm, which needs no bias correction of its own.
 * Source: Kingma & Ba 2015, arXiv:1412.6980, Algorithm 2, in the form of Keras 3, where epsilon is
 * added to u:
 *     m = m + (g - m)(1 - beta1);   u = max(beta2 u, |g|)
 *     x = x - rate m / ((1 - beta1^t) (u + epsilon))
 * with t the element's own count of steps (docs/laws.md, law 4). */
#include "optim/rule.h"

enum { BETA1 = GLK_SHARED_OPTION_COUNT, BETA2, EPSILON, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.001, 0),
    {"beta1", 0.9, 0, 1, 0},
    {"beta2", 0.999, 0, 1, 0},
    {"epsilon", 1e-7, 0, 1e30, 0},
};

enum { ALPHA, GAIN, KEPT, STABILISER };

static void coefficients(const double *o, double steps, glk_real *c) {
  c[ALPHA] = (glk_real)(o[GLK_OPTION_LEARNING_RATE] / (1 - glk_power(o[BETA1], steps)));
  c[GAIN] = (glk_real)(1 - o[BETA1]);
  c[KEPT] = (glk_real)o[BETA2];
  c[STABILISER] = (glk_real)o[EPSILON];
}

GLK_INLINE void adamax(glk_lanes *e, vreal g, const vreal *c) {
  vreal *m = &e->slot[0], *u = &e->slot[1];
  *m = glk_approach(*m, g, c[GAIN]);
  *u = vmax(c[KEPT] * *u, vabs(g));
  e->x -= (*m * c[ALPHA]) / (*u + c[STABILISER]);
}

static int update(const double *o, const glk_update *u) {
  (void)o;
  return glk_update_run_small(u, 2, adamax);
}

GLK_RULE(adamax, .slot_count = 2, .slots = {"m", "u"}, .by_count = ALPHA + 1)
