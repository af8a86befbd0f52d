/* The runs of runs.h, and random draws, each with the digests of where it ends.
 * tests/js/digest.test.js and tests/engines/digest.test.js do the same in JavaScript, on every
 * engine, and expect the same bytes. Every number they start from is a ratio of small integers, so
 * nothing is left to chance. */
#include "runs.h"
#include "vectors.h"

enum { BATCH = 16, IN = 8, HIDDEN = 12, OUT = 3, STEPS = 60 };

/* A setting of a run that has it, or NULL. */
static const setting *find_setting(const run *r, const char *name) {
  for (uint32_t i = 0; i < r->count; i++) {
    if (!strcmp(r->settings[i].name, name)) return &r->settings[i];
  }
  return NULL;
}

/* Integers in, exact reals out: -1 <= value < 1. */
static glk_real number(uint32_t i, uint32_t salt) {
  const uint32_t mixed = (i + 1) * 2654435761u + salt * 40503u;
  return (glk_real)((int32_t)(mixed >> 16 & 0xffff) - 32768) / 32768;
}

static void numbers(glk_real *out, uint32_t count, uint32_t salt) {
  for (uint32_t i = 0; i < count; i++) out[i] = number(i, salt);
}

static glk_handle constant(uint32_t rows, uint32_t columns, uint32_t salt) {
  const uint32_t dims[2] = {rows, columns};
  glk_real values[BATCH * HIDDEN];
  glk_handle out = 0;
  numbers(values, rows * columns, salt);
  CHECK_STATUS(glk_tensor_create(c, 2, dims, values, (size_t)rows * columns, &out), GLK_OK);
  return out;
}

static glk_handle weight(uint32_t rank, uint32_t rows, uint32_t columns, uint32_t salt) {
  const uint32_t dims[2] = {rows, columns};
  glk_real values[BATCH * HIDDEN];
  glk_handle out = 0;
  numbers(values, rows * columns, salt);
  CHECK_STATUS(glk_variable_create(c, rank, dims, values, (size_t)rows * columns, "w", 1, &out),
               GLK_OK);
  return out;
}

/* mean((sigmoid(tanh(x w1 + b) w2) - y)^2) + mean(log(1 + exp(w2))) / 64, or as residuals: the
 * errors, and w2 / 8. */
static glk_handle record(const glk_handle *weights, const setting *dropout, int is_residuals) {
  const glk_handle x = constant(BATCH, IN, 1), y = constant(BATCH, OUT, 2);
  const glk_handle one = scalar(1), share = scalar((glk_real)0.015625);
  const glk_handle eighth = scalar((glk_real)0.125), w2 = weights[2];
  glk_handle program = 0, out;
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  glk_handle hidden = apply("tanh", apply("add", apply("matMul", x, weights[0]), weights[1]), 0);
  if (dropout) {
    hidden = apply_with("dropout", hidden, 0,
                        (double[]){dropout->numbers[0], dropout->numbers[1], 0}, 3);
  }
  const glk_handle error = apply("sub", apply("sigmoid", apply("matMul", hidden, w2), 0), y);
  if (is_residuals) {
    out = apply_with("concat", error, apply("mul", w2, eighth), (double[]){0}, 1);
  } else {
    const glk_handle softplus = apply("log", apply("add", one, apply("exp", w2, 0)), 0);
    out = apply("add", apply("mean", apply("square", error, 0), 0),
                apply("mul", apply("mean", softplus, 0), share));
  }
  CHECK_STATUS(glk_program_end(c, &out, 1, &program), GLK_OK);
  return program;
}

static void random_mask(glk_handle variable, uint32_t salt, glk_handle *out) {
  uint32_t rank, dims[GLK_MAX_RANK], count = 1;
  uint8_t mask[BATCH * HIDDEN];
  CHECK_STATUS(glk_shape_of(c, variable, &rank, dims), GLK_OK);
  for (uint32_t a = 0; a < rank; a++) count *= dims[a];
  for (uint32_t i = 0; i < count; i++) mask[i] = number(i, salt) < 0;
  CHECK_STATUS(glk_locks_create(c, rank, dims, out), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, *out, mask, count), GLK_OK);
}

static void toggle(glk_handle variable, uint32_t salt) {
  glk_handle selection = 0;
  random_mask(variable, salt, &selection);
  CHECK_STATUS(glk_locks_combine(c, variable, GLK_LOCKS_XOR, selection), GLK_OK);
  CHECK_STATUS(glk_dispose(c, selection), GLK_OK);
}

/* ---------------------------------------------------------------------------------------- settings
 * Each returns whether it knew the setting. */

static int set_policy(const setting *s, const glk_handle *weights) {
  const double *n = s->numbers;
  glk_policy policy = {.every = 1, .is_inverted = 1};
  policy.choice = (glk_choice){.amount = n[0], .is_fraction = 1};
  if (!strcmp(s->name, "largest") || !strcmp(s->name, "smallest")) {
    policy.choice.kind = *s->name == 'l' ? GLK_CHOICE_LARGEST : GLK_CHOICE_SMALLEST;
    policy.choice.by = (uint32_t)n[1], policy.every = (uint32_t)n[2];
  } else if (!strcmp(s->name, "random")) {
    policy.choice.kind = GLK_CHOICE_RANDOM;
    policy.choice.seed = n[1], policy.every = (uint32_t)n[2];
  } else if (!strcmp(s->name, "between")) {
    policy.choice.kind = GLK_CHOICE_BETWEEN;
    policy.choice.low = n[0], policy.choice.high = n[1];
    policy.choice.by = (uint32_t)n[2], policy.every = (uint32_t)n[3], policy.is_inverted = 0;
  } else if (strcmp(s->name, "timetable") != 0) {
    return 0;
  }
  for (uint32_t k = 0; k < 3; k += 2) {
    if (*s->name != 't') {
      CHECK_STATUS(glk_holder_policy(c, weights[k], "policy", &policy), GLK_OK);
      continue;
    }
    uint32_t steps[MAX_NUMBERS];
    glk_handle sets[MAX_NUMBERS] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
      steps[i] = (uint32_t)n[i];
      random_mask(weights[k], 40 + 3 * i + k, &sets[i]);
    }
    CHECK_STATUS(glk_holder_schedule(c, weights[k], "policy", steps, sets, s->count, 0), GLK_OK);
  }
  return 1;
}

static int set_constraint(glk_handle optimizer, const setting *s, const glk_handle *weights) {
  static const char *const kinds[] = {"", "nonNegative", "box", "maxNorm", "unitNorm"};
  const double *n = s->numbers;
  int kind = GLK_UNIT_NORM;
  while (kind && strcmp(s->name, kinds[kind]) != 0) kind--;
  if (!kind) return 0;
  const uint32_t axis = (uint32_t)(kind == GLK_UNIT_NORM ? n[0] : n[1]);
  const double low = kind == GLK_BOX ? n[0] : 0;
  const double high = kind == GLK_BOX ? n[1] : kind == GLK_MAX_NORM ? n[0] : 1;
  const uint32_t axes = kind == GLK_MAX_NORM || kind == GLK_UNIT_NORM;
  for (uint32_t k = 0; k < 3; k += 2) {
    CHECK_STATUS(glk_optimizer_constrain(c, optimizer, weights[k], (glk_constraint_kind)kind, low,
                                         high, &axis, axes),
                 GLK_OK);
  }
  return 1;
}

static int set_schedule(glk_handle optimizer, const setting *s) {
  for (int kind = 0; kind < GLK_SCHEDULE_COUNT; kind++) {
    const char *name;
    CHECK_STATUS(glk_schedule_describe((glk_schedule)kind, &name, NULL), GLK_OK);
    if (strcmp(name, s->name) != 0) continue;
    CHECK_STATUS(glk_optimizer_schedule(c, optimizer, (glk_schedule)kind, s->numbers, s->count),
                 GLK_OK);
    return 1;
  }
  return 0;
}

static int set_rate(glk_handle optimizer, const setting *s, const glk_handle *weights) {
  glk_real factors[HIDDEN * OUT];
  if (!strcmp(s->name, "rate")) {
    factors[0] = (glk_real)s->numbers[0];
    CHECK_STATUS(glk_optimizer_scale_rate(c, optimizer, weights[1], factors, 1), GLK_OK);
  } else if (!strcmp(s->name, "rates")) {
    numbers(factors, HIDDEN * OUT, (uint32_t)s->numbers[0]);
    for (uint32_t i = 0; i < HIDDEN * OUT; i++) factors[i] = factors[i] > 0 ? factors[i] : 0;
    CHECK_STATUS(glk_optimizer_scale_rate(c, optimizer, weights[2], factors, HIDDEN * OUT), GLK_OK);
  } else if (!strcmp(s->name, "exclude")) {
    CHECK_STATUS(glk_optimizer_exclude_decay(c, optimizer, weights[1], 1), GLK_OK);
  } else {
    return 0;
  }
  return 1;
}

static void set_up(glk_handle optimizer, const run *r, const glk_handle *weights) {
  for (uint32_t i = 0; i < r->count; i++) {
    const setting *s = &r->settings[i];
    const char *name = s->name;
    if (!strcmp(name, "dropout") || !strcmp(name, "gradients")) continue;
    if (set_schedule(optimizer, s) || set_policy(s, weights) || set_rate(optimizer, s, weights) ||
        set_constraint(optimizer, s, weights)) {
      continue;
    }
    CHECK_STATUS(glk_optimizer_set(c, optimizer, &name, s->numbers, 1), GLK_OK);
  }
}

/* ----------------------------------------------------------------------------------------- runs */

static double step_by_gradients(glk_handle optimizer, glk_handle program, const glk_handle *weights,
                                uint32_t steps) {
  double value = 0;
  for (uint32_t step = 0; step < steps; step++) {
    glk_handle gradients[3] = {0};
    CHECK_STATUS(glk_program_gradient(c, program, weights, 3, &value, gradients), GLK_OK);
    CHECK_STATUS(glk_optimizer_apply(c, optimizer, weights, gradients, 3), GLK_OK);
    for (int k = 0; k < 3; k++) CHECK_STATUS(glk_dispose(c, gradients[k]), GLK_OK);
  }
  return value;
}

static uint64_t digest_of(glk_handle tensor) {
  uint64_t digest = 0;
  CHECK_STATUS(glk_digest(c, tensor, &digest), GLK_OK);
  return digest;
}

/* FNV-1a over digests. */
static void fold(uint64_t *state, uint64_t digest) { *state = (*state ^ digest) * 0x100000001b3u; }

static void fold_values(uint64_t *state, const glk_real *values, uint32_t count) {
  glk_handle tensor = 0;
  CHECK_STATUS(glk_tensor_create(c, 1, &count, values, count, &tensor), GLK_OK);
  fold(state, digest_of(tensor));
  CHECK_STATUS(glk_dispose(c, tensor), GLK_OK);
}

/* Everything that an optimizer keeps of the variables: slots, averages, clocks. */
static void fold_optimizer(uint64_t *state, glk_handle optimizer, uint32_t slots,
                           const glk_handle *weights) {
  static const uint32_t sizes[3] = {IN * HIDDEN, HIDDEN, HIDDEN * OUT};
  for (int k = 0; k < 3; k++) {
    glk_real values[IN * HIDDEN];
    uint32_t clock[IN * HIDDEN];
    for (uint32_t slot = 0; slot < slots; slot++) {
      CHECK_STATUS(glk_optimizer_slot(c, optimizer, weights[k], slot, values, sizes[k]), GLK_OK);
      fold_values(state, values, sizes[k]);
    }
    CHECK_STATUS(glk_optimizer_average(c, optimizer, weights[k], values, sizes[k]), GLK_OK);
    fold_values(state, values, sizes[k]);
    CHECK_STATUS(glk_optimizer_clock(c, optimizer, weights[k], clock, sizes[k]), GLK_OK);
    for (uint32_t i = 0; i < sizes[k]; i++) values[i] = (glk_real)clock[i];
    fold_values(state, values, sizes[k]);
  }
}

/* The rule or the method of a name; each GLK_..._COUNT if there is none. */
static void find_rule(const char *name, int *rule, int *method) {
  const char *own = NULL;
  for (*rule = 0; *rule < GLK_RULE_COUNT; ++*rule) {
    CHECK_STATUS(glk_rule_describe((glk_rule)*rule, &own, NULL, NULL), GLK_OK);
    if (!strcmp(own, name)) break;
  }
  for (*method = 0; *method < GLK_METHOD_COUNT; ++*method) {
    CHECK_STATUS(glk_method_describe((glk_method)*method, &own, NULL), GLK_OK);
    if (!strcmp(own, name)) break;
  }
}

static void train(const char *line, uint32_t *rules, uint32_t *methods) {
  const run r = read_run(line);
  int rule, method;
  uint32_t slots = 0;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  find_rule(r.rule, &rule, &method);
  if (!CHECK_MSG(rule < GLK_RULE_COUNT || method < GLK_METHOD_COUNT, "no rule '%s'", r.rule)) {
    return;
  }
  const int is_solver = rule == GLK_RULE_COUNT;
  *(is_solver ? methods : rules) |= 1u << (is_solver ? method : rule);
  const glk_handle weights[3] = {weight(2, IN, HIDDEN, 3), weight(1, HIDDEN, 1, 4),
                                 weight(2, HIDDEN, OUT, 5)};
  const glk_handle program =
      record(weights, find_setting(&r, "dropout"), method == GLK_LEVENBERG_MARQUARDT);
  glk_handle optimizer = 0;
  if (is_solver) {
    CHECK_STATUS(glk_solver_create(c, (glk_method)method, &optimizer), GLK_OK);
    for (uint32_t i = 0; i < r.count; i++) {
      const char *name = r.settings[i].name;
      CHECK_STATUS(glk_solver_set(c, optimizer, &name, r.settings[i].numbers, 1), GLK_OK);
    }
  } else {
    CHECK_STATUS(glk_rule_describe((glk_rule)rule, NULL, &slots, NULL), GLK_OK);
    CHECK_STATUS(glk_optimizer_create(c, (glk_rule)rule, &optimizer), GLK_OK);
    set_up(optimizer, &r, weights);
  }
  double losses[3] = {0};
  uint64_t state = 0xcbf29ce484222325u;
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t k = 0; k < 3 && round; k++) toggle(weights[k], 7 + 3 * round + k);
    const uint32_t steps = is_solver ? STEPS / 12 : STEPS / 3;
    if (is_solver) {
      CHECK_STATUS(glk_solver_minimize(c, optimizer, program, weights, 3, steps, &losses[round]),
                   GLK_OK);
    } else if (find_setting(&r, "gradients")) {
      losses[round] = step_by_gradients(optimizer, program, weights, steps);
    } else {
      CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, weights, 3, steps, &losses[round]),
                   GLK_OK);
    }
    fold_values(&state, &(glk_real){(glk_real)losses[round]}, 1);
  }
  CHECK_MSG(losses[2] < losses[0], "%s: the loss went from %g to %g", line, losses[0], losses[2]);
  if (is_solver) {
    glk_solver_info info = {0};
    CHECK_STATUS(glk_solver_describe(c, optimizer, &info), GLK_OK);
    const glk_real kept[] = {(glk_real)info.iterations, (glk_real)info.evaluations,
                             (glk_real)info.gradient};
    fold_values(&state, kept, 3);
  } else {
    fold_optimizer(&state, optimizer, slots, weights);
  }
  printf("digest %s :", line);
  for (int k = 0; k < 3; k++) printf(" %016llx", (unsigned long long)digest_of(weights[k]));
  printf(" %016llx\n", (unsigned long long)state);
  glk_context_dispose(c);
}

static void fixed_training_runs_learn_under_every_rule_and_method(void) {
  uint32_t rules = 0, methods = 0;
  for (int i = 0; i < RUNS; i++) train(run_lines[i], &rules, &methods);
  CHECK_EQ(rules, (1u << GLK_RULE_COUNT) - 1);
  CHECK_EQ(methods, (1u << GLK_METHOD_COUNT) - 1);
}

/* ---------------------------------------------------------------------------------------- draws */

static void print_digest(const char *name, glk_handle tensor) {
  printf("drawn %s %016llx\n", name, (unsigned long long)digest_of(tensor));
}

/* Seed and step are as JavaScript's generator of that seed counts them. */
static void fixed_draws_have_digests(void) {
  const double seed = 0x1p40 + 3, n = 50001;
  glk_handle program, out, x;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  print_digest("uniform", apply_with("randomUniform", 0, 0, (double[]){seed, 0, -0.1, 0.7, n}, 5));
  x = apply_with("randomNormal", 0, 0, (double[]){seed, 1, 0.25, 3, n}, 5);
  print_digest("normal", x);
  print_digest("truncatedNormal",
               apply_with("truncatedNormal", 0, 0, (double[]){seed, 2, 0, 1, n}, 5));
  print_digest("bernoulli", apply_with("randomBernoulli", 0, 0, (double[]){seed, 3, 0.3, n}, 4));
  print_digest("permutation", apply_with("randomPermutation", 0, 0, (double[]){seed, 4, n}, 3));
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  out = apply_with("dropout", x, 0, (double[]){0.1, seed, 5}, 3);
  CHECK_STATUS(glk_program_end(c, &out, 1, &program), GLK_OK);
  for (int run = 0; run < 3; run++) {
    CHECK_STATUS(glk_program_run(c, program), GLK_OK);
    CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_OK);
    print_digest("dropout", out);
  }
  x = apply_with("randomNormal", 0, 0, (double[]){seed, 6, 0, 1, 40, 30}, 6);
  print_digest("orthogonal", apply_with("orthogonalize", x, 0, NULL, 0));
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(fixed_training_runs_learn_under_every_rule_and_method);
  TEST(fixed_draws_have_digests);
  return harness_report();
}
