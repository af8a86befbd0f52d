/* Statistics over axes, such as variance and norm: composites, recorded as their parts with the
 * parts' gradients. */
#include "ops/reduce.h"

static glk_ref all_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const glk_ref zeros = glk_emit2(e, &glk_op_equal, in[0], e->scalar(e, 0));
  const glk_ref count =
      glk_reduce_emit(e, &glk_op_sum, zeros, attributes->values[0] != 0, attributes);
  return glk_emit2(e, &glk_op_equal, count, e->scalar(e, 0));
}

GLK_OP_ROW(all, "all", "all(x; keepDims, axis...)",
           "1 where no element is 0, else 0; 1 for an empty axis; NaN is not 0", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_FLAT, .infer = glk_reduce_infer, .expand = all_expand)

static glk_ref any_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const glk_ref set = glk_emit2(e, &glk_op_not_equal, in[0], e->scalar(e, 0));
  const glk_ref count =
      glk_reduce_emit(e, &glk_op_sum, set, attributes->values[0] != 0, attributes);
  return glk_emit2(e, &glk_op_not_equal, count, e->scalar(e, 0));
}

GLK_OP_ROW(any, "any", "any(x; keepDims, axis...)",
           "1 where some element is not 0, else 0; 0 for an empty axis; NaN is not 0", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_FLAT, .infer = glk_reduce_infer, .expand = any_expand)

/* log sum exp x = m + log sum exp(x - m) */

/* The largest along the axes, as a constant; 0 where it is not finite, so that x - m is never
 * Infinity - Infinity. */
static glk_ref shift_of(glk_emitter *e, glk_ref x, const glk_attributes *attributes) {
  const glk_ref top =
      glk_emit1(e, &glk_op_stop_gradient, glk_reduce_emit(e, &glk_op_max, x, 1, attributes));
  return glk_emit3(e, &glk_op_where, glk_emit1(e, &glk_op_is_finite, top), top, e->scalar(e, 0));
}

static glk_status over_something(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                 glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_reduce_infer(context, op, in, attributes, out));
  if (in[0]->count || !out->count) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: shape %S has nothing to reduce", op->name, in[0]);
}

static glk_ref log_sum_exp_expand(glk_emitter *e, const glk_ref *in,
                                  const glk_attributes *attributes) {
  const glk_ref shift = shift_of(e, in[0], attributes);
  const glk_ref terms = glk_emit1(e, &glk_op_exp, glk_emit2(e, &glk_op_sub, in[0], shift));
  const glk_ref sum = glk_reduce_emit(e, &glk_op_sum, terms, 1, attributes);
  const glk_ref kept = glk_emit2(e, &glk_op_add, glk_emit1(e, &glk_op_log, sum), shift);
  const glk_shape x = e->shape(e, in[0]);
  const glk_shape out = glk_reduce_shape(&x, attributes, attributes->values[0] != 0);
  return glk_emit_reshape(e, kept, &out);
}

GLK_OP_ROW(log_sum_exp, "logSumExp", "logSumExp(x; keepDims, axis...)",
           "log(sum(exp(x))) over axes, without overflow", .inputs = 1, .flags = GLK_OP_PUBLIC,
           .infer = over_something, .expand = log_sum_exp_expand)

static glk_ref variance_expand(glk_emitter *e, const glk_ref *in,
                               const glk_attributes *attributes) {
  const glk_ref centre = glk_reduce_emit(e, &glk_op_mean, in[0], 1, attributes);
  const glk_ref squares = glk_emit1(e, &glk_op_square, glk_emit2(e, &glk_op_sub, in[0], centre));
  return glk_reduce_emit(e, &glk_op_mean, squares, attributes->values[0] != 0, attributes);
}

GLK_OP_ROW(
    variance, "variance", "variance(x; keepDims, axis...)",
    "Mean squared distance from the mean (divided by n), in two passes; NaN for an empty axis",
    .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = glk_reduce_infer, .expand = variance_expand)

static glk_ref l2_norm_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  /* This is a product, not a square. Its gradient is dy x + dy x, which is 0 if the norm overflows,
   * as in TensorFlow. The gradient of a square is dy (2 x), and 2 x may overflow. */
  const glk_ref squares = glk_emit2(e, &glk_op_mul, in[0], in[0]);
  const int keep_dims = attributes->values[0] != 0;
  return glk_emit1(e, &glk_op_sqrt,
                   glk_reduce_emit(e, &glk_op_sum, squares, keep_dims, attributes));
}

GLK_OP_ROW(
    l2_norm, "l2Norm", "l2Norm(x; keepDims, axis...)",
    "sqrt(sum(x * x)), TensorFlow's reduce_euclidean_norm; the gradient at 0 is NaN, as there",
    .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = glk_reduce_infer, .expand = l2_norm_expand)

GLK_OP_FAMILY(reduce_statistics, &glk_op_all, &glk_op_any, &glk_op_log_sum_exp, &glk_op_variance,
              &glk_op_l2_norm)
