/* What makes the values along axes comparable: softmax and its logarithm, and layer normalization. Composites: each is
 * its parts, with their gradients, wherever it is applied. */
#include "kernels/elementwise.h"
#include "kernels/reduce.h"
#include "ops/reduce.h"

/* ------------------------------------------------------------------------- softmax, logSoftmax */

/* Attribute: the axis; kept as a reduction's over it. */
static glk_status softmax_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 1));
  const double axis = attributes->count ? attributes->values[0] : -1;
  glk_shape reduced;
  *attributes = (glk_attributes){2, {1, axis}};
  GLK_TRY(glk_reduce_infer(context, op, in, attributes, &reduced));
  *out = *in[0];
  return GLK_OK;
}

/* x less its largest along the axis, which is a constant here: it cancels. Where all are -Infinity, or one is Infinity,
 * the whole row becomes NaN, as in TensorFlow. */
static glk_ref shifted_down(glk_emitter *e, glk_ref x, const glk_attributes *attributes) {
  const glk_ref top = glk_reduce_emit(e, GLK_OP_MAX, x, 1, attributes);
  return glk_emit2(e, GLK_OP_SUB, x, glk_emit1(e, GLK_OP_STOP_GRADIENT, top));
}

/* Whether there is nothing along the axis to take the largest of; then there are no values at all. */
static int is_empty(glk_emitter *e, glk_ref x) {
  return e->status == GLK_OK && !e->shape(e, x).count;
}

static glk_ref softmax_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  if (is_empty(e, in[0])) return glk_emit1(e, GLK_OP_EXP, in[0]);
  const glk_ref terms = glk_emit1(e, GLK_OP_EXP, shifted_down(e, in[0], attributes));
  return glk_emit2(e, GLK_OP_DIV, terms, glk_reduce_emit(e, GLK_OP_SUM, terms, 1, attributes));
}

enum { PIECE = 4096 }; /* elements that stay in the cache between the steps */

static void softmax_rows(size_t rows, size_t n, const glk_real *x, glk_real *out) {
  for (size_t r = 0; r < rows; r++) {
    const glk_real top = glk_kernel_max(n, x + r * n);
    glk_kernel_sub(n, x + r * n, 1, &top, 0, out + r * n);
  }
  glk_kernel_exp(rows * n, out, out);
  for (size_t r = 0; r < rows; r++) {
    const glk_real sum = glk_kernel_sum(n, out + r * n);
    glk_kernel_div(n, out + r * n, 1, &sum, 0, out + r * n);
  }
}

/* x is (n, columns), of which `top` has room for one row. */
static void softmax_columns(size_t n, size_t columns, const glk_real *x, glk_real *top,
                            glk_real *out) {
  memcpy(top, x, columns * sizeof *top);
  for (size_t i = 1; i < n; i++) glk_kernel_maximum(columns, top, 1, x + i * columns, 1, top);
  for (size_t i = 0; i < n; i++) {
    glk_kernel_sub(columns, x + i * columns, 1, top, 1, out + i * columns);
  }
  glk_kernel_exp(n * columns, out, out);
  glk_kernel_sum_rows(n, columns, out, top);
  for (size_t i = 0; i < n; i++) {
    glk_kernel_div(columns, out + i * columns, 1, top, 1, out + i * columns);
  }
}

/* The parts of softmax_expand with their bits, piece by piece, where nobody asks for a gradient. */
static void softmax_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[0];
  size_t outer = 1, n = 1, inner = 1;
  for (uint32_t a = 0, passed = 0; a < x->rank; a++) {
    if (glk_reduce_has(call->attributes, a)) {
      n = x->dims[a];
      passed = 1;
    } else {
      *(passed ? &inner : &outer) *= x->dims[a];
    }
  }
  if (!x->count) return;
  const size_t together = inner > 1 || n > PIECE ? 1 : PIECE / n;
  for (size_t o = 0; o < outer; o += together) {
    const size_t at = o * n * inner;
    if (inner > 1) {
      softmax_columns(n, inner, call->in[0] + at, call->scratch, call->out + at);
    } else {
      softmax_rows(outer - o < together ? outer - o : together, n, call->in[0] + at,
                   call->out + at);
    }
  }
}

static size_t softmax_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  const glk_shape one = glk_reduce_shape(in[0], attributes, 0);
  return one.count;
}

const glk_op glk_op_softmax = {
    .name = "softmax",
    .signature = GLK_DOC("softmax(x; axis)"),
    .doc = GLK_DOC("exp(x) / sum(exp(x)) along an axis, the last unless named, without overflow"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = softmax_infer,
    .expand = softmax_expand,
    .scratch = softmax_scratch,
    .forward = softmax_forward,
};

static glk_ref log_softmax_expand(glk_emitter *e, const glk_ref *in,
                                  const glk_attributes *attributes) {
  if (is_empty(e, in[0])) return glk_emit1(e, GLK_OP_EXP, in[0]);
  const glk_ref shifted = shifted_down(e, in[0], attributes);
  const glk_ref terms = glk_emit1(e, GLK_OP_EXP, shifted);
  const glk_ref sum = glk_reduce_emit(e, GLK_OP_SUM, terms, 1, attributes);
  return glk_emit2(e, GLK_OP_SUB, shifted, glk_emit1(e, GLK_OP_LOG, sum));
}

const glk_op glk_op_log_softmax = {
    .name = "logSoftmax",
    .signature = GLK_DOC("logSoftmax(x; axis)"),
    .doc = GLK_DOC("log(softmax(x)) along an axis, the last unless named, without overflow"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = softmax_infer,
    .expand = log_softmax_expand,
};

/* ---------------------------------------------------------- y = (x - mean) / sqrt(variance + epsilon) */

/* Attributes: epsilon, Keras's 0.001 unless named, then axes, the last unless named; kept as epsilon and one flag an
 * axis. Ba, Kiros & Hinton 2016, arXiv:1607.06450, equation 3; the gain and the bias are the caller's. */
static glk_status layer_norm_infer(glk_context *context, const glk_op *op,
                                   const glk_shape *const *in, glk_attributes *attributes,
                                   glk_shape *out) {
  glk_shape reduced;
  const double epsilon = attributes->count ? attributes->values[0] : 1e-3;
  if (!(epsilon >= 0 && epsilon <= 1e30)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: epsilon is %g, expected 0 or above", op->name,
                    epsilon);
  }
  if (attributes->count < 2) *attributes = (glk_attributes){2, {1, -1}};
  attributes->values[0] = 1;
  GLK_TRY(glk_reduce_infer(context, op, in, attributes, &reduced));
  attributes->values[0] = epsilon;
  *out = *in[0];
  return GLK_OK;
}

static glk_ref layer_norm_expand(glk_emitter *e, const glk_ref *in,
                                 const glk_attributes *attributes) {
  const glk_ref mean = glk_reduce_emit(e, GLK_OP_MEAN, in[0], 1, attributes);
  const glk_ref centred = glk_emit2(e, GLK_OP_SUB, in[0], mean);
  const glk_ref squares = glk_emit1(e, GLK_OP_SQUARE, centred);
  const glk_ref variance = glk_reduce_emit(e, GLK_OP_MEAN, squares, 1, attributes);
  const glk_ref epsilon = e->scalar(e, (glk_real)attributes->values[0]);
  const glk_ref scale = glk_emit1(e, GLK_OP_RSQRT, glk_emit2(e, GLK_OP_ADD, variance, epsilon));
  return glk_emit2(e, GLK_OP_MUL, centred, scale);
}

const glk_op glk_op_layer_norm = {
    .name = "layerNorm",
    .signature = GLK_DOC("layerNorm(x; epsilon, axis...)"),
    .doc = GLK_DOC("x less its mean, over the root of its variance + epsilon, along axes"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = layer_norm_infer,
    .expand = layer_norm_expand,
};
