/* Ops that join, repeat and turn tensors around. Values are moved, never computed with: every bit pattern passes. */
#include <string.h>

#include "kernels/copy.h"
#include "ops/op.h"

static glk_ref emit_slice(glk_emitter *e, glk_ref x, uint32_t axis, uint32_t begin, uint32_t size) {
  if (e->status != GLK_OK) return GLK_NO_REF;
  const glk_shape shape = e->shape(e, x);
  glk_attributes box = {.count = 2 * shape.rank};
  for (uint32_t a = 0; a < shape.rank; a++) box.values[shape.rank + a] = shape.dims[a];
  box.values[axis] = begin;
  box.values[shape.rank + axis] = size;
  return e->apply(e, GLK_OP_SLICE, &x, &box);
}

/* ------------------------------------------------------------------------------------------- concat */

/* Attribute: the axis. */
static glk_status concat_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  const glk_shape *a = in[0], *b = in[1];
  int64_t axis;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 1));
  if (a->rank != b->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S differ in rank", op->name, a,
                    b);
  }
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_INDEX, "the axis",
                                -(int64_t)a->rank, (int64_t)a->rank - 1, &axis));
  if (axis < 0) axis += a->rank;
  attributes->values[0] = (double)axis;
  uint32_t dims[GLK_MAX_RANK];
  for (uint32_t i = 0; i < a->rank; i++) {
    dims[i] = a->dims[i];
    if (i == axis) {
      dims[i] += b->dims[i];
    } else if (a->dims[i] != b->dims[i]) {
      return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S differ beside axis %u",
                      op->name, a, b, (uint32_t)axis);
    }
  }
  return glk_shape_make(context, op->name, a->rank, dims, out);
}

static void concat_forward(const glk_call *call) {
  const uint32_t axis = (uint32_t)call->attributes->values[0];
  size_t outer = 1, run[2] = {1, 1};
  for (uint32_t i = 0; i < axis; i++) outer *= call->out_shape->dims[i];
  for (uint32_t k = 0; k < 2; k++) {
    for (uint32_t i = axis; i < call->out_shape->rank; i++) run[k] *= call->in_shape[k]->dims[i];
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
    if (g->wanted[k]) g->d[k] = emit_slice(e, g->dy, axis, begin, size);
    begin += size;
  }
}

const glk_op glk_op_concat = {
    .name = "concat",
    .signature = "concat(a, b; axis)",
    .doc = GLK_DOC("b behind a along an axis"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC,
    .infer = concat_infer,
    .forward = concat_forward,
    .gradient = concat_gradient,
};

/* ------------------------------------------------------------------------------------------ reverse */

/* Attributes: the axes; none means all. Kept as one flag an axis. */
static glk_status reverse_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  glk_attributes flags = {.count = x->rank};
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, GLK_MAX_RANK));
  for (uint32_t a = 0; a < x->rank; a++) flags.values[a] = attributes->count == 0;
  for (uint32_t i = 0; i < attributes->count; i++) {
    int64_t axis;
    GLK_TRY(glk_attribute_integer(context, op, attributes, i, GLK_ERROR_INDEX, "an axis",
                                  -(int64_t)x->rank, (int64_t)x->rank - 1, &axis));
    if (axis < 0) axis += x->rank;
    if (flags.values[axis] != 0) {
      return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: axis %u is named twice", op->name,
                      (uint32_t)axis);
    }
    flags.values[axis] = 1;
  }
  *attributes = flags;
  *out = *x;
  return GLK_OK;
}

static void reverse_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[0];
  uint32_t at[GLK_MAX_RANK] = {0};
  for (size_t i = 0; i < x->count; i++) {
    size_t source = 0;
    for (uint32_t a = 0; a < x->rank; a++) {
      const uint32_t from = call->attributes->values[a] != 0 ? x->dims[a] - 1 - at[a] : at[a];
      source = source * x->dims[a] + from;
    }
    memcpy(&call->out[i], &call->in[0][source], sizeof *call->out);
    for (uint32_t a = x->rank; a-- > 0 && ++at[a] == x->dims[a];) at[a] = 0;
  }
}

static glk_ref emit_reverse(glk_emitter *e, glk_ref x, const glk_attributes *flags) {
  glk_attributes axes = {0, {0}};
  for (uint32_t a = 0; a < flags->count; a++) {
    if (flags->values[a] != 0) axes.values[axes.count++] = a;
  }
  return axes.count ? e->apply(e, GLK_OP_REVERSE, &x, &axes) : x;
}

static void reverse_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = emit_reverse(e, g->dy, g->attributes);
}

const glk_op glk_op_reverse = {
    .name = "reverse",
    .signature = "reverse(x; axis...)",
    .doc = GLK_DOC("The order of elements turned round along axes; without axes, along all"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = reverse_infer,
    .forward = reverse_forward,
    .gradient = reverse_gradient,
};

/* --------------------------------------------------------------------------------------------- tile */

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
  if (e->status != GLK_OK) return GLK_NO_REF;
  glk_shape shape = e->shape(e, x);
  for (uint32_t a = 0; a < attributes->count; a++) {
    uint32_t outer = 1, inner = 1;
    const uint32_t times = (uint32_t)attributes->values[a], n = shape.dims[a];
    for (uint32_t i = 0; i < a; i++) outer *= shape.dims[i];
    for (uint32_t i = a + 1; i < shape.rank; i++) inner *= shape.dims[i];
    const glk_shape apart = {4, {outer, 1, n, inner}, outer * n * inner};
    const glk_shape wide = {4, {outer, times, n, inner}, outer * times * n * inner};
    shape.dims[a] = times * n;
    shape.count = wide.count;
    x = glk_emit_broadcast(e, glk_emit_reshape(e, x, &apart), &wide);
    x = glk_emit_reshape(e, x, &shape);
  }
  /* Where nothing repeats, x is still in[0]; a composite must give a node of its own. */
  return x == in[0] ? e->apply(e, GLK_OP_RESHAPE, &x,
                               &(glk_attributes){shape.rank,
                                                 {shape.dims[0], shape.dims[1], shape.dims[2],
                                                  shape.dims[3], shape.dims[4], shape.dims[5]}})
                    : x;
}

const glk_op glk_op_tile = {
    .name = "tile",
    .signature = "tile(x; times...)",
    .doc = GLK_DOC("x repeated along each axis"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = tile_infer,
    .expand = tile_expand,
};

/* ---------------------------------------------------------------------------------------------- pad */

/* Attributes: how many before each axis, how many behind, then the value. */
static glk_status pad_constant_infer(glk_context *context, const glk_op *op,
                                     const glk_shape *const *in, glk_attributes *attributes,
                                     glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t dims[GLK_MAX_RANK];
  if (attributes->count != 2 * x->rank + 1) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shape %S needs %u numbers before and behind, and a value", op->name, x,
                    x->rank);
  }
  for (uint32_t a = 0; a < x->rank; a++) {
    int64_t before, behind;
    GLK_TRY(glk_attribute_integer(context, op, attributes, a, GLK_ERROR_SHAPE, "a padding", 0,
                                  GLK_MAX_ELEMENTS, &before));
    GLK_TRY(glk_attribute_integer(context, op, attributes, x->rank + a, GLK_ERROR_SHAPE,
                                  "a padding", 0, GLK_MAX_ELEMENTS, &behind));
    const uint64_t size = (uint64_t)before + (uint64_t)behind + x->dims[a];
    dims[a] = size > GLK_MAX_ELEMENTS ? GLK_MAX_ELEMENTS + 1 : (uint32_t)size;
  }
  return glk_shape_make(context, op->name, x->rank, dims, out);
}

static glk_ref place(glk_emitter *e, glk_ref x, const glk_attributes *attributes) {
  if (e->status != GLK_OK) return GLK_NO_REF;
  const glk_shape shape = e->shape(e, x);
  glk_attributes placed = {.count = 2 * shape.rank};
  for (uint32_t a = 0; a < shape.rank; a++) {
    placed.values[a] = attributes->values[a];
    placed.values[shape.rank + a] =
        attributes->values[a] + shape.dims[a] + attributes->values[shape.rank + a];
  }
  return e->apply(e, GLK_OP_PAD, &x, &placed);
}

static glk_ref pad_constant_expand(glk_emitter *e, const glk_ref *in,
                                   const glk_attributes *attributes) {
  if (e->status != GLK_OK) return GLK_NO_REF;
  const glk_shape shape = e->shape(e, in[0]);
  const double value = attributes->values[2 * shape.rank];
  const glk_ref placed = place(e, in[0], attributes);
  if (value == 0) return placed;
  const glk_ref ones = glk_emit_broadcast(e, e->scalar(e, 1), &shape);
  return glk_emit3(e, GLK_OP_WHERE, place(e, ones, attributes), placed,
                   e->scalar(e, (glk_real)value));
}

const glk_op glk_op_pad_constant = {
    .name = "pad",
    .signature = "pad(x; before..., behind..., value)",
    .doc = GLK_DOC("x with a value around it"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = pad_constant_infer,
    .expand = pad_constant_expand,
};

/* --------------------------------------------------------------------------------------------- roll */

/* Attributes: the axis, and how far elements move towards its end; what falls off comes in at the start. */
static glk_status roll_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  int64_t axis, shift;
  GLK_TRY(glk_attribute_count(context, op, attributes, 2, 2));
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_INDEX, "the axis",
                                -(int64_t)x->rank, (int64_t)x->rank - 1, &axis));
  GLK_TRY(glk_attribute_integer(context, op, attributes, 1, GLK_ERROR_ARGUMENT, "the shift",
                                -(int64_t)GLK_MAX_ELEMENTS, GLK_MAX_ELEMENTS, &shift));
  if (axis < 0) axis += x->rank;
  const int64_t n = x->dims[axis];
  attributes->values[0] = (double)axis;
  attributes->values[1] = n ? (double)((shift % n + n) % n) : 0;
  *out = *x;
  return GLK_OK;
}

static glk_ref roll_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  if (e->status != GLK_OK) return GLK_NO_REF;
  const uint32_t axis = (uint32_t)attributes->values[0], shift = (uint32_t)attributes->values[1];
  const uint32_t n = e->shape(e, in[0]).dims[axis];
  const glk_ref end = emit_slice(e, in[0], axis, n - shift, shift);
  const glk_ref start = emit_slice(e, in[0], axis, 0, n - shift);
  const glk_attributes along = {1, {axis}};
  return e->apply(e, GLK_OP_CONCAT, (const glk_ref[]){end, start}, &along);
}

const glk_op glk_op_roll = {
    .name = "roll",
    .signature = "roll(x; axis, shift)",
    .doc = GLK_DOC("Elements moved round along an axis"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = roll_infer,
    .expand = roll_expand,
};
