/* Selections by value and by chance, compared with a plain search for the next best. Values have
 * ties, NaNs, infinities and zeros of both signs. A choice out of its ranges changes nothing.
 */
#include "core/random.h"
#include "core/shape.h"
#include "harness.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MOST = 1031 };

static glk_context *c;
static glk_real values[MOST];
static uint8_t mask[MOST], model[MOST];

static void draw_values(uint32_t n) {
  const glk_real few[] = {0,
                          -(glk_real)0,
                          1,
                          -1,
                          (glk_real)__builtin_nan(""),
                          (glk_real)__builtin_inf(),
                          -(glk_real)__builtin_inf(),
                          (glk_real)0.5};
  const uint32_t kind = rng_below(3);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = kind == 0 || (kind == 1 && !rng_below(4)) ? few[rng_below(8)] : rng_real(-2, 2);
  }
}

static double measure(const glk_choice *choice, uint32_t i) {
  return choice->by == GLK_BY_VALUE ? (double)values[i] : __builtin_fabs((double)values[i]);
}

/* True if a comes before b, which has a higher index. */
static int is_before(const glk_choice *choice, uint32_t a, uint32_t b) {
  if (choice->kind == GLK_CHOICE_RANDOM) {
    const glk_stream stream = glk_stream_of(choice->seed, choice->draw, 0);
    uint32_t of_a[4], of_b[4];
    glk_stream_block(&stream, a / 4, of_a);
    glk_stream_block(&stream, b / 4, of_b);
    return of_a[a % 4] >= of_b[b % 4];
  }
  const double x = measure(choice, a), y = measure(choice, b);
  if (x != x || y != y) return y != y;
  return choice->kind == GLK_CHOICE_LARGEST ? x >= y : x <= y;
}

/* The same by repeated search. */
static void choose_slowly(const glk_choice *choice, uint32_t n, uint32_t k) {
  memset(model, 0, sizeof model);
  while (k--) {
    uint32_t best = MOST;
    for (uint32_t i = 0; i < n; i++) {
      if (!model[i] && (best == MOST || !is_before(choice, best, i))) best = i;
    }
    model[best] = 1;
  }
}

static void agrees(glk_handle set, uint32_t n, const char *what) {
  OK(glk_locks_to_mask(c, set, mask, n));
  CHECK_MSG(!memcmp(mask, model, n), "%s of %u", what, n);
}

static glk_handle new_set(uint32_t n) {
  glk_handle set = 0;
  OK(glk_locks_create(c, 1, &n, &set));
  return set;
}

static glk_handle new_source(uint32_t n) {
  glk_handle source = 0;
  OK(glk_tensor_create(c, 1, &n, values, n, &source));
  return source;
}

static void exactly_k_are_chosen_and_they_are_the_first_of_their_order(void) {
  static const uint32_t sizes[] = {0, 1, 2, 31, 32, 33, 64, 65, 100, 257};
  OK(glk_context_create(NULL, &c));
  for (int round = 0; round < 400; round++) {
    const uint32_t n = sizes[round % 10], k = rng_below(n + 1);
    draw_values(n);
    const glk_choice choice = {.amount = round % 7 ? k : (round % 14 ? n : 0),
                               .kind = (uint32_t[]){GLK_CHOICE_LARGEST, GLK_CHOICE_SMALLEST,
                                                    GLK_CHOICE_RANDOM}[rng_below(3)],
                               .by = rng_below(GLK_BY_COUNT),
                               .seed = rng_below(3) * 0x1p33,
                               .draw = rng_below(3)};
    const glk_handle set = new_set(n), source = new_source(n);
    OK(glk_locks_add_choice(c, &set, &choice, &source, 1));
    choose_slowly(&choice, n, (uint32_t)choice.amount);
    agrees(set, n, "the choice");
    glk_dispose(c, set);
    glk_dispose(c, source);
  }
  glk_context_dispose(c);
}

/* Several sets together are one set of all their elements, in order. */
static void a_choice_among_several_is_the_choice_among_all_their_elements(void) {
  enum { PARTS = 4 };
  OK(glk_context_create(NULL, &c));
  for (int round = 0; round < 400; round++) {
    static uint8_t parts[MOST];
    glk_handle sets[PARTS], sources[PARTS];
    uint32_t counts[PARTS], n = 0;
    for (int i = 0; i < PARTS; i++) n += counts[i] = rng_below(4) ? rng_below(70) : 0;
    draw_values(n);
    const glk_choice choice = {.amount = n ? rng_below(n + 1) : 0,
                               .kind = rng_below(GLK_CHOICE_COUNT),
                               .by = rng_below(GLK_BY_COUNT),
                               .low = -0.5,
                               .high = 1,
                               .seed = 7,
                               .draw = rng_below(3)};
    const glk_handle all = new_set(n), source = new_source(n);
    OK(glk_locks_add_choice(c, &all, &choice, &source, 1));
    OK(glk_locks_to_mask(c, all, model, n));
    for (uint32_t i = 0, at = 0; i < PARTS; at += counts[i++]) {
      sets[i] = new_set(counts[i]);
      OK(glk_tensor_create(c, 1, &counts[i], values + at, counts[i], &sources[i]));
    }
    const int is_random = choice.kind == GLK_CHOICE_RANDOM;
    OK(glk_locks_add_choice(c, sets, &choice, is_random ? NULL : sources, PARTS));
    for (uint32_t i = 0, at = 0; i < PARTS; at += counts[i++]) {
      OK(glk_locks_to_mask(c, sets[i], parts + at, counts[i]));
    }
    CHECK_MSG(!memcmp(parts, model, n), "round %d: %u elements", round, n);
  }
  OK(glk_locks_add_choice(c, NULL, &(glk_choice){.amount = 0}, NULL, 0));
  glk_context_dispose(c);
}

static void what_is_wrong_with_one_of_several_changes_none(void) {
  const uint32_t n = 5;
  const glk_choice good = {.amount = 2}, most = {.amount = 10}, more = {.amount = 11};
  uint32_t count;
  OK(glk_context_create(NULL, &c));
  draw_values(n);
  const glk_handle sets[2] = {new_set(n), new_set(n)}, small = new_source(4);
  glk_handle sources[2] = {new_source(n), small};
  CHECK_STATUS(glk_locks_add_choice(c, sets, &good, sources, 2), GLK_ERROR_SHAPE);
  sources[1] = sources[0];
  CHECK_STATUS(glk_locks_add_choice(c, sets, &more, sources, 2), GLK_ERROR_OPTION);
  CHECK_STATUS(glk_locks_add_choice(c, sets, &good, NULL, 2), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_locks_add_choice(c, (glk_handle[]){sets[0], 0}, &good, sources, 2),
               GLK_ERROR_HANDLE);
  OK(glk_locks_count(c, sets[0], &count));
  CHECK_EQ(count, 0);
  OK(glk_locks_add_choice(c, sets, &most, sources, 2));
  for (int i = 0; i < 2; i++) {
    OK(glk_locks_count(c, sets[i], &count));
    CHECK_EQ(count, n);
  }
  glk_context_dispose(c);
}

static void a_fraction_is_rounded_to_the_nearest_count_halves_up(void) {
  const struct {
    double fraction;
    uint32_t n, expected;
  } rows[] = {{0, 10, 0},    {1, 10, 10},  {0.5, 3, 2},      {0.5, 4, 2},   {0.25, 2, 1},
              {0.249, 2, 0}, {0.05, 9, 0}, {0.0625, 8, 1},   {0.999, 3, 3}, {1e-300, 1031, 0},
              {1, 0, 0},     {1, 1, 1},    {0.499999, 1, 0}, {0.5, 1, 1}};
  OK(glk_context_create(NULL, &c));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (uint32_t choose = 0; choose < GLK_CHOICE_COUNT; choose++) {
      if (choose == GLK_CHOICE_BETWEEN) continue;
      const glk_choice choice = {.amount = rows[i].fraction, .is_fraction = 1, .kind = choose};
      const glk_handle set = new_set(rows[i].n), source = new_source(rows[i].n);
      uint32_t count = 0;
      OK(glk_locks_add_choice(c, &set, &choice, &source, 1));
      OK(glk_locks_count(c, set, &count));
      CHECK_EQ(count, rows[i].expected);
    }
  }
  glk_context_dispose(c);
}

/* Limits may cross, as computed ones do: then nothing is selected. */
static void between_limits_means_strictly_and_never_nan(void) {
  const double inf = __builtin_inf();
  const double limits[] = {-inf, -1, -0.0, 0, 0.1, 0.5, 1, inf};
  OK(glk_context_create(NULL, &c));
  for (int round = 0; round < 300; round++) {
    const uint32_t n = 1 + rng_below(99), low = rng_below(8), high = rng_below(8);
    const glk_choice choice = {.low = limits[low],
                               .high = limits[high],
                               .kind = GLK_CHOICE_BETWEEN,
                               .by = rng_below(GLK_BY_COUNT)};
    draw_values(n);
    values[n - 1] = (glk_real)0.1; /* the limit as a glk_real: neither below nor above it */
    const glk_handle set = new_set(n), source = new_source(n);
    OK(glk_locks_add_choice(c, &set, &choice, &source, 1));
    for (uint32_t i = 0; i < n; i++) {
      const double x = measure(&choice, i);
      model[i] = x == x && (choice.low == -inf || x > (double)(glk_real)choice.low) &&
                 (choice.high == inf || x < (double)(glk_real)choice.high);
    }
    agrees(set, n, "between");
  }
  glk_context_dispose(c);
}

static void a_choice_adds_to_what_is_locked_and_measures_a_variable_by_itself(void) {
  const uint32_t n = 4, first = 0;
  const glk_real own[4] = {3, -9, 1, 5};
  glk_handle x;
  OK(glk_context_create(NULL, &c));
  OK(glk_variable_create(c, 1, &n, own, 4, "x", 1, &x));
  OK(glk_locks_add_indices(c, x, &first, 1));
  const glk_choice choice = {.amount = 1, .kind = GLK_CHOICE_LARGEST, .by = GLK_BY_MAGNITUDE};
  OK(glk_locks_add_choice(c, &x, &choice, &x, 1));
  memcpy(model, (uint8_t[]){1, 1, 0, 0}, 4);
  agrees(x, 4, "adding");
  glk_context_dispose(c);
}

static void a_choice_out_of_its_ranges_changes_nothing(void) {
  const double nan = __builtin_nan(""), inf = __builtin_inf();
  const glk_choice bad[] = {
      {.amount = 6},
      {.amount = -1},
      {.amount = 0.5},
      {.amount = nan},
      {.amount = inf},
      {.amount = 0x1p40},
      {.amount = 1.01, .is_fraction = 1},
      {.amount = -0.01, .is_fraction = 1},
      {.amount = nan, .is_fraction = 1},
      {.kind = GLK_CHOICE_COUNT},
      {.kind = 0xffffffff},
      {.by = GLK_BY_COUNT},
      {.kind = GLK_CHOICE_BETWEEN, .low = nan, .high = 1},
      {.kind = GLK_CHOICE_BETWEEN, .low = 0, .high = nan},
      {.kind = GLK_CHOICE_RANDOM, .seed = -1},
      {.kind = GLK_CHOICE_RANDOM, .seed = 0.5},
      {.kind = GLK_CHOICE_RANDOM, .seed = nan},
      {.kind = GLK_CHOICE_RANDOM, .seed = 0x1p53},
      {.kind = GLK_CHOICE_RANDOM, .amount = 6},
  };
  const uint32_t n = 5, m = 6, third = 2;
  const glk_choice good = {.amount = 2};
  glk_handle other, gone;
  uint32_t before, after;
  OK(glk_context_create(NULL, &c));
  const glk_handle set = new_set(n), source = new_source(n);
  OK(glk_tensor_create(c, 1, &m, NULL, m, &other));
  OK(glk_tensor_create(c, 1, &n, NULL, n, &gone));
  OK(glk_dispose(c, gone));
  OK(glk_locks_add_indices(c, set, &third, 1));
  OK(glk_locks_version(c, set, &before));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK_MSG(glk_locks_add_choice(c, &set, &bad[i], &source, 1) == GLK_ERROR_OPTION, "row %zu", i);
    CHECK(strlen(glk_context_detail(c)) > 10);
  }
  CHECK_STATUS(glk_locks_add_choice(c, &set, &good, &other, 1), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_locks_add_choice(c, &set, &good, &gone, 1), GLK_ERROR_HANDLE);
  CHECK_STATUS(glk_locks_add_choice(c, &set, &good, &set, 1), GLK_ERROR_KIND);
  CHECK_STATUS(glk_locks_add_choice(c, &set, &good, &(glk_handle){0}, 1), GLK_ERROR_HANDLE);
  OK(glk_program_begin(c, GLK_TRACE));
  CHECK_STATUS(glk_locks_add_choice(c, &set, &good, &source, 1), GLK_ERROR_RECORDING);
  OK(glk_locks_version(c, set, &after));
  CHECK_EQ(before, after);
  memcpy(model, (uint8_t[]){0, 0, 1, 0, 0}, n);
  agrees(set, n, "refusals");
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(exactly_k_are_chosen_and_they_are_the_first_of_their_order);
  TEST(a_choice_among_several_is_the_choice_among_all_their_elements);
  TEST(what_is_wrong_with_one_of_several_changes_none);
  TEST(a_fraction_is_rounded_to_the_nearest_count_halves_up);
  TEST(between_limits_means_strictly_and_never_nan);
  TEST(a_choice_adds_to_what_is_locked_and_measures_a_variable_by_itself);
  TEST(a_choice_out_of_its_ranges_changes_nothing);
  return harness_report();
}
