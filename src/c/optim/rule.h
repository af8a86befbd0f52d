/* The tables of update rules and of learning-rate schedules. A rule is one row: options, slots,
 * coefficients and a walk. It never sees locks, step counts, clipping or memory: update.c handles
 * these. A schedule is a row: a name, its numbers with ranges, and the rate as a function of the
 * steps taken. */
#ifndef GLK_OPTIM_RULE_H
#define GLK_OPTIM_RULE_H

#include "core/options.h"
#include "kernels/update.h"

enum { GLK_MAX_OPTIONS = 24 };

/** How many options a rule has. */
#define GLK_RULE_OPTIONS(count) GLK_COUNT_WITHIN(count, GLK_MAX_OPTIONS)

typedef struct glk_rule_row {
  const char *name;
  uint32_t slot_count, option_count;
  uint32_t by_count; /* how many coefficients, the first ones, depend on an element's step count */
  const char *slots[GLK_MAX_SLOTS];
  const glk_option_info *options; /* [option_count], the shared ones first */
  /** The option that each slot's elements start at; 0 is no option: they start at 0. */
  uint8_t slot_start[GLK_MAX_SLOTS];
  /** Which slots a step with these options needs, a bit each; NULL: all. The others get no
   *  memory. */
  uint32_t (*needs)(const double *options);
  /** Coefficients of a step. `steps` is the number of this step for the element, from 1. Only the
   *  first `by_count` coefficients may depend on it. coefficient[0] is proportional to the learning
   *  rate. Computed in double, rounded once. */
  void (*coefficients)(const double *options, double steps, glk_real *coefficient);
  /** Advance the elements of u. Returns 0 and changes nothing if the rule needs contiguous x and
   *  gradient, as glk_update_run does. */
  int (*update)(const double *options, const glk_update *u);
} glk_rule_row;

/** The row of a rule whose file calls its parts `options`, `coefficients` and `update`; more fields
 *  follow. */
#define GLK_RULE(row, ...)                                                             \
  const glk_rule_row glk_rule_##row = {.name = #row,                                   \
                                       .option_count = GLK_RULE_OPTIONS(OPTION_COUNT), \
                                       .options = options,                             \
                                       .coefficients = coefficients,                   \
                                       .update = update,                               \
                                       __VA_ARGS__};

/** Initial value of a slot's elements, also used by `onUnlock: 'reset'`. */
static inline glk_real glk_slot_start(const glk_rule_row *rule, const double *options,
                                      uint32_t slot) {
  const uint32_t option = rule->slot_start[slot];
  return option ? (glk_real)options[option] : 0;
}

/** Options that every rule has, in this order, before its own. */
enum {
  GLK_OPTION_LEARNING_RATE,
  GLK_OPTION_WEIGHT_DECAY,
  GLK_OPTION_CLIP_NORM,
  GLK_OPTION_GLOBAL_CLIP_NORM,
  GLK_OPTION_CLIP_VALUE,
  GLK_OPTION_RESET_ON_UNLOCK,
  GLK_OPTION_USE_EMA,
  GLK_OPTION_EMA_MOMENTUM,
  GLK_OPTION_EMA_OVERWRITE,
  GLK_OPTION_ACCUMULATION_STEPS,
  GLK_SHARED_OPTION_COUNT /* a rule's further options begin here */
};

/* Clip options: 0 is off. Norms and limits are those of Keras's clipnorm, global_clipnorm,
 * clipvalue. */
#define GLK_SHARED_OPTIONS(rate, decay)                                                    \
  {"learningRate", rate, 0, 1e30, 0}, {"weightDecay", decay, 0, 1e30, 0},                  \
      {"clipNorm", 0, 0, 1e30, 0}, {"globalClipNorm", 0, 0, 1e30, 0},                      \
      {"clipValue", 0, 0, 1e30, 0}, {"resetOnUnlock", 0, 0, 2, 1}, {"useEma", 0, 0, 2, 1}, \
      {"emaMomentum", 0.99, 0, 1, 0}, {"emaOverwriteFrequency", 0, 0, 4294967296.0, 0}, {  \
    "gradientAccumulationSteps", 1, 1, 4294967296.0, 0                                     \
  }

#define GLK_RULE_ROW(id, row) extern const glk_rule_row glk_rule_##row;
GLK_RULES(GLK_RULE_ROW)
#undef GLK_RULE_ROW

/** A moving average on its way to x, in Keras's form. With a gain of 1 it is x: x - a loses digits
 *  that are small compared with a, and a + (x - a) does not restore them. */
GLK_INLINE vreal glk_approach(vreal a, vreal x, vreal gain) {
  return vselect(gain == vsplat(1), x, a + (x - a) * gain);
}

/* Schedules (schedule.c). */

/** A schedule with its numbers, checked. */
typedef struct glk_rate_schedule {
  glk_schedule kind;
  uint32_t count;
  double numbers[GLK_MAX_SCHEDULE];
} glk_rate_schedule;

/** Check numbers against their row. `out` is written only if all is well. */
glk_status glk_rate_schedule_make(glk_context *context, glk_schedule kind, const double *numbers,
                                  uint32_t count, glk_rate_schedule *out);
/** The rate of step `iteration`, the first of which is 0; between 0 and 1e30. */
double glk_rate_schedule_at(const glk_rate_schedule *schedule, double iteration);
/** The kind of a name, or GLK_SCHEDULE_COUNT. */
glk_schedule glk_schedule_find(const char *name);

/* Single numbers in double (double_math.c). */

/** base^exponent for whole exponents from 0 up, by squaring. */
double glk_power(double base, double exponent);
/** base^exponent, both 0 or above; whole exponents by squaring. */
double glk_power_real(double base, double exponent);
/** ln(1 + x) for x >= 0, accurate near 0. */
double glk_log1p(double x);
/** e^x - 1 for x >= 0, accurate near 0. */
double glk_expm1(double x);
/** (1 + cos(pi x)) / 2 for x in 0..1: exactly 1, 1/2 and 0 at 0, 1/2 and 1. */
double glk_half_cosine(double x);

/** The whole number below x, or x, for 0 <= x < 2^63. */
static inline double glk_floor(double x) { return (double)(int64_t)x; }

#endif
