/* The op table, its public queries, and helpers that rows share. */
#include <string.h>

#include "ops/op.h"

/* Every file with rows, once. Numbers of ops follow from this order: nothing keeps them. */
/* clang-format off */
#define FAMILIES(X) \
  X(elementwise) X(activation) X(compare) X(reduce) X(reduce_extremes) X(reduce_statistics) \
  X(linear) X(image_conv) X(image_depthwise) X(image_pool) X(normalize) X(loss) \
  X(loss_crossentropy) X(shape) X(shape_slice) X(indexing_gather) X(indexing_scatter) \
  X(indexing_sort) X(shape_layout) X(random)
/* clang-format on */

#define FAMILY(name) extern const glk_op_family glk_ops_##name;
FAMILIES(FAMILY)
#undef FAMILY

#define FAMILY(name) &glk_ops_##name,
static const glk_op_family *const families[] = {FAMILIES(FAMILY)};
#undef FAMILY

enum { FAMILY_COUNT = sizeof families / sizeof *families };

const glk_op *glk_op_at(uint32_t op) {
  for (int i = 0; i < FAMILY_COUNT; i++) {
    if (op < families[i]->count) return families[i]->rows[op];
    op -= families[i]->count;
  }
  return NULL;
}

uint32_t glk_op_count(void) {
  uint32_t count = 0;
  for (int i = 0; i < FAMILY_COUNT; i++) count += families[i]->count;
  return count;
}

glk_status glk_op_describe(uint32_t op, glk_op_info *out) {
  const glk_op *row = glk_op_at(op);
  if (!row || !out) return GLK_ERROR_ARGUMENT;
  *out = (glk_op_info){row->name,
                       row->signature,
                       row->doc,
                       row->inputs,
                       (row->flags & GLK_OP_PUBLIC) != 0,
                       glk_op_is_differentiable(row)};
  return GLK_OK;
}

glk_status glk_op_find(glk_context *context, const char *name, uint32_t *out) {
  GLK_REFUSE_IF(context, !name || !out);
  const glk_op *row = NULL;
  for (uint32_t op = 0; (row = glk_op_at(op)); op++) {
    if (!strcmp(row->name, name)) {
      *out = op;
      return GLK_OK;
    }
  }
  return glk_fail(context, GLK_ERROR_ARGUMENT,
                  "there is no op '%s': glk_op_describe lists the names, such as 'matMul'", name);
}

static const glk_attributes no_attributes = {0, {0}};

glk_ref glk_emit1(glk_emitter *e, const glk_op *op, glk_ref a) {
  return e->apply(e, op, &a, &no_attributes);
}

glk_ref glk_emit2(glk_emitter *e, const glk_op *op, glk_ref a, glk_ref b) {
  return e->apply(e, op, (const glk_ref[]){a, b}, &no_attributes);
}

glk_ref glk_emit3(glk_emitter *e, const glk_op *op, glk_ref a, glk_ref b, glk_ref c) {
  return e->apply(e, op, (const glk_ref[]){a, b, c}, &no_attributes);
}

void glk_emit_give(glk_emitter *e, glk_gradient *g, int i, glk_ref value) {
  const glk_shape shape = e->shape(e, g->in[i]);
  g->d[i] = glk_emit_sum_to(e, value, &shape);
}

static glk_ref emit_shaped(glk_emitter *e, const glk_op *op, glk_ref a, const glk_shape *shape) {
  glk_attributes attributes = {.count = shape->rank};
  for (uint32_t i = 0; i < shape->rank; i++) attributes.values[i] = shape->dims[i];
  return e->apply(e, op, &a, &attributes);
}

static glk_ref emit_to_shape(glk_emitter *e, const glk_op *op, glk_ref a, const glk_shape *shape) {
  const glk_shape now = e->shape(e, a);
  return glk_shape_equal(&now, shape) ? a : emit_shaped(e, op, a, shape);
}

glk_ref glk_emit_result(glk_emitter *e, glk_ref a, glk_ref operand) {
  if (e->status != GLK_OK || a != operand) return a;
  const glk_shape shape = e->shape(e, a);
  return emit_shaped(e, &glk_op_reshape, a, &shape);
}

glk_ref glk_emit_slice(glk_emitter *e, glk_ref x, uint32_t axis, uint32_t begin, uint32_t size) {
  const glk_shape shape = e->shape(e, x);
  glk_attributes box = {.count = 2 * shape.rank};
  for (uint32_t a = 0; a < shape.rank; a++) box.values[shape.rank + a] = shape.dims[a];
  box.values[axis] = begin;
  box.values[shape.rank + axis] = size;
  return e->apply(e, &glk_op_slice, &x, &box);
}

glk_ref glk_emit_reshape(glk_emitter *e, glk_ref a, const glk_shape *shape) {
  return emit_to_shape(e, &glk_op_reshape, a, shape);
}

glk_ref glk_emit_broadcast(glk_emitter *e, glk_ref a, const glk_shape *shape) {
  return emit_to_shape(e, &glk_op_broadcast_to, a, shape);
}

glk_ref glk_emit_sum_to(glk_emitter *e, glk_ref a, const glk_shape *shape) {
  const glk_shape from = e->shape(e, a);
  const uint32_t extra = from.rank - shape->rank;
  glk_attributes attributes = {
      .count = 1}; /* keepDims = 0, then axes; the reshape restores sizes of 1 */
  for (uint32_t i = 0; i < from.rank; i++) {
    if (i < extra || (shape->dims[i - extra] == 1 && from.dims[i] != 1)) {
      attributes.values[attributes.count++] = i;
    }
  }
  if (attributes.count > 1) a = e->apply(e, &glk_op_sum, &a, &attributes);
  return glk_emit_reshape(e, a, shape);
}

glk_status glk_attribute_integer(glk_context *context, const glk_op *op,
                                 const glk_attributes *attributes, uint32_t index,
                                 glk_status status, const char *what, int64_t low, int64_t high,
                                 int64_t *out) {
  const double value = attributes->values[index];
  if (!(value >= (double)low && value <= (double)high)) {
    return glk_fail(context, status, "%s: %s is %g, expected %g to %g", op->name, what, value,
                    (double)low, (double)high);
  }
  if (value != (double)(int64_t)value) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: %s is %g, expected a whole number", op->name,
                    what, value);
  }
  if (out) *out = (int64_t)value;
  return GLK_OK;
}

glk_status glk_attribute_flag(glk_context *context, const glk_op *op,
                              const glk_attributes *attributes, uint32_t index, const char *what) {
  return glk_attribute_integer(context, op, attributes, index, GLK_ERROR_ARGUMENT, what, 0, 1,
                               NULL);
}

glk_status glk_attribute_sizes(glk_context *context, const glk_op *op,
                               const glk_attributes *attributes, uint32_t index, uint32_t count,
                               uint32_t low, const char *what, uint32_t *out) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t size;
    GLK_TRY(glk_attribute_integer(context, op, attributes, index + i, GLK_ERROR_SHAPE, what, low,
                                  GLK_MAX_ELEMENTS, &size));
    out[i] = (uint32_t)size;
  }
  return GLK_OK;
}

glk_status glk_attribute_shape(glk_context *context, const glk_op *op,
                               const glk_attributes *attributes, uint32_t index, glk_shape *out) {
  uint32_t dims[GLK_MAX_RANK];
  GLK_TRY(glk_attribute_count(context, op, attributes, index, index + GLK_MAX_RANK));
  const uint32_t rank = attributes->count - index;
  GLK_TRY(glk_attribute_sizes(context, op, attributes, index, rank, 0, "a size", dims));
  return glk_shape_make(context, op->name, rank, dims, out);
}

glk_status glk_attribute_count(glk_context *context, const glk_op *op,
                               const glk_attributes *attributes, uint32_t least, uint32_t most) {
  if (attributes->count >= least && attributes->count <= most) return GLK_OK;
  return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: %u attributes were given, expected %u to %u",
                  op->name, attributes->count, least, most);
}

glk_status glk_attribute_axis(glk_context *context, const glk_op *op, glk_attributes *attributes,
                              uint32_t index, const char *what, uint32_t rank, uint32_t *out) {
  int64_t axis = 0;
  if (!rank) {
    return glk_fail(context, GLK_ERROR_INDEX, "%s: a tensor of rank 0 has no axes", op->name);
  }
  GLK_TRY(glk_attribute_integer(context, op, attributes, index, GLK_ERROR_INDEX, what,
                                -(int64_t)rank, (int64_t)rank - 1, &axis));
  *out = (uint32_t)(axis < 0 ? axis + rank : axis);
  attributes->values[index] = *out;
  return GLK_OK;
}

glk_status glk_attribute_axes(glk_context *context, const glk_op *op, glk_attributes *attributes,
                              uint32_t first, uint32_t rank, uint32_t *out) {
  uint32_t axis = 0;
  *out = 0;
  for (uint32_t i = first; i < attributes->count; i++) {
    GLK_TRY(glk_attribute_axis(context, op, attributes, i, "an axis", rank, &axis));
    if (*out >> axis & 1) {
      return glk_fail(context, GLK_ERROR_INDEX, "%s: axis %u is named twice", op->name, axis);
    }
    *out |= 1u << axis;
  }
  return GLK_OK;
}

glk_status glk_infer_same(glk_context *context, const glk_op *op, const glk_shape *const *in,
                          glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  *out = *in[0];
  return GLK_OK;
}

glk_status glk_infer_broadcast(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  *out = *in[0];
  for (uint32_t i = 1; i < op->inputs; i++) {
    const glk_shape so_far = *out;
    GLK_TRY(glk_shape_broadcast(context, op->name, &so_far, in[i], out));
  }
  return GLK_OK;
}
