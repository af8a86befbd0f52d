/* A run that is stopped anywhere, saved, and loaded into a fresh context continues bit for bit.
 * Damaged bytes are refused and change nothing. */
#include <stdlib.h>

#include "harness.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { N = 37, M = 6, STEPS = 24, ROOM = 1 << 16 };

typedef struct run {
  glk_context *context;
  glk_handle optimizer, x[2];
} run;

static const uint32_t dims[2][2] = {{N, 0}, {2, 3}};
static const uint32_t sizes[2] = {N, M};

static run begin(glk_rule rule) {
  run r;
  OK(glk_context_create(NULL, &r.context));
  OK(glk_optimizer_create(r.context, rule, &r.optimizer));
  for (uint32_t k = 0; k < 2; k++) {
    glk_real start[N];
    for (uint32_t i = 0; i < N; i++) start[i] = (glk_real)(i + 1) / 8;
    OK(glk_variable_create(r.context, k + 1, dims[k], start, sizes[k], k ? "b" : "a", 1, &r.x[k]));
  }
  return r;
}

static void set(const run *r, const char *name, double value) {
  OK(glk_optimizer_set(r->context, r->optimizer, &name, &value, 1));
}

static void toggle(const run *r, uint32_t k, uint32_t at) {
  glk_handle set;
  OK(glk_locks_create(r->context, k + 1, dims[k], &set));
  OK(glk_locks_add_indices(r->context, set, &at, 1));
  OK(glk_locks_combine(r->context, r->x[k], GLK_LOCKS_XOR, set));
  OK(glk_dispose(r->context, set));
}

/* The action of a step, as a function of its number: some toggle locks, gradients have NaNs where
 * they may. */
static void step(const run *r, uint64_t seed, uint32_t number) {
  rng_seed(seed * 1000 + number);
  glk_handle gradients[2];
  for (uint32_t k = 0; k < 2; k++) {
    glk_real g[N];
    for (uint32_t i = 0; i < N; i++) g[i] = rng_real(-2, 2);
    for (uint32_t i = 0; i < 3; i++) {
      const uint32_t at = rng_below(sizes[k]);
      if (rng_below(2)) toggle(r, k, at);
    }
    OK(glk_tensor_create(r->context, k + 1, dims[k], g, sizes[k], &gradients[k]));
  }
  OK(glk_optimizer_apply(r->context, r->optimizer, r->x, gradients, rng_below(4) ? 2 : 1));
  for (uint32_t k = 0; k < 2; k++) OK(glk_dispose(r->context, gradients[k]));
}

/* A step whose gradients are its number, and no change of locks. */
static void apply(const run *r, uint32_t number) {
  glk_handle gradients[2];
  for (uint32_t k = 0; k < 2; k++) {
    glk_real g[N];
    for (uint32_t i = 0; i < N; i++) g[i] = (glk_real)(number + i + 1) / 16;
    OK(glk_tensor_create(r->context, k + 1, dims[k], g, sizes[k], &gradients[k]));
  }
  OK(glk_optimizer_apply(r->context, r->optimizer, r->x, gradients, 2));
  for (uint32_t k = 0; k < 2; k++) OK(glk_dispose(r->context, gradients[k]));
}

static const double own[2] = {7, -0.0};
static double loaded[2];

static size_t save(const run *r, uint8_t *out) {
  size_t bytes = 0, again = 0;
  OK(glk_state_save(r->context, r->optimizer, 0, r->x, 2, own, 2, NULL, 0, &bytes));
  CHECK(bytes <= ROOM);
  OK(glk_state_save(r->context, r->optimizer, 0, r->x, 2, own, 2, out, ROOM, &again));
  CHECK_EQ(bytes, again);
  return bytes;
}

static glk_status load(const run *r, const uint8_t *bytes, size_t count, int force) {
  double found[2] = {0};
  const glk_status status =
      glk_state_load(r->context, r->optimizer, 0, r->x, 2, found, 2, bytes, count, force, NULL);
  if (status == GLK_OK) memcpy(loaded, found, sizeof loaded);
  return status;
}

static uint8_t one[ROOM], two[ROOM], saved[ROOM];

/* Policies of all kinds, in holders of their own. */
static void add_policies(const run *r) {
  const glk_policy largest = {.choice = {.amount = 0.9, .is_fraction = 1, .by = GLK_BY_MAGNITUDE},
                              .to = 0.2,
                              .over = 17,
                              .every = 2,
                              .is_inverted = 1};
  const glk_policy chance = {
      .choice = {.amount = 5, .kind = GLK_CHOICE_RANDOM, .seed = 11, .draw = 3}, .every = 3};
  const glk_policy steep = {.choice = {.amount = 2, .by = GLK_BY_GRADIENT}, .every = 2, .step = 1};
  OK(glk_holder_policy(r->context, r->x[0], "largest", &largest));
  OK(glk_holder_policy(r->context, r->x[0], "chance", &chance));
  OK(glk_holder_policy(r->context, r->x[1], "steep", &steep));
  glk_handle sets[2];
  const uint32_t at[2] = {4, 13};
  for (uint32_t i = 0; i < 2; i++) {
    OK(glk_locks_create(r->context, 2, dims[1], &sets[i]));
    OK(glk_locks_add_indices(r->context, sets[i], &i, 1));
  }
  OK(glk_holder_schedule(r->context, r->x[1], "plan", at, sets, 2, 0));
  OK(glk_holder_combine(r->context, r->x[1], "pin", GLK_LOCKS_OR, sets[1]));
  for (uint32_t i = 0; i < 2; i++) OK(glk_dispose(r->context, sets[i]));
}

enum { ALL_OPTIONS = 256 };

static void configure(const run *r, uint32_t options) {
  const double decay[4] = {0.1, 5, 0.9, 0};
  const glk_real factors[M] = {1, 0, 2, 0.5, 1, 1};
  const uint32_t axis = 1;
  if (options & 1) OK(glk_optimizer_schedule(r->context, r->optimizer, GLK_EXPONENTIAL, decay, 4));
  if (options & 2) set(r, "resetOnUnlock", 1);
  if (options & 4) set(r, "useEma", 1);
  if (options & 4) set(r, "emaOverwriteFrequency", 5);
  if (options & 8) set(r, "gradientAccumulationSteps", 3);
  if (options & 16) OK(glk_optimizer_scale_rate(r->context, r->optimizer, r->x[1], factors, M));
  if (options & 16) OK(glk_optimizer_exclude_decay(r->context, r->optimizer, r->x[0], 1));
  if (options & 32) set(r, "globalClipNorm", 1);
  if (options & 32) set(r, "weightDecay", 0.05);
  if (options & 64) {
    OK(glk_optimizer_constrain(r->context, r->optimizer, r->x[0], GLK_BOX, 0.3, 3, NULL, 0));
    OK(glk_optimizer_constrain(r->context, r->optimizer, r->x[1], GLK_MAX_NORM, 0, 9, &axis, 1));
  }
  if (options & 128) add_policies(r);
}

static void a_loaded_run_goes_on_bit_for_bit(void) {
  for (uint32_t rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (uint32_t options = 0; options < ALL_OPTIONS; options++) {
      const uint64_t seed = rule * ALL_OPTIONS + options;
      rng_seed(seed);
      const uint32_t stop = rng_below(STEPS + 1);
      const run whole = begin(rule), first = begin(rule), second = begin(rule);
      configure(&whole, options);
      configure(&first, options);
      for (uint32_t k = 0; k < STEPS; k++) step(&whole, seed, k);
      for (uint32_t k = 0; k < stop; k++) step(&first, seed, k);
      const size_t bytes = save(&first, saved);
      glk_context_dispose(first.context);
      OK(load(&second, saved, bytes, 0));
      CHECK(!memcmp(loaded, own, sizeof own));
      CHECK(save(&second, two) == bytes && !memcmp(saved, two, bytes));
      for (uint32_t k = stop; k < STEPS; k++) step(&second, seed, k);
      const size_t last = save(&whole, one);
      CHECK_MSG(save(&second, two) == last && !memcmp(one, two, last),
                "rule %u, options %u, stopped after %u: another state", rule, options, stop);
      for (uint32_t k = 0; k < 2; k++) {
        uint64_t digests[2];
        OK(glk_digest(whole.context, whole.x[k], &digests[0]));
        OK(glk_digest(second.context, second.x[k], &digests[1]));
        CHECK(digests[0] == digests[1]);
      }
      glk_context_dispose(whole.context);
      glk_context_dispose(second.context);
    }
  }
}

static void a_timetable_of_a_thousand_locks_is_loaded(void) {
  const run r = begin(GLK_SGD), fresh = begin(GLK_SGD);
  enum { STAGES = 1000 };
  uint32_t at[STAGES];
  glk_handle sets[STAGES], set;
  OK(glk_locks_create(r.context, 1, dims[0], &set));
  for (uint32_t i = 0; i < STAGES; i++) at[i] = 2 * i, sets[i] = set;
  OK(glk_holder_schedule(r.context, r.x[0], "plan", at, sets, STAGES, 0));
  const size_t bytes = save(&r, saved);
  OK(load(&fresh, saved, bytes, 0));
  CHECK(save(&fresh, two) == bytes && !memcmp(saved, two, bytes));
  glk_context_dispose(r.context);
  glk_context_dispose(fresh.context);
}

/* `bytes` are refused by a run, which is what it was. */
static void refuses(const run *r, const uint8_t *bytes, size_t count, glk_status status,
                    const char *what, size_t at) {
  const size_t before = save(r, one);
  const glk_status got = load(r, bytes, count, 0);
  CHECK_MSG(got == status, "%s %zu: %s", what, at, glk_status_name(got));
  CHECK_MSG(save(r, two) == before && !memcmp(one, two, before), "%s %zu: changed", what, at);
}

static run make_saved(size_t *bytes) {
  const run r = begin(GLK_ADAM);
  configure(&r, ALL_OPTIONS - 1);
  for (uint32_t k = 0; k < 9; k++) step(&r, 7, k);
  *bytes = save(&r, saved);
  return r;
}

/* Averages and sums of gradients have no number of their own where nothing has memory; slots do. */
static void what_was_never_free_is_saved_and_goes_on(void) {
  for (uint32_t rule = 0; rule < GLK_RULE_COUNT; rule++) {
    const run plain = begin(rule), first = begin(rule), second = begin(rule);
    configure(&first, 4 | 8);
    const run *const begun[2] = {&plain, &first};
    for (uint32_t i = 0; i < 2; i++) {
      for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t at = 0; at < sizes[k]; at++) toggle(begun[i], k, at);
      }
      for (uint32_t k = 0; k < 6; k++) apply(begun[i], k);
    }
    const size_t bytes = save(&first, saved);
    CHECK_EQ(bytes, save(&plain, two));
    OK(load(&second, saved, bytes, 0));
    CHECK(save(&second, two) == bytes && !memcmp(saved, two, bytes));
    const run *const both[2] = {&first, &second};
    for (uint32_t i = 0; i < 2; i++) {
      /* Too late for what has begun; not every rule has it. */
      const char *const late = "initialAccumulatorValue";
      const double value = 7;
      glk_optimizer_set(both[i]->context, both[i]->optimizer, &late, &value, 1);
      for (uint32_t k = 0; k < 2; k++) toggle(both[i], k, 3);
      for (uint32_t k = 4; k < 12; k++) apply(both[i], k);
    }
    const size_t last = save(&first, one);
    CHECK_MSG(save(&second, two) == last && !memcmp(one, two, last), "rule %u: another state",
              rule);
    glk_context_dispose(plain.context);
    glk_context_dispose(first.context);
    glk_context_dispose(second.context);
  }
}

static void each_flipped_byte_and_each_cut_is_refused(void) {
  size_t bytes;
  const run r = make_saved(&bytes), fresh = begin(GLK_ADAM);
  for (size_t i = 0; i < bytes; i++) {
    uint8_t *copy = malloc(bytes);
    memcpy(copy, saved, bytes);
    copy[i] ^= (uint8_t)(1 + rng_below(255));
    refuses(&fresh, copy, bytes, GLK_ERROR_FORMAT, "flipped", i);
    free(copy);
    copy = malloc(i + 1); /* so that reading past the end is seen */
    memcpy(copy, saved, i);
    refuses(&fresh, copy, i, GLK_ERROR_FORMAT, "cut to", i);
    free(copy);
  }
  OK(load(&fresh, saved, bytes, 0));
  glk_context_dispose(r.context);
  glk_context_dispose(fresh.context);
}

static void seal(uint8_t *bytes, size_t count) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < count - 4; i++) hash = (hash ^ bytes[i]) * 16777619u;
  memcpy(bytes + count - 4, &hash, 4);
}

/* With the checksum made right again: whatever is accepted must be harmless to go on with. */
static void forged_bytes_are_refused_or_harmless(void) {
  size_t bytes;
  const run r = make_saved(&bytes);
  for (uint32_t trial = 0; trial < 4000; trial++) {
    uint8_t *copy = malloc(bytes);
    memcpy(copy, saved, bytes);
    rng_seed(trial + 1);
    copy[rng_below((uint32_t)bytes)] ^= (uint8_t)(1u << rng_below(8));
    seal(copy, bytes);
    const run fresh = begin(GLK_ADAM);
    const size_t before = save(&fresh, one);
    if (load(&fresh, copy, bytes, 0) != GLK_OK) {
      CHECK(save(&fresh, two) == before && !memcmp(one, two, before));
    } else if (trial % 8 == 0) {
      for (uint32_t k = 9; k < 12; k++) step(&fresh, 7, k);
    }
    glk_context_dispose(fresh.context);
    free(copy);
  }
  glk_context_dispose(r.context);
}

/* A count is no reason to ask for memory: what is left to read must be able to hold as many. */
static void counts_that_the_bytes_cannot_hold_take_no_memory(void) {
  static const char *const names[] = {"holders", "stages", "pairs", "cohorts", "values"};
  size_t bytes;
  const run r = make_saved(&bytes), fresh = begin(GLK_ADAM);
  for (size_t i = 0; i + 12 < bytes; i++) {
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
      const size_t length = strlen(names[n]);
      if (memcmp(saved + i, names[n], length)) continue;
      for (uint32_t divisor = 1; divisor < 64; divisor *= 2) {
        uint8_t *copy = malloc(bytes);
        glk_memory before, after;
        const uint32_t count = (uint32_t)(bytes - i) / divisor;
        memcpy(copy, saved, bytes);
        memcpy(copy + i + length, &count, sizeof count);
        seal(copy, bytes);
        OK(glk_context_memory(fresh.context, &before));
        CHECK(load(&fresh, copy, bytes, 0) != GLK_OK);
        OK(glk_context_memory(fresh.context, &after));
        CHECK_MSG(after.peak_bytes < before.bytes + 16 * bytes, "%zu bytes for %zu of %s",
                  after.peak_bytes - before.bytes, bytes, names[n]);
        CHECK_EQ(after.bytes, before.bytes);
        free(copy);
      }
    }
  }
  glk_context_dispose(r.context);
  glk_context_dispose(fresh.context);
}

/* The value after an item's name, type 'n', in saved bytes. */
static uint8_t *number_named(uint8_t *bytes, size_t count, const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i + length + 12 <= count; i++) {
    if (!memcmp(bytes + i, name, length)) return bytes + i + length + sizeof(uint32_t);
  }
  return NULL;
}

/* A number that is refused must not be computed with either, by whichever schedule: under the
 * sanitizers a conversion of such a number to an integer ends the run. */
static void counts_and_options_that_are_none_are_refused_before_a_schedule_sees_them(void) {
  const double bad[] = {-1, 0.5, 1e300, -1e300, __builtin_inf(), __builtin_nan("")};
  const double numbers[7] = {0.5, 10, 1, 1, 1, 1, 0};
  const char *const names[] = {"iterations", "pendingCalls", "learningRate", "beta1"};
  for (uint32_t kind = 0; kind < GLK_SCHEDULE_COUNT; kind++) {
    uint32_t count = 3;
    if (kind != GLK_PIECEWISE_CONSTANT) OK(glk_schedule_describe(kind, NULL, &count));
    const run fresh = begin(GLK_ADAM);
    OK(glk_optimizer_schedule(fresh.context, fresh.optimizer, kind, numbers, count));
    const size_t bytes = save(&fresh, saved);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
      for (uint32_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        if (i >= 2 && bad[k] == 0.5) continue; /* which is a good option */
        uint8_t *copy = malloc(bytes);
        memcpy(copy, saved, bytes);
        uint8_t *at = number_named(copy, bytes, names[i]);
        if (CHECK(at != NULL)) memcpy(at, &bad[k], sizeof bad[k]);
        seal(copy, bytes);
        const glk_status status = i < 2 ? GLK_ERROR_FORMAT : GLK_ERROR_OPTION;
        refuses(&fresh, copy, bytes, status, names[i], kind);
        free(copy);
      }
    }
    glk_context_dispose(fresh.context);
  }
}

/* An item of the saved bytes: type, name's length, name, count, values. A '}' is one by itself. */
typedef struct item {
  const char *name;
  size_t count_at, end, value_bytes; /* 0: it has no values */
  uint32_t count;
} item;

static item item_at(size_t at) {
  const char type = (char)saved[at];
  if (type == '}') return (item){"", at, at + 1, 0, 0};
  item i = {.name = (const char *)saved + at + 2, .count_at = at + 2 + saved[at + 1]};
  memcpy(&i.count, saved + i.count_at, sizeof i.count);
  i.value_bytes = strchr("{[", type) ? 0 : type == 't' ? 1 : strchr("uf", type) ? 4 : 8;
  i.end = i.count_at + sizeof i.count + i.count * i.value_bytes;
  return i;
}

/* The saved bytes are refused if an item has `count` values: its own, and then 'a's. */
static void refuses_another_count(const run *fresh, size_t bytes, const item *i, uint32_t count) {
  const uint64_t total = bytes + (count - (uint64_t)i->count) * i->value_bytes;
  const size_t rest = bytes - i->end, before = save(fresh, one);
  uint8_t *copy = malloc(total);
  memset(copy, 'a', total);
  memcpy(copy, saved, count > i->count ? i->end : i->end - i->value_bytes);
  memcpy(copy + total - rest, saved + i->end, rest);
  memcpy(copy + 8, &total, sizeof total);
  memcpy(copy + i->count_at, &count, sizeof count);
  seal(copy, total);
  CHECK_MSG(load(fresh, copy, total, 0) != GLK_OK, "%.8s with %u values", i->name, count);
  CHECK(save(fresh, two) == before && !memcmp(one, two, before));
  free(copy);
}

/* A text may be shorter, or longer up to its 63 bytes. */
static void an_item_with_a_value_less_or_more_is_refused(void) {
  static const glk_rule rules[2] = {GLK_SGD, GLK_ADAM}; /* without slots, and with them */
  static const uint32_t options[2] = {1, ALL_OPTIONS - 1};
  for (uint32_t k = 0; k < 2; k++) {
    const run r = begin(rules[k]), fresh = begin(rules[k]);
    configure(&r, options[k]);
    for (uint32_t i = 0; i < 9; i++) step(&r, 7, i);
    const size_t bytes = save(&r, saved);
    for (size_t at = 16; at < bytes - 4;) {
      const item i = item_at(at);
      at = i.end;
      if (i.value_bytes == 1) refuses_another_count(&fresh, bytes, &i, 64);
      if (i.value_bytes > 1 && i.count) refuses_another_count(&fresh, bytes, &i, i.count - 1);
      if (i.value_bytes > 1) refuses_another_count(&fresh, bytes, &i, i.count + 1);
    }
    glk_context_dispose(r.context);
    glk_context_dispose(fresh.context);
  }
}

/* Reals have another type then; it is told at the first of them. */
static void a_state_of_the_other_precision_says_so(void) {
  const int is_single = sizeof(glk_real) == 4;
  size_t bytes;
  const run r = make_saved(&bytes), fresh = begin(GLK_ADAM);
  size_t at = 16;
  while (item_at(at).value_bytes != sizeof(glk_real) || saved[at] != (is_single ? 'f' : 'd')) {
    at = item_at(at).end;
  }
  saved[at] = is_single ? 'd' : 'f';
  seal(saved, bytes);
  refuses(&fresh, saved, bytes, GLK_ERROR_FORMAT, "precision", 0);
  CHECK(strstr(glk_context_detail(fresh.context), is_single
                                                      ? "in f64, this library computes in f32"
                                                      : "in f32, this library computes in f64"));
  glk_context_dispose(r.context);
  glk_context_dispose(fresh.context);
}

static void a_state_of_something_else_is_refused(void) {
  size_t bytes;
  const run r = make_saved(&bytes), other = begin(GLK_ADAMW), fresh = begin(GLK_ADAM);
  refuses(&other, saved, bytes, GLK_ERROR_FORMAT, "rule", 0);
  run swapped = fresh;
  swapped.x[0] = fresh.x[1], swapped.x[1] = fresh.x[0];
  refuses(&swapped, saved, bytes, GLK_ERROR_FORMAT, "order", 0);
  run reshaped = fresh;
  const uint32_t turned[2] = {3, 2};
  const glk_real zeros[M] = {0};
  OK(glk_variable_create(fresh.context, 2, turned, zeros, M, "b", 1, &reshaped.x[1]));
  refuses(&reshaped, saved, bytes, GLK_ERROR_SHAPE, "shape", 0);
  CHECK_STATUS(
      glk_state_load(fresh.context, fresh.optimizer, 0, fresh.x, 1, NULL, 0, saved, bytes, 0, NULL),
      GLK_ERROR_SHAPE);
  size_t needed;
  CHECK_STATUS(glk_state_save(r.context, r.optimizer, 0, r.x, 2, own, 2, two, bytes - 1, &needed),
               GLK_ERROR_SHAPE);
  glk_context_dispose(r.context);
  glk_context_dispose(other.context);
  glk_context_dispose(fresh.context);
}

static void a_function_is_not_replaced_by_its_last_value(void) {
  const run r = begin(GLK_SGD), fresh = begin(GLK_SGD);
  OK(glk_optimizer_schedule(r.context, r.optimizer, GLK_OWN_SCHEDULE, NULL, 0));
  const size_t bytes = save(&r, saved);
  refuses(&fresh, saved, bytes, GLK_ERROR_OPTION, "own", 0);
  OK(glk_optimizer_schedule(fresh.context, fresh.optimizer, GLK_OWN_SCHEDULE, NULL, 0));
  OK(load(&fresh, saved, bytes, 0));
  glk_context_dispose(r.context);
  glk_context_dispose(fresh.context);
}

static void loading_breaks_a_lock_only_by_force(void) {
  const run r = begin(GLK_ADAM), fresh = begin(GLK_ADAM);
  const uint32_t at = 3;
  OK(glk_locks_add_indices(r.context, r.x[0], &at, 1));
  for (uint32_t k = 0; k < 5; k++) step(&r, 3, k);
  OK(glk_locks_add_indices(r.context, r.x[0], &at, 1));
  const size_t bytes = save(&r, saved);
  const uint32_t other = 9;
  OK(glk_locks_add_indices(fresh.context, fresh.x[0], &other, 1));
  refuses(&fresh, saved, bytes, GLK_ERROR_LOCKED, "locked", 0);
  uint32_t first, count;
  glk_context_conflict(fresh.context, &first, &count);
  CHECK(first == other && count == 1);
  OK(load(&fresh, saved, bytes, 1));
  CHECK(save(&fresh, two) == bytes && !memcmp(saved, two, bytes));
  OK(load(&fresh, saved, bytes, 0)); /* the same values, the same locks */
  glk_context_dispose(r.context);
  glk_context_dispose(fresh.context);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(a_loaded_run_goes_on_bit_for_bit);
  TEST(a_timetable_of_a_thousand_locks_is_loaded);
  TEST(what_was_never_free_is_saved_and_goes_on);
  TEST(each_flipped_byte_and_each_cut_is_refused);
  TEST(forged_bytes_are_refused_or_harmless);
  TEST(counts_that_the_bytes_cannot_hold_take_no_memory);
  TEST(counts_and_options_that_are_none_are_refused_before_a_schedule_sees_them);
  TEST(an_item_with_a_value_less_or_more_is_refused);
  TEST(a_state_of_the_other_precision_says_so);
  TEST(a_state_of_something_else_is_refused);
  TEST(a_function_is_not_replaced_by_its_last_value);
  TEST(loading_breaks_a_lock_only_by_force);
  return harness_report();
}
