/* What makes the values along axes comparable: softmax and its logarithm, and layer normalization. Composites: each is
 * its parts, with their gradients, wherever it is applied. */
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

const glk_op glk_op_softmax = {
    .name = "softmax",
    .signature = GLK_DOC("softmax(x; axis)"),
    .doc = GLK_DOC("exp(x) / sum(exp(x)) along an axis, the last unless named, without overflow"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = softmax_infer,
    .expand = softmax_expand,
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
