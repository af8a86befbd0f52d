/* SIMD kernels against plain loops, bit for bit: every length around the vector width, every
 * alignment of a real, operands walked or repeated, in place or not. Inputs lie in blocks of their
 * exact size, so that the sanitizers see every read too far; outputs lie between canaries.
 */
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "kernels/copy.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/math_angle.h"
#include "kernels/math_exp.h"
#include "kernels/reduce.h"

enum { POOL = 1024, LONGEST = 200, MARGIN = 8 };

static glk_real pool[POOL], canary;

static glk_ubits bits_of(glk_real x) {
  glk_ubits bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Random values, every third of them special: zeros, infinities, subnormals, NaNs of all sorts. */
static void fill_pool(int finite) {
  const glk_ubits sign = (glk_ubits)GLK_SIGN_BIT, inf = bits_of((glk_real)__builtin_inf());
  const glk_ubits special[] = {0, sign, inf, inf | sign, 1, sign | 1, inf | 1, sign - 1, inf - 1};
  for (int i = 0; i < POOL; i++) {
    pool[i] = rng_real(-3, 3);
    if (!finite && i % 3 == 0) memcpy(&pool[i], &special[rng_below(9)], sizeof *pool);
    if (!finite && i % 4 == 1) pool[i] = (glk_real)rng_below(3) - 1; /* which tie */
  }
  const glk_ubits odd = inf | 0x12345;
  memcpy(&canary, &odd, sizeof canary);
}

/* `count` reals of the pool in a block that ends with them and begins `shift` reals before */
static glk_real *new_array(size_t shift, size_t count, size_t from, void **block) {
  glk_real *x = *block = malloc((shift + count) * sizeof *x + !(shift + count));
  for (size_t i = 0; i < count; i++) memcpy(&x[shift + i], &pool[(from + i) % POOL], sizeof *x);
  return x + shift;
}

static glk_real *place_output(size_t shift, size_t count, void **block) {
  glk_real *x = *block = malloc((shift + count + 2 * MARGIN) * sizeof *x);
  for (size_t i = 0; i < shift + count + 2 * MARGIN; i++) memcpy(&x[i], &canary, sizeof *x);
  return x + shift + MARGIN;
}

static int is_untouched_around(const glk_real *out, size_t count) {
  int ok = 1;
  for (int i = 0; i < MARGIN; i++) {
    ok &= !memcmp(&out[-1 - i], &canary, sizeof canary);
    ok &= !memcmp(&out[count + (size_t)i], &canary, sizeof canary);
  }
  return ok;
}

/* ---------------------------------------------------------------------------------- elementwise */

/* The effect of a kernel on one element, in plain arithmetic or, for functions that test_math.c
 * tests, in one lane; and whether it keeps the bits of NaNs. A kernel that is not here does not
 * compile. */
/* clang-format off */
#define KERNELS(X) \
  X(maximum, 1, a != a ? a : b != b ? b : a > b ? a : b > a ? b : bits_of(a) ? b : a) \
  X(minimum, 1, a != a ? a : b != b ? b : a < b ? a : b < a ? b : bits_of(a) ? a : b) \
  X(neg, 1, -a) \
  X(square, 0, a * a) \
  X(sqrt, 0, (glk_real)sqrt((double)a)) /* to round twice is exact here */ \
  X(abs, 1, bits_of(a) >> (8 * sizeof a - 1) ? -a : a) \
  X(sign, 1, a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a) \
  X(reciprocal, 0, 1 / a) \
  X(rsqrt, 0, sizeof a == 8 ? vrsqrt(vsplat(a))[3] : 1 / (glk_real)sqrt((double)a)) \
  X(floor, 0, (glk_real)floor((double)a)) \
  X(ceil, 0, (glk_real)ceil((double)a)) \
  X(round, 0, (glk_real)rint((double)a)) \
  X(exp, 0, vexp(vsplat(a))[3]) \
  X(expm1, 0, vexpm1(vsplat(a))[3]) \
  X(log, 0, vlog(vsplat(a))[3]) \
  X(log1p, 0, vlog1p(vsplat(a))[3]) \
  X(sin, 0, vsin(vsplat(a))[3]) \
  X(cos, 0, vcos(vsplat(a))[3]) \
  X(erf, 0, verf(vsplat(a))[3]) \
  X(tanh, 0, vtanh(vsplat(a))[3]) \
  X(sigmoid, 0, vsigmoid(vsplat(a))[3]) \
  X(relu, 1, plain_maximum(a, 0, 0)) \
  X(softplus, 0, vsoftplus(vsplat(a))[3]) \
  X(gelu_exact, 0, vgelu(vsplat(a))[3]) \
  X(logical_not, 1, a == 0) \
  X(is_nan, 1, a != a) \
  X(is_inf, 1, a == (glk_real)INFINITY || a == -(glk_real)INFINITY) \
  X(is_finite, 1, a - a == 0) \
  X(add, 0, a + b) \
  X(sub, 0, a - b) \
  X(mul, 0, a * b) \
  X(div, 0, a / b) \
  X(mod, 0, plain_floored(fmod((double)a, (double)b), b)) \
  X(pow, 0, vpow(vsplat(a), vsplat(b))[3]) \
  X(atan2, 0, vatan2(vsplat(a), vsplat(b))[3]) \
  X(equal, 1, a == b) \
  X(not_equal, 1, a != b) \
  X(greater, 1, a > b) \
  X(greater_equal, 1, a >= b) \
  X(less, 1, a < b) \
  X(less_equal, 1, a <= b) \
  X(logical_and, 1, a != 0 && b != 0) \
  X(logical_or, 1, a != 0 || b != 0) \
  X(logical_xor, 1, (a != 0) != (b != 0)) \
  X(tanh_gradient, 0, a * (1 - b * b)) \
  X(sigmoid_gradient, 0, a * (b * (1 - b))) \
  X(relu_gradient, 1, b > 0 ? a : 0) \
  X(abs_gradient, 0, a * (b > 0 ? 1 : b < 0 ? -1 : b == 0 ? 0 : b)) \
  X(gelu_gradient, 0, a * vgelu_slope(vsplat(b))[3])
/* clang-format on */

/* fmod's result of two f32 is an f32; only the sum rounds. */
static glk_real plain_floored(double rest, glk_real b) {
  const glk_real r = (glk_real)rest;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

#define PLAIN(name, moves_bits, expression)                          \
  enum { name##_moves_bits = moves_bits };                           \
  static glk_real plain_##name(glk_real a, glk_real b, glk_real c) { \
    (void)a, (void)b, (void)c;                                       \
    return expression;                                               \
  }
KERNELS(PLAIN)
PLAIN(where, 1, a != 0 ? b : c)

typedef struct row {
  const char *name;
  int moves_bits;
  glk_real (*plain)(glk_real a, glk_real b, glk_real c);
  size_t operands;
  glk_unary_kernel *unary;
  glk_binary_kernel *binary;
} row;

#define UNARY(name) {#name, name##_moves_bits, plain_##name, 1, glk_kernel_##name, NULL},
#define BINARY(name) {#name, name##_moves_bits, plain_##name, 2, NULL, glk_kernel_##name},
static const row rows[] = {GLK_UNARY_KERNELS(UNARY)
                               GLK_BINARY_KERNELS(BINARY){"where", 1, plain_where, 3, NULL, NULL}};

/* `in_place` is the operand to write over, or one that there is not. */
static void check_case(const row *r, size_t n, size_t shift, unsigned steps, size_t in_place) {
  glk_real *in[3] = {0}, before[3][LONGEST + 1];
  void *blocks[3] = {0}, *out_block = NULL;
  size_t step[3];
  for (size_t k = 0; k < r->operands; k++) {
    step[k] = steps >> k & 1;
    const size_t count = step[k] ? n : 1;
    in[k] = new_array((shift + k) % 4, count, rng_below(POOL), &blocks[k]);
    memcpy(before[k], in[k], count * sizeof **in);
  }
  glk_real *out = place_output((shift + 3) % 4, n, &out_block);
  if (in_place < r->operands) in[in_place] = memcpy(out, in[in_place], n * sizeof *out);
  if (r->unary) r->unary(n, in[0], out);
  if (r->binary) r->binary(n, in[0], step[0], in[1], step[1], out);
  if (r->operands == 3) glk_kernel_where(n, in[0], step[0], in[1], step[1], in[2], step[2], out);
  int ok = is_untouched_around(out, n);
  for (size_t i = 0; i < n; i++) {
    const glk_real a = before[0][i * step[0]], b = r->operands > 1 ? before[1][i * step[1]] : 0;
    const glk_real want = r->plain(a, b, r->operands > 2 ? before[2][i * step[2]] : 0);
    const int both_nan = out[i] != out[i] && want != want;
    ok &= (both_nan && !r->moves_bits) || !memcmp(&out[i], &want, sizeof want);
  }
  CHECK_MSG(ok, "%s: length %d, shift %d, steps %u, in place %d", r->name, (int)n, (int)shift,
            steps, (int)in_place);
  for (size_t k = 0; k < r->operands; k++) free(blocks[k]);
  free(out_block);
}

static void elementwise_kernels_have_the_bits_of_plain_loops(void) {
  fill_pool(0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row *r = &rows[i];
    for (size_t n = 0; n <= LONGEST; n += n < 70 ? 1 : 29) {
      for (unsigned steps = r->unary ? 1 : 0; steps < 1u << r->operands; steps++) {
        for (size_t in_place = 0; in_place <= r->operands; in_place++) {
          if (in_place < r->operands && !(steps >> in_place & 1)) continue;
          check_case(r, n, (n + steps) % 4, steps, in_place < r->operands ? in_place : 3);
          check_case(r, n, rng_below(4), steps, in_place < r->operands ? in_place : 3);
        }
      }
    }
  }
}

/* ----------------------------------------------------------------------------------------- copy */

/* Strides of a random order of axes, with gaps; axes of a source may repeat. Gives the extent. */
static size_t random_strides(const glk_box *box, int may_repeat, size_t *strides) {
  size_t stride = 1, extent = 1;
  unsigned done = 0;
  for (uint32_t i = 0; i < box->rank; i++) {
    uint32_t a = rng_below(box->rank);
    while (done >> a & 1) a = (a + 1) % box->rank;
    done |= 1u << a;
    strides[a] = may_repeat && rng_below(3) == 0 ? 0 : stride;
    extent += strides[a] * (box->dims[a] ? box->dims[a] - 1 : 0);
    if (strides[a]) stride *= box->dims[a] + rng_below(2);
    if (!stride) stride = 1;
  }
  return extent;
}

static void copying_a_box_moves_every_bit_and_nothing_beside_it(void) {
  fill_pool(0);
  for (int round = 0; round < 3000; round++) {
    glk_box box = {.rank = rng_below(GLK_MAX_RANK + 1)};
    size_t count = 1;
    for (uint32_t a = 0; a < box.rank; a++) {
      box.dims[a] = rng_below(10) ? 1 + rng_below(4) : rng_below(9);
      count *= box.dims[a];
    }
    void *from_block, *to_block, *expected_block;
    const glk_real *from =
        new_array(0, random_strides(&box, 1, box.from), rng_below(POOL), &from_block);
    const size_t extent = random_strides(&box, 0, box.to);
    glk_real *to = place_output(0, extent, &to_block);
    glk_real *expected = place_output(0, extent, &expected_block);
    for (size_t i = 0; i < count; i++) {
      size_t source = 0, target = 0, rest = i;
      for (uint32_t a = box.rank; a-- > 0; rest /= box.dims[a]) {
        source += rest % box.dims[a] * box.from[a];
        target += rest % box.dims[a] * box.to[a];
      }
      memcpy(&expected[target], &from[source], sizeof *from);
    }
    glk_kernel_copy_box(&box, from, to);
    CHECK_MSG(!memcmp(to_block, expected_block, (extent + 2 * MARGIN) * sizeof *to), "round %d",
              round);
    free(from_block), free(to_block), free(expected_block);
  }
}

static void transposing_moves_every_bit_at_every_size(void) {
  fill_pool(0);
  for (unsigned i = 0; i < 30 * 30; i++) {
    const uint32_t rows = i / 30, columns = i % 30, gap = rng_below(3);
    const int is_backwards = rng_below(2);
    glk_box box = {.rank = 2, .dims = {columns, rows}, .to = {rows + gap, 1}};
    void *from_block, *to_block;
    const glk_real *from = new_array(0, (size_t)rows * (columns + gap) + 1, i, &from_block);
    glk_real *to = place_output(i % 4, (size_t)columns * (rows + gap) + 1, &to_block);
    const glk_real *first = is_backwards && rows ? from + (rows - 1) * (columns + gap) : from;
    box.from[0] = 1;
    box.from[1] = is_backwards ? (size_t)0 - (columns + gap) : columns + gap;
    glk_kernel_copy_box(&box, first, to);
    int ok = 1;
    for (uint32_t r = 0; r < rows; r++) {
      const glk_real *row = from + (is_backwards ? rows - 1 - r : r) * (columns + gap);
      for (uint32_t k = 0; k < columns; k++) {
        ok &= !memcmp(&to[k * (rows + gap) + r], &row[k], sizeof *to);
      }
    }
    CHECK_MSG(ok, "%u x %u, %u apart", rows, columns, gap);
    free(from_block), free(to_block);
  }
}

/* ----------------------------------------------------------------------------------------- sums */

/* |sum - exact| <= (40 + 2 log2 n) u sum|x|, u = eps / 2: a value passes at most 31 additions in
 * its block, one for each level of the tree and for each digit when levels are joined, and 5 at the
 * end. The exact sum is Neumaier's (1974), whose own error is of the order of u^2 of a double. */
static void check_sum(glk_real got, const glk_real *x, size_t n, size_t stride) {
  double sum = 0, rest = 0, magnitude = 0;
  int log2_n = 0;
  while (n >> log2_n) log2_n++;
  for (size_t i = 0; i < n; i++) {
    const double v = (double)x[i * stride], t = sum + v;
    rest += (sum < 0 ? -sum : sum) >= (v < 0 ? -v : v) ? (sum - t) + v : (v - t) + sum;
    magnitude += v < 0 ? -v : v;
    sum = t;
  }
  const double u = (sizeof(glk_real) == 4 ? 0x1p-24 : 0x1p-53);
  CHECK_NEAR((double)got, sum + rest, (40 + 2 * log2_n) * u * magnitude);
}

static void sums_keep_their_bound_and_do_not_depend_on_the_address(void) {
  static const size_t lengths[] = {511, 512, 513, 1000, 4099, 100003};
  fill_pool(1);
  for (size_t l = 0; l <= 76; l++) {
    const size_t n = l <= 70 ? l : lengths[l - 71];
    for (int kind = 0; kind < 3;
         kind++) { /* random; whole numbers; a tenth, which naive sums lose */
      glk_real first = 0, exact = 0;
      for (size_t shift = 0; shift < 4; shift++) {
        void *block;
        glk_real *x = new_array(shift, n, 5, &block);
        for (size_t i = 0; i < n && kind; i++)
          x[i] = kind == 1 ? (glk_real)(i % 17) - 5 : (glk_real)0.1;
        const glk_real sum = glk_kernel_sum(n, x);
        if (shift == 0) first = sum;
        CHECK_BITS(sum, first);
        check_sum(sum, x, n, 1);
        for (size_t i = 0; i < n && !shift; i++) exact += x[i];
        if (kind == 1) CHECK_BITS(sum, exact);
        free(block);
      }
    }
  }
}

static void sums_of_rows_keep_their_bound_and_do_not_see_their_neighbours(void) {
  static const size_t sizes[][2] = {{0, 5}, {3, 4099}, {4099, 3}, {1000, 17}, {33, 70}, {64, 16}};
  fill_pool(1);
  for (size_t k = 0; k < 306; k++) {
    const size_t rows_ = k < 6 ? sizes[k][0] : 1 + rng_below(70);
    const size_t columns = k < 6 ? sizes[k][1] : 1 + rng_below(40), shift = k % 4;
    void *block, *out_block;
    glk_real *x = new_array(shift, rows_ * columns, k, &block);
    glk_real *out = place_output((k + 1) % 4, columns, &out_block);
    glk_kernel_sum_rows(rows_, columns, columns, x, out);
    CHECK(is_untouched_around(out, columns));
    for (size_t c = 0; c < columns; c += 1 + columns / 50) {
      glk_real alone, *column = malloc(rows_ * sizeof *column + 1);
      for (size_t r = 0; r < rows_; r++) column[r] = x[r * columns + c];
      glk_kernel_sum_rows(rows_, 1, 1, column, &alone);
      CHECK_BITS(out[c], alone);
      check_sum(out[c], column, rows_, 1);
      free(column);
    }
    free(block), free(out_block);
  }
}

/* As threads share a sum: chunks of rows in any order, then joined. One column is summed across. */
static void chunks_of_a_sum_join_to_its_bits(void) {
  static const size_t rows[] = {1, 31, 2048, 2049, 4097, 6200, 8225, 13000};
  static const size_t columns[] = {1, 3, 64};
  fill_pool(1);
  for (size_t k = 0; k < 24; k++) {
    const size_t wide = columns[k / 8], n = rows[k % 8] * (wide == 1 ? 16 : 1) + (wide == 1) * k;
    const size_t count = glk_kernel_sum_chunks(n, wide);
    glk_real whole[GLK_SUM_COLUMNS], joined[GLK_SUM_COLUMNS];
    glk_real parts[GLK_SUM_CHUNKS * GLK_SUM_COLUMNS];
    void *block;
    const glk_real *x = new_array(k % 4, n * wide, k, &block);
    if (CHECK_MSG(count <= GLK_SUM_CHUNKS, "%zu rows of %zu: %zu chunks", n, wide, count)) {
      for (size_t i = count; i-- > 0;) glk_kernel_sum_chunk(n, wide, i, x, parts);
      glk_kernel_sum_join(n, wide, x, parts, joined);
      if (wide == 1) whole[0] = glk_kernel_sum(n, x);
      if (wide > 1) glk_kernel_sum_rows(n, wide, wide, x, whole);
      CHECK_MSG(!memcmp(joined, whole, wide * sizeof *whole), "%zu rows of %zu", n, wide);
    }
    free(block);
  }
}

/* ----------------------------------------------------------------------------------------- gemm */

static glk_real at(glk_matrix m, size_t i, size_t j) { return m.values[i * m.rs + j * m.cs]; }

static void check_product(size_t m, size_t n, size_t k, unsigned layout) {
  const size_t gap = layout >> 2 & 1; /* rows that are not adjacent */
  void *blocks[3];
  const int ta = layout & 1, tb = layout >> 1 & 1;
  const size_t a_width = (ta ? m : k) + gap, b_width = (tb ? k : n) + gap;
  glk_matrix a = {new_array(layout % 4, (ta ? k : m) * a_width, m, &blocks[0]), a_width, 1};
  glk_matrix b = {new_array(n % 4, (tb ? n : k) * b_width, n + 7, &blocks[1]), b_width, 1};
  if (ta) a = (glk_matrix){a.values, 1, a_width};
  if (tb) b = (glk_matrix){b.values, 1, b_width};
  glk_real *c = place_output(m % 4, m * n, &blocks[2]);
  /* no more than is promised: the sanitizer sees what is read or written beyond */
  void *scratch = malloc(glk_kernel_gemm_scratch(m, n, k, ta) * sizeof(glk_real) + !k);
  glk_kernel_gemm(m, n, k, a, b, c, n, scratch, NULL);
  int ok = is_untouched_around(c, m * n);
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < n; j++) {
      glk_real sum = 0;
      for (size_t p = 0; p < k; p++) sum += at(a, i, p) * at(b, p, j);
      ok &= !memcmp(&c[i * n + j], &sum, sizeof sum);
    }
  }
  CHECK_MSG(ok, "(%d, %d) by (%d, %d), layout %u", (int)m, (int)k, (int)k, (int)n, layout);
  for (int i = 0; i < 3; i++) free(blocks[i]);
  free(scratch);
}

static void products_have_the_bits_of_the_plain_loop_in_the_order_of_k(void) {
  fill_pool(1);
  for (size_t i = 0; i < 10 * 10 * 10; i++) check_product(i / 100, i / 10 % 10, i % 10, i % 8);
  for (unsigned i = 0; i < 300; i++)
    check_product(rng_below(21), rng_below(21), rng_below(21), i % 8);
  for (unsigned layout = 0; layout < 8; layout++) {
    check_product(33, 17, 65, layout);
    check_product(5, 9, 1100, layout);
    check_product(3, 2, 513, layout);
    check_product(5, 259, 3, layout);
    check_product(259, 5, 3, layout);
    check_product(131, 515, 259, layout); /* B is packed, A in two heights */
    check_product(135, 18, 5, layout);
    check_product(1, 1, 300, layout);
    check_product(1, 70, 300, layout);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(elementwise_kernels_have_the_bits_of_plain_loops);
  TEST(copying_a_box_moves_every_bit_and_nothing_beside_it);
  TEST(transposing_moves_every_bit_at_every_size);
  TEST(sums_keep_their_bound_and_do_not_depend_on_the_address);
  TEST(sums_of_rows_keep_their_bound_and_do_not_see_their_neighbours);
  TEST(chunks_of_a_sum_join_to_its_bits);
  TEST(products_have_the_bits_of_the_plain_loop_in_the_order_of_k);
  return harness_report();
}
