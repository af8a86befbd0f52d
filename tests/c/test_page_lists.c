/* Pages with and without lists (src/c/slots/page_lists.h; law 23), under locks at random: against a
 * variable without locks, whose elements take the same steps, since every rule computes each
 * alone. */
#include "optim/optimizer.h"
#include "vectors.h"

enum { N = 700, PAGE = 32, SLOTS = 4 };

static glk_handle x, free_x, optimizer, free_optimizer;
static glk_real start[N];

static const char *const option_lines[] = {"none", "weightDecay", "clipValue"};

static glk_handle make_optimizer(glk_rule rule, int option) {
  const char *names[] = {"learningRate", option_lines[option]};
  const double values[] = {0.25, 0.125};
  glk_handle out = 0;
  CHECK_STATUS(glk_optimizer_create(c, rule, &out), GLK_OK);
  CHECK_STATUS(glk_optimizer_set(c, out, names, values, option ? 2 : 1), GLK_OK);
  return out;
}

static void begin_with(glk_rule rule, int option) {
  begin();
  for (int i = 0; i < N; i++) start[i] = rng_real(-2, 2);
  x = variable(N, start);
  free_x = variable(N, start);
  optimizer = make_optimizer(rule, option);
  free_optimizer = make_optimizer(rule, option);
}

/* Each list has its free elements first, so that steps read only these; nothing else says so. */
static void check_lists(void) {
  glk_optimizer *o;
  glk_variable *v;
  CHECK_STATUS(glk_expect_optimizer(c, optimizer, &o), GLK_OK);
  CHECK_STATUS(glk_expect_variable(c, x, "x", &v), GLK_OK);
  const glk_pages *pages = &glk_variable_states_find(&o->states, v)->pages;
  for (uint32_t i = 0; i < pages->count; i++) {
    const glk_extent *extent = &pages->extents[i];
    for (uint32_t p = 0; extent->lists && p < glk_extent_pages(extent); p++) {
      const glk_page_list *list = &extent->lists[p];
      for (uint32_t j = 0; j < list->free + list->locked; j++) {
        const uint32_t at = extent->first + p * GLK_PAGE + extent->indices[list->index + j];
        CHECK_EQ(glk_lockset_has(&v->locks, at), j >= list->free);
      }
    }
  }
}

static void step(void) {
  glk_real values[N];
  for (int i = 0; i < N; i++) values[i] = rng_real(-2, 2);
  const glk_handle g = tensor(N, values);
  CHECK_STATUS(glk_optimizer_apply(c, optimizer, &x, &g, 1), GLK_OK);
  CHECK_STATUS(glk_optimizer_apply(c, free_optimizer, &free_x, &g, 1), GLK_OK);
  check_lists();
  glk_dispose(c, g);
}

static void draw_locks(double part, uint8_t *mask) {
  for (int i = 0; i < N; i++) mask[i] = (double)rng_real(0, 1) < part;
}

/* Values and slots of a variable. */
typedef struct state {
  glk_real values[1 + SLOTS][N];
} state;

static state read_state(glk_handle from, glk_handle of) {
  state s = {{{0}}};
  glk_read(c, of, s.values[0], N);
  for (uint32_t k = 0; k < SLOTS; k++) {
    if (glk_optimizer_slot(c, from, of, k, s.values[1 + k], N) != GLK_OK) break;
  }
  return s;
}

/* Elements of a and b whose mask is `is_locked` are equal to the bit. */
static void expect_equal(const state *a, const state *b, const uint8_t *mask, int is_locked,
                         const char *what) {
  for (int k = 0; k <= SLOTS; k++) {
    for (int i = 0; i < N; i++) {
      if (mask[i] != is_locked) continue;
      CHECK_MSG(!memcmp(&a->values[k][i], &b->values[k][i], sizeof(glk_real)),
                "%s: array %d, element %d: %.9g, expected %.9g", what, k, i,
                (double)a->values[k][i], (double)b->values[k][i]);
    }
  }
}

static size_t slot_bytes(void) {
  glk_memory memory;
  glk_context_memory(c, &memory);
  return memory.slot_bytes;
}

static const double parts[] = {0.03, 0.25, 0.4, 0.6, 0.75, 0.9, 0.97};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void all_of(void (*test)(double part)) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (int option = 0; option < 3; option++) {
      for (int p = 0; p < PARTS; p++) {
        begin_with((glk_rule)rule, option);
        test(parts[p]);
        end();
      }
    }
  }
}

/* Locked from the start: those elements never get slots. */
static void expect_steps_of_the_free(double part) {
  uint8_t mask[N], more[N];
  const state before = read_state(optimizer, x);
  draw_locks(part, mask);
  lock_mask(x, mask, N);
  for (int i = 0; i < 3; i++) step();
  const state now = read_state(optimizer, x), twin = read_state(free_optimizer, free_x);
  expect_equal(&now, &twin, mask, 0, "free");
  expect_equal(&now, &before, mask, 1, "locked");
  /* Some that trained are locked, too: they keep their slots. */
  for (int i = 0; i < N; i++) more[i] = mask[i] || rng_real(0, 1) < (glk_real)0.3;
  lock_mask(x, more, N);
  for (int i = 0; i < 2; i++) step();
  const state later = read_state(optimizer, x), later_twin = read_state(free_optimizer, free_x);
  expect_equal(&later, &later_twin, more, 0, "still free");
  expect_equal(&later, &now, more, 1, "locked later");
  /* What was always locked comes free: it begins as ever, the others go on. */
  for (int i = 0; i < N; i++) more[i] = !mask[i];
  lock_mask(x, more, N);
  step();
  const state last = read_state(optimizer, x);
  expect_equal(&last, &later, more, 1, "locked at last");
}

static void free_elements_take_the_steps_of_a_variable_without_locks(void) {
  all_of(expect_steps_of_the_free);
}

/* Trained before they are locked: all elements have slots, whether listed or not. */
static void expect_locks_after_training(double part) {
  uint8_t mask[N];
  for (int i = 0; i < 2; i++) step();
  const state before = read_state(optimizer, x);
  draw_locks(part, mask);
  lock_mask(x, mask, N);
  for (int i = 0; i < 2; i++) step();
  const state now = read_state(optimizer, x), twin = read_state(free_optimizer, free_x);
  expect_equal(&now, &twin, mask, 0, "free");
  expect_equal(&now, &before, mask, 1, "locked");
}

static void locked_elements_keep_what_they_learnt_with_and_without_lists(void) {
  all_of(expect_locks_after_training);
}

/* Save the twin and load it: nothing of its lists is left. */
static void forget_lists(void) {
  static uint8_t bytes[1 << 16];
  size_t size;
  CHECK_STATUS(
      glk_state_save(c, free_optimizer, 0, &free_x, 1, NULL, 0, bytes, sizeof bytes, &size),
      GLK_OK);
  CHECK_STATUS(glk_state_load(c, free_optimizer, 0, &free_x, 1, NULL, 0, bytes, size, 1, NULL),
               GLK_OK);
}

static void expect_same_lists_anew(double part) {
  const uint8_t all[N] = {0};
  uint8_t mask[N];
  draw_locks(part, mask);
  for (int round = 0; round < 6; round++) {
    for (int i = 0; i < 3; i++) mask[rng_below(N)] ^= 1;
    lock_mask(x, mask, N);
    lock_mask(free_x, mask, N);
    forget_lists();
    step();
  }
  const state now = read_state(optimizer, x), twin = read_state(free_optimizer, free_x);
  expect_equal(&now, &twin, all, 0, "kept lists");
}

static void pages_that_keep_their_lists_step_as_if_listed_anew(void) {
  all_of(expect_same_lists_anew);
}

/* From its second step on a policy locks some elements more. */
static void expect_policies_to_move_lists(double part) {
  uint8_t mask[N], more[N];
  draw_locks(part, mask);
  lock_mask(x, mask, N);
  step();
  draw_locks(0.3, more);
  const uint32_t second = 2, size = N;
  glk_handle set;
  CHECK_STATUS(glk_locks_create(c, 1, &size, &set), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, set, more, N), GLK_OK);
  CHECK_STATUS(glk_holder_schedule(c, x, "policy", &second, &set, 1, 0), GLK_OK);
  step();
  step();
  const state before = read_state(optimizer, x);
  for (int i = 0; i < N; i++) more[i] = more[i] || mask[i];
  for (int i = 0; i < 2; i++) step();
  CHECK_STATUS(glk_holder_policy(c, x, "policy", NULL), GLK_OK);
  step();
  const state now = read_state(optimizer, x), twin = read_state(free_optimizer, free_x);
  expect_equal(&now, &twin, more, 0, "free beside a policy");
  expect_equal(&now, &before, more, 1, "locked by a policy");
}

static void lists_follow_a_policy_that_comes_acts_and_goes(void) {
  all_of(expect_policies_to_move_lists);
}

static void what_never_trained_has_no_slots_where_most_of_a_page_is_locked(void) {
  uint8_t mask[N];
  begin_with(GLK_ADAM, 0);
  draw_locks(0.9, mask);
  lock_mask(x, mask, N);
  size_t reals = 0;
  for (int first = 0; first < N; first += PAGE) {
    size_t count = 0;
    for (int i = first; i < first + PAGE && i < N; i++) count += !mask[i];
    CHECK(count <= PAGE * 11 / 16);
    reals += (count + 3) / 4 * 4; /* whole vectors */
  }
  const size_t none = slot_bytes();
  const glk_handle g = tensor(N, start);
  CHECK_STATUS(glk_optimizer_apply(c, optimizer, &x, &g, 1), GLK_OK);
  CHECK_EQ(slot_bytes() - none, 2 * reals * sizeof(glk_real));
  end();
}

static void a_loaded_state_is_listed_again_and_goes_on_to_the_same_bits(void) {
  static uint8_t bytes[1 << 16], again[1 << 16];
  uint8_t mask[N], none[N] = {0};
  size_t size, same_size;
  begin_with(GLK_ADAMW, 1);
  draw_locks(0.9, mask);
  lock_mask(x, mask, N);
  step();
  const size_t listed = slot_bytes();
  CHECK_STATUS(glk_state_save(c, optimizer, 0, &x, 1, NULL, 0, bytes, sizeof bytes, &size), GLK_OK);
  step();
  const state expected = read_state(optimizer, x);
  CHECK_STATUS(glk_state_load(c, optimizer, 0, &x, 1, NULL, 0, bytes, size, 1, NULL), GLK_OK);
  CHECK_STATUS(glk_state_save(c, optimizer, 0, &x, 1, NULL, 0, again, sizeof again, &same_size),
               GLK_OK);
  CHECK(size == same_size && !memcmp(bytes, again, size));
  rng_seed(5);
  step();
  CHECK_EQ(slot_bytes(), listed);
  CHECK_STATUS(glk_state_load(c, optimizer, 0, &x, 1, NULL, 0, bytes, size, 1, NULL), GLK_OK);
  const state loaded = read_state(optimizer, x);
  lock_mask(x, none, N);
  const state unlocked = read_state(optimizer, x);
  expect_equal(&loaded, &unlocked, none, 0, "unlocked");
  CHECK(memcmp(&loaded, &expected, sizeof loaded) != 0);
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(free_elements_take_the_steps_of_a_variable_without_locks);
  TEST(locked_elements_keep_what_they_learnt_with_and_without_lists);
  TEST(pages_that_keep_their_lists_step_as_if_listed_anew);
  TEST(lists_follow_a_policy_that_comes_acts_and_goes);
  TEST(what_never_trained_has_no_slots_where_most_of_a_page_is_locked);
  TEST(a_loaded_state_is_listed_again_and_goes_on_to_the_same_bits);
  return harness_report();
}
