/* Cases for the laws: rules with their options, other settings of an optimizer for a variable,
 * patterns of locks, kinds of gradients, and values. */
#ifndef GLK_TESTS_LAW_OPTIONS_H
#define GLK_TESTS_LAW_OPTIONS_H

#include "harness.h"

enum { LAW_MAX_OPTIONS = 20, LAW_MAX_NUMBERS = 8 };

typedef struct law_option {
  const char *name;
  double value;
} law_option;

typedef struct law_options {
  const char *title;
  glk_rule rule;
  law_option set[LAW_MAX_OPTIONS]; /* until a NULL name */
} law_options;

/** Settings of an optimizer for the variable. All 0: only its rule. */
typedef struct law_extra {
  const char *title;
  law_option set[4];  /* more options, until a NULL name */
  int scales_rates;   /* each element's rate, by a power of two */
  int excludes_decay; /* leaves the variable out of weight decay */
  glk_constraint_kind constrained;
  int is_whole; /* a norm is that of all elements, not of each */
  double low, high;
  glk_schedule schedule; /* of the learning rate; GLK_CONSTANT is none */
  uint32_t number_count;
  double numbers[LAW_MAX_NUMBERS];
} law_extra;

static const law_extra law_extras[] = {
    {.title = "nothing else"},
    {
        .title = "useEma",
        .set = {{"useEma", 1}, {"emaMomentum", 0.75}},
    },
    {
        .title = "ema overwriting",
        .set = {{"useEma", 1}, {"emaOverwriteFrequency", 2}},
    },
    {
        .title = "accumulation of 2",
        .set = {{"gradientAccumulationSteps", 2}},
    },
    {
        .title = "ema of an accumulation of 3",
        .set = {{"useEma", 1}, {"gradientAccumulationSteps", 3}},
    },
    {.title = "nonNegative", .constrained = GLK_NON_NEGATIVE},
    {.title = "box of an ema",
     .set = {{"useEma", 1}, {"emaOverwriteFrequency", 3}},
     .constrained = GLK_BOX,
     .low = -0.5,
     .high = 1},
    {.title = "maxNorm of elements", .constrained = GLK_MAX_NORM, .high = 0.5},
    {.title = "maxNorm", .constrained = GLK_MAX_NORM, .high = 4, .is_whole = 1},
    {.title = "norms in a range", .constrained = GLK_MAX_NORM, .low = 1, .high = 4, .is_whole = 1},
    {.title = "unitNorm", .constrained = GLK_UNIT_NORM, .high = 1, .is_whole = 1},
    {.title = "rates", .scales_rates = 1},
    {.title = "rates of an accumulation in a box",
     .set = {{"gradientAccumulationSteps", 2}},
     .scales_rates = 1,
     .constrained = GLK_BOX,
     .low = 0,
     .high = 2},
    {.title = "excluded from decay", .set = {{"weightDecay", 0.5}}, .excludes_decay = 1},
    {.title = "cosine",
     .schedule = GLK_COSINE,
     .number_count = 5,
     .numbers = {0.1, 3, 0.25, -1, 0}},
    {.title = "piecewise of an accumulation",
     .set = {{"gradientAccumulationSteps", 2}},
     .schedule = GLK_PIECEWISE_CONSTANT,
     .number_count = 3,
     .numbers = {0.5, 1, 0.125}},
};
enum { LAW_EXTRAS = sizeof law_extras / sizeof law_extras[0] };

typedef enum law_pattern {
  LOCK_NONE,
  LOCK_FIRST,
  LOCK_LAST,
  LOCK_ALTERNATE,
  LOCK_RANDOM,
  LOCK_ROWS, /* of four, every second one */
  LOCK_ALL,
  LAW_PATTERNS
} law_pattern;

typedef enum law_gradient {
  GRADIENT_FINITE,
  GRADIENT_ZERO,
  GRADIENT_HUGE,
  GRADIENT_NAN,
  GRADIENT_INFINITE,
  GRADIENT_NEGATIVE_INFINITE,
  GRADIENT_NEGATIVE_ZERO,
  GRADIENT_BAD_WHERE_LOCKED, /* finite where free, NaN and infinities behind locks */
  LAW_GRADIENTS
} law_gradient;

enum { LAW_STEPS = 5, LAW_MAX_SLOTS = GLK_MAX_SLOTS };

static int law_is_locked(law_pattern pattern, uint32_t i, uint32_t n) {
  switch (pattern) {
  case LOCK_FIRST: return i == 0;
  case LOCK_LAST: return i == n - 1;
  case LOCK_ALTERNATE: return i % 2 == 0;
  case LOCK_RANDOM: return rng_below(2) == 0;
  case LOCK_ROWS: return i / 4 % 2 == 0;
  case LOCK_ALL: return 1;
  default: return 0;
  }
}

static glk_real law_gradient_at(law_gradient kind, int is_locked) {
  const glk_real nan = (glk_real)__builtin_nan(""), infinity = (glk_real)__builtin_inf();
  switch (kind) {
  case GRADIENT_ZERO: return 0;
  case GRADIENT_HUGE: return rng_real(-1, 1) * (glk_real)1e30;
  case GRADIENT_NAN: return rng_below(2) ? nan : rng_real(-1, 1);
  case GRADIENT_INFINITE: return infinity;
  case GRADIENT_NEGATIVE_INFINITE: return -infinity;
  case GRADIENT_NEGATIVE_ZERO: return -(glk_real)0;
  case GRADIENT_BAD_WHERE_LOCKED: {
    const glk_real bad[3] = {nan, infinity, -infinity};
    const uint32_t which = rng_below(3);
    const glk_real good = rng_real(-2, 2);
    return is_locked ? bad[which] : good;
  }
  default: return rng_real(-2, 2);
  }
}

/* Values whose bits are easily lost: signed zeros, infinities, NaNs with payloads, signalling ones
 * among them. */
static glk_real law_value_at(uint32_t i) {
  glk_real value = rng_real(-3, 3);
#ifndef GLK_DOUBLE
  static const uint32_t bits[] = {0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc12345u,
                                  0xffc00001u, 0x7f800001u, 0xffaaaaaau, 0x00000001u};
  if (i % 5 == 3) memcpy(&value, &bits[i / 5 % 8], sizeof value);
#else
  if (i % 5 == 3) value = -(glk_real)0;
#endif
  return value;
}

#endif
