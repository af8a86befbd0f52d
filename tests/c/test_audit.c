/* Audits (docs/laws.md, law 22): whatever the library does to a watched variable, its audit passes.
 * Every bit that is changed past the locks is found, counted and named.
 */
#include "vectors.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { N = 77 };

static glk_handle x, optimizer;

static void begin_watching(void) {
  glk_real values[N];
  begin();
  for (int i = 0; i < N; i++) values[i] = i % 9 ? rng_real(-1, 1) : (glk_real)__builtin_nan("");
  x = variable(N, values);
  OK(glk_optimizer_create(c, GLK_ADAMW, &optimizer));
}

static glk_handle random_set(void) {
  const uint32_t n = N;
  uint8_t mask[N];
  glk_handle set = 0;
  for (uint32_t i = 0; i < N; i++) mask[i] = rng_below(4) == 0;
  OK(glk_locks_create(c, 1, &n, &set));
  OK(glk_locks_add_mask(c, set, mask, N));
  return set;
}

static uint32_t audit(uint32_t *first, uint64_t *digest) {
  uint32_t changed = 77;
  OK(glk_locks_audit(c, x, &changed, first, digest));
  return changed;
}

/* One of the things that may happen to a variable, all of them lawful. */
static void live(void) {
  const uint32_t n = N, one = 1;
  const glk_handle set = random_set();
  glk_real values[N];
  glk_handle gradient, at, update;
  for (int i = 0; i < N; i++) values[i] = rng_real(-1, 1);
  OK(glk_tensor_create(c, 1, &n, values, N, &gradient));
  const glk_policy policy = {
      .choice = {.kind = GLK_CHOICE_RANDOM, .amount = 10, .seed = rng_below(9)}, .every = 1};
  switch (rng_below(9)) {
  case 0: OK(glk_locks_combine(c, x, (glk_locks_op)rng_below(5), set)); break;
  case 1: OK(glk_holder_combine(c, x, "drag", (glk_locks_op)rng_below(5), set)); break;
  case 2: OK(glk_variable_fix(c, x, rng_below(N), values[0])); break;
  case 3: OK(glk_variable_assign(c, x, values, N, 1)); break;
  case 4: glk_variable_assign(c, x, values, N, 0); break; /* refused if anything is locked */
  case 5: {
    const glk_real where = (glk_real)rng_below(N);
    OK(glk_tensor_create(c, 2, (uint32_t[]){1, 1}, &where, 1, &at));
    OK(glk_tensor_create(c, 1, &one, values, 1, &update));
    OK(glk_variable_scatter(c, x, GLK_SCATTER_ADD, at, update, 1));
    break;
  }
  case 6: OK(glk_holder_policy(c, x, "policy", &policy)); break;
  default:
    for (int i = 0; i < 3; i++) OK(glk_optimizer_apply(c, optimizer, &x, &gradient, 1));
  }
  glk_real read[N];
  OK(glk_read(c, x, read, N)); /* makes NaNs of free elements canonical */
  glk_dispose(c, set);
  glk_dispose(c, gradient);
}

static void nothing_that_the_library_does_fails_an_audit(void) {
  for (int round = 0; round < 60; round++) {
    begin_watching();
    if (round % 2) live();
    OK(glk_locks_watch(c, x, 1));
    for (int i = 0; i < 40; i++) {
      uint32_t first = 0;
      live();
      CHECK_EQ(audit(&first, NULL), 0);
      CHECK_EQ(first, N);
    }
    end();
  }
}

static void every_bypass_is_found_and_named(void) {
  for (int round = 0; round < 300; round++) {
    const glk_real *view;
    size_t count;
    uint32_t first = 0, expected_first = N, expected = 0, again;
    uint64_t digest = 1, digest_then = 2;
    begin_watching();
    OK(glk_locks_watch(c, x, 1));
    for (int i = 0; i < 12; i++) live();
    CHECK_EQ(audit(NULL, &digest), 0);
    OK(glk_view(c, x, &view, &count));
    glk_real *poked = (glk_real *)view;
    for (uint32_t i = 0; i < N; i++) {
      int is_locked = 0;
      if (rng_below(round % 3 ? 40 : 4)) continue;
      OK(glk_locks_test(c, x, i, &is_locked));
      ((unsigned char *)&poked[i])[rng_below(sizeof *poked)] ^= (unsigned char)(1 << rng_below(8));
      if (is_locked && !expected++) expected_first = i;
    }
    CHECK_EQ(audit(&first, &digest_then), expected);
    CHECK_EQ(first, expected_first);
    CHECK(digest == digest_then); /* of what should be there */
    /* Locks that change meanwhile do not hide it. */
    OK(glk_holder_combine(c, x, "drag", GLK_LOCKS_OR, x));
    again = audit(&first, NULL);
    CHECK(again == expected && first == expected_first);
    OK(glk_locks_watch(c, x, 1)); /* what is, is accepted */
    CHECK_EQ(audit(NULL, NULL), 0);
    end();
  }
}

static void unlocking_ends_and_locking_begins_what_is_watched(void) {
  const uint32_t third = 3;
  const glk_real *view;
  size_t count;
  glk_memory before, after;
  begin_watching();
  OK(glk_context_memory(c, &before));
  OK(glk_locks_watch(c, x, 1));
  OK(glk_locks_add_indices(c, x, &third, 1));
  OK(glk_view(c, x, &view, &count));
  ((glk_real *)view)[3] += 1;
  CHECK_EQ(audit(NULL, NULL), 1);
  OK(glk_locks_combine(c, x, GLK_LOCKS_XOR, x));
  CHECK_EQ(audit(NULL, NULL), 0);
  OK(glk_locks_add_indices(c, x, &third, 1));
  CHECK_EQ(audit(NULL, NULL), 0);
  OK(glk_locks_watch(c, x, 0));
  OK(glk_locks_watch(c, x, 0));
  OK(glk_context_memory(c, &after));
  CHECK_EQ(before.bytes, after.bytes);
  CHECK_STATUS(glk_locks_audit(c, x, NULL, NULL, NULL), GLK_ERROR_ARGUMENT);
  CHECK(strstr(glk_context_detail(c), "'x'") != NULL);
  const glk_handle set = random_set();
  CHECK_STATUS(glk_locks_watch(c, set, 1), GLK_ERROR_KIND);
  CHECK_STATUS(glk_locks_audit(c, set, NULL, NULL, NULL), GLK_ERROR_KIND);
  CHECK_STATUS(glk_locks_watch(c, 0, 1), GLK_ERROR_HANDLE);
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(nothing_that_the_library_does_fails_an_audit);
  TEST(every_bypass_is_found_and_named);
  TEST(unlocking_ends_and_locking_begins_what_is_watched);
  return harness_report();
}
