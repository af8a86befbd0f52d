/* Indices: kernels that move and sort by them, compared with plain loops; writes to elements of a
 * variable, compared with a model of laws 9 and 14 of docs/laws.md; and indices that turn out to be
 * wrong while a program runs. The rows of the op table have their samples elsewhere
 * (samples/indexing.h).
 */
#include "harness.h"
#include "kernels/index.h"
#include "ops/op.h"

#include <stdlib.h>

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MOST = 4096, ROWS = 24 };

static glk_ubits bits_of(glk_real x) {
  glk_ubits bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Values that tie, cancel, have signed zeros and NaNs. */
static glk_real any_real(void) {
  static const double special[] = {0, -0.0, 1, -1, 0.5, 1e20, -1e20};
  const uint32_t kind = rng_below(12);
  if (kind == 11) return (glk_real)__builtin_nan("");
  return kind < 7 ? (glk_real)special[kind] : rng_real(-2, 2);
}

/* -------------------------------------------------------------------------------------- kernels */

/* Reals in a block of their exact size and any alignment, so that the sanitizers see every step too
 * far. */
static glk_real *reals(size_t shift, size_t count, void **block) {
  glk_real *x = *block = malloc((shift + count) * sizeof *x + !(shift + count));
  for (size_t i = 0; i < shift + count; i++) x[i] = any_real();
  return x + shift;
}

/* One element, in plain arithmetic. */
static glk_real combined(glk_scatter mode, glk_real a, glk_real b) {
  const int is_nan = a != a || b != b;
  switch (mode) {
  case GLK_SCATTER_UPDATE_SUM:
  case GLK_SCATTER_ADD: return a + b;
  case GLK_SCATTER_SUB: return a - b;
  case GLK_SCATTER_MIN:
    if (a == b) return __builtin_signbit(a) ? a : b;
    return is_nan ? a + b : a < b ? a : b;
  case GLK_SCATTER_MAX:
    if (a == b) return __builtin_signbit(a) ? b : a;
    return is_nan ? a + b : a > b ? a : b;
  default: return b;
  }
}

static int same(const glk_real *a, const glk_real *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (bits_of(a[i]) != bits_of(b[i]) && !(a[i] != a[i] && b[i] != b[i])) return 0;
  }
  return 1;
}

/* x after updates, one after the other, as the list has them. */
static void scatter_plainly(glk_scatter mode, const size_t *targets, size_t count, size_t block,
                            const glk_real *updates, glk_real *x) {
  for (size_t k = 0; k < count && mode == GLK_SCATTER_UPDATE_SUM; k++) {
    for (size_t i = 0; i < block; i++) x[targets[k] * block + i] = 0;
  }
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < block; i++) {
      glk_real *to = &x[targets[k] * block + i];
      *to = combined(mode, *to, updates[k * block + i]);
    }
  }
}

static void check_kernels(size_t block, size_t shift) {
  const uint32_t dims[2] = {1 + rng_below(4), 1 + rng_below(4)};
  const size_t count = rng_below(ROWS), all = dims[0] * dims[1];
  glk_real indices[2 * ROWS];
  size_t targets[ROWS];
  void *blocks[4];
  for (size_t k = 0; k < count; k++) {
    const uint32_t row = rng_below(dims[0]), column = rng_below(dims[1]);
    indices[2 * k] = (glk_real)row;
    indices[2 * k + 1] = (glk_real)column;
    targets[k] = row * dims[1] + column;
  }
  const glk_gather_indices p = {count, block, 2, {dims[0], dims[1]}, indices};
  glk_real *x = reals(shift, all * block, &blocks[0]);
  glk_real *out = reals((shift + 1) % 4, count * block, &blocks[1]);
  glk_real *updates = reals((shift + 2) % 4, count * block, &blocks[2]);
  glk_real *expected = reals(0, all * block, &blocks[3]);
  glk_kernel_gather(&p, x, out);
  for (size_t k = 0; k < count; k++) {
    CHECK(!memcmp(out + k * block, x + targets[k] * block, block * sizeof *x));
  }
  for (glk_scatter mode = 0; mode < GLK_SCATTER_COUNT; mode++) {
    memcpy(expected, x, all * block * sizeof *x);
    scatter_plainly(mode, targets, count, block, updates, expected);
    glk_kernel_scatter(mode, &p, updates, x);
    CHECK_MSG(same(x, expected, all * block), "mode %d, blocks of %zu", (int)mode, block);
  }
  for (int i = 0; i < 4; i++) free(blocks[i]);
}

static void blocks_are_moved_and_combined_as_plain_loops_do(void) {
  for (size_t block = 0; block <= 70; block++) {
    for (size_t shift = 0; shift < 4; shift++) check_kernels(block, shift);
  }
}

static void the_first_place_named_twice_is_found(void) {
  uint32_t marks[64];
  glk_real indices[ROWS];
  for (int round = 0; round < 2000; round++) {
    const uint32_t size = 1 + rng_below(round % 2 ? 2000 : 40);
    const size_t count = rng_below(ROWS);
    size_t first = count;
    for (size_t k = 0; k < count; k++) indices[k] = (glk_real)rng_below(size);
    for (size_t k = count; k-- > 0;) {
      for (size_t j = 0; j < k; j++) first = indices[j] == indices[k] ? k : first;
    }
    const glk_gather_indices p = {count, 1, 1, {size}, indices};
    memset(marks, 0xff, sizeof marks); /* what was there before does not matter */
    CHECK_EQ(glk_kernel_find_repeat(&p, marks), first);
  }
}

/* True if element i comes before element j. */
static int comes_first(glk_real a, size_t i, glk_real b, size_t j, int descending) {
  if (a != a || b != b) return a != a && b != b ? i < j : b != b;
  if (a == b) return i < j;
  return descending ? a > b : a < b;
}

static void sorting_is_stable_in_both_directions_and_puts_nan_last(void) {
  static const size_t lengths[] = {100, 255, 256, 257, 1000};
  for (size_t l = 0; l <= 75; l++) {
    const size_t n = l <= 70 ? l : lengths[l - 71];
    for (int round = 0; round < 8; round++) {
      const size_t stride = 1 + rng_below(3);
      const int descending = round & 1;
      void *blocks[3];
      glk_real *x = reals(round % 4, n ? (n - 1) * stride + 1 : 0, &blocks[0]);
      glk_real *out = reals((round + 1) % 4, n ? (n - 1) * stride + 1 : 0, &blocks[1]);
      glk_real *scratch = reals(0, glk_sort_scratch(n), &blocks[2]);
      glk_kernel_arg_sort(n, stride, descending, x, scratch, out);
      for (size_t k = 0; k < n; k++) {
        const size_t i = (size_t)out[k * stride];
        size_t before = 0; /* how many come first: its rank, so each rank is taken once */
        for (size_t j = 0; j < n; j++) {
          before += (size_t)comes_first(x[j * stride], j, x[i * stride], i, descending);
        }
        CHECK_MSG(before == k, "number %zu of %zu is at %zu", i, n, k);
      }
      for (int i = 0; i < 3; i++) free(blocks[i]);
    }
  }
}

/* ------------------------------------------------------------ writing to elements of a variable */

typedef struct trial {
  glk_context *c;
  glk_handle v, indices, updates;
  uint32_t rows, columns, depth; /* of the variable; indices name rows (1) or elements (2) */
  size_t count, block;
  size_t targets[ROWS];
  glk_real old[MOST], expected[MOST], change[MOST];
  uint8_t locked[MOST];
} trial;

static trial t;

static void begin_trial(glk_scatter mode) {
  glk_real indices[2 * ROWS];
  OK(glk_context_create(NULL, &t.c));
  t.rows = 1 + rng_below(9);
  t.columns = rng_below(20) ? 1 + rng_below(40) : 0;
  t.depth = t.columns ? 1 + rng_below(2) : 1;
  t.count = rng_below(ROWS);
  t.block = t.depth == 1 ? t.columns : 1;
  const uint32_t size = t.rows * t.columns, targets = t.depth == 1 ? t.rows : size;
  uint8_t seen[MOST] = {0};
  size_t kept = 0;
  for (size_t k = 0; k < t.count; k++) {
    const uint32_t target = rng_below(targets);
    if (seen[target]++ && mode == GLK_SCATTER_UPDATE) continue;
    t.targets[kept] = target;
    indices[kept * t.depth] = (glk_real)(t.depth == 1 ? target : target / t.columns);
    if (t.depth == 2) indices[kept * 2 + 1] = (glk_real)(target % t.columns);
    kept++;
  }
  t.count = kept;
  for (uint32_t i = 0; i < size; i++) {
    t.old[i] = any_real();
    t.locked[i] = rng_below(3) == 0;
  }
  for (size_t i = 0; i < t.count * t.block; i++) {
    const glk_real pool[3] = {any_real(), 0, t.old[t.targets[i / t.block] * t.block + i % t.block]};
    t.change[i] = pool[rng_below(3)];
  }
  memcpy(t.expected, t.old, size * sizeof *t.old);
  scatter_plainly(mode, t.targets, t.count, t.block, t.change, t.expected);
  const uint32_t dims[2] = {t.rows, t.columns};
  const uint32_t at[2] = {(uint32_t)t.count, t.depth}, from[2] = {(uint32_t)t.count, t.columns};
  OK(glk_variable_create(t.c, 2, dims, t.old, size, "v", 1, &t.v));
  OK(glk_tensor_create(t.c, 2, at, indices, t.count * t.depth, &t.indices));
  OK(glk_tensor_create(t.c, 3 - t.depth, from, t.change, t.count * t.block, &t.updates));
}

static void holds(const glk_real *expected) {
  glk_real got[MOST];
  const size_t n = t.rows * t.columns;
  OK(glk_read(t.c, t.v, got, n));
  CHECK(same(got, expected, n));
}

static void check_trial(glk_scatter mode, int locks) {
  begin_trial(mode);
  const uint32_t n = t.rows * t.columns;
  uint32_t offenders = 0, first = 0, got_first = 0, got_count = 0;
  if (locks) OK(glk_locks_add_mask(t.c, t.v, t.locked, n));
  for (uint32_t i = n; i-- > 0 && locks;) {
    const int is_nan = t.old[i] != t.old[i] && t.expected[i] != t.expected[i];
    if (!t.locked[i] || is_nan || bits_of(t.old[i]) == bits_of(t.expected[i])) continue;
    offenders++;
    first = i;
  }
  const glk_status status = glk_variable_scatter(t.c, t.v, mode, t.indices, t.updates, 0);
  CHECK_STATUS(status, offenders ? GLK_ERROR_LOCKED : GLK_OK);
  if (offenders) {
    glk_context_conflict(t.c, &got_first, &got_count);
    CHECK_EQ(got_first, first);
    CHECK_EQ(got_count, offenders);
    CHECK(strstr(glk_context_detail(t.c), "nothing was written") != NULL);
    holds(t.old);
    OK(glk_variable_scatter(t.c, t.v, mode, t.indices, t.updates, 1));
  }
  holds(t.expected);
  glk_context_dispose(t.c);
}

/* NaNs are all the canonical one here, so that what a sum makes of them is no change of bits. */
static void writing_is_refused_whole_exactly_when_a_locked_bit_would_change(void) {
  for (glk_scatter mode = 0; mode < GLK_SCATTER_COUNT; mode++) {
    for (int round = 0; round < 600; round++) check_trial(mode, round % 4 != 0);
  }
}

static void refuses(glk_scatter mode, glk_handle at, glk_handle from, glk_status status,
                    const char *says) {
  CHECK_STATUS(glk_variable_scatter(t.c, t.v, mode, at, from, 1), status);
  CHECK_MSG(strstr(glk_context_detail(t.c), says), "%s", glk_context_detail(t.c));
  holds(t.old);
}

static glk_handle matrix(uint32_t rows, uint32_t columns, const glk_real *values) {
  glk_handle out = 0;
  OK(glk_tensor_create(t.c, 2, (uint32_t[]){rows, columns}, values, (size_t)rows * columns, &out));
  return out;
}

static void bad_indices_and_duplicates_write_nothing_even_by_force(void) {
  static const glk_real bad[] = {5, -1, 0.5, 1e20};
  const glk_real zeros[8] = {0}, twice[3] = {1, 3, 1};
  glk_real at[2] = {1, 0};
  OK(glk_context_create(NULL, &t.c));
  t.rows = 5;
  t.columns = 2;
  for (int i = 0; i < 10; i++) t.old[i] = any_real();
  OK(glk_variable_create(t.c, 2, (uint32_t[]){5, 2}, t.old, 10, "v", 1, &t.v));
  const glk_handle updates = matrix(2, 2, zeros), three = matrix(3, 2, zeros);
  for (glk_scatter mode = 0; mode < GLK_SCATTER_COUNT; mode++) {
    for (int i = 0; i < 5; i++) {
      at[1] = i < 4 ? bad[i] : (glk_real)__builtin_nan("");
      refuses(mode, matrix(2, 1, at), updates, GLK_ERROR_INDEX, "Nd");
      refuses(mode, matrix(2, 1, at), updates, GLK_ERROR_INDEX, "indices[1,0] is ");
    }
    refuses(mode, matrix(3, 1, twice), updates, GLK_ERROR_SHAPE, "expected [3,2]");
    refuses(mode, matrix(1, 3, twice), updates, GLK_ERROR_SHAPE, "name 3 axes");
    refuses(mode, t.v, updates, GLK_ERROR_ARGUMENT, "'v' would be read");
    refuses(mode, matrix(3, 1, twice), t.v, GLK_ERROR_ARGUMENT, "'v' would be read");
    refuses(mode, 0, updates, GLK_ERROR_HANDLE, "the indices");
    refuses(mode, matrix(3, 1, twice), 0, GLK_ERROR_HANDLE, "the updates");
    CHECK_STATUS(glk_variable_scatter(t.c, updates, mode, updates, updates, 1), GLK_ERROR_KIND);
  }
  refuses(GLK_SCATTER_UPDATE, matrix(3, 1, twice), three, GLK_ERROR_ARGUMENT,
          "scatterNdUpdate: index [1] appears again at number 2");
  refuses(GLK_SCATTER_COUNT, matrix(3, 1, twice), three, GLK_ERROR_ARGUMENT, "no scatter mode 7");
  refuses((glk_scatter)-1, matrix(3, 1, twice), three, GLK_ERROR_ARGUMENT, "no scatter mode");
  OK(glk_program_begin(t.c, GLK_TAPE));
  CHECK_STATUS(glk_variable_scatter(t.c, t.v, GLK_SCATTER_ADD, matrix(3, 1, twice), three, 1),
               GLK_ERROR_RECORDING);
  glk_program_cancel(t.c);
  CHECK_STATUS(glk_variable_scatter(NULL, t.v, 0, updates, updates, 1), GLK_ERROR_ARGUMENT);
  holds(t.old);
  glk_context_dispose(t.c);
}

/* ------------------------------------------------------------------- indices that turn up wrong */

static glk_handle apply(glk_context *c, uint32_t op, glk_handle a, glk_handle b) {
  glk_handle out = 0;
  OK(glk_apply(c, op, (glk_handle[]){a, b}, glk_op_at(op)->inputs, NULL, 0, &out));
  return out;
}

static void an_index_out_of_range_stops_a_run_and_a_step_before_they_change_anything(void) {
  glk_context *c;
  glk_handle x, at, program, adam, out, g;
  const uint32_t four = 4, two = 2;
  const glk_real values[4] = {1, 2, 3, 4}, good[2] = {3, 0}, bad[2] = {1, 4};
  glk_real got[4];
  double loss = 77, iterations;
  OK(glk_context_create(NULL, &c));
  OK(glk_variable_create(c, 1, &four, values, 4, "x", 1, &x));
  OK(glk_variable_create(c, 1, &two, good, 2, "at", 0, &at));
  OK(glk_optimizer_create(c, GLK_ADAM, &adam));
  OK(glk_program_begin(c, GLK_TRACE));
  const glk_handle rows = apply(c, OP("gather"), x, at);
  const glk_handle total = apply(c, OP("sum"), apply(c, OP("square"), rows, 0), 0);
  OK(glk_program_end(c, &total, 1, &program));
  OK(glk_optimizer_minimize(c, adam, program, &x, 1, 1, &loss));
  CHECK_NEAR(loss, 17, 0);
  OK(glk_variable_assign(c, x, values, 4, 0));
  OK(glk_variable_assign(c, at, bad, 2, 0));
  for (int again = 0; again < 2; again++) {
    CHECK_STATUS(glk_program_run(c, program), GLK_ERROR_INDEX);
    CHECK(strstr(glk_context_detail(c), "gather: indices[1] is 4") != NULL);
    CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_ERROR_INDEX);
    loss = 77;
    CHECK_STATUS(glk_program_gradient(c, program, &x, 1, &loss, &g), GLK_ERROR_INDEX);
    CHECK_STATUS(glk_optimizer_minimize(c, adam, program, &x, 1, 5, &loss), GLK_ERROR_INDEX);
    CHECK(loss == 77);
    OK(glk_optimizer_iterations(c, adam, &iterations));
    CHECK(iterations == 1);
    OK(glk_read(c, x, got, 4));
    CHECK(!memcmp(got, values, sizeof values));
  }
  OK(glk_variable_assign(c, at, good, 2, 0)); /* and all is well again */
  OK(glk_program_run(c, program));
  OK(glk_program_output(c, program, 0, &out));
  OK(glk_read(c, out, got, 1));
  CHECK_NEAR((double)got[0], 17, 0);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(blocks_are_moved_and_combined_as_plain_loops_do);
  TEST(the_first_place_named_twice_is_found);
  TEST(sorting_is_stable_in_both_directions_and_puts_nan_last);
  TEST(writing_is_refused_whole_exactly_when_a_locked_bit_would_change);
  TEST(bad_indices_and_duplicates_write_nothing_even_by_force);
  TEST(an_index_out_of_range_stops_a_run_and_a_step_before_they_change_anything);
  return harness_report();
}
