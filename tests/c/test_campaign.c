/* Laws 1 to 10, 12 and 15 to 17 of docs/laws.md at random: rule, options, averages, accumulation,
 * constraints, rates, exclusions, schedules, size, lock pattern, toggles and gradients are all
 * drawn. 20,000 steps, or GLK_CAMPAIGN of them (`make campaign`: 1,000,000), from seed GLK_SEED on;
 * each trial of LAW_STEPS steps has a seed of its own, and a failure names it. GLK_SEED=that
 * GLK_CAMPAIGN=1 repeats the trial alone. */
#include "laws.h"

static double setting(const char *name, double otherwise) {
  const char *text = getenv(name);
  return text ? strtod(text, NULL) : otherwise;
}

/* A value that the option takes: an end of its range, or somewhere inside, near 1 too where that is
 * the end. */
static double draw_value(const glk_option_info *option) {
  if (option->is_flag) return rng_below(2);
  const double size = __builtin_fabs((double)rng_real(0.001, 1));
  if (option->high == 1) return rng_below(4) == 0 ? 0 : rng_below(2) ? size * 0.99 : 1 - size / 100;
  if (option->low < 0) return -2 * size;
  return rng_below(5) == 0 ? option->low : option->low + size * size;
}

/* Settings that span calls; only small values show an effect within LAW_STEPS. */
static int draw_count(const char *name, double *out) {
  const int is_every = !strcmp(name, "emaOverwriteFrequency");
  const int is_calls = !strcmp(name, "gradientAccumulationSteps");
  if (is_every) *out = rng_below(4);
  if (is_calls) *out = 1 + rng_below(4);
  return is_every || is_calls;
}

static void draw_options(law_options *out) {
  uint32_t options, count = 0;
  int clips = 0;
  out->rule = (glk_rule)rng_below(GLK_RULE_COUNT);
  CHECK_STATUS(glk_rule_describe(out->rule, &out->title, NULL, &options), GLK_OK);
  for (uint32_t i = 0; i < options && count < LAW_MAX_OPTIONS; i++) {
    glk_option_info option;
    CHECK_STATUS(glk_rule_option(out->rule, i, &option), GLK_OK);
    double value;
    if (!draw_count(option.name, &value)) value = draw_value(&option);
    const int is_clip = strncmp(option.name, "clip", 4) == 0 || strstr(option.name, "ClipNorm");
    if (rng_below(is_clip ? 6 : 2) || (is_clip && clips++)) continue;
    out->set[count++] = (law_option){option.name, value};
  }
}

/* Numbers that a schedule takes: for a piecewise one 1 to 4 values with boundaries between. */
static void draw_schedule(law_extra *out) {
  uint32_t count = 0;
  if (rng_below(4)) return;
  out->schedule = (glk_schedule)(GLK_PIECEWISE_CONSTANT +
                                 rng_below(GLK_SCHEDULE_COUNT - GLK_PIECEWISE_CONSTANT));
  CHECK_STATUS(glk_schedule_describe(out->schedule, NULL, &count), GLK_OK);
  if (out->schedule == GLK_PIECEWISE_CONSTANT) {
    out->number_count = 1 + 2 * rng_below(4);
    for (uint32_t i = 0; i < out->number_count; i++) {
      out->numbers[i] = i % 2 ? i + rng_below(2) : (double)rng_real(0, 1);
    }
    return;
  }
  out->number_count = count;
  for (uint32_t i = 0; i < count; i++) {
    glk_option_info number;
    CHECK_STATUS(glk_schedule_number(out->schedule, i, &number), GLK_OK);
    const int is_given = number.initial != number.initial;
    out->numbers[i] = is_given ? 1 + rng_below(5) : number.initial;
    if (!i) out->numbers[i] = (double)rng_real(0, 1);
  }
}

static law_extra draw_extra(void) {
  law_extra out = {.title = "drawn",
                   .scales_rates = rng_below(3) == 0,
                   .excludes_decay = rng_below(4) == 0,
                   .low = (double)rng_real(-1, 0.5),
                   .high = (double)rng_real(0.5, 3),
                   .is_whole = 0};
  if (rng_below(3) == 0) out.constrained = (glk_constraint_kind)(1 + rng_below(GLK_UNIT_NORM));
  const int is_norm = out.constrained == GLK_MAX_NORM || out.constrained == GLK_UNIT_NORM;
  out.is_whole = is_norm && rng_below(2);
  if (out.constrained == GLK_UNIT_NORM) out.high = 1;
  if (is_norm && out.low < 0) out.low = 0;
  draw_schedule(&out);
  return out;
}

static void describe(const law_options *options, const law_extra *extra, uint32_t n,
                     uint64_t seed) {
  printf("GLK_SEED=%llu: %s, %u elements", (unsigned long long)seed, options->title, n);
  printf(", constraint %d of %s from %.17g to %.17g", (int)extra->constrained,
         extra->is_whole ? "all" : "each", extra->low, extra->high);
  printf(", schedule %d%s%s", (int)extra->schedule, extra->scales_rates ? ", rates" : "",
         extra->excludes_decay ? ", excluded from decay" : "");
  for (int i = 0; i < LAW_MAX_OPTIONS && options->set[i].name; i++) {
    printf(", %s %.17g", options->set[i].name, options->set[i].value);
  }
  printf("\n");
}

static void random_rules_options_locks_and_gradients_keep_the_laws(void) {
  const uint64_t first = (uint64_t)setting("GLK_SEED", 1);
  const uint64_t trials = (uint64_t)(setting("GLK_CAMPAIGN", 20000) + LAW_STEPS - 1) / LAW_STEPS;
  uint32_t seen = 0;
  for (uint64_t seed = first; seed < first + trials; seed++) {
    law_options options = {0};
    rng_seed(seed * 0x9e3779b97f4a7c15u);
    draw_options(&options);
    const uint32_t n = 1 + rng_below(rng_below(8) ? 40 : 140);
    const law_pattern pattern = (law_pattern)rng_below(LAW_PATTERNS);
    const law_gradient kind = (law_gradient)rng_below(LAW_GRADIENTS);
    const uint64_t failures = harness.failures;
    const law_extra extra = draw_extra();
    law_holds_by_rates = rng_below(4) == 0;
    check_lock_laws(&options, &extra, n, pattern, kind, 1);
    if (harness.failures != failures) describe(&options, &extra, n, seed);
    seen |= 1u << options.rule;
  }
  if (trials > 1000) CHECK_EQ(seen, (1u << GLK_RULE_COUNT) - 1);
  printf("%llu steps from seed %llu\n", (unsigned long long)trials * LAW_STEPS,
         (unsigned long long)first);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(random_rules_options_locks_and_gradients_keep_the_laws);
  return harness_report();
}
