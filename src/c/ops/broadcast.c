/* Elementwise kernels run over operands that broadcast, axis by axis. */
#include "ops/broadcast.h"

/* The fewest elements of a part that a thread takes. */
enum { GRAIN = 1024 };

/* The output's axes. Neighbouring axes are merged if each operand is walked along both, or repeated
 * along both, so that the innermost run is as long as possible. The output is always contiguous. */
typedef struct walk {
  uint32_t rank, operands;
  uint32_t dims[GLK_MAX_RANK];
  size_t strides[GLK_MAX_INPUTS][GLK_MAX_RANK];
  const glk_real *in[GLK_MAX_INPUTS];
  glk_real *out;
} walk;

static void plan_walk(const glk_call *call, uint32_t operands, walk *w) {
  const glk_shape *out = call->out_shape;
  size_t strides[GLK_MAX_INPUTS][GLK_MAX_RANK] = {{0}};
  w->out = call->out;
  for (uint32_t k = 0; k < operands; k++) {
    w->in[k] = call->in[k];
    const glk_shape *in = call->in_shape[k];
    glk_shape_strides(in, strides[k] + (out->rank - in->rank));
  }
  w->rank = 0;
  w->operands = operands;
  for (uint32_t a = 0; a < out->rank; a++) {
    if (out->dims[a] == 1) continue;
    int merges = w->rank > 0;
    for (uint32_t k = 0; k < operands && merges; k++) {
      merges = w->strides[k][w->rank - 1] == strides[k][a] * out->dims[a];
    }
    if (!merges) w->dims[w->rank++] = 1;
    w->dims[w->rank - 1] *= out->dims[a];
    for (uint32_t k = 0; k < operands; k++) w->strides[k][w->rank - 1] = strides[k][a];
  }
  if (!w->rank) {
    w->dims[w->rank++] = 1;
    for (uint32_t k = 0; k < operands; k++) w->strides[k][0] = 0;
  }
}

typedef void run_fn(const void *kernel, size_t n, const glk_real *const *in, const size_t *steps,
                    glk_real *out);

static void run_walk(const walk *w, const void *kernel, run_fn *run) {
  const uint32_t last = w->rank - 1;
  const size_t n = w->dims[last];
  size_t steps[GLK_MAX_INPUTS];
  for (uint32_t k = 0; k < w->operands; k++) steps[k] = w->strides[k][last];
  const glk_real *in[GLK_MAX_INPUTS];
  for (uint32_t k = 0; k < w->operands; k++) in[k] = w->in[k];
  glk_real *out = w->out;
  uint32_t at[GLK_MAX_RANK] = {0};
  for (;;) {
    run(kernel, n, in, steps, out);
    out += n;
    uint32_t a = last;
    for (; a > 0; a--) {
      const uint32_t axis = a - 1;
      for (uint32_t k = 0; k < w->operands; k++) in[k] += w->strides[k][axis];
      if (++at[axis] < w->dims[axis]) break;
      for (uint32_t k = 0; k < w->operands; k++) in[k] -= w->strides[k][axis] * w->dims[axis];
      at[axis] = 0;
    }
    if (a == 0) return;
  }
}

/* A walk, and the kernel to run over it. */
typedef struct walk_job {
  const walk *w;
  const void *kernel;
  run_fn *run;
} walk_job;

/* Short rows with one repeated operand row, such as a bias: copies of it make a block of many rows
 * for one call of the kernel. Returns 0 if the walk is not like that. */
static int run_short_rows(const walk *w, glk_binary_kernel *kernel) {
  enum { ROOM = 256 };
  const size_t n = w->dims[w->rank - 1], count = w->dims[0];
  const uint32_t b = w->strides[1][0] == 0;
  if (w->rank != 2 || 2 * n > ROOM || !w->strides[0][1] || !w->strides[1][1] || w->strides[b][0] ||
      w->strides[!b][0] != n) {
    return 0;
  }
  glk_real often[ROOM];
  const size_t together = count < ROOM / n ? count : ROOM / n;
  for (size_t i = 0; i < together * n; i++) store_bits(often + i, load_bits(w->in[b] + i % n));
  for (size_t row = 0; row < count; row += together) {
    const size_t rows = count - row < together ? count - row : together;
    const glk_real *walked = w->in[!b] + row * n;
    kernel(rows * n, b ? walked : often, 1, b ? often : walked, 1, w->out + row * n);
  }
  return 1;
}

static void run_binary(const void *kernel, size_t n, const glk_real *const *in, const size_t *steps,
                       glk_real *out) {
  glk_binary_kernel *const *k = kernel;
  (*k)(n, in[0], steps[0], in[1], steps[1], out);
}

/* Runs indices from..to - 1 of the first axis. */
static void run_part(const void *work, size_t from, size_t to, uint32_t thread) {
  const walk_job *job = work;
  walk w = *job->w;
  size_t inner = 1;
  (void)thread;
  for (uint32_t a = 1; a < w.rank; a++) inner *= w.dims[a];
  for (uint32_t k = 0; k < w.operands; k++) w.in[k] += from * w.strides[k][0];
  w.out += from * inner;
  w.dims[0] = (uint32_t)(to - from);
  if (job->run == run_binary && run_short_rows(&w, *(glk_binary_kernel *const *)job->kernel))
    return;
  run_walk(&w, job->kernel, job->run);
}

static void share(const glk_call *call, uint32_t operands, const void *kernel, run_fn *run) {
  const uint32_t n = call->out_shape->count;
  if (!n) return;
  walk w;
  plan_walk(call, operands, &w);
  const walk_job job = {&w, kernel, run};
  const size_t inner = n / w.dims[0], grain = inner < GRAIN ? GRAIN / inner : 1;
  glk_parallel_for(call->threads, GLK_ELEMENT_NS * n, w.dims[0], grain, run_part, &job);
}

static void run_unary(const void *kernel, size_t n, const glk_real *const *in, const size_t *steps,
                      glk_real *out) {
  (void)steps;
  glk_unary_kernel *const *k = kernel;
  (*k)(n, in[0], out);
}

void glk_run_unary(const glk_call *call, glk_unary_kernel *kernel) {
  if (call->threads) {
    share(call, 1, &kernel, run_unary);
  } else {
    kernel(call->out_shape->count, call->in[0], call->out);
  }
}

void glk_run_binary(const glk_call *call, glk_binary_kernel *kernel) {
  const uint32_t n = call->out_shape->count;
  const uint32_t a = call->in_shape[0]->count, b = call->in_shape[1]->count;
  if (!call->threads && (a == n || a == 1) && (b == n || b == 1)) { /* nothing is repeated */
    kernel(n, call->in[0], a == n, call->in[1], b == n, call->out);
  } else {
    share(call, 2, &kernel, run_binary);
  }
}

static void run_where(const void *kernel, size_t n, const glk_real *const *in, const size_t *steps,
                      glk_real *out) {
  (void)kernel;
  glk_kernel_where(n, in[0], steps[0], in[1], steps[1], in[2], steps[2], out);
}

void glk_run_where(const glk_call *call) { share(call, 3, NULL, run_where); }
