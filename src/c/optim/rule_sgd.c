/* Stochastic gradient descent, with momentum and Nesterov's look-ahead.
 * Sources: Sutskever et al. 2013, "On the importance of initialization and momentum in deep
 * learning", eqs. 1-4, in the form of Keras 3 (keras.optimizers.SGD): the velocity carries the
 * learning rate,
 *     m = momentum m - rate g;   x = x + m   or, with Nesterov,   x = x + (momentum m - rate g). */
#include "optim/rule.h"

enum { MOMENTUM = GLK_SHARED_OPTION_COUNT, NESTEROV, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.01, 0),
    {"momentum", 0, 0, 1, 0},
    {"nesterov", 0, 0, 2, 1},
};

enum { RATE, FACTOR };

static void coefficients(const double *o, double steps, glk_real *c) {
  (void)steps;
  c[RATE] = (glk_real)o[GLK_OPTION_LEARNING_RATE];
  c[FACTOR] = (glk_real)o[MOMENTUM];
}

GLK_INLINE void plain(glk_lanes *e, vreal g, const vreal *c) { e->x -= g * c[RATE]; }

GLK_INLINE void momentum(glk_lanes *e, vreal g, const vreal *c) {
  e->slot[0] = c[FACTOR] * e->slot[0] - g * c[RATE];
  e->x += e->slot[0];
}

GLK_INLINE void nesterov(glk_lanes *e, vreal g, const vreal *c) {
  const vreal step = g * c[RATE];
  e->slot[0] = c[FACTOR] * e->slot[0] - step;
  e->x += c[FACTOR] * e->slot[0] - step;
}

static int update(const double *o, const glk_update *u) {
  if (o[MOMENTUM] == 0) {
    return glk_update_run(u, 0, plain);
  } else if (o[NESTEROV] == 0) {
    return glk_update_run(u, 1, momentum);
  } else {
    return glk_update_run_small(u, 1, nesterov);
  }
}

static uint32_t needs(const double *o) { return o[MOMENTUM] != 0; }

GLK_RULE(sgd, .slot_count = 1, .slots = {"momentum"}, .needs = needs)
