/* Lock sets against a model of one byte an element, and the guard of assignment (docs/laws.md, laws
 * 9 and 13). After every change the set is read back by every query there is, padding included.
 */
#include "core/shape.h"
#include "harness.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MOST = 4099 };

/* clang-format off */
static const glk_shape shapes[] = {
    {0, {0}, 1}, {1, {0}, 0}, {1, {70}, 70}, {2, {7, 13}, 91}, {2, {1, MOST}, MOST},
    {3, {3, 1, 11}, 33}, {3, {2, 0, 4}, 0}, {4, {2, 3, 4, 5}, 120}, {5, {2, 1, 3, 2, 4}, 48},
    {6, {2, 3, 1, 2, 3, 2}, 72}};
/* clang-format on */
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* A set under test, and what it should hold. */
typedef struct pair {
  glk_context *c;
  glk_handle set;
  glk_shape shape;
  uint8_t model[MOST];
} pair;

static glk_handle new_set(glk_context *c, const glk_shape *s, int of_a_variable) {
  glk_handle out = 0;
  CHECK(of_a_variable ? !glk_variable_create(c, s->rank, s->dims, NULL, s->count, "v", 1, &out)
                      : !glk_locks_create(c, s->rank, s->dims, &out));
  return out;
}

static void begin(pair *p, const glk_shape *shape, int of_a_variable) {
  memset(p, 0, sizeof *p);
  OK(glk_context_create(NULL, &p->c));
  p->set = new_set(p->c, shape, of_a_variable);
  p->shape = *shape;
}

static int agrees(const pair *p, const char *after) {
  const uint32_t n = p->shape.count;
  uint32_t count = 0, locked, next, expected;
  const uint32_t *words;
  size_t word_count;
  uint8_t mask[MOST];
  int ok = 1, bit;
  for (uint32_t i = 0; i < n; i++) count += p->model[i];
  ok &= glk_locks_count(p->c, p->set, &locked) == GLK_OK && locked == count;
  ok &= glk_locks_to_mask(p->c, p->set, mask, n) == GLK_OK && !memcmp(mask, p->model, n);
  for (uint32_t i = 0; i < n && ok; i++) {
    ok &= glk_locks_test(p->c, p->set, i, &bit) == GLK_OK && bit == p->model[i];
  }
  for (uint32_t from = 0; from <= n + 40 && ok; from++) {
    for (expected = from < n ? from : n; expected < n && !p->model[expected];) expected++;
    ok &= glk_locks_next(p->c, p->set, from, &next) == GLK_OK && next == expected;
    if (n > 100) from += rng_below(100); /* not every start of a long set */
  }
  ok &= glk_locks_words(p->c, p->set, &words, &word_count) == GLK_OK && word_count == (n + 31) / 32;
  for (size_t i = n; i < word_count * 32 && ok; i++) ok &= words[i / 32] >> (i % 32) & 1;
  return CHECK_MSG(ok, "shape of %u elements, rank %u, after %s", n, p->shape.rank, after);
}

/* ------------------------------------------------------------- selections, next to the model */

static void index_of(const glk_shape *shape, uint32_t flat, uint32_t *index) {
  for (uint32_t a = shape->rank; a-- > 0; flat /= shape->dims[a]) index[a] = flat % shape->dims[a];
}

static void select_all(pair *p) {
  memset(p->model, 1, p->shape.count);
  OK(glk_locks_add_all(p->c, p->set));
}

static void select_mask(pair *p) {
  uint8_t mask[MOST];
  for (uint32_t i = 0; i < p->shape.count; i++) {
    mask[i] = (uint8_t)(rng_below(3) ? 0 : 1 + rng_below(255)); /* anything but 0 locks */
    p->model[i] |= mask[i] != 0;
  }
  OK(glk_locks_add_mask(p->c, p->set, mask, p->shape.count));
}

static void select_indices(pair *p) {
  uint32_t list[40];
  const uint32_t count = p->shape.count ? rng_below(40) : 0;
  for (uint32_t i = 0; i < count; i++) p->model[list[i] = rng_below(p->shape.count)] = 1;
  OK(glk_locks_add_indices(p->c, p->set, count ? list : NULL, count));
}

static void select_axis(pair *p) {
  if (!p->shape.rank) return;
  const uint32_t axis = rng_below(p->shape.rank), size = p->shape.dims[axis];
  uint32_t list[5];
  const uint32_t count = size ? rng_below(5) : 0;
  for (uint32_t k = 0; k < count; k++) list[k] = rng_below(size);
  for (uint32_t i = 0; i < p->shape.count; i++) {
    uint32_t index[GLK_MAX_RANK];
    index_of(&p->shape, i, index);
    for (uint32_t k = 0; k < count; k++) p->model[i] |= index[axis] == list[k];
  }
  OK(glk_locks_add_axis(p->c, p->set, axis, list, count));
}

static void select_slice(pair *p) {
  uint32_t start[GLK_MAX_RANK], stop[GLK_MAX_RANK], index[GLK_MAX_RANK];
  for (uint32_t a = 0; a < p->shape.rank; a++) {
    start[a] = rng_below(p->shape.dims[a] + 1);
    stop[a] = start[a] + rng_below(p->shape.dims[a] + 1 - start[a]);
    if (rng_below(2)) start[a] = 0, stop[a] = p->shape.dims[a];
  }
  for (uint32_t i = 0; i < p->shape.count; i++) {
    uint8_t inside = 1;
    index_of(&p->shape, i, index);
    for (uint32_t a = 0; a < p->shape.rank; a++)
      inside &= start[a] <= index[a] && index[a] < stop[a];
    p->model[i] |= inside;
  }
  OK(glk_locks_add_slice(p->c, p->set, p->shape.rank, start, stop));
}

static int is_large(glk_real value, uint32_t index, void *user) {
  const glk_real *values = user;
  CHECK_BITS(value, values[index]);
  return value > (glk_real)0.6 ? -7 : 0;
}

static void select_where(pair *p) {
  glk_real values[MOST];
  glk_handle source = 0;
  for (uint32_t i = 0; i < p->shape.count; i++) {
    values[i] = rng_real(0, 1);
    p->model[i] |= values[i] > (glk_real)0.6;
  }
  OK(glk_tensor_create(p->c, p->shape.rank, p->shape.dims, values, p->shape.count, &source));
  OK(glk_locks_add_where(p->c, p->set, source, is_large, values));
  OK(glk_dispose(p->c, source));
}

static void select_combination(pair *p) {
  const glk_locks_op op = (glk_locks_op)rng_below(5);
  const uint32_t with = rng_below(5); /* itself, a copy, or another set */
  pair other = *p;
  if (with == 1) OK(glk_locks_copy(p->c, p->set, &other.set));
  if (with > 1) {
    memset(other.model, 0, sizeof other.model);
    other.set = new_set(p->c, &p->shape, with == 2);
    select_mask(&other);
  }
  OK(glk_locks_combine(p->c, p->set, op, other.set));
  for (uint32_t i = 0; i < p->shape.count; i++) {
    const uint8_t a = p->model[i], b = other.model[i];
    const uint8_t results[] = {b, a | b, a & b, a & !b, a ^ b};
    p->model[i] = results[op];
  }
  if (!with) return;
  agrees(&other, "being combined with");
  OK(glk_dispose(p->c, other.set));
}

static void select_inverse(pair *p) {
  OK(glk_locks_invert(p->c, p->set));
  for (uint32_t i = 0; i < p->shape.count; i++) p->model[i] ^= 1;
}

#define WAY(name, only_adds) \
  { #name, select_##name, only_adds }
static const struct {
  const char *name;
  void (*select)(pair *p);
  int only_adds; /* and so is idempotent */
} ways[] = {WAY(all, 1),   WAY(mask, 1),  WAY(indices, 1),     WAY(axis, 1),
            WAY(slice, 1), WAY(where, 1), WAY(combination, 0), WAY(inverse, 0)};
enum { WAYS = sizeof ways / sizeof *ways };

/* ---------------------------------------------------------------------------------------- tests */

/* Law 13 along the way: lists come in any order, with duplicates, and once more changes nothing. */
static void every_way_of_selecting_matches_the_model_on_every_shape(void) {
  for (int s = 0; s < SHAPES * 6; s++) {
    for (int w = 0; w < WAYS; w++) {
      pair p;
      begin(&p, &shapes[s / 6], s % 2);
      if (s % 6 > 1) select_mask(&p); /* not only from scratch */
      const uint64_t random = harness.state;
      ways[w].select(&p);
      agrees(&p, ways[w].name);
      if (ways[w].only_adds) {
        harness.state = random;
        ways[w].select(&p);
        agrees(&p, "the same again");
      }
      glk_context_dispose(p.c);
    }
  }
}

static void random_sets_of_every_size_match_the_model_through_any_history(void) {
  for (uint32_t n = 0; n <= 71; n++) {
    pair p;
    const glk_shape shape = {1, {n < 71 ? n : MOST}, n < 71 ? n : MOST};
    begin(&p, &shape, n % 2);
    for (int step = 0; step < 24; step++) {
      const uint32_t w = 1 + rng_below(WAYS - 1);
      uint32_t before, after;
      glk_locks_version(p.c, p.set, &before);
      ways[w].select(&p);
      CHECK(glk_locks_version(p.c, p.set, &after) == GLK_OK && after != before);
      if (!agrees(&p, ways[w].name)) break;
    }
    glk_context_dispose(p.c);
  }
}

static void every_range_is_locked_and_nothing_beside_it(void) {
  for (uint32_t start = 0; start <= 70; start++) {
    for (uint32_t stop = start; stop <= 70; stop++) {
      pair p;
      begin(&p, &shapes[2], 0);
      memset(p.model + start, 1, stop - start);
      OK(glk_locks_add_slice(p.c, p.set, 1, &start, &stop));
      agrees(&p, "a range");
      glk_context_dispose(p.c);
    }
  }
}

static void bad_input_writes_nothing(void) {
  const glk_shape small = {2, {3, 5}, 15}, turned = {2, {5, 3}, 15};
  const uint32_t far[2] = {0, 15}, zero[2] = {0, 0}, one[2] = {1, 1}, four[2] = {0, 4},
                 to[2] = {1, 6};
  for (int of_a_variable = 0; of_a_variable < 2; of_a_variable++) {
    pair p;
    begin(&p, &small, of_a_variable);
    glk_context *c = p.c;
    const glk_handle s = p.set, other = new_set(c, &turned, 1), gone = new_set(c, &small, 0);
    glk_handle tensor, out = 77;
    uint32_t before, after;
    int bit = 77;
    OK(glk_tensor_create(c, 2, small.dims, NULL, 15, &tensor));
    glk_dispose(c, gone);
    p.model[7] = 1; /* a partial write would lock element 0 */
    OK(glk_locks_add_mask(c, s, p.model, 15));
    glk_locks_version(c, s, &before);
#define REFUSED(call, status)                \
  CHECK_STATUS(call, status);                \
  CHECK(strlen(glk_context_detail(c)) > 10); \
  agrees(&p, #call)
    REFUSED(glk_locks_add_indices(c, s, far, 2), GLK_ERROR_INDEX);
    CHECK(strstr(glk_context_detail(c), "15") && strstr(glk_context_detail(c), "[3,5]"));
    REFUSED(glk_locks_add_mask(c, s, p.model, 16), GLK_ERROR_SHAPE);
    REFUSED(glk_locks_add_axis(c, s, 2, zero, 0), GLK_ERROR_INDEX);
    REFUSED(glk_locks_add_axis(c, s, 0, four, 2), GLK_ERROR_INDEX);
    REFUSED(glk_locks_add_slice(c, s, 1, zero, one), GLK_ERROR_SHAPE);
    REFUSED(glk_locks_add_slice(c, s, 2, zero, to), GLK_ERROR_INDEX);
    REFUSED(glk_locks_add_slice(c, s, 2, one, zero), GLK_ERROR_INDEX);
    REFUSED(glk_locks_add_where(c, s, other, is_large, NULL), GLK_ERROR_SHAPE);
    REFUSED(glk_locks_combine(c, s, GLK_LOCKS_OR, other), GLK_ERROR_SHAPE);
    REFUSED(glk_locks_combine(c, s, (glk_locks_op)5, s), GLK_ERROR_ARGUMENT);
    REFUSED(glk_locks_combine(c, s, GLK_LOCKS_OR, gone), GLK_ERROR_HANDLE);
    REFUSED(glk_locks_combine(c, s, GLK_LOCKS_OR, tensor), GLK_ERROR_KIND);
    REFUSED(glk_locks_add_all(c, tensor), GLK_ERROR_KIND);
    REFUSED(glk_locks_copy(c, gone, &out), GLK_ERROR_HANDLE);
    REFUSED(glk_locks_test(c, s, 15, &bit), GLK_ERROR_INDEX);
    REFUSED(glk_locks_to_mask(c, s, p.model, 14), GLK_ERROR_SHAPE);
    OK(glk_program_begin(c, GLK_TRACE));
    REFUSED(glk_locks_invert(c, s), GLK_ERROR_RECORDING);
#undef REFUSED
    glk_locks_version(c, s, &after);
    CHECK(before == after && out == 77 && bit == 77);
    glk_context_dispose(c);
  }
}

/* ---------------------------------------------------------------------------- law 9: assignment */

static glk_real nan_of(uint32_t payload) {
  glk_real x = (glk_real)__builtin_nan("");
  memcpy(&x, &payload, 2); /* every target is little-endian */
  return x;
}

/* New values, some of them equal to the old: how many offend against the model's locks? */
static uint32_t propose(const pair *p, const glk_real *old, glk_real *values, uint32_t *out_first) {
  uint32_t offenders = 0;
  for (uint32_t i = 0; i < p->shape.count; i++) {
    const glk_real pool[] = {old[i], old[i], 0, -(glk_real)0, nan_of(1), rng_real(-1, 1)};
    memcpy(&values[i], &pool[rng_below(6)], sizeof *values);
    if (!memcmp(&values[i], &old[i], sizeof *values) || !p->model[i]) continue;
    if (!offenders++) *out_first = i;
  }
  return offenders;
}

static void holds(const pair *p, const glk_real *expected) {
  glk_real got[MOST];
  glk_handle kept;
  OK(glk_locks_copy(p->c, p->set, &kept));
  OK(glk_locks_add_all(p->c, p->set)); /* NaNs are read as they are */
  OK(glk_read(p->c, p->set, got, p->shape.count));
  CHECK(!memcmp(got, expected, p->shape.count * sizeof *got));
  OK(glk_locks_combine(p->c, p->set, GLK_LOCKS_SET, kept));
  glk_dispose(p->c, kept);
}

static void assignment_is_refused_whole_exactly_when_a_locked_bit_would_change(void) {
  glk_real old[MOST], values[MOST];
  for (uint32_t n = 0; n <= 71; n++) {
    const uint32_t size = n < 71 ? n : MOST;
    const glk_shape shape = {1, {size}, size};
    pair p;
    begin(&p, &shape, 1);
    memset(old, 0, sizeof old);
    for (int round = 0; round < 30; round++) {
      uint32_t first = 0, got_first, got_count;
      if (round % 6 == 1) select_indices(&p); /* more and more */
      const uint32_t offenders = propose(&p, old, values, &first);
      CHECK_STATUS(glk_variable_assign(p.c, p.set, values, size, 0),
                   offenders ? GLK_ERROR_LOCKED : GLK_OK);
      if (offenders) {
        glk_context_conflict(p.c, &got_first, &got_count);
        CHECK_MSG(got_first == first && got_count == offenders, "%u from %u on", got_count,
                  got_first);
        CHECK(strstr(glk_context_detail(p.c), "'v'") != NULL);
        holds(&p, old);
        if (round % 2) continue;
        OK(glk_variable_assign(p.c, p.set, values, size, 1)); /* force */
      }
      memcpy(old, values, size * sizeof *old);
      holds(&p, old);
      agrees(&p, "assignment");
    }
    glk_context_dispose(p.c);
  }
}

static void every_bit_counts_as_a_change_and_equal_bits_do_not(void) {
  const glk_real inf = (glk_real)__builtin_inf(), nan1 = nan_of(1), nan2 = nan_of(2);
  const glk_real values[] = {0, -(glk_real)0, nan1, nan2, inf, -inf, 1, 2};
  for (int i = 0; i < 64; i++) {
    const glk_real from = values[i / 8], to = values[i % 8];
    pair p;
    begin(&p, &shapes[0], 1);
    OK(glk_variable_fix(p.c, p.set, 0, from));
    const glk_status status = glk_variable_assign(p.c, p.set, &to, 1, 0);
    CHECK_MSG(status == (i / 8 == i % 8 ? GLK_OK : GLK_ERROR_LOCKED), "pair %d", i);
    if (i == 1) CHECK(strstr(glk_context_detail(p.c), "from 0 to -0") != NULL);
    holds(&p, &from);
    glk_context_dispose(p.c);
  }
}

static void fixing_sets_and_locks_one_element_whatever_was_locked(void) {
  pair p;
  glk_real values[91] = {0};
  begin(&p, &shapes[3], 1);
  select_mask(&p);
  for (int i = 0; i < 200; i++) {
    const uint32_t at = rng_below(91);
    const glk_real value = i % 10 ? rng_real(-9, 9) : nan_of((uint32_t)i);
    OK(glk_variable_fix(p.c, p.set, at, value));
    memcpy(&values[at], &value, sizeof value);
    p.model[at] = 1;
    agrees(&p, "fixing");
    holds(&p, values);
  }
  CHECK_STATUS(glk_variable_fix(p.c, p.set, 91, 1), GLK_ERROR_INDEX);
  CHECK_STATUS(glk_variable_assign(p.c, p.set, values, 90, 1), GLK_ERROR_SHAPE);
  holds(&p, values);
  glk_context_dispose(p.c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(every_way_of_selecting_matches_the_model_on_every_shape);
  TEST(random_sets_of_every_size_match_the_model_through_any_history);
  TEST(every_range_is_locked_and_nothing_beside_it);
  TEST(bad_input_writes_nothing);
  TEST(assignment_is_refused_whole_exactly_when_a_locked_bit_would_change);
  TEST(every_bit_counts_as_a_change_and_equal_bits_do_not);
  TEST(fixing_sets_and_locks_one_element_whatever_was_locked);
  return harness_report();
}
