/* Threads of a context: jobs are computed whole and once, however often they come and whoever is
 * late; the number of threads has bounds, and is set before the first object. */
#include "core/thread_pool.h"

#include <math.h>
#include <stdatomic.h>

#include "harness.h"
#include "ops/op.h"

#undef glk_context_create /* each test chooses its threads */

static glk_context *context_of(uint32_t threads, glk_status *status) {
  glk_context *context;
  CHECK_STATUS(glk_context_create(NULL, &context), GLK_OK);
  *status = glk_context_threads(context, threads, 0);
  return context;
}

#if defined(__wasm__)

static void a_build_without_threads_says_so_and_computes_alone(void) {
  glk_status status;
  glk_context *context = context_of(2, &status);
  CHECK_EQ(status, GLK_ERROR_LIMIT);
  CHECK_EQ(glk_thread_pool_size(context->threads), 1);
  CHECK_STATUS(glk_context_threads(context, 1, 0), GLK_OK);
  glk_context_dispose(context);
}

#else

enum { ITEMS = 1000 };

static uint32_t counts[ITEMS];

static void count_items(const void *work, size_t from, size_t to, uint32_t thread) {
  (void)thread;
  for (size_t i = from; i < to; i++) counts[i] += *(const uint32_t *)work;
}

static void every_item_of_every_job_is_computed_once(void) {
  enum { JOBS = 20000 };
  for (uint32_t threads = 1; threads <= 16; threads += threads < 3 ? 1 : 5) {
    glk_status status;
    glk_context *context = context_of(threads, &status);
    CHECK_EQ(status, GLK_OK);
    CHECK_EQ(glk_thread_pool_size(context->threads), threads);
    memset(counts, 0, sizeof counts);
    uint32_t sum[ITEMS] = {0};
    for (uint32_t job = 0; job < JOBS / threads; job++) {
      /* Another function's argument each time: who takes a part late must not take an old one. */
      const uint32_t amount = 1 + job % 7;
      const size_t count = 1 + job * 7919u % ITEMS;
      glk_parallel_for(context->threads, 1e6, count, 1 + job % 5, count_items, &amount);
      for (size_t i = 0; i < count; i++) sum[i] += amount;
    }
    CHECK_MSG(!memcmp(counts, sum, sizeof counts), "%u threads", threads);
    glk_context_dispose(context);
  }
}

/* Marks the thread of each part, and fails if another part is on it. */
static _Atomic uint32_t busy[GLK_MAX_THREADS];
static _Atomic uint32_t clashes, misfits;

static void hold_thread(const void *work, size_t from, size_t to, uint32_t thread) {
  if (thread >= *(const uint32_t *)work || busy[thread]++) clashes++;
  if (from % 4 || (to % 4 && to != ITEMS - 2)) misfits++;
  for (size_t i = from; i < to; i++) counts[i]++;
  busy[thread]--;
}

static void parts_have_threads_of_their_own_and_cuts_at_the_grain(void) {
  glk_status status;
  uint32_t threads = 5;
  glk_context *context = context_of(threads, &status);
  for (int i = 0; i < 2000; i++) {
    glk_parallel_for(context->threads, 1e6, ITEMS - 2, 4, hold_thread, &threads);
  }
  CHECK_EQ(clashes, 0);
  CHECK_EQ(misfits, 0);
  glk_context_dispose(context);
}

/* Ops that need scratch, whose threads write other values into theirs at the same time. */
static const struct {
  const char *what, *op;
  uint32_t rank, a[4], b[4]; /* b: of no elements if there is one operand */
  double attributes[5];
  uint32_t attribute_count;
} cases[] = {
    {"rows", "matMul", 2, {512, 96}, {96, 320}, {0, 0}, 2},
    {"columns", "matMul", 2, {64, 96}, {96, 1024}, {0, 0}, 2},
    {"a batch", "matMul", 3, {96, 48, 48}, {96, 48, 48}, {0, 0}, 2},
    {"windows", "conv2d", 4, {4, 24, 24, 16}, {3, 3, 16, 24}, {1, 1, 1, 1, 1}, 5},
    {"columns", "softmax", 3, {64, 32, 96}, {0}, {1}, 1},
    {"rows", "crossentropy", 2, {512, 300}, {512, 300}, {0}, 0},
};
enum { CASES = sizeof cases / sizeof cases[0], MOST_VALUES = 1 << 18 };

static glk_handle random_tensor(glk_context *c, uint32_t rank, const uint32_t *dims) {
  static glk_real values[MOST_VALUES];
  size_t count = 1;
  for (uint32_t i = 0; i < rank; i++) count *= dims[i];
  CHECK(count <= MOST_VALUES);
  for (size_t i = 0; i < count; i++) values[i] = (glk_real)((i * 7919 + count) % 1009) / 1009;
  glk_handle out;
  CHECK_STATUS(glk_tensor_create(c, rank, dims, values, count, &out), GLK_OK);
  return out;
}

/* Computes an op, as often as asked, and leaves the last in `out`; false if they differ. */
static int values_of(uint32_t i, uint32_t threads, int times, glk_real *out, size_t *count) {
  static glk_real first[MOST_VALUES * 2];
  glk_status status;
  glk_context *c = context_of(threads, &status);
  CHECK_EQ(status, GLK_OK);
  uint32_t op;
  CHECK_STATUS(glk_op_find(c, cases[i].op, &op), GLK_OK);
  const uint32_t inputs = cases[i].b[0] ? 2 : 1;
  const glk_handle in[] = {random_tensor(c, cases[i].rank, cases[i].a),
                           random_tensor(c, cases[i].rank, cases[i].b)};
  int is_same = 1;
  for (int time = 0; time < times; time++) {
    glk_handle y;
    const glk_real *values;
    CHECK_STATUS(glk_apply(c, op, in, inputs, cases[i].attributes, cases[i].attribute_count, &y),
                 GLK_OK);
    CHECK_STATUS(glk_view(c, y, &values, count), GLK_OK);
    CHECK(*count <= MOST_VALUES * 2);
    memcpy(out, values, *count * sizeof *out);
    if (!time) memcpy(first, values, *count * sizeof *out);
    is_same &= !memcmp(first, values, *count * sizeof *out);
    CHECK_STATUS(glk_dispose(c, y), GLK_OK);
  }
  glk_context_dispose(c);
  return is_same;
}

static void each_thread_has_scratch_of_its_own(void) {
  static glk_real alone[MOST_VALUES * 2], together[MOST_VALUES * 2];
  size_t count, other;
  for (uint32_t i = 0; i < CASES; i++) {
    const char *op = cases[i].op, *what = cases[i].what;
    CHECK(values_of(i, 1, 1, alone, &count));
    CHECK_MSG(values_of(i, 5, 40, together, &other), "%s of %s: differs by time", op, what);
    CHECK_EQ(other, count);
    CHECK_MSG(!memcmp(alone, together, count * sizeof *alone), "%s of %s", op, what);
  }
}

static void a_sum_over_many_rows_of_no_columns_reads_and_writes_nothing(void) {
  glk_status status;
  glk_context *c = context_of(3, &status);
  const uint32_t dims[] = {10000003, 0};
  uint32_t op;
  const double attributes[] = {0, 0};
  glk_handle x, y;
  CHECK_STATUS(glk_op_find(c, "sum", &op), GLK_OK);
  CHECK_STATUS(glk_tensor_create(c, 2, dims, NULL, 0, &x), GLK_OK);
  CHECK_STATUS(glk_apply(c, op, &x, 1, attributes, 2, &y), GLK_OK);
  glk_context_dispose(c);
}

static void count_parts(const void *work, size_t from, size_t to, uint32_t thread) {
  _Atomic uint32_t *parts = *(_Atomic uint32_t *const *)work;
  (void)from, (void)to, (void)thread;
  atomic_fetch_add(parts, 1);
}

static void a_job_is_shared_from_its_least_time_on_and_a_call_from_its_elements(void) {
  static const struct {
    double share_ns, ns;
    uint32_t elements; /* of one input and the output each */
    int is_shared, has_threads;
  } rows[] = {
      {8000, 7999, 499, 0, 0},
      {8000, 8000, 500, 1, 1},
      {0, 0, 0, 1, 1},
      {1e9, 9e8, 1 << 20, 0, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    glk_context *context;
    CHECK_STATUS(glk_context_create(NULL, &context), GLK_OK);
    CHECK_STATUS(glk_context_threads(context, 2, rows[i].share_ns), GLK_OK);
    _Atomic uint32_t parts = 0, *work = &parts;
    glk_parallel_for(context->threads, rows[i].ns, ITEMS, 1, count_parts, &work);
    CHECK_MSG(rows[i].is_shared == (parts > 1), "%g ns in %u parts", rows[i].ns, parts);
    const glk_shape shape = {.count = rows[i].elements};
    const glk_call call = {.in_shape = {&shape}, .out_shape = &shape};
    CHECK_EQ(glk_call_threads(&glk_op_exp, &call, context->threads) != NULL, rows[i].has_threads);
    CHECK_EQ(glk_call_threads(&glk_op_exp, &call, NULL) != NULL, 0);
    glk_context_dispose(context);
  }
}

static void threads_that_never_had_a_job_end_with_their_context(void) {
  for (int i = 0; i < 200; i++) {
    glk_status status;
    glk_context *context = context_of(4, &status);
    CHECK_EQ(status, GLK_OK);
    if (i % 2) CHECK_STATUS(glk_context_threads(context, 1 + i % 3, 8000), GLK_OK);
    glk_context_dispose(context);
  }
}

#endif

static void what_cannot_be_is_refused_and_changes_nothing(void) {
  glk_status status;
  glk_context *context = context_of(1, &status);
  CHECK_EQ(status, GLK_OK);
  CHECK_STATUS(glk_context_threads(context, 0, 0), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_context_threads(context, GLK_MAX_THREADS + 1, 0), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_context_threads(context, 2, -1), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_context_threads(context, 2, NAN), GLK_ERROR_ARGUMENT);
  glk_handle x;
  const glk_real value = 3;
  CHECK_STATUS(glk_tensor_create(context, 0, NULL, &value, 1, &x), GLK_OK);
  CHECK_STATUS(glk_context_threads(context, 2, 0), GLK_ERROR_LIMIT);
  CHECK_EQ(glk_thread_pool_size(context->threads), 1);
  CHECK_STATUS(glk_dispose(context, x), GLK_OK);
  glk_context_dispose(context);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
#if defined(__wasm__)
  TEST(a_build_without_threads_says_so_and_computes_alone);
#else
  TEST(every_item_of_every_job_is_computed_once);
  TEST(parts_have_threads_of_their_own_and_cuts_at_the_grain);
  TEST(each_thread_has_scratch_of_its_own);
  TEST(a_sum_over_many_rows_of_no_columns_reads_and_writes_nothing);
  TEST(a_job_is_shared_from_its_least_time_on_and_a_call_from_its_elements);
  TEST(threads_that_never_had_a_job_end_with_their_context);
#endif
  TEST(what_cannot_be_is_refused_and_changes_nothing);
  return harness_report();
}
