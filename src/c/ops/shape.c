/* Changes of shape: reshapes (aliases, which copy nothing), transposes and broadcasts. Values are
 * copied without arithmetic: every bit pattern passes. */
#include <string.h>

#include "kernels/copy.h"
#include "kernels/elementwise.h"
#include "ops/op.h"

static void alias_forward(const glk_call *call) {
  if (call->out != call->in[0] && call->out_shape->count) {
    memcpy(call->out, call->in[0], call->out_shape->count * sizeof(glk_real));
  }
}

/* Attributes: the new sizes, one of which may be -1, computed from the others. */
static glk_status reshape_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  uint32_t dims[GLK_MAX_RANK], unknown = GLK_MAX_RANK;
  uint64_t known = 1;
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, GLK_MAX_RANK));
  for (uint32_t i = 0; i < attributes->count; i++) {
    int64_t size;
    GLK_TRY(glk_attribute_integer(context, op, attributes, i, GLK_ERROR_SHAPE, "a size", -1,
                                  GLK_MAX_ELEMENTS, &size));
    if (size < 0 && unknown < GLK_MAX_RANK) {
      return glk_fail(context, GLK_ERROR_SHAPE, "%s: more than one size is -1", op->name);
    }
    if (size < 0) unknown = i;
    dims[i] = size < 0 ? 1 : (uint32_t)size;
    known *= dims[i];
    if (known > GLK_MAX_ELEMENTS) {
      return glk_fail(context, GLK_ERROR_SHAPE, "%s: the new shape holds more than %u elements",
                      op->name, GLK_MAX_ELEMENTS);
    }
  }
  if (unknown < GLK_MAX_RANK && !known) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: -1 next to a size of 0 is ambiguous", op->name);
  }
  if (unknown < GLK_MAX_RANK) {
    if (in[0]->count % known) {
      return glk_fail(
          context, GLK_ERROR_SHAPE,
          "%s: %S holds %u elements, not a multiple of %u, the product of the other sizes",
          op->name, in[0], in[0]->count, (uint32_t)known);
    }
    dims[unknown] = (uint32_t)(in[0]->count / known);
    known *= dims[unknown];
  }
  GLK_TRY(glk_shape_make(context, op->name, attributes->count, dims, out));
  if (known != in[0]->count) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: %S holds %u elements, but the new shape %S %u",
                    op->name, in[0], in[0]->count, out, (uint32_t)known);
  }
  for (uint32_t i = 0; i < out->rank; i++) attributes->values[i] = out->dims[i];
  return GLK_OK;
}

static void reshape_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape shape = e->shape(e, g->in[0]);
  g->d[0] = glk_emit_reshape(e, g->dy, &shape);
}

GLK_OP_ROW(reshape, "reshape", "reshape(x; size...)",
           "The same elements in the same order under another shape", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_ALIAS, .infer = reshape_infer, .forward = alias_forward,
           .gradient = reshape_gradient)

static glk_status flatten_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  *out = (glk_shape){1, {in[0]->count}, in[0]->count};
  return GLK_OK;
}

GLK_OP_ROW(flatten, "flatten", "flatten(x)", "The same elements along one axis", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_ALIAS, .infer = flatten_infer, .forward = alias_forward,
           .gradient = reshape_gradient)

/* Attribute: the index of the new axis. */
static glk_status expand_dims_infer(glk_context *context, const glk_op *op,
                                    const glk_shape *const *in, glk_attributes *attributes,
                                    glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t axis, dims[GLK_MAX_RANK + 1];
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 1));
  GLK_TRY(glk_attribute_axis(context, op, attributes, 0, "an axis", x->rank + 1, &axis));
  for (uint32_t a = 0; a <= x->rank; a++) dims[a] = a == axis ? 1 : x->dims[a - (a > axis)];
  return glk_shape_make(context, op->name, x->rank + 1, dims, out);
}

GLK_OP_ROW(expand_dims, "expandDims", "expandDims(x; axis)",
           "The same elements with one more axis, of size 1", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_ALIAS, .infer = expand_dims_infer,
           .forward = alias_forward, .gradient = reshape_gradient)

/* Attributes: the axes that go; none means all of size 1. */
static glk_status squeeze_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t named;
  GLK_TRY(glk_attribute_axes(context, op, attributes, 0, x->rank, &named));
  *out = (glk_shape){.rank = 0, .count = x->count};
  for (uint32_t a = 0; a < x->rank; a++) {
    const int goes = attributes->count ? named >> a & 1 : x->dims[a] == 1;
    if (goes && x->dims[a] != 1) {
      return glk_fail(context, GLK_ERROR_SHAPE, "%s: axis %u of shape %S has size %u, expected 1",
                      op->name, a, x, x->dims[a]);
    }
    if (!goes) out->dims[out->rank++] = x->dims[a];
  }
  return GLK_OK;
}

GLK_OP_ROW(
    squeeze, "squeeze", "squeeze(x; axis...)",
    "The same elements without the named axes of size 1, or without all such axes if none is named",
    .inputs = 1, .flags = GLK_OP_PUBLIC | GLK_OP_ALIAS, .infer = squeeze_infer,
    .forward = alias_forward, .gradient = reshape_gradient)

GLK_OP_ROW(stop_gradient, "stopGradient", "stopGradient(x)", "x, held constant: no gradient passes",
           .inputs = 1, .flags = GLK_OP_PUBLIC | GLK_OP_ALIAS, .infer = glk_infer_same,
           .forward = alias_forward)

/* Attributes: a permutation of the axes; none reverses them. Axis i of y is axis perm[i] of x. */
static glk_status transpose_infer(glk_context *context, const glk_op *op,
                                  const glk_shape *const *in, glk_attributes *attributes,
                                  glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t dims[GLK_MAX_RANK], seen;
  if (!attributes->count) {
    attributes->count = x->rank;
    for (uint32_t i = 0; i < x->rank; i++) attributes->values[i] = x->rank - 1 - i;
  }
  if (attributes->count != x->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: %u axes do not permute shape %S", op->name,
                    attributes->count, x);
  }
  GLK_TRY(glk_attribute_axes(context, op, attributes, 0, x->rank, &seen));
  for (uint32_t i = 0; i < x->rank; i++) dims[i] = x->dims[(uint32_t)attributes->values[i]];
  return glk_shape_make(context, op->name, x->rank, dims, out);
}

static void transpose_forward(const glk_call *call) {
  size_t strides[GLK_MAX_RANK];
  glk_box box = {.rank = call->out_shape->rank};
  glk_shape_strides(call->in_shape[0], strides);
  glk_shape_strides(call->out_shape, box.to);
  for (uint32_t i = 0; i < box.rank; i++) {
    box.dims[i] = call->out_shape->dims[i];
    box.from[i] = strides[(uint32_t)call->attributes->values[i]];
  }
  glk_kernel_copy_box(&box, call->in[0], call->out);
}

static void transpose_gradient(glk_emitter *e, glk_gradient *g) {
  glk_attributes inverse = {.count = g->attributes->count};
  for (uint32_t i = 0; i < inverse.count; i++) {
    inverse.values[(uint32_t)g->attributes->values[i]] = i;
  }
  g->d[0] = e->apply(e, &glk_op_transpose, &g->dy, &inverse);
}

GLK_OP_ROW(transpose, "transpose", "transpose(x; axis...)",
           "Axes in another order, reversed if none is given", .inputs = 1, .flags = GLK_OP_PUBLIC,
           .infer = transpose_infer, .forward = transpose_forward, .gradient = transpose_gradient)

static glk_status broadcast_to_infer(glk_context *context, const glk_op *op,
                                     const glk_shape *const *in, glk_attributes *attributes,
                                     glk_shape *out) {
  glk_shape target;
  GLK_TRY(glk_attribute_shape(context, op, attributes, 0, &target));
  GLK_TRY(glk_shape_broadcast(context, op->name, in[0], &target, out));
  if (glk_shape_equal(out, &target)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: shape %S does not broadcast to %S", op->name,
                  in[0], &target);
}

static void broadcast_to_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[0], *out = call->out_shape;
  if (x->count == out->count) { /* perhaps in place */
    memmove(call->out, call->in[0], x->count * sizeof *call->out);
    return;
  }
  if (x->count == 1) {
    glk_kernel_fill(out->count, call->in[0][0], call->out);
    return;
  }
  glk_box box = {.rank = out->rank};
  glk_shape_strides(x, box.from + (out->rank - x->rank));
  glk_shape_strides(out, box.to);
  memcpy(box.dims, out->dims, sizeof box.dims);
  glk_kernel_copy_box(&box, call->in[0], call->out);
}

static void broadcast_to_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape x = e->shape(e, g->in[0]);
  g->d[0] = glk_emit_sum_to(e, g->dy, &x);
}

GLK_OP_ROW(broadcast_to, "broadcastTo", "broadcastTo(x; size...)",
           "x repeated along new axes and axes of size 1", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_ELEMENTWISE, .infer = broadcast_to_infer,
           .forward = broadcast_to_forward, .gradient = broadcast_to_gradient)

GLK_OP_FAMILY(shape, &glk_op_reshape, &glk_op_flatten, &glk_op_expand_dims, &glk_op_squeeze,
              &glk_op_stop_gradient, &glk_op_transpose, &glk_op_broadcast_to)
