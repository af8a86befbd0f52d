/* Learning-rate schedules: their formulas, numbers and ranges. Definitions are those of Keras 3
 * (keras/src/optimizers/schedules/learning_rate_schedule.py), and for oneCycle PyTorch's
 * (torch/optim/lr_scheduler.py, OneCycleLR; Smith & Topin 2017, arXiv:1708.07120). Theirs compute
 * in f32, ours in double; the rate is rounded to f32 where a rule makes its coefficients of it. */
#include "optim/rule.h"

#include <string.h>

#define MOST 1e30
#define REQUIRED __builtin_nan("") /* has no default */

enum { MOST_NUMBERS = 7 };

#define INITIAL \
  { "initialLearningRate", REQUIRED, 0, MOST, 0 }
#define STEPS(name) \
  { name, REQUIRED, 1, 0x1p53, 0 }
#define FLAG(name) \
  { name, 0, 0, 2, 1 }

static double least(double a, double b) { return a < b ? a : b; }

static const glk_option_info constant_numbers[] = {{"learningRate", REQUIRED, 0, MOST, 0}};

static double constant(const double *p, uint32_t count, double step) {
  (void)count;
  (void)step;
  return p[0];
}

/* value, then boundary and value in turn; a boundary belongs to the value before it. */
static double piecewise_constant(const double *p, uint32_t count, double step) {
  uint32_t i = 1;
  while (i < count && step > p[i]) i += 2;
  return p[i - 1];
}

static const glk_option_info decay_numbers[] = {
    INITIAL, STEPS("decaySteps"), {"decayRate", REQUIRED, 0, MOST, 0}, FLAG("staircase")};

static double exponential(const double *p, uint32_t count, double step) {
  (void)count;
  const double done = step / p[1];
  return p[0] * glk_power_real(p[2], p[3] != 0 ? glk_floor(done) : done);
}

static double inverse_time(const double *p, uint32_t count, double step) {
  (void)count;
  const double done = step / p[1];
  return p[0] / (1 + p[2] * (p[3] != 0 ? glk_floor(done) : done));
}

static const glk_option_info polynomial_numbers[] = {INITIAL,
                                                     STEPS("decaySteps"),
                                                     {"endLearningRate", 0.0001, 0, MOST, 0},
                                                     {"power", 1, 0, MOST, 0},
                                                     FLAG("cycle")};

static double polynomial(const double *p, uint32_t count, double step) {
  (void)count;
  double length = p[1];
  if (p[4] != 0) {
    const double done = step / length, cycles = glk_floor(done);
    length *= step == 0 ? 1 : cycles + (cycles < done);
  }
  const double left = 1 - least(step, length) / length;
  return (p[0] - p[2]) * glk_power_real(left, p[3]) + p[2];
}

static double warm_up(double from, double to, double steps, double step) {
  return step < steps ? (to - from) * (step / steps) + from : to;
}

static const glk_option_info cosine_numbers[] = {INITIAL,
                                                 STEPS("decaySteps"),
                                                 {"alpha", 0, 0, MOST, 0},
                                                 {"warmupTarget", -1, -1, MOST, 0},
                                                 {"warmupSteps", 0, 0, 0x1p53, 0}};

static double cosine(const double *p, uint32_t count, double step) {
  (void)count;
  const int is_warmed = p[3] >= 0;
  const double warmup = is_warmed ? p[4] : 0, top = is_warmed ? p[3] : p[0];
  if (step < warmup) return warm_up(p[0], top, warmup, step);
  const double left = glk_half_cosine((step - warmup) / p[1]);
  return top * ((1 - p[2]) * left + p[2]);
}

/* Where a step is among restarts. All in units of the first decay's length. */
typedef struct restarts {
  double done, length; /* of the decay that it is in */
  double height;
} restarts;

enum { MOST_ONE_BY_ONE = 1024 };

/* Lengths 1, t, t^2, ..., t > 1, one by one; after that many, the rest is found from their sum,
 * length (t^n - 1) / (t - 1), as Keras does from the start. Its rounding may be off by one at a
 * boundary. */
static restarts find_restart(double done, double t, double m) {
  restarts r = {done, 1, 1};
  for (int n = 0; n < MOST_ONE_BY_ONE && r.done >= r.length; n++) {
    r.done -= r.length;
    r.length *= t;
    r.height *= m;
  }
  if (r.done < r.length) return r;
  const double rate = glk_log1p(t - 1), ratio = (t - 1) / r.length;
  double n = glk_floor(glk_log1p(r.done * ratio) / rate), before = glk_expm1(n * rate) / ratio;
  if (before > r.done) before = glk_expm1(--n * rate) / ratio;
  r.done = least(r.done - before, r.length * (1 + before * ratio) * 0.9999999999999999);
  r.length *= 1 + before * ratio;
  r.height *= glk_power(m, n);
  return r;
}

static const glk_option_info restarts_numbers[] = {INITIAL,
                                                   STEPS("firstDecaySteps"),
                                                   {"tMul", 2, 1, MOST, 0},
                                                   {"mMul", 1, 0, MOST, 0},
                                                   {"alpha", 0, 0, MOST, 0}};

static double cosine_restarts(const double *p, uint32_t count, double step) {
  (void)count;
  const double done = step / p[1];
  restarts r = {done - glk_floor(done), 1, 0};
  if (p[2] == 1) {
    r.height = glk_power(p[3], glk_floor(done));
  } else {
    r = find_restart(done, p[2], p[3]);
  }
  return p[0] * ((1 - p[4]) * r.height * glk_half_cosine(r.done / r.length) + p[4]);
}

static const glk_option_info warmup_numbers[] = {
    INITIAL, {"warmupTarget", REQUIRED, 0, MOST, 0}, STEPS("warmupSteps")};

static double linear_warmup(const double *p, uint32_t count, double step) {
  (void)count;
  return warm_up(p[0], p[1], p[2], step);
}

static const glk_option_info one_cycle_numbers[MOST_NUMBERS] = {
    {"maxLearningRate", REQUIRED, 0, MOST, 0},
    STEPS("totalSteps"),
    {"pctStart", 0.3, 0, 1.0000000000000002, 0},
    FLAG("linear"),
    {"divFactor", 25, 1e-30, MOST, 0},
    {"finalDivFactor", 1e4, 1e-30, MOST, 0},
    FLAG("threePhase")};

static double one_cycle(const double *p, uint32_t count, double step) {
  (void)count;
  const double top = p[0], last = p[1] - 1, rising = p[2], low = top / p[4], end = low / p[5];
  const int is_linear = p[3] != 0, phases = p[6] != 0 ? 3 : 2;
  const double ends[3] = {rising * p[1] - 1, phases == 3 ? 2 * rising * p[1] - 2 : last, last};
  const double rates[4] = {low, top, phases == 3 ? low : end, end};
  step = least(step, last);
  int i = 0;
  while (i + 1 < phases && step > ends[i]) i++;
  const double start = i ? ends[i - 1] : 0;
  const double done = ends[i] > start ? (step - start) / (ends[i] - start) : 1;
  if (is_linear) return (rates[i + 1] - rates[i]) * done + rates[i];
  return rates[i + 1] + (rates[i] - rates[i + 1]) * glk_half_cosine(done);
}

typedef struct schedule_row {
  const char *name;
  uint32_t count;
  double (*rate)(const double *numbers, uint32_t count, double step);
  const glk_option_info *numbers;
} schedule_row;

static const schedule_row rows[GLK_SCHEDULE_COUNT] = {
    [GLK_CONSTANT] = {"constant", 1, constant, constant_numbers},
    [GLK_OWN_SCHEDULE] = {"own", 0, NULL, NULL},
    [GLK_PIECEWISE_CONSTANT] = {"piecewiseConstantDecay", 0, piecewise_constant, NULL},
    [GLK_EXPONENTIAL] = {"exponentialDecay", 4, exponential, decay_numbers},
    [GLK_INVERSE_TIME] = {"inverseTimeDecay", 4, inverse_time, decay_numbers},
    [GLK_POLYNOMIAL] = {"polynomialDecay", 5, polynomial, polynomial_numbers},
    [GLK_COSINE] = {"cosineDecay", 5, cosine, cosine_numbers},
    [GLK_COSINE_RESTARTS] = {"cosineDecayRestarts", 5, cosine_restarts, restarts_numbers},
    [GLK_LINEAR_WARMUP] = {"linearWarmup", 3, linear_warmup, warmup_numbers},
    [GLK_ONE_CYCLE] = {"oneCycle", MOST_NUMBERS, one_cycle, one_cycle_numbers},
};

static int is_schedule(glk_schedule kind) { return (int)kind >= 0 && kind < GLK_SCHEDULE_COUNT; }

glk_status glk_schedule_describe(glk_schedule kind, const char **out_name, uint32_t *out_numbers) {
  if (!is_schedule(kind)) return GLK_ERROR_ARGUMENT;
  if (out_name) *out_name = rows[kind].name;
  if (out_numbers) *out_numbers = rows[kind].count;
  return GLK_OK;
}

glk_status glk_schedule_number(glk_schedule kind, uint32_t number, glk_option_info *out) {
  if (!is_schedule(kind) || number >= rows[kind].count || !out) return GLK_ERROR_ARGUMENT;
  *out = rows[kind].numbers[number];
  return GLK_OK;
}

glk_schedule glk_schedule_find(const char *name) {
  glk_schedule kind = 0;
  while (kind < GLK_SCHEDULE_COUNT && strcmp(rows[kind].name, name)) kind++;
  return kind;
}

static glk_status check_pieces(glk_context *context, const double *p, uint32_t count) {
  if (count % 2 == 0) {
    return glk_fail(context, GLK_ERROR_OPTION,
                    "piecewiseConstantDecay: %u boundaries need one value more, got %u values",
                    count / 2, count / 2);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (i % 2 == 0 && !(p[i] >= 0 && p[i] < MOST)) {
      return glk_fail(context, GLK_ERROR_OPTION,
                      "piecewiseConstantDecay: value %u is %g, expected at least 0 and below 1e+30",
                      i / 2, p[i]);
    }
    if (i % 2 && !(p[i] >= 0 && p[i] < 0x1p53 && (i < 3 || p[i] > p[i - 2]))) {
      return glk_fail(context, GLK_ERROR_OPTION,
                      "piecewiseConstantDecay: boundary %u is %g, expected steps in growing order",
                      i / 2, p[i]);
    }
  }
  return GLK_OK;
}

static glk_status check_numbers(glk_context *context, const schedule_row *row, const double *p,
                                uint32_t count) {
  if (count != row->count) {
    return glk_fail(context, GLK_ERROR_OPTION, "%s takes %u numbers, got %u", row->name, row->count,
                    count);
  }
  const glk_option_table table = {row->name, row->numbers, count, 0};
  double ignored[MOST_NUMBERS];
  for (uint32_t i = 0; i < count; i++) {
    GLK_TRY(glk_options_set(context, &table, &row->numbers[i].name, &p[i], 1, ignored));
  }
  return GLK_OK;
}

glk_status glk_rate_schedule_make(glk_context *context, glk_schedule kind, const double *numbers,
                                  uint32_t count, glk_rate_schedule *out) {
  if (!is_schedule(kind)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no schedule %u", (uint32_t)kind);
  }
  if (count > GLK_MAX_SCHEDULE) {
    return glk_fail(context, GLK_ERROR_LIMIT, "%s: %u numbers, at most %u are possible",
                    rows[kind].name, count, (uint32_t)GLK_MAX_SCHEDULE);
  }
  if (kind == GLK_PIECEWISE_CONSTANT) {
    GLK_TRY(check_pieces(context, numbers, count));
  } else {
    GLK_TRY(check_numbers(context, &rows[kind], numbers, count));
  }
  *out = (glk_rate_schedule){.kind = kind, .count = count};
  if (count) memcpy(out->numbers, numbers, count * sizeof *numbers);
  return GLK_OK;
}

double glk_rate_schedule_at(const glk_rate_schedule *schedule, double iteration) {
  if (!rows[schedule->kind].rate) return 0;
  const double rate = rows[schedule->kind].rate(schedule->numbers, schedule->count, iteration);
  if (!(rate < MOST)) return 9.999999999999999e29; /* as an option may be at most */
  return rate > 0 ? rate : 0;
}

glk_status glk_schedule_rate(glk_context *context, glk_schedule kind, const double *numbers,
                             uint32_t count, double iteration, double *out) {
  GLK_REFUSE_IF(context, !out || (count && !numbers));
  glk_rate_schedule schedule;
  GLK_TRY(glk_rate_schedule_make(context, kind, numbers, count, &schedule));
  if (kind == GLK_OWN_SCHEDULE) {
    return glk_fail(context, GLK_ERROR_ARGUMENT,
                    "only the caller can compute the rate of its own schedule");
  }
  if (!(iteration >= 0 && iteration < 0x1p53)) {
    return glk_fail(context, GLK_ERROR_OPTION, "%s: step %g, expected at least 0 and below 2^53",
                    rows[kind].name, iteration);
  }
  *out = glk_rate_schedule_at(&schedule, iteration);
  return GLK_OK;
}
