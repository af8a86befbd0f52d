/* Sorting: indices in order (argSort), sorted values, and one-hot rows of indices. */
#include "kernels/elementwise.h"
#include "ops/gather_indices.h"

/* Attributes: axis = -1, descending = 0. */
static glk_status sort_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t axis;
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 2));
  if (attributes->count < 1) attributes->values[0] = -1;
  if (attributes->count < 2) attributes->values[1] = 0;
  attributes->count = 2;
  GLK_TRY(glk_indexed_axis(context, op, attributes, 0, x, &axis));
  GLK_TRY(glk_attribute_flag(context, op, attributes, 1, "descending"));
  *out = *x;
  return GLK_OK;
}

static size_t arg_sort_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  return glk_sort_scratch(in[0]->dims[(uint32_t)attributes->values[0]]);
}

static void arg_sort_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[0];
  const uint32_t axis = (uint32_t)call->attributes->values[0], n = x->dims[axis];
  const size_t inner = glk_shape_product(x, axis + 1, x->rank);
  for (size_t start = 0; start < x->count; start += n * inner) {
    for (size_t i = start; i < start + inner; i++) {
      glk_kernel_arg_sort(n, inner, call->attributes->values[1] != 0, call->in[0] + i,
                          call->scratch, call->out + i);
    }
  }
}

GLK_OP_ROW(arg_sort, "argSort", "argSort(x; axis, descending)",
           "Indices that sort an axis. Equal elements keep their order in either direction and NaN "
           "comes last; -0 equals 0. No gradient",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = sort_infer, .scratch = arg_sort_scratch,
           .forward = arg_sort_forward)

/* The axis last and back: the same exchange does both. */
static glk_ref exchange(glk_emitter *e, glk_ref x, uint32_t axis, uint32_t rank) {
  glk_attributes perm = {.count = rank};
  if (axis == rank - 1) return x;
  for (uint32_t a = 0; a < rank; a++) perm.values[a] = a;
  perm.values[axis] = rank - 1;
  perm.values[rank - 1] = axis;
  return e->apply(e, &glk_op_transpose, &x, &perm);
}

static glk_ref sort_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const uint32_t axis = (uint32_t)attributes->values[0], rank = e->shape(e, in[0]).rank;
  const glk_ref order = e->apply(e, &glk_op_arg_sort, in, attributes);
  const glk_attributes last = {2, {rank - 1, rank - 1}};
  const glk_ref rows[2] = {exchange(e, in[0], axis, rank), exchange(e, order, axis, rank)};
  return exchange(e, e->apply(e, &glk_op_gather, rows, &last), axis, rank);
}

GLK_OP_ROW(sort, "sort", "sort(x; axis, descending)",
           "Elements sorted along an axis, NaN last in either direction; the gradient goes to each "
           "element's original index",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = sort_infer, .expand = sort_expand)

/* Attributes: depth, onValue = 1, offValue = 0, axis = -1. */
static glk_status one_hot_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  static const double defaults[4] = {0, 1, 0, -1};
  const glk_shape *indices = in[0];
  int64_t depth;
  uint32_t axis, dims[GLK_MAX_RANK + 1];
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 4));
  for (; attributes->count < 4; attributes->count++) {
    attributes->values[attributes->count] = defaults[attributes->count];
  }
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_SHAPE, "depth", 0,
                                GLK_MAX_INDEXED, &depth));
  GLK_TRY(glk_attribute_axis(context, op, attributes, 3, "the axis", indices->rank + 1, &axis));
  for (uint32_t a = 0; a <= indices->rank; a++) {
    dims[a] = a == axis ? (uint32_t)depth : indices->dims[a < axis ? a : a - 1];
  }
  return glk_shape_make(context, op->name, indices->rank + 1, dims, out);
}

/* Out of range is allowed here, as in TensorFlow; but an index must be a whole number. */
static glk_status one_hot_check(glk_context *context, const glk_op *op, const glk_call *call) {
  for (uint32_t i = 0; i < call->in_shape[0]->count; i++) {
    const double index = (double)call->in[0][i], size = index < 0 ? -index : index;
    if (size < 0x1p53 ? size == (double)(int64_t)size : size < __builtin_inf()) continue;
    return glk_fail(context, GLK_ERROR_INDEX, "%s: index %u is %g, expected a whole number",
                    op->name, i, index);
  }
  return GLK_OK;
}

/* out (outer, depth, inner), indices (outer, inner) */
static void one_hot_forward(const glk_call *call) {
  const glk_shape *indices = call->in_shape[0];
  const double *attributes = call->attributes->values;
  const size_t depth = (size_t)attributes[0];
  const size_t inner = glk_shape_product(indices, (uint32_t)attributes[3], indices->rank);
  glk_kernel_fill(call->out_shape->count, (glk_real)attributes[2], call->out);
  for (size_t i = 0; i < indices->count; i++) {
    const glk_real index = call->in[0][i];
    if (!(index >= 0 && index < (glk_real)depth)) continue;
    call->out[(i / inner * depth + (size_t)index) * inner + i % inner] = (glk_real)attributes[1];
  }
}

GLK_OP_ROW(one_hot, "oneHot", "oneHot(indices; depth, onValue, offValue, axis)",
           "A new axis with onValue at the index and offValue elsewhere; all offValue for an index "
           "out of range, as in TensorFlow. No gradient",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = one_hot_infer, .check = one_hot_check,
           .forward = one_hot_forward)

GLK_OP_FAMILY(indexing_sort, &glk_op_arg_sort, &glk_op_sort, &glk_op_one_hot)
