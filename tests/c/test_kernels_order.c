/* Kernels that choose and move: the largest and smallest, where they are, sorting, gathering and
 * scattering, by bits against plain loops. Lengths 0-70, odd strides, every alignment of a real;
 * blocks are as long as they say, so that the sanitizers see a step beyond. Values repeat, and have
 * both zeros, infinities and NaN among them. */
#include <stdlib.h>

#include "harness.h"
#include "kernels/index.h"
#include "kernels/reduce.h"

enum { LONGEST = 70 };

/* n reals at an address that is `shift` reals off 64 bytes, with nothing behind them. */
static glk_real *new_array(size_t n, size_t shift, void **block) {
  *block = aligned_alloc(64, ((n + shift) * sizeof(glk_real) + 64) & ~(size_t)63);
  return (glk_real *)*block + shift;
}

/* Few values, so that they tie; what kind is there depends on the round. */
static void fill(glk_real *x, size_t n, int round) {
  static const double few[] = {0, -0.0, 1, -1, 2, 0.5, 1e-40, -1e-40, 3e38, -3e38};
  for (size_t i = 0; i < n; i++) {
    const uint32_t k = rng_below(13);
    x[i] = round % 4 == 0 ? rng_real(-1, 1) : (glk_real)few[k % 10];
    if (round % 4 > 1 && k == 10) x[i] = (glk_real)__builtin_inf();
    if (round % 4 > 1 && k == 11) x[i] = -(glk_real)__builtin_inf();
    if (round % 4 > 2 && k == 12) x[i] = (glk_real)__builtin_nan("");
  }
}

static int is_nan(glk_real x) { return x != x; }

/* The rule of the header, one by one: NaN if there is any, else the extreme value; of two zeros, +0
 * is the larger. */
static glk_real plain_extreme(size_t n, const glk_real *x, int sign) {
  glk_real best = -(glk_real)sign * (glk_real)__builtin_inf();
  for (size_t i = 0; i < n; i++) {
    if (is_nan(x[i])) return x[i];
    const int is_minus = __builtin_signbit(x[i]) != 0, best_is_minus = __builtin_signbit(best) != 0;
    if ((glk_real)sign * x[i] > (glk_real)sign * best) best = x[i];
    if (x[i] == 0 && best == 0 && (sign > 0 ? !is_minus : is_minus) && is_minus != best_is_minus)
      best = x[i];
  }
  return best;
}

static void extremes_are_the_plain_loops_at_every_length_and_address(void) {
  for (int round = 0; round < 40; round++) {
    for (size_t n = 0; n <= LONGEST; n++) {
      void *block;
      glk_real *x = new_array(n, (n + (size_t)round) % 4, &block);
      fill(x, n, round);
      const glk_real most = plain_extreme(n, x, 1), least = plain_extreme(n, x, -1);
      const glk_real max = glk_kernel_max(n, x), min = glk_kernel_min(n, x);
      if (is_nan(most)) {
        CHECK_MSG(is_nan(max) && is_nan(min), "NaN among %d was lost", (int)n);
      } else {
        CHECK_BITS(max, most);
        CHECK_BITS(min, least);
      }
      free(block);
    }
  }
}

static size_t plain_arg(size_t n, size_t stride, int sign, const glk_real *x) {
  size_t best = n;
  for (size_t i = 0; i < n; i++) {
    const glk_real value = x[i * stride];
    if (is_nan(value)) continue;
    if (best == n || (glk_real)sign * value > (glk_real)sign * x[best * stride]) best = i;
  }
  return best == n ? 0 : best;
}

static void the_first_of_equal_extremes_is_chosen_and_NaN_only_alone(void) {
  for (int round = 0; round < 40; round++) {
    for (size_t n = 1; n <= LONGEST; n++) {
      const size_t stride = 1 + (n + (size_t)round) % 3, length = (n - 1) * stride + 1;
      void *block;
      glk_real *x = new_array(length, n % 4, &block);
      fill(x, length, round);
      CHECK_EQ(glk_kernel_arg(n, stride, 1, x), plain_arg(n, stride, 1, x));
      CHECK_EQ(glk_kernel_arg(n, stride, -1, x), plain_arg(n, stride, -1, x));
      free(block);
    }
  }
}

static void extremes_of_columns_are_those_of_each_column(void) {
  for (int round = 0; round < 40; round++) {
    const size_t rows = 1 + rng_below(9), columns = 1 + rng_below(round % 2 ? 9 : 1500);
    void *blocks[2];
    glk_real *x = new_array(rows * columns, columns % 4, &blocks[0]);
    glk_real *out = new_array(columns, rows % 4, &blocks[1]);
    fill(x, rows * columns, round);
    for (int sign = -1; sign < 2; sign += 2) {
      glk_kernel_arg_rows(rows, columns, (glk_real)sign, x, out);
      for (size_t c = 0; c < columns; c++) {
        CHECK_EQ((size_t)out[c], plain_arg(rows, columns, sign, x + c));
      }
    }
    free(blocks[0]), free(blocks[1]);
  }
}

/* True if a comes before b, which was added later. */
static int goes_first(glk_real a, glk_real b, int descending) {
  if (is_nan(a) || is_nan(b)) return !is_nan(a) || is_nan(b);
  return descending ? a >= b : a <= b;
}

static void sorting_is_insertion_sort_with_NaN_at_the_end(void) {
  for (int round = 0; round < 24; round++) {
    for (size_t n = 0; n <= LONGEST; n++) {
      const size_t stride = 1 + (n + (size_t)round) % 3, length = n ? (n - 1) * stride + 1 : 0;
      const int descending = round & 1;
      void *blocks[3];
      glk_real *x = new_array(length, n % 4, &blocks[0]), *out = new_array(length, 1, &blocks[1]);
      glk_real *scratch = new_array(glk_sort_scratch(n), 0, &blocks[2]);
      size_t order[LONGEST];
      fill(x, length, round / 2);
      for (size_t i = 0; i < n; i++) {
        size_t k = i;
        for (; k > 0 && !goes_first(x[order[k - 1] * stride], x[i * stride], descending); k--) {
          order[k] = order[k - 1];
        }
        order[k] = i;
      }
      glk_kernel_arg_sort(n, stride, descending, x, scratch, out);
      for (size_t i = 0; i < n; i++) CHECK_EQ((size_t)out[i * stride], order[i]);
      for (int i = 0; i < 3; i++) free(blocks[i]);
    }
  }
}

/* Indices along one or two axes, repeated on purpose, and where they lead. */
typedef struct list {
  glk_gather_indices gather;
  size_t at[LONGEST];
  glk_real indices[2 * LONGEST];
} list;

static list random_list(size_t count, size_t block) {
  list l = {.gather = {count, block, 1 + rng_below(2), {1 + rng_below(9), 1 + rng_below(5)}, NULL}};
  for (size_t row = 0; row < count; row++) {
    for (uint32_t k = 0; k < l.gather.depth; k++) {
      const uint32_t index = rng_below(l.gather.dims[k]);
      l.indices[row * l.gather.depth + k] = (glk_real)index;
      l.at[row] = l.at[row] * (k ? l.gather.dims[k] : 0) + index;
    }
  }
  return l;
}

static glk_real combined(glk_scatter mode, glk_real old, glk_real update) {
  const glk_real pair[2] = {old, update};
  if (mode == GLK_SCATTER_SUB) return old - update;
  if (mode == GLK_SCATTER_MIN || mode == GLK_SCATTER_MAX) {
    return plain_extreme(2, pair, mode == GLK_SCATTER_MAX ? 1 : -1);
  }
  return mode == GLK_SCATTER_ADD || mode == GLK_SCATTER_UPDATE_SUM ? old + update : update;
}

static void check_same(const glk_real *got, const glk_real *want, size_t n, const char *what) {
  for (size_t i = 0; i < n; i++) {
    if (is_nan(got[i]) && is_nan(want[i])) continue;
    CHECK_MSG(!memcmp(&got[i], &want[i], sizeof *got), "%s at %d of %d", what, (int)i, (int)n);
  }
}

static void gathering_and_scattering_walk_the_list_in_its_order(void) {
  for (int round = 0; round < 600; round++) {
    const size_t count = rng_below(20), block = round % 3 ? rng_below(LONGEST) : 1;
    list l = random_list(count, block);
    l.gather.indices = l.indices;
    const size_t targets = l.gather.dims[0] * (l.gather.depth > 1 ? l.gather.dims[1] : 1);
    const size_t size = targets * block;
    void *blocks[4];
    glk_real *x = new_array(size, (size_t)round % 4, &blocks[0]);
    glk_real *updates = new_array(count * block, (size_t)round / 2 % 4, &blocks[1]);
    glk_real *out = new_array(count * block, 3, &blocks[2]), *want = new_array(size, 0, &blocks[3]);
    CHECK_EQ(glk_gather_block_count(&l.gather), targets);
    fill(x, size, round);
    glk_kernel_gather(&l.gather, x, out);
    for (size_t row = 0; row < count; row++) {
      CHECK_EQ(glk_gather_index(&l.gather, row), l.at[row]);
      check_same(out + row * block, x + l.at[row] * block, block, "gathered");
    }
    for (int mode = 0; mode < GLK_SCATTER_COUNT; mode++) {
      fill(x, size, round);
      fill(updates, count * block, round + 1);
      memcpy(want, x, size * sizeof *x);
      for (size_t row = 0; row < count && mode == GLK_SCATTER_UPDATE_SUM; row++) {
        for (size_t i = 0; i < block; i++) want[l.at[row] * block + i] = 0;
      }
      for (size_t i = 0; i < count * block; i++) {
        glk_real *to = &want[l.at[i / block] * block + i % block];
        *to = combined((glk_scatter)mode, *to, updates[i]);
      }
      glk_kernel_scatter((glk_scatter)mode, &l.gather, updates, x);
      check_same(x, want, size, "scattered");
    }
    size_t repeat = count;
    for (size_t row = count; row-- > 0;) {
      for (size_t earlier = 0; earlier < row; earlier++) {
        if (l.at[earlier] == l.at[row]) repeat = row;
      }
    }
    uint32_t marks[2];
    CHECK_EQ(glk_kernel_find_repeat(&l.gather, marks), repeat);
    for (int i = 0; i < 4; i++) free(blocks[i]);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(extremes_are_the_plain_loops_at_every_length_and_address);
  TEST(the_first_of_equal_extremes_is_chosen_and_NaN_only_alone);
  TEST(extremes_of_columns_are_those_of_each_column);
  TEST(sorting_is_insertion_sort_with_NaN_at_the_end);
  TEST(gathering_and_scattering_walk_the_list_in_its_order);
  return harness_report();
}
