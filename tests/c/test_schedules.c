/* Schedules: their landmarks, which have exact values; refused settings; and that a compiled loop
 * gives the same bits as setting the rate before every step. Between landmarks they are held
 * against Keras (tests/golden), and one cycle, which Keras lacks, against its definition. */
#include <math.h>

#include "vectors.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

typedef struct landmark {
  glk_schedule kind;
  uint32_t count;
  double numbers[8], step, rate;
} landmark;

static const landmark landmarks[] = {
    {GLK_CONSTANT, 1, {0.25}, 1e6, 0.25},
    {GLK_PIECEWISE_CONSTANT, 1, {0.5}, 7, 0.5},
    {GLK_PIECEWISE_CONSTANT, 3, {1, 10, 0.5}, 10, 1}, /* the boundary is before it */
    {GLK_PIECEWISE_CONSTANT, 3, {1, 10, 0.5}, 11, 0.5},
    {GLK_PIECEWISE_CONSTANT, 5, {1, 0, 0.5, 3, 0.25}, 4, 0.25},
    {GLK_EXPONENTIAL, 4, {1, 10, 0.5, 0}, 0, 1},
    {GLK_EXPONENTIAL, 4, {1, 10, 0.5, 0}, 20, 0.25},
    {GLK_EXPONENTIAL, 4, {1, 10, 0.5, 1}, 29, 0.25},
    {GLK_EXPONENTIAL, 4, {1, 10, 0, 0}, 0, 1},
    {GLK_EXPONENTIAL, 4, {1, 10, 0, 0}, 5, 0},
    {GLK_EXPONENTIAL, 4, {1, 1, 0.5, 0}, 9e15, 0},
    {GLK_EXPONENTIAL, 4, {1, 1, 2, 0}, 9e15, 9.999999999999999e29}, /* below every option's limit */
    {GLK_INVERSE_TIME, 4, {1, 10, 1, 0}, 10, 0.5},
    {GLK_INVERSE_TIME, 4, {1, 10, 1, 1}, 9, 1},
    {GLK_POLYNOMIAL, 5, {1, 10, 0.5, 1, 0}, 5, 0.75},
    {GLK_POLYNOMIAL, 5, {1, 10, 0.5, 1, 0}, 99, 0.5},
    {GLK_POLYNOMIAL, 5, {1, 10, 0.5, 0, 0}, 99, 1}, /* 0^0 is 1 */
    {GLK_POLYNOMIAL, 5, {1, 10, 0, 1, 1}, 15, 0.25},
    {GLK_COSINE, 5, {1, 10, 0, -1, 0}, 0, 1},
    {GLK_COSINE, 5, {1, 10, 0, -1, 0}, 5, 0.5},
    {GLK_COSINE,
     5,
     {1, 10, 0, -1, 4},
     0,
     1}, /* steps of a warm-up without a target are none, as in Keras */
    {GLK_COSINE, 5, {1, 10, 0.25, -1, 0}, 11, 0.25},
    {GLK_COSINE, 5, {0, 10, 0, 1, 4}, 1, 0.25},
    {GLK_COSINE, 5, {0, 10, 0, 1, 4}, 4, 1},
    {GLK_COSINE, 5, {0, 10, 0, 1, 4}, 9, 0.5},
    {GLK_COSINE_RESTARTS, 5, {1, 10, 2, 0.5, 0}, 10, 0.5},
    {GLK_COSINE_RESTARTS, 5, {1, 10, 2, 0.5, 0}, 20, 0.25},
    {GLK_COSINE_RESTARTS, 5, {1, 10, 1, 0.5, 0}, 20, 0.25},
    {GLK_LINEAR_WARMUP, 3, {0, 1, 4}, 3, 0.75},
    {GLK_LINEAR_WARMUP, 3, {0, 1, 4}, 400, 1},
    {GLK_ONE_CYCLE, 7, {1, 21, 0.5, 1, 4, 2, 0}, 0, 0.25},
    {GLK_ONE_CYCLE, 7, {1, 20, 0.5, 1, 4, 2, 0}, 9, 1},
    {GLK_ONE_CYCLE, 7, {1, 20, 0.5, 0, 4, 2, 0}, 19, 0.125},
    {GLK_ONE_CYCLE, 7, {1, 20, 0.5, 0, 4, 2, 0}, 1e9, 0.125},
    {GLK_ONE_CYCLE, 7, {1, 1, 0.5, 0, 4, 2, 0}, 0, 0.125}, /* no step to rise in */
};

static void landmarks_are_exact(void) {
  for (size_t i = 0; i < sizeof landmarks / sizeof landmarks[0]; i++) {
    const landmark *l = &landmarks[i];
    double rate = -1;
    OK(glk_schedule_rate(c, l->kind, l->numbers, l->count, l->step, &rate));
    CHECK_MSG(rate == l->rate, "row %zu: %.17g, expected %.17g", i, rate, l->rate);
  }
}

/* e^(k ln b) against the square root, which is exact, and against squaring. */
static void powers_with_fractions_agree_with_roots(void) {
  for (int i = 0; i < 2000; i++) {
    const double base = 1 - (double)rng_below(1000000) / 1.3e6;
    const double steps = rng_below(200), p[4] = {1, 2, base, 0};
    double whole = 1, rate;
    for (uint32_t k = 0; k < (uint32_t)steps; k++) whole *= base;
    OK(glk_schedule_rate(c, GLK_EXPONENTIAL, p, 4, steps, &rate));
    CHECK_NEAR(rate, __builtin_sqrt(whole), 1e-13 * rate);
  }
}

/* Restart by restart, as the definition has it. */
static double restarts_one_by_one(double t, double m, double step) {
  double length = 1, height = 1;
  for (; step >= length; length *= t, height *= m) step -= length;
  return height * 0.5 * (1 + cos(3.141592653589793 * step / length));
}

/* With many restarts of nearly one length they are counted by a formula, which may differ by
 * roundings only. */
static void restarts_that_are_counted_by_formula_are_those_one_by_one(void) {
  static const double factors[] = {1.0001, 1.0004, 1.001, 1.005, 1.01, 1.5, 2, 7};
  for (int i = 0; i < 4000; i++) {
    const double t = factors[i % 8], m = i % 3 ? 1 : 0.999, decay = 64;
    const double step = rng_below(1 << 24), p[5] = {1, decay, t, m, 0};
    double rate;
    OK(glk_schedule_rate(c, GLK_COSINE_RESTARTS, p, 5, step, &rate));
    CHECK_NEAR(rate, restarts_one_by_one(t, m, step / decay), 1e-7);
  }
}

/* The number of restarts is no measure of the work: up to 2^53 of them are less than an ulp
 * of their lengths apart. */
static void hostile_restarts_end_and_stay_in_range(void) {
  static const double factors[] = {1 + 0x1p-52, 1 + 0x1p-51, 1 + 0x1p-40, 1 + 0x1p-30, 1.0000001,
                                   1.001,       1.1,         2,           1e15,        9e29};
  for (uint32_t f = 0; f < sizeof factors / sizeof *factors; f++) {
    for (int bits = 0; bits <= 53; bits++) {
      for (int off = -1; off <= 1; off++) {
        const double step = (double)((uint64_t)1 << bits) + off, p[5] = {1, 1, factors[f], 1, 0.25};
        double rate = -1;
        if (step >= 0x1p53) continue;
        OK(glk_schedule_rate(c, GLK_COSINE_RESTARTS, p, 5, step, &rate));
        CHECK_MSG(rate > 0.2499999 && rate <= 1, "tMul %.17g, step %.17g: %.17g", factors[f], step,
                  rate);
      }
    }
  }
}

/* Smith & Topin 2019, as in PyTorch's documentation of OneCycleLR. */
static double one_cycle_by_phases(double top, double total, double share, int is_linear,
                                  double first, double last, int is_three, double step) {
  const double low = top / first, up = share * total - 1;
  const struct {
    double end, from, to;
  } phases[] = {{up, low, top},
                {is_three ? 2 * up : total - 1, top, is_three ? low : low / last},
                {total - 1, low, low / last}};
  double begin = 0;
  for (int i = 0; i < (is_three ? 3 : 2); begin = phases[i++].end) {
    if (step > phases[i].end) continue;
    const double done = (step - begin) / (phases[i].end - begin);
    const double part = is_linear ? done : (1 - cos(3.141592653589793 * done)) / 2;
    return phases[i].from + (phases[i].to - phases[i].from) * part;
  }
  return low / last;
}

static void one_cycle_is_its_phases(void) {
  for (int i = 0; i < 4000; i++) {
    const int is_linear = i & 1, is_three = i >> 1 & 1;
    const double total = 20 + rng_below(1000), share = is_three ? 0.3 : 0.1 + 0.1 * (i % 8);
    const double step = rng_below((uint32_t)total + 9);
    const double p[7] = {0.1, total, share, is_linear, 25, 1e4, is_three};
    double rate;
    OK(glk_schedule_rate(c, GLK_ONE_CYCLE, p, 7, step, &rate));
    CHECK_NEAR(rate, one_cycle_by_phases(0.1, total, share, is_linear, 25, 1e4, is_three, step),
               1e-14);
  }
}

static void numbers_out_of_range_are_refused_and_change_nothing(void) {
  const double nan = __builtin_nan(""), infinity = __builtin_inf();
  glk_handle optimizer;
  OK(glk_optimizer_create(c, GLK_ADAM, &optimizer));
  const double good[7] = {1, 10, 0.5, 0};
  OK(glk_optimizer_schedule(c, optimizer, GLK_EXPONENTIAL, good, 4));
  for (uint32_t kind = 0; kind < GLK_SCHEDULE_COUNT; kind++) {
    uint32_t count;
    double p[7] = {1, 10, 0.5, 0, 1, 1, 0};
    OK(glk_schedule_describe(kind, NULL, &count));
    for (uint32_t k = 0; k < count; k++) {
      glk_option_info info;
      OK(glk_schedule_number(kind, k, &info));
      const double bad[] = {nan,          infinity,  -infinity,
                            info.low - 1, info.high, info.is_flag ? 0.5 : nan};
      const double kept = p[k];
      for (int b = 0; b < 6; b++) {
        p[k] = bad[b];
        CHECK_STATUS(glk_optimizer_schedule(c, optimizer, kind, p, count), GLK_ERROR_OPTION);
      }
      p[k] = kept;
    }
    if (count) {
      CHECK_STATUS(glk_optimizer_schedule(c, optimizer, kind, p, count - 1), GLK_ERROR_OPTION);
    }
  }
  const double pieces[][3] = {{1, -1, 1}, {1, nan, 1}, {-1, 1, 1}, {1, 1, infinity}};
  for (int i = 0; i < 4; i++) {
    CHECK_STATUS(glk_optimizer_schedule(c, optimizer, GLK_PIECEWISE_CONSTANT, pieces[i], 3),
                 GLK_ERROR_OPTION);
  }
  const double many[GLK_MAX_SCHEDULE + 2] = {1, 2, 3, 2, 1};
  CHECK_STATUS(glk_optimizer_schedule(c, optimizer, GLK_PIECEWISE_CONSTANT, many, 5),
               GLK_ERROR_OPTION);
  CHECK_STATUS(glk_optimizer_schedule(c, optimizer, GLK_PIECEWISE_CONSTANT, many, 0),
               GLK_ERROR_OPTION);
  CHECK_STATUS(glk_optimizer_schedule(c, optimizer, GLK_PIECEWISE_CONSTANT, many, 2),
               GLK_ERROR_OPTION);
  CHECK_STATUS(
      glk_optimizer_schedule(c, optimizer, GLK_PIECEWISE_CONSTANT, many, GLK_MAX_SCHEDULE + 2),
      GLK_ERROR_LIMIT);
  CHECK_STATUS(glk_optimizer_schedule(c, optimizer, GLK_SCHEDULE_COUNT, many, 1),
               GLK_ERROR_ARGUMENT);
  uint32_t kind, count;
  double numbers[GLK_MAX_SCHEDULE], rate;
  OK(glk_optimizer_scheduled(c, optimizer, &kind, numbers, &count));
  CHECK(kind == GLK_EXPONENTIAL && count == 4 && !memcmp(numbers, good, sizeof(double[4])));
  CHECK_STATUS(glk_schedule_rate(c, GLK_EXPONENTIAL, good, 4, -1, &rate), GLK_ERROR_OPTION);
  CHECK_STATUS(glk_schedule_rate(c, GLK_EXPONENTIAL, good, 4, nan, &rate), GLK_ERROR_OPTION);
  CHECK_STATUS(glk_schedule_rate(c, GLK_OWN_SCHEDULE, NULL, 0, 0, &rate), GLK_ERROR_ARGUMENT);
  OK(glk_dispose(c, optimizer));
}

static double rate_of(glk_handle optimizer) {
  double rate = -1;
  OK(glk_optimizer_get(c, optimizer, "learningRate", &rate));
  return rate;
}

static void set_rate(glk_handle optimizer, double rate) {
  const char *name = "learningRate";
  OK(glk_optimizer_set(c, optimizer, &name, &rate, 1));
}

static void many_compiled_steps_follow_the_schedule(void) {
  enum { N = 5, STEPS = 40 };
  const glk_real start[N] = {1, -2, 3, -4, 5};
  for (size_t i = 0; i < sizeof landmarks / sizeof landmarks[0]; i++) {
    const landmark *l = &landmarks[i];
    glk_real last[2][N];
    for (int by_hand = 0; by_hand < 2; by_hand++) {
      glk_handle program, optimizer;
      const glk_handle x = variable(N, start);
      OK(glk_program_begin(c, GLK_TRACE));
      const glk_handle sum = apply("sum", apply("square", x, 0), 0);
      OK(glk_program_end(c, &sum, 1, &program));
      OK(glk_optimizer_create(c, GLK_ADAMW, &optimizer));
      if (by_hand) {
        for (int step = 0; step < STEPS; step++) {
          double rate;
          OK(glk_schedule_rate(c, l->kind, l->numbers, l->count, step, &rate));
          set_rate(optimizer, rate);
          OK(glk_optimizer_minimize(c, optimizer, program, &x, 1, 1, NULL));
        }
      } else {
        double rate;
        OK(glk_optimizer_schedule(c, optimizer, l->kind, l->numbers, l->count));
        OK(glk_optimizer_minimize(c, optimizer, program, &x, 1, STEPS, NULL));
        OK(glk_schedule_rate(c, l->kind, l->numbers, l->count, STEPS, &rate));
        CHECK(rate_of(optimizer) == rate);
      }
      OK(glk_read(c, x, last[by_hand], N));
      const glk_handle all[] = {program, optimizer, x};
      for (int k = 0; k < 3; k++) OK(glk_dispose(c, all[k]));
    }
    for (int k = 0; k < N; k++) CHECK_BITS(last[0][k], last[1][k]);
  }
}

static void setting_the_rate_ends_a_schedule_but_not_ones_own(void) {
  const double p[4] = {1, 10, 0.5, 0};
  glk_handle optimizer;
  uint32_t kind, count;
  double numbers[GLK_MAX_SCHEDULE];
  OK(glk_optimizer_create(c, GLK_SGD, &optimizer));
  OK(glk_optimizer_schedule(c, optimizer, GLK_EXPONENTIAL, p, 4));
  CHECK(rate_of(optimizer) == 1);
  const char *name = "clipNorm";
  OK(glk_optimizer_set(c, optimizer, &name, p, 1));
  OK(glk_optimizer_scheduled(c, optimizer, &kind, numbers, &count));
  CHECK_EQ(kind, GLK_EXPONENTIAL);
  set_rate(optimizer, 0.75);
  OK(glk_optimizer_scheduled(c, optimizer, &kind, numbers, &count));
  CHECK(kind == GLK_CONSTANT && count == 1 && numbers[0] == 0.75);
  OK(glk_optimizer_apply(c, optimizer, NULL, NULL, 0));
  CHECK(rate_of(optimizer) == 0.75);
  OK(glk_optimizer_schedule(c, optimizer, GLK_OWN_SCHEDULE, NULL, 0));
  set_rate(optimizer, 0.5);
  OK(glk_optimizer_scheduled(c, optimizer, &kind, numbers, &count));
  CHECK(kind == GLK_OWN_SCHEDULE && count == 0 && rate_of(optimizer) == 0.5);
  OK(glk_dispose(c, optimizer));
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  begin();
  TEST(landmarks_are_exact);
  TEST(powers_with_fractions_agree_with_roots);
  TEST(restarts_that_are_counted_by_formula_are_those_one_by_one);
  TEST(hostile_restarts_end_and_stay_in_range);
  TEST(one_cycle_is_its_phases);
  TEST(numbers_out_of_range_are_refused_and_change_nothing);
  TEST(many_compiled_steps_follow_the_schedule);
  TEST(setting_the_rate_ends_a_schedule_but_not_ones_own);
  end();
  return harness_report();
}
