/* Elementwise kernels run over operands that broadcast, axis by axis. */
#include "ops/broadcast.h"

#include <string.h>

/* The output's axes. Neighbouring axes are merged if each operand is walked along both, or repeated
 * along both, so that the innermost run is as long as possible. The output is always contiguous. */
typedef struct walk {
  uint32_t rank, operands;
  uint32_t dims[GLK_MAX_RANK];
  size_t strides[GLK_MAX_INPUTS][GLK_MAX_RANK];
} walk;

static void plan_walk(const glk_call *call, uint32_t operands, walk *w) {
  const glk_shape *out = call->out_shape;
  size_t strides[GLK_MAX_INPUTS][GLK_MAX_RANK] = {{0}};
  for (uint32_t k = 0; k < operands; k++) {
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

static void run_walk(const walk *w, const glk_call *call, const void *kernel, run_fn *run) {
  const uint32_t last = w->rank - 1;
  const size_t n = w->dims[last];
  size_t steps[GLK_MAX_INPUTS];
  for (uint32_t k = 0; k < w->operands; k++) steps[k] = w->strides[k][last];
  const glk_real *in[GLK_MAX_INPUTS];
  for (uint32_t k = 0; k < w->operands; k++) in[k] = call->in[k];
  glk_real *out = call->out;
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

void glk_run_unary(const glk_call *call, glk_unary_kernel *kernel) {
  kernel(call->out_shape->count, call->in[0], call->out);
}

static void run_binary(const void *kernel, size_t n, const glk_real *const *in, const size_t *steps,
                       glk_real *out) {
  glk_binary_kernel *const *k = kernel;
  (*k)(n, in[0], steps[0], in[1], steps[1], out);
}

/* Short rows with one repeated operand row, such as a bias: the operand is repeated so that many
 * rows are computed at once. */
static int run_short_rows(const walk *w, const glk_call *call, glk_binary_kernel *kernel) {
  enum { ROOM = 256 };
  const size_t n = w->dims[w->rank - 1], count = w->dims[0];
  const uint32_t b = w->strides[1][0] == 0;
  if (w->rank != 2 || 2 * n > ROOM || !w->strides[0][1] || !w->strides[1][1] || w->strides[b][0] ||
      w->strides[!b][0] != n) {
    return 0;
  }
  glk_real often[ROOM];
  const size_t together = count < ROOM / n ? count : ROOM / n;
  for (size_t i = 0; i < together * n; i++) store_bits(often + i, load_bits(call->in[b] + i % n));
  for (size_t row = 0; row < count; row += together) {
    const size_t rows = count - row < together ? count - row : together;
    const glk_real *walked = call->in[!b] + row * n;
    kernel(rows * n, b ? walked : often, 1, b ? often : walked, 1, call->out + row * n);
  }
  return 1;
}

void glk_run_binary(const glk_call *call, glk_binary_kernel *kernel) {
  const uint32_t n = call->out_shape->count;
  const uint32_t a = call->in_shape[0]->count, b = call->in_shape[1]->count;
  if ((a == n || a == 1) && (b == n || b == 1)) { /* equal counts: nothing is repeated */
    kernel(n, call->in[0], a == n, call->in[1], b == n, call->out);
    return;
  }
  if (!n) return;
  walk w;
  plan_walk(call, 2, &w);
  if (!run_short_rows(&w, call, kernel)) run_walk(&w, call, &kernel, run_binary);
}

static void run_where(const void *kernel, size_t n, const glk_real *const *in, const size_t *steps,
                      glk_real *out) {
  (void)kernel;
  glk_kernel_where(n, in[0], steps[0], in[1], steps[1], in[2], steps[2], out);
}

void glk_run_where(const glk_call *call) {
  if (!call->out_shape->count) return;
  walk w;
  plan_walk(call, 3, &w);
  run_walk(&w, call, NULL, run_where);
}
