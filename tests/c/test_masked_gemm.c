/* The gradient of a locked element is not computed if it is not read. This changes no other bit,
 * and neither does missing memory (law 23). The kernel is compared with the whole product, and
 * training with steps that get whole gradients. */
#include <stdlib.h>

#include "kernels/depthwise.h"
#include "kernels/gemm.h"
#include "vectors.h"

/* ----------------------------------------------------------------------------------- the kernel */

static glk_matrix random_matrix(size_t rows, size_t columns, int is_turned) {
  glk_real *values = malloc((rows * columns + 1) * sizeof *values);
  for (size_t i = 0; i < rows * columns; i++) values[i] = rng_real(-1, 1);
  return is_turned ? (glk_matrix){values, 1, rows} : (glk_matrix){values, columns, 1};
}

/* Bits of all kinds: none, all, single ones, single zeros, halves, runs. */
static int draw_bit(unsigned kind, size_t i, size_t width) {
  switch (kind) {
  case 0: return 0;
  case 1: return 1;
  case 2: return rng_below(50) == 0;
  case 3: return rng_below(50) != 0;
  case 4: return rng_below(2) == 0;
  case 5: return i / (width + 1) % 3 == 0;
  case 6: return i % (width + 1) / 16 % 2 == 0;
  case 7: return i % 9 != 4;
  case 8: return i / width % 8 != 3; /* whole rows, more and more of them */
  case 9: return i / width % 5 > 1;
  case 10: return i / width != 7;
  default: return i != width + 1; /* one element */
  }
}

static void check_sparing(size_t m, size_t n, size_t k, size_t first, unsigned kind) {
  const size_t bits = first + m * n, words = bits / 32 + 1;
  const glk_matrix a = random_matrix(m, k, kind & 1), b = random_matrix(k, n, kind >> 1 & 1);
  const size_t dense = glk_kernel_gemm_scratch(m, n, k, kind & 1);
  const size_t more = glk_kernel_masked_gemm_scratch(m, n);
  glk_real *scratch = malloc((dense + more) * sizeof *scratch);
  glk_real *whole = malloc(m * n * sizeof *whole), *c = malloc(m * n * sizeof *c);
  uint32_t *unread = calloc(bits % 32 ? words : words - 1, sizeof *unread); /* not a word more */
  for (size_t i = 0; i < m * n; i++) {
    if (draw_bit(kind, i, n)) unread[(first + i) / 32] |= (uint32_t)1 << (first + i) % 32;
    c[i] = 77;
  }
  glk_kernel_gemm(m, n, k, a, b, whole, n, scratch, NULL);
  glk_kernel_masked_gemm(m, n, k, a, b, c, scratch, unread, first);
  int ok = 1;
  size_t skipped = 0;
  for (size_t i = 0; i < m * n; i++) {
    const int is_unread = unread[(first + i) / 32] >> (first + i) % 32 & 1;
    if (!is_unread) ok &= !memcmp(&c[i], &whole[i], sizeof *c);
    skipped += c[i] == 77;
  }
  CHECK_MSG(ok, "%d x %d x %d from bit %d, kind %u", (int)m, (int)n, (int)k, (int)first, kind);
  if (kind == 1 && k) CHECK_EQ(skipped, m * n);
  if (kind == 3 && m * n > 5000 && k) CHECK(skipped > m * n / 2);
  free((void *)a.values), free((void *)b.values);
  free(scratch), free(whole), free(c), free(unread);
}

static void elements_that_are_read_have_the_bits_of_the_whole_product(void) {
  for (unsigned i = 0; i < 600; i++) {
    check_sparing(1 + rng_below(20), 1 + rng_below(70), rng_below(70), rng_below(100), i % 8);
  }
  for (unsigned kind = 0; kind < 8; kind++) {
    check_sparing(64, 96, 33, 0, kind);
    check_sparing(21, 1025, 64, 31, kind);
    check_sparing(18, 640, 65, 32, kind);
    check_sparing(3, 2, 600, 7, kind);
  }
}

/* A with columns in runs, as windows are in images; sums begin at the values of C. */
static void check_runs(size_t m, size_t n, size_t runs, size_t run, unsigned kind, int is_first) {
  const size_t column = 1 + rng_below(6), k = runs * run, first = rng_below(100);
  const size_t jump = runs == 1 && kind & 1 ? 0 : 1 + rng_below(90);
  const size_t reach = (runs - 1) * jump + (run - 1) * column + m, words = (first + m * n) / 32 + 1;
  const glk_matrix image = random_matrix(reach, 1, 0), b = random_matrix(k, n, 0);
  glk_real *a = malloc((m * k + 1) * sizeof *a), *scratch;
  glk_real *whole = malloc(m * n * sizeof *whole), *c = malloc(m * n * sizeof *c);
  uint32_t *unread = calloc(words, sizeof *unread);
  scratch =
      malloc((jump ? (GLK_TILE_COLUMNS + GLK_TILE_ROWS) * k : glk_kernel_gemm_scratch(m, n, k, 1)) *
             sizeof *scratch);
  for (size_t i = 0; i < m * n; i++) {
    if (draw_bit(kind, i, n)) unread[(first + i) / 32] |= (uint32_t)1 << (first + i) % 32;
    c[i] = rng_real(-1, 1);
    whole[i] = is_first ? 0 : c[i];
    for (size_t p = 0; p < k; p++) {
      const size_t at = i / n + p / run * jump + p % run * column;
      whole[i] += image.values[at] * b.values[p * n + i % n];
    }
  }
  glk_real *before = malloc(m * n * sizeof *before);
  memcpy(before, c, m * n * sizeof *c);
  glk_kernel_gemm_runs(m, n, runs, run, image.values, column, jump, b.values, c, scratch,
                       kind ? unread : NULL, first, is_first);
  int ok = 1;
  size_t skipped = 0;
  for (size_t i = 0; i < m * n; i++) {
    const int is_unread = kind && unread[(first + i) / 32] >> (first + i) % 32 & 1;
    if (!is_unread) ok &= !memcmp(&c[i], &whole[i], sizeof *c);
    skipped += !memcmp(&c[i], &before[i], sizeof *c);
  }
  CHECK_MSG(ok, "%d x %d, %d runs of %d, %d apart, bits %u from %d on", (int)m, (int)n, (int)runs,
            (int)run, (int)jump, kind, (int)first);
  if (kind == 1) CHECK_EQ(skipped, m * n);
  if (kind == 3 && m * n > 3000) CHECK(skipped > m * n / 4);
  free((void *)image.values), free((void *)b.values);
  free(a), free(scratch), free(whole), free(c), free(before), free(unread);
}

static void so_have_those_whose_left_operand_lies_in_runs(void) {
  for (unsigned i = 0; i < 1200; i++) {
    check_runs(1 + rng_below(22), 1 + rng_below(40), 1 + rng_below(5), 1 + rng_below(12), i % 8,
               i % 16 < 8);
  }
  for (unsigned kind = 0; kind < 8; kind++) {
    check_runs(150, 24, 1, 30, kind, 0); /* more rows than are packed together */
    check_runs(96, 32, 5, 26, kind, 0);
  }
}

/* By a filter three taps wide: rows of taps come with eight channels. */
static void check_depthwise(size_t depth, size_t taps, size_t stride, size_t before,
                            unsigned kind) {
  const glk_window_axis x = {.size = 9,
                             .taps = 3,
                             .count = (9 + 2 * before - 3) / stride + 1,
                             .stride = stride,
                             .dilation = 1,
                             .before = before};
  glk_windows w = {.x = x, .y = x, .depth = depth, .images = 2};
  w.y.taps = taps;
  w.y.count = (9 + 2 * before - taps) / stride + 1;
  const size_t n = taps * 3 * depth;
  const glk_matrix image = random_matrix(2 * 9 * 9, depth, 0);
  const glk_matrix y = random_matrix(2 * w.y.count * w.x.count, depth, 0);
  glk_real *whole = malloc(n * sizeof *whole), *f = malloc(n * sizeof *f);
  uint32_t *unread = calloc((n + 31) / 32, sizeof *unread);
  for (size_t i = 0; i < n; i++) {
    if (draw_bit(kind, i, depth)) unread[i / 32] |= (uint32_t)1 << i % 32;
  }
  glk_kernel_depthwise(GLK_DEPTHWISE_F, &w, 1, (glk_real *)image.values, whole,
                       (glk_real *)y.values, NULL);
  glk_kernel_depthwise(GLK_DEPTHWISE_F, &w, 1, (glk_real *)image.values, f, (glk_real *)y.values,
                       unread);
  int ok = 1;
  for (size_t i = 0; i < n; i++) {
    const size_t row = i / (3 * depth) * 3 * depth, c = i % depth / 8 * 8;
    int is_wanted = depth % 8 && c + 8 > depth; /* what eights leave is computed */
    for (size_t k = 0; k < 24 && !is_wanted; k++) {
      const size_t at = row + k / 8 * depth + c + k % 8;
      is_wanted = !(unread[at / 32] >> at % 32 & 1);
    }
    ok &= is_wanted ? !memcmp(&f[i], &whole[i], sizeof *f) : f[i] == 0 && whole[i] != 0;
  }
  CHECK_MSG(ok, "%d channels, %d rows of taps, stride %d, %d before, kind %u", (int)depth,
            (int)taps, (int)stride, (int)before, kind);
  free((void *)image.values), free((void *)y.values);
  free(whole), free(f), free(unread);
}

static void and_a_depthwise_filter_of_which_what_nobody_reads_is_not_summed(void) {
  static const size_t depths[] = {8, 12, 3, 40, 64};
  for (unsigned kind = 0; kind < 12; kind++) {
    for (size_t i = 0; i < 5; i++) {
      check_depthwise(depths[i], 3, 1, 1, kind);
      check_depthwise(depths[i], 3, 2, 0, kind);
      check_depthwise(depths[i], 3, 2, 1, kind);
      check_depthwise(depths[i], 2, 1, 0, kind);
    }
  }
}

/* ------------------------------------------------------------------------------------- training */

enum { KINDS = 12, ROWS = 24, COLUMNS = 40, BATCH = 6, N = ROWS * COLUMNS, STEPS = 9 };

typedef enum {
  PLAIN,
  CLIP,
  GLOBAL_CLIP,
  ACCUMULATE,
  POLICY,
  USED_TWICE,
  IN_A_SUM,
  IN_A_DIFFERENCE,
  TALL,
  TALL_WEIGHTS,
  NARROW,
  WIDE,
  EMBEDDING,
  AVERAGED,
  CHANGING,
  CHANGING_MEANS,
  FILTER,
  PADDED_FILTER,
  FILTER_OF_ONE,
  DILATED_FILTER,
  DEPTHWISE,
  PADDED_DEPTHWISE,
  CASES
} setting;

/* clang-format off */
static const char *const names[CASES] = {
    "plain", "clipNorm", "globalClipNorm", "accumulation", "policy", "used twice",
    "in a sum", "in a difference", "tall", "tall weights", "narrow", "wide", "embedding",
    "averaged", "changing locks", "changing locks of means", "a filter", "padded images",
    "a filter of one channel", "a dilated filter", "a depthwise filter",
    "a depthwise filter of padded images"};
/* clang-format on */

/* The shape of the variable; behind matrices, ones. */
static void dims_of(setting s, uint32_t dims[4]) {
  const uint32_t columns = s == NARROW ? 3 : s == WIDE ? N / 4 : COLUMNS;
  dims[0] = N / columns;
  dims[1] = columns;
  dims[2] = dims[3] = 1;
  if (s == TALL_WEIGHTS) memcpy(dims, (uint32_t[]){N / 2, 2, 1, 1}, 4 * sizeof *dims);
  if (s >= FILTER) memcpy(dims, (uint32_t[]){4, 3, 4, N / 48}, 4 * sizeof *dims);
  if (s == FILTER_OF_ONE) memcpy(dims, (uint32_t[]){4, 3, 1, N / 12}, 4 * sizeof *dims);
  if (s >= DEPTHWISE) memcpy(dims, (uint32_t[]){4, 3, N / 12, 1}, 4 * sizeof *dims);
}

static glk_handle random_tensor(uint32_t rank, const uint32_t *dims) {
  glk_real values[2 * N];
  uint32_t count = 1;
  glk_handle out = 0;
  for (uint32_t i = 0; i < rank; i++) count *= dims[i];
  for (uint32_t i = 0; i < count; i++) values[i] = rng_real(-1, 1);
  CHECK_STATUS(glk_tensor_create(c, rank, dims, values, count, &out), GLK_OK);
  return out;
}

typedef struct side {
  glk_handle variables[2], optimizer, program;
} side;

static void set(glk_handle optimizer, const char *name, double value) {
  CHECK_STATUS(glk_optimizer_set(c, optimizer, &name, &value, 1), GLK_OK);
}

static glk_handle weights(setting s, const side *v) {
  if (s == IN_A_SUM) return apply("add", v->variables[0], v->variables[1]);
  if (s == IN_A_DIFFERENCE) return apply("sub", v->variables[0], v->variables[1]);
  return v->variables[0];
}

static side make(setting s, const glk_real *start, const uint8_t *mask, glk_handle input) {
  const uint32_t rank = s >= FILTER ? 4 : s == TALL_WEIGHTS ? 3 : 2;
  const double conv[5] = {s == PADDED_FILTER || s == PADDED_DEPTHWISE, 1, 1, 1,
                          s == DILATED_FILTER ? 2 : 1};
  uint32_t dims[4];
  side out;
  dims_of(s, dims);
  glk_handle locks;
  CHECK_STATUS(glk_variable_create(c, rank, dims, start, N, "x", 1, &out.variables[0]), GLK_OK);
  CHECK_STATUS(glk_locks_create(c, rank, dims, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, locks, mask, N), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, out.variables[0], GLK_LOCKS_SET, locks), GLK_OK);
  /* Another variable with the same gradient and other locks. */
  CHECK_STATUS(glk_variable_create(c, rank, dims, start + N, N, "other", 1, &out.variables[1]),
               GLK_OK);
  CHECK_STATUS(glk_locks_invert(c, locks), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, out.variables[1], GLK_LOCKS_SET, locks), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(c, GLK_ADAM, &out.optimizer), GLK_OK);
  set(out.optimizer, "learningRate", 0.05);
  if (s == CLIP) set(out.optimizer, "clipNorm", 0.25);
  if (s == GLOBAL_CLIP) set(out.optimizer, "globalClipNorm", 0.25);
  if (s == AVERAGED) set(out.optimizer, "useEma", 1);
  if (s == AVERAGED) set(out.optimizer, "emaOverwriteFrequency", 2);
  if (s == ACCUMULATE || s == CHANGING_MEANS) set(out.optimizer, "gradientAccumulationSteps", 3);
  if (s == POLICY) { /* holds the half that pulls least, by gradient */
    const glk_choice half = {
        .kind = GLK_CHOICE_SMALLEST, .by = GLK_BY_GRADIENT, .amount = 0.5, .is_fraction = 1};
    const glk_policy policy = {.choice = half, .to = 0.5, .every = 2};
    CHECK_STATUS(glk_holder_policy(c, out.variables[0], "policy", &policy), GLK_OK);
  }
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  glk_handle y = s == TALL_WEIGHTS ? apply("matMul", out.variables[0], input)
                 : s == EMBEDDING  ? apply("embeddingLookup", out.variables[0], input)
                 : s >= DEPTHWISE  ? apply_with("depthwiseConv2d", input, out.variables[0], conv, 5)
                 : s >= FILTER     ? apply_with("conv2d", input, out.variables[0], conv, 5)
                                   : apply("matMul", input, weights(s, &out));
  if (s == USED_TWICE)
    y = apply("add", y, apply("matMul", apply("tanh", input, 0), out.variables[0]));
  /* Of the sum nothing is kept: the product's scratch is the last of the program's memory, and ends
   * where that does. */
  const glk_handle loss =
      apply("mean", s == TALL_WEIGHTS ? y : apply("square", apply("tanh", y, 0), 0), 0);
  CHECK_STATUS(glk_program_end(c, &loss, 1, &out.program), GLK_OK);
  return out;
}

/* The locks of both first variables become the same bits. */
static void change_locks(const side *a, const side *b, setting s, unsigned kind) {
  uint32_t dims[4];
  uint8_t mask[N];
  glk_handle locks;
  dims_of(s, dims);
  for (int i = 0; i < N; i++) mask[i] = (uint8_t)draw_bit(kind, (size_t)i, dims[1]);
  CHECK_STATUS(glk_locks_create(c, 2, dims, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, locks, mask, N), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, a->variables[0], GLK_LOCKS_SET, locks), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, b->variables[0], GLK_LOCKS_SET, locks), GLK_OK);
  CHECK_STATUS(glk_dispose(c, locks), GLK_OK);
}

/* Row numbers, some of them twice. */
static glk_handle ids(void) {
  glk_real values[2 * BATCH];
  const uint32_t dims[2] = {2, BATCH};
  glk_handle out = 0;
  for (int i = 0; i < 2 * BATCH; i++) values[i] = (glk_real)rng_below(i < BATCH ? ROWS : 9);
  CHECK_STATUS(glk_tensor_create(c, 2, dims, values, 2 * BATCH, &out), GLK_OK);
  return out;
}

static void check_training(setting s, unsigned kind) {
  uint32_t dims[4];
  dims_of(s, dims);
  const uint32_t images[4] = {s >= DEPTHWISE ? 1 : 2, s >= DEPTHWISE ? 4 : 8,
                              s >= DEPTHWISE ? 5 : 9, dims[2]};
  const uint32_t flat[2] = {BATCH, dims[0]}, tall[3] = {2, BATCH / 2, ROWS}, right[2] = {1, 1};
  glk_real start[2 * N], a[N], b[N];
  uint8_t mask[N];
  begin();
  for (int i = 0; i < N; i++) {
    start[i] = rng_real(-1, 1);
    start[N + i] = rng_real(-1, 1);
    mask[i] = (uint8_t)draw_bit(kind, (size_t)i,
                                s >= DEPTHWISE ? dims[2]
                                : s >= FILTER  ? dims[3]
                                               : dims[1]);
  }
  const glk_handle input = s >= FILTER         ? random_tensor(4, images)
                           : s == TALL         ? random_tensor(3, tall)
                           : s == TALL_WEIGHTS ? random_tensor(2, right)
                           : s == EMBEDDING    ? ids()
                                               : random_tensor(2, flat);
  const uint32_t count = s == IN_A_SUM || s == IN_A_DIFFERENCE ? 2 : 1;
  const side spared = make(s, start, mask, input), whole = make(s, start, mask, input);
  for (int step = 0; step < STEPS; step++) {
    glk_handle gradients[2];
    if (step && (s == CHANGING || s == CHANGING_MEANS)) {
      change_locks(&spared, &whole, s, rng_below(KINDS));
    }
    CHECK_STATUS(glk_optimizer_minimize(c, spared.optimizer, spared.program, spared.variables,
                                        count, 1, NULL),
                 GLK_OK);
    CHECK_STATUS(glk_program_gradient(c, whole.program, whole.variables, count, NULL, gradients),
                 GLK_OK);
    CHECK_STATUS(glk_optimizer_apply(c, whole.optimizer, whole.variables, gradients, count),
                 GLK_OK);
    for (uint32_t i = 0; i < count; i++) {
      glk_dispose(c, gradients[i]);
      CHECK_STATUS(glk_read(c, spared.variables[i], a, N), GLK_OK);
      CHECK_STATUS(glk_read(c, whole.variables[i], b, N), GLK_OK);
      CHECK_MSG(!memcmp(a, b, sizeof a), "%s, mask %u, step %d", names[s], kind, step);
    }
  }
  if (s == CLIP || s == GLOBAL_CLIP) {
    double free_a, all_a, free_b, all_b;
    CHECK_STATUS(glk_optimizer_norms(c, spared.optimizer, &free_a, &all_a), GLK_OK);
    CHECK_STATUS(glk_optimizer_norms(c, whole.optimizer, &free_b, &all_b), GLK_OK);
    CHECK(free_a == free_b && all_a == all_b);
  }
  end();
}

static void training_has_the_bits_of_steps_with_whole_gradients(void) {
  for (setting s = 0; s < CASES; s++) {
    for (unsigned kind = 0; kind < KINDS; kind++) check_training(s, kind);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(elements_that_are_read_have_the_bits_of_the_whole_product);
  TEST(so_have_those_whose_left_operand_lies_in_runs);
  TEST(and_a_depthwise_filter_of_which_what_nobody_reads_is_not_summed);
  TEST(training_has_the_bits_of_steps_with_whole_gradients);
  return harness_report();
}
