/* The laws of LOCKS.md at random: rule, options, size, lock pattern, toggles and gradients are all drawn. 20,000 steps, or
 * GLK_CAMPAIGN of them (`make campaign`: 1,000,000), from seed GLK_SEED on; each trial of LAW_STEPS steps has a seed of
 * its own, and a failure names it. GLK_SEED=that GLK_CAMPAIGN=1 repeats the trial alone. */
#include "laws.h"

static double setting(const char *name, double otherwise) {
  const char *text = getenv(name);
  return text ? strtod(text, NULL) : otherwise;
}

/* A value that the option takes: an end of its range, or somewhere inside, near 1 too where that is the end. */
static double draw_value(const glk_option_info *option) {
  if (option->is_flag) return rng_below(2);
  const double size = __builtin_fabs((double)rng_real(0.001, 1));
  if (option->high == 1) return rng_below(4) == 0 ? 0 : rng_below(2) ? size * 0.99 : 1 - size / 100;
  if (option->low < 0) return -2 * size;
  return rng_below(5) == 0 ? option->low : option->low + size * size;
}

/* Averages and accumulation are between steps, with tests of their own. */
static int is_drawn(const char *name) {
  return strncmp(name, "ema", 3) != 0 && strcmp(name, "useEma") != 0 &&
         strcmp(name, "gradientAccumulationSteps") != 0;
}

static void draw_options(law_options *out) {
  uint32_t options, count = 0;
  int clips = 0;
  out->rule = (glk_rule)rng_below(GLK_RULE_COUNT);
  CHECK_STATUS(glk_rule_describe(out->rule, &out->title, NULL, &options), GLK_OK);
  for (uint32_t i = 0; i < options && count < LAW_MAX_OPTIONS; i++) {
    glk_option_info option;
    CHECK_STATUS(glk_rule_option(out->rule, i, &option), GLK_OK);
    const double value = draw_value(&option);
    const int is_clip = strncmp(option.name, "clip", 4) == 0 || strstr(option.name, "ClipNorm");
    if (!is_drawn(option.name) || rng_below(is_clip ? 6 : 2) || (is_clip && clips++)) continue;
    out->set[count++] = (law_option){option.name, value};
  }
}

static void describe(const law_options *options, uint32_t n, uint64_t seed) {
  printf("GLK_SEED=%llu: %s, %u elements", (unsigned long long)seed, options->title, n);
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
    check_lock_laws(&options, n, pattern, kind, 1);
    if (harness.failures != failures) describe(&options, n, seed);
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
