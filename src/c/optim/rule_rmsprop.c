/* RMSProp, plain or centered, with or without momentum.
 * Sources: Tieleman & Hinton 2012, Coursera "Neural networks for machine learning", lecture 6.5;
 * centered and with momentum: Graves 2013, arXiv:1308.0850, eqs. 38-45. In the form of Keras 3,
 * where epsilon is under the root:
 *     v = rho v + (1 - rho) g^2;   a = rho a + (1 - rho) g
 *     i = rate g / sqrt(v + epsilon)   or, centered,   rate g / sqrt(v - a^2 + epsilon)
 *     x = x - i   or, with momentum,   m = momentum m + i;   x = x - m
 * v - a^2 is a variance: where rounding makes it negative it is 0 here, and Keras has NaN. It would
 * not be a variance if v changed while a did not. So a is updated from when it is first needed,
 * even after `centered` is turned off. */
#include "optim/rule.h"

enum { RHO = GLK_SHARED_OPTION_COUNT, MOMENTUM, EPSILON, CENTERED, OPTION_COUNT };

static const glk_option_info options[OPTION_COUNT] = {
    GLK_SHARED_OPTIONS(0.001, 0),  {"rho", 0.9, 0, 1, 0},    {"momentum", 0, 0, 1, 0},
    {"epsilon", 1e-7, 0, 1e30, 0}, {"centered", 0, 0, 2, 1},
};

enum { RATE, KEPT, GAIN, FACTOR, STABILISER, CENTER };

static void coefficients(const double *o, double steps, glk_real *c) {
  (void)steps;
  c[RATE] = (glk_real)o[GLK_OPTION_LEARNING_RATE];
  c[KEPT] = (glk_real)o[RHO];
  c[GAIN] = (glk_real)(1 - o[RHO]);
  c[FACTOR] = (glk_real)o[MOMENTUM];
  c[STABILISER] = (glk_real)o[EPSILON];
  c[CENTER] = o[CENTERED] != 0;
}

enum {
  VELOCITY,
  SECOND,
  THIRD
}; /* the momentum is last, the average before it, if they are there */

GLK_INLINE vreal plain_increment(glk_lanes *e, vreal g, const vreal *c) {
  vreal *v = &e->slot[VELOCITY];
  *v = c[KEPT] * *v + c[GAIN] * (g * g);
  return (c[RATE] * g) / vsqrt(*v + c[STABILISER]);
}

GLK_INLINE vreal centered_increment(glk_lanes *e, vreal g, const vreal *c) {
  vreal *v = &e->slot[VELOCITY], *a = &e->slot[SECOND];
  *v = c[KEPT] * *v + c[GAIN] * (g * g);
  *a = c[KEPT] * *a + c[GAIN] * g;
  return (c[RATE] * g) / vsqrt(vmax(*v - c[CENTER] * *a * *a, vsplat(0)) + c[STABILISER]);
}

GLK_INLINE void plain(glk_lanes *e, vreal g, const vreal *c) { e->x -= plain_increment(e, g, c); }

GLK_INLINE void momentum(glk_lanes *e, vreal g, const vreal *c) {
  e->slot[SECOND] = c[FACTOR] * e->slot[SECOND] + plain_increment(e, g, c);
  e->x -= e->slot[SECOND];
}

GLK_INLINE void centered(glk_lanes *e, vreal g, const vreal *c) {
  e->x -= centered_increment(e, g, c);
}

GLK_INLINE void centered_momentum(glk_lanes *e, vreal g, const vreal *c) {
  e->slot[THIRD] = c[FACTOR] * e->slot[THIRD] + centered_increment(e, g, c);
  e->x -= e->slot[THIRD];
}

static uint32_t needs(const double *o) {
  return 1u | (uint32_t)(o[CENTERED] != 0) << 1 | (uint32_t)(o[MOMENTUM] != 0) << 2;
}

static int update(const double *o, const glk_update *u) {
  if (u->slots[SECOND]) {
    if (o[MOMENTUM] != 0) {
      return glk_update_run_small(u, 3, centered_momentum);
    } else {
      return glk_update_run_small(u, 2, centered);
    }
  } else if (o[MOMENTUM] != 0) {
    glk_update without_average = *u;
    without_average.slots[SECOND] = u->slots[THIRD];
    return glk_update_run_small(&without_average, 2, momentum);
  } else {
    return glk_update_run_small(u, 1, plain);
  }
}

GLK_RULE(rmsprop, .slot_count = 3, .slots = {"velocity", "averageGradient", "momentum"},
         .needs = needs)
