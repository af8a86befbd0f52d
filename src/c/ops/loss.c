/* Regression losses as Keras 3 defines them. All are composites, recorded as their parts with the
 * parts' gradients. Operands broadcast where Keras lets them. */
#include "ops/loss.h"

static glk_shape drop_axis(const glk_shape *x, uint32_t axis) {
  glk_shape out = {.rank = x->rank ? x->rank - 1 : 0, .count = 1};
  for (uint32_t a = 0; a < out.rank; a++) out.count *= out.dims[a] = x->dims[a + (a >= axis)];
  return out;
}

void glk_loss_align(const glk_shape *const *in, glk_shape aligned[2]) {
  aligned[0] = *in[0];
  aligned[1] = *in[1];
  for (int k = 0; k < 2; k++) {
    const glk_shape *more = in[k], *less = in[1 - k];
    if (more->rank != less->rank + 1 || more->dims[more->rank - 1] != 1) continue;
    if (less->rank == 1) {
      aligned[1 - k] = (glk_shape){2, {less->dims[0], 1}, less->count};
    } else {
      aligned[k] = drop_axis(more, less->rank);
    }
  }
}

void glk_loss_operands(glk_emitter *e, const glk_ref *in, glk_ref out[2]) {
  const glk_shape shapes[2] = {e->shape(e, in[0]), e->shape(e, in[1])};
  glk_shape aligned[2];
  glk_loss_align((const glk_shape *const[]){&shapes[0], &shapes[1]}, aligned);
  for (int k = 0; k < 2; k++) out[k] = glk_emit_reshape(e, in[k], &aligned[k]);
}

glk_status glk_loss_attributes(glk_context *context, const glk_op *op, glk_attributes *attributes,
                               uint32_t most) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, most));
  if (!attributes->count) attributes->values[attributes->count++] = GLK_LOSS_MEAN;
  return glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_ARGUMENT, "the reduction",
                               GLK_LOSS_EACH, GLK_LOSS_MEAN, NULL);
}

glk_status glk_loss_number(glk_context *context, const glk_op *op, glk_attributes *attributes,
                           uint32_t index, const char *what, double missing, double low,
                           double high) {
  if (attributes->count == index) attributes->values[attributes->count++] = missing;
  const double value = attributes->values[index];
  if (value >= low && value <= high) return GLK_OK;
  return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: %s is %g, expected %g to %g", op->name, what,
                  value, low, high);
}

glk_shape glk_loss_shape(const glk_attributes *attributes, const glk_shape *values, uint32_t axis) {
  if (attributes->values[0] == GLK_LOSS_EACH) return drop_axis(values, axis);
  return (glk_shape){.rank = 0, .count = 1};
}

glk_ref glk_loss_fold(glk_emitter *e, const glk_op *op, glk_ref x, int keep_dims, uint32_t axis) {
  if (!e->shape(e, x).rank) return x;
  const glk_attributes attributes = {2, {keep_dims, axis}};
  return e->apply(e, op, &x, &attributes);
}

uint32_t glk_loss_last(glk_emitter *e, glk_ref x) {
  const uint32_t rank = e->shape(e, x).rank;
  return rank ? rank - 1 : 0;
}

glk_ref glk_loss_negative(glk_emitter *e, glk_ref x) {
  return glk_emit2(e, &glk_op_sub, e->scalar(e, 0), x);
}

glk_ref glk_loss_reduce(glk_emitter *e, glk_ref samples, const glk_attributes *attributes) {
  const glk_shape shape = e->shape(e, samples);
  if (attributes->values[0] == GLK_LOSS_EACH || !shape.rank) return samples;
  const int is_mean = attributes->values[0] == GLK_LOSS_MEAN && shape.count;
  return glk_emit1(e, is_mean ? &glk_op_mean : &glk_op_sum, samples);
}

static glk_status pointwise(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out) {
  glk_shape aligned[2], values;
  glk_loss_align(in, aligned);
  GLK_TRY(glk_shape_broadcast(context, op->name, &aligned[0], &aligned[1], &values));
  *out = glk_loss_shape(attributes, &values, values.rank ? values.rank - 1 : 0);
  return GLK_OK;
}

static glk_status pointwise_infer(glk_context *context, const glk_op *op,
                                  const glk_shape *const *in, glk_attributes *attributes,
                                  glk_shape *out) {
  GLK_TRY(glk_loss_attributes(context, op, attributes, 1));
  return pointwise(context, op, in, attributes, out);
}

static glk_ref mean_of(glk_emitter *e, glk_ref values, const glk_attributes *attributes) {
  const uint32_t last = glk_loss_last(e, values);
  return glk_loss_reduce(e, glk_loss_fold(e, &glk_op_mean, values, 0, last), attributes);
}

static glk_ref error_of(glk_emitter *e, const glk_ref *in) {
  glk_ref y[2];
  glk_loss_operands(e, in, y);
  return glk_emit2(e, &glk_op_sub, y[0], y[1]);
}

static glk_ref mean_squared_error_expand(glk_emitter *e, const glk_ref *in,
                                         const glk_attributes *attributes) {
  return mean_of(e, glk_emit1(e, &glk_op_square, error_of(e, in)), attributes);
}

GLK_OP_ROW(mean_squared_error, "meanSquaredError", "meanSquaredError(yTrue, yPred; reduction)",
           "mean((yTrue - yPred)^2) along the last axis. In every loss, reduction 0 gives the loss "
           "of each sample, 1 their sum, 2 or none their mean",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = pointwise_infer,
           .expand = mean_squared_error_expand)

static glk_ref mean_absolute_error_expand(glk_emitter *e, const glk_ref *in,
                                          const glk_attributes *attributes) {
  return mean_of(e, glk_emit1(e, &glk_op_abs, error_of(e, in)), attributes);
}

GLK_OP_ROW(mean_absolute_error, "meanAbsoluteError", "meanAbsoluteError(yTrue, yPred; reduction)",
           "mean(|yTrue - yPred|) along the last axis; the gradient where they are equal is 0",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = pointwise_infer,
           .expand = mean_absolute_error_expand)

static glk_status huber_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                              glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_loss_attributes(context, op, attributes, 2));
  GLK_TRY(glk_loss_number(context, op, attributes, 1, "delta", 1, 0, 1e30));
  return pointwise(context, op, in, attributes, out);
}

/* With c = min(|error|, delta): c (|error| - c / 2), which is error^2 / 2 up to delta and a line
 * with slope delta above it. Huber 1964, equation 3.6. */
static glk_ref huber_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const glk_ref size = glk_emit1(e, &glk_op_abs, error_of(e, in));
  const glk_ref delta = e->scalar(e, (glk_real)attributes->values[1]);
  const glk_ref near = glk_emit2(e, &glk_op_minimum, size, delta);
  const glk_ref half = glk_emit2(e, &glk_op_mul, near, e->scalar(e, (glk_real)0.5));
  const glk_ref rest = glk_emit2(e, &glk_op_sub, size, half);
  return mean_of(e, glk_emit2(e, &glk_op_mul, near, rest), attributes);
}

GLK_OP_ROW(huber, "huber", "huber(yTrue, yPred; reduction, delta)",
           "Mean along the last axis of error^2 / 2 up to delta, linear above it", .inputs = 2,
           .flags = GLK_OP_PUBLIC, .infer = huber_infer, .expand = huber_expand)

/* Labels 0 and 1 become -1 and 1, if there are no others. */
static glk_ref hinge_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  glk_ref y[2];
  glk_loss_operands(e, in, y);
  const glk_ref one = e->scalar(e, 1);
  const glk_ref is_zero = glk_emit2(e, &glk_op_equal, y[0], e->scalar(e, 0));
  const glk_ref is_one = glk_emit2(e, &glk_op_equal, y[0], one);
  const glk_ref is_either = glk_emit2(e, &glk_op_logical_or, is_zero, is_one);
  const glk_ref is_binary = glk_emit1(e, &glk_op_all, is_either);
  const glk_ref doubled = glk_emit2(e, &glk_op_add, y[0], y[0]);
  const glk_ref turned = glk_emit2(e, &glk_op_sub, doubled, one);
  const glk_ref sign = glk_emit3(e, &glk_op_where, is_binary, turned, y[0]);
  const glk_ref margin = glk_emit2(e, &glk_op_sub, one, glk_emit2(e, &glk_op_mul, sign, y[1]));
  return mean_of(e, glk_emit2(e, &glk_op_maximum, margin, e->scalar(e, 0)), attributes);
}

GLK_OP_ROW(hinge, "hinge", "hinge(yTrue, yPred; reduction)",
           "mean(max(1 - yTrue * yPred, 0)) along the last axis; labels that are all 0 or 1 are "
           "read as -1 and 1",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = pointwise_infer, .expand = hinge_expand)

static glk_status cosine_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  glk_shape aligned[2], values;
  uint32_t axis;
  GLK_TRY(glk_loss_attributes(context, op, attributes, 2));
  if (attributes->count < 2) attributes->values[attributes->count++] = -1;
  glk_loss_align(in, aligned);
  GLK_TRY(glk_shape_broadcast(context, op->name, &aligned[0], &aligned[1], &values));
  if (aligned[0].rank != aligned[1].rank || !values.rank) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shapes %S and %S, expected equal ranks, 1 or above", op->name, in[0],
                    in[1]);
  }
  GLK_TRY(glk_attribute_axis(context, op, attributes, 1, "the axis", values.rank, &axis));
  *out = glk_loss_shape(attributes, &values, axis);
  return GLK_OK;
}

/* x divided by its length, which is at least epsilon. Keras takes the smaller of 1 / length and 1 /
 * epsilon, which is equal. Here the gradient of a vector of zeros never uses 1 / 0, which is
 * infinite. */
static glk_ref unit_of(glk_emitter *e, glk_ref x, uint32_t axis) {
  const glk_ref least = e->scalar(e, (glk_real)(GLK_LOSS_EPSILON * GLK_LOSS_EPSILON));
  const glk_ref square = glk_loss_fold(e, &glk_op_sum, glk_emit1(e, &glk_op_square, x), 1, axis);
  const glk_ref floored = glk_emit2(e, &glk_op_maximum, square, least);
  return glk_emit2(e, &glk_op_mul, x, glk_emit1(e, &glk_op_rsqrt, floored));
}

static glk_ref cosine_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const uint32_t axis = (uint32_t)attributes->values[1];
  glk_ref y[2];
  glk_loss_operands(e, in, y);
  for (int k = 0; k < 2; k++) y[k] = unit_of(e, y[k], axis);
  const glk_ref product = glk_emit2(e, &glk_op_mul, y[0], y[1]);
  const glk_ref cosine = glk_loss_fold(e, &glk_op_sum, product, 0, axis);
  return glk_loss_reduce(e, glk_loss_negative(e, cosine), attributes);
}

GLK_OP_ROW(cosine_similarity, "cosineSimilarity", "cosineSimilarity(yTrue, yPred; reduction, axis)",
           "Minus the cosine of the angle between vectors along an axis, the last by default: -1 "
           "means the same direction; lengths are at least 1e-7",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = cosine_infer, .expand = cosine_expand)

GLK_OP_FAMILY(loss, &glk_op_mean_squared_error, &glk_op_mean_absolute_error, &glk_op_huber,
              &glk_op_hinge, &glk_op_cosine_similarity)
