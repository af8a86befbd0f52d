/* Adam, and AdamW, which is Adam with decoupled weight decay on by default.
 * Sources: Kingma & Ba 2015, arXiv:1412.6980, Algorithm 1 in the order of section 2's last remark,
 * and Loshchilov & Hutter 2019, arXiv:1711.05101, Algorithm 2, in the form of Keras 3, where
 * epsilon is added to sqrt(v):
 *     m = m + (g - m)(1 - beta1);   v = v + (g^2 - v)(1 - beta2)
 *     x = x - m alpha / (sqrt(v) + epsilon),   alpha = rate sqrt(1 - beta2^t) / (1 - beta1^t)
 * with t the element's own count of steps (docs/laws.md, law 4); with a beta of 0, m is g and v is
 * g^2. With amsgrad the largest v so far replaces v in the last line: Reddi, Kale & Kumar 2018, "On
 * the convergence of Adam and beyond", Algorithm 2. */
#include "optim/rule.h"

enum { BETA1 = GLK_SHARED_OPTION_COUNT, BETA2, EPSILON, AMSGRAD, OPTION_COUNT };

#define OWN_OPTIONS                                                                    \
  {"beta1", 0.9, 0, 1, 0}, {"beta2", 0.999, 0, 1, 0}, {"epsilon", 1e-7, 0, 1e30, 0}, { \
    "amsgrad", 0, 0, 2, 1                                                              \
  }

static const glk_option_info adam_options[OPTION_COUNT] = {GLK_SHARED_OPTIONS(0.001, 0),
                                                           OWN_OPTIONS};
static const glk_option_info adamw_options[OPTION_COUNT] = {GLK_SHARED_OPTIONS(0.001, 0.004),
                                                            OWN_OPTIONS};

enum { ALPHA, GAIN1, GAIN2, STABILISER };

static void coefficients(const double *o, double steps, glk_real *c) {
  const double left1 = 1 - glk_power(o[BETA1], steps), left2 = 1 - glk_power(o[BETA2], steps);
  c[ALPHA] = (glk_real)(o[GLK_OPTION_LEARNING_RATE] * glk_sqrt(left2) / left1);
  c[GAIN1] = (glk_real)(1 - o[BETA1]);
  c[GAIN2] = (glk_real)(1 - o[BETA2]);
  c[STABILISER] = (glk_real)o[EPSILON];
}

enum { M, V, LARGEST_V };

GLK_INLINE void moments(glk_lanes *e, vreal g, const vreal *c) {
  e->slot[M] = glk_approach(e->slot[M], g, c[GAIN1]);
  e->slot[V] = glk_approach(e->slot[V], g * g, c[GAIN2]);
}

GLK_INLINE void step(glk_lanes *e, vreal v, const vreal *c) {
  e->x -= (e->slot[M] * c[ALPHA]) / (vsqrt(v) + c[STABILISER]);
}

/* The same bits where neither gain is 1, without looking: the loop that nearly all training
 * runs. */
GLK_INLINE void adam(glk_lanes *e, vreal g, const vreal *c) {
  e->slot[M] += (g - e->slot[M]) * c[GAIN1];
  e->slot[V] += (g * g - e->slot[V]) * c[GAIN2];
  step(e, e->slot[V], c);
}

GLK_INLINE void adam_without_memory(glk_lanes *e, vreal g, const vreal *c) {
  moments(e, g, c);
  step(e, e->slot[V], c);
}

GLK_INLINE void amsgrad(glk_lanes *e, vreal g, const vreal *c) {
  moments(e, g, c);
  e->slot[LARGEST_V] = vmax(e->slot[LARGEST_V], e->slot[V]);
  step(e, e->slot[LARGEST_V], c);
}

static uint32_t needs(const double *o) { return o[AMSGRAD] == 0 ? 3 : 7; }

static int update(const double *o, const glk_update *u) {
  if (o[AMSGRAD] != 0) {
    return glk_update_run_small(u, 3, amsgrad);
  } else if (u->coefficient[GAIN1] == 1 || u->coefficient[GAIN2] == 1) {
    return glk_update_run_small(u, 2, adam_without_memory);
  } else {
    return glk_update_run(u, 2, adam);
  }
}

#define ROW(own_name, own_options)                                                                 \
  {                                                                                                \
    .name = own_name, .slot_count = 3, .slots = {"m", "v", "vHat"},                                \
    .option_count = GLK_RULE_OPTIONS(OPTION_COUNT), .options = own_options, .by_count = ALPHA + 1, \
    .needs = needs, .coefficients = coefficients, .update = update                                 \
  }

const glk_rule_row glk_rule_adam = ROW("adam", adam_options);
const glk_rule_row glk_rule_adamw = ROW("adamW", adamw_options);
