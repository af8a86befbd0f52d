/* Concatenation, repetition, reversal and rolls of tensors. Values are copied without arithmetic:
 * every bit pattern passes. */
#include <string.h>

#include "ops/op.h"

/* Attribute: the axis. */
static glk_status concat_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  const glk_shape *a = in[0], *b = in[1];
  uint32_t axis;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 1));
  if (a->rank != b->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S differ in rank", op->name, a,
                    b);
  }
  GLK_TRY(glk_attribute_axis(context, op, attributes, 0, "an axis", a->rank, &axis));
  uint32_t dims[GLK_MAX_RANK];
  for (uint32_t i = 0; i < a->rank; i++) {
    dims[i] = a->dims[i];
    if (i == axis) {
      dims[i] += b->dims[i];
    } else if (a->dims[i] != b->dims[i]) {
      return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S differ outside of axis %u",
                      op->name, a, b, axis);
    }
  }
  return glk_shape_make(context, op->name, a->rank, dims, out);
}

static void concat_forward(const glk_call *call) {
  const uint32_t axis = (uint32_t)call->attributes->values[0];
  const size_t outer = glk_shape_product(call->out_shape, 0, axis);
  size_t run[2];
  for (uint32_t k = 0; k < 2; k++) {
    run[k] = glk_shape_product(call->in_shape[k], axis, call->out_shape->rank);
  }
  glk_real *out = call->out;
  for (size_t o = 0; o < outer; o++) {
    for (uint32_t k = 0; k < 2; k++, out += run[k - 1]) {
      if (run[k]) memcpy(out, call->in[k] + o * run[k], run[k] * sizeof *out);
    }
  }
}

static void concat_gradient(glk_emitter *e, glk_gradient *g) {
  const uint32_t axis = (uint32_t)g->attributes->values[0];
  uint32_t begin = 0;
  for (int k = 0; k < 2; k++) {
    const uint32_t size = e->shape(e, g->in[k]).dims[axis];
    if (g->needs_gradient[k]) g->d[k] = glk_emit_slice(e, g->dy, axis, begin, size);
    begin += size;
  }
}

GLK_OP_ROW(concat, "concat", "concat(a, b; axis)", "b after a along an axis", .inputs = 2,
           .flags = GLK_OP_PUBLIC, .infer = concat_infer, .forward = concat_forward,
           .gradient = concat_gradient)

/* Attributes: the axes; none means all. Kept as a stridedSlice's. */
static glk_status reverse_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t named;
  GLK_TRY(glk_attribute_axes(context, op, attributes, 0, x->rank, &named));
  const int all = !attributes->count;
  attributes->count = 3 * x->rank;
  for (uint32_t a = 0; a < x->rank; a++) {
    const int is_turned = all || named >> a & 1;
    const double n = x->dims[a];
    attributes->values[a] = is_turned ? -1 : 0;
    attributes->values[x->rank + a] = is_turned ? -1 - n : n;
    attributes->values[2 * x->rank + a] = is_turned ? -1 : 1;
  }
  *out = *x;
  return GLK_OK;
}

static glk_ref reverse_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  return e->apply(e, &glk_op_strided_slice, in, attributes);
}

GLK_OP_ROW(reverse, "reverse", "reverse(x; axis...)",
           "Elements in reverse order along axes, or along all if none is named", .inputs = 1,
           .flags = GLK_OP_PUBLIC, .infer = reverse_infer, .expand = reverse_expand)

/* Attributes: how often along each axis. */
static glk_status tile_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t dims[GLK_MAX_RANK];
  if (attributes->count != x->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: %u repeats do not fit shape %S", op->name,
                    attributes->count, x);
  }
  for (uint32_t a = 0; a < x->rank; a++) {
    int64_t times;
    GLK_TRY(glk_attribute_integer(context, op, attributes, a, GLK_ERROR_SHAPE, "a repeat", 0,
                                  GLK_MAX_ELEMENTS, &times));
    const uint64_t size = (uint64_t)times * x->dims[a];
    dims[a] = size > GLK_MAX_ELEMENTS ? GLK_MAX_ELEMENTS + 1 : (uint32_t)size;
  }
  return glk_shape_make(context, op->name, x->rank, dims, out);
}

/* Axis by axis: (outer, n, inner) repeats as (outer, times, n, inner). */
static glk_ref tile_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  glk_ref x = in[0];
  glk_shape shape = e->shape(e, x);
  for (uint32_t a = 0; a < attributes->count; a++) {
    const uint32_t outer = (uint32_t)glk_shape_product(&shape, 0, a);
    const uint32_t inner = (uint32_t)glk_shape_product(&shape, a + 1, shape.rank);
    const uint32_t times = (uint32_t)attributes->values[a], n = shape.dims[a];
    if (times == 1) continue;
    const glk_shape apart = {4, {outer, 1, n, inner}, outer * n * inner};
    const glk_shape wide = {4, {outer, times, n, inner}, outer * times * n * inner};
    shape.dims[a] = times * n;
    shape.count = wide.count;
    x = glk_emit_broadcast(e, glk_emit_reshape(e, x, &apart), &wide);
    x = glk_emit_reshape(e, x, &shape);
  }
  return glk_emit_result(e, x, in[0]);
}

GLK_OP_ROW(tile, "tile", "tile(x; times...)", "x repeated along each axis", .inputs = 1,
           .flags = GLK_OP_PUBLIC, .infer = tile_infer, .expand = tile_expand)

/* Attributes: pairs of how far elements move towards the end, and along which axis; shifts along
 * one axis add up. What falls off comes in at the start. Kept as one shift an axis, 0 or more. */
static glk_status roll_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  glk_attributes shifts = {.count = x->rank};
  if (attributes->count % 2) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: %u attributes do not pair shifts and axes",
                    op->name, attributes->count);
  }
  for (uint32_t i = 0; i < attributes->count; i += 2) {
    int64_t shift;
    uint32_t axis;
    GLK_TRY(glk_attribute_integer(context, op, attributes, i, GLK_ERROR_INDEX, "a shift",
                                  -(int64_t)GLK_MAX_ELEMENTS, GLK_MAX_ELEMENTS, &shift));
    GLK_TRY(glk_attribute_axis(context, op, attributes, i + 1, "an axis", x->rank, &axis));
    const int64_t n = x->dims[axis];
    shift += (int64_t)shifts.values[axis];
    shifts.values[axis] = n ? (double)((shift % n + n) % n) : 0;
  }
  *attributes = shifts;
  *out = *x;
  return GLK_OK;
}

static glk_ref roll_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  glk_ref x = in[0];
  for (uint32_t a = 0; a < attributes->count && e->status == GLK_OK; a++) {
    const uint32_t shift = (uint32_t)attributes->values[a];
    if (!shift) continue;
    const uint32_t stay = e->shape(e, x).dims[a] - shift;
    const glk_ref parts[2] = {glk_emit_slice(e, x, a, stay, shift),
                              glk_emit_slice(e, x, a, 0, stay)};
    const glk_attributes along = {1, {a}};
    x = e->apply(e, &glk_op_concat, parts, &along);
  }
  return glk_emit_result(e, x, in[0]);
}

GLK_OP_ROW(roll, "roll", "roll(x; shift, axis, ...)",
           "Elements shifted along axes; those shifted beyond the end come back at the start",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = roll_infer, .expand = roll_expand)

GLK_OP_FAMILY(shape_layout, &glk_op_concat, &glk_op_reverse, &glk_op_tile, &glk_op_roll)
