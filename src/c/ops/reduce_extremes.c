/* Maxima, minima, products, and indices of maxima and minima, over axes. Products have a fixed
 * order, so the bits are the same everywhere. */
#include <string.h>

#include "kernels/elementwise.h"
#include "kernels/reduce.h"
#include "ops/reduce.h"

enum { WHOLE_REALS = 1 << 24 };

/* An extreme of nothing has no value, and no peer agrees on one. */
static glk_status refuse_nothing(glk_context *context, const glk_op *op, const glk_shape *x,
                                 const glk_shape *out) {
  if (x->count || !out->count) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: shape %S has nothing to choose from", op->name, x);
}

static glk_status extreme_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_reduce_infer(context, op, in, attributes, out));
  return refuse_nothing(context, op, in[0], out);
}

static void fold_rows(glk_binary_kernel *kernel, size_t rows, size_t columns, size_t stride,
                      const glk_real *x, glk_real *out) {
  memcpy(out, x, columns * sizeof *out);
  for (size_t r = 1; r < rows; r++) kernel(columns, out, 1, x + r * stride, 1, out);
}

/* Elements that tie for the extreme share the gradient in equal parts, as in TensorFlow. If the
 * extreme is NaN, no element equals it, and 0 / 0 makes the whole gradient NaN. */
static void split_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref x = g->in[0];
  const glk_ref extreme = glk_reduce_kept(e, g->out, x, g->attributes);
  const glk_ref dy = glk_reduce_kept(e, g->dy, x, g->attributes);
  const glk_ref extremal = glk_emit2(e, &glk_op_equal, x, extreme);
  const glk_ref ties = glk_reduce_emit(e, &glk_op_sum, extremal, 1, g->attributes);
  const glk_ref nothing = glk_emit2(e, &glk_op_div, e->scalar(e, 0), ties);
  const glk_ref part = glk_emit2(e, &glk_op_div, dy, ties);
  g->d[0] = glk_emit3(e, &glk_op_where, extremal, part, nothing);
}

/* `kind` is the name of the kernel for whole rows, `word` begins the text. */
#define EXTREME_ROW(row, name, kind, word)                                                    \
  static void row##_rows(size_t rows, size_t columns, size_t stride, const glk_real *x,       \
                         glk_real *out) {                                                     \
    fold_rows(glk_kernel_##kind, rows, columns, stride, x, out);                              \
  }                                                                                           \
  static void row##_forward(const glk_call *call) {                                           \
    static const glk_fold fold = {glk_kernel_##row, row##_rows, 0};                           \
    glk_reduce_run(call, &fold);                                                              \
  }                                                                                           \
  GLK_OP_ROW(row, name, name "(x; keepDims, axis...)",                                        \
             word " over axes, NaN if any is; ties share the gradient in equal parts, as in " \
                  "TensorFlow (in TensorFlow.js each gets all of it)",                        \
             .inputs = 1, .flags = GLK_OP_PUBLIC | GLK_OP_SHARED | GLK_OP_ONE_SCRATCH,        \
             .infer = extreme_infer, .scratch = glk_reduce_scratch, .forward = row##_forward, \
             .gradient = split_gradient)

EXTREME_ROW(max, "max", maximum, "Largest")
EXTREME_ROW(min, "min", minimum, "Smallest")

/* x as (rows, columns), the rows reduced. Halves of the rows are multiplied until one is left. This
 * is right at zeros, and so are its first and second gradients; quotients by x would not be. */
static glk_ref prod_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const glk_shape x = e->shape(e, in[0]);
  const glk_shape out = glk_reduce_shape(&x, attributes, attributes->values[0] != 0);
  glk_attributes order = {.count = 0};
  glk_shape flat = {2, {1, 1}, x.count};
  int is_moved = 0;
  for (uint32_t part = 0; part < 2; part++) {
    for (uint32_t a = 0; a < x.rank; a++) {
      if (glk_reduce_has(attributes, a) != (part == 0)) continue;
      flat.dims[part] *= x.dims[a];
      is_moved |= order.count != a;
      order.values[order.count++] = a;
    }
  }
  if (!flat.dims[0]) { /* 1, however x depends on what */
    const int keep_dims = attributes->values[0] != 0;
    const glk_ref zero = glk_reduce_emit(e, &glk_op_sum, in[0], keep_dims, attributes);
    return glk_emit2(e, &glk_op_add, zero, e->scalar(e, 1));
  }
  glk_ref y = is_moved ? e->apply(e, &glk_op_transpose, in, &order) : in[0];
  y = glk_emit_reshape(e, y, &flat);
  for (uint32_t rows = flat.dims[0]; rows > 1; rows -= rows / 2) {
    const uint32_t half = rows / 2;
    glk_ref product = glk_emit2(e, &glk_op_mul, glk_emit_slice(e, y, 0, 0, half),
                                glk_emit_slice(e, y, 0, half, half));
    if (rows % 2) {
      const glk_ref last = glk_emit_slice(e, y, 0, 2 * half, 1);
      const glk_attributes along = {1, {0}};
      product = e->apply(e, &glk_op_concat, (const glk_ref[]){product, last}, &along);
    }
    y = product;
  }
  return glk_emit_result(e, glk_emit_reshape(e, y, &out), in[0]);
}

GLK_OP_ROW(prod, "prod", "prod(x; keepDims, axis...)",
           "Product over axes, multiplied in halves; the product of nothing is 1; the gradient is "
           "right at zeros, too",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = glk_reduce_infer, .expand = prod_expand)

/* Attribute: the axis, kept as 0 or more. */
static glk_status arg_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t axis;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 1));
  GLK_TRY(glk_attribute_axis(context, op, attributes, 0, "an axis", x->rank, &axis));
  if (x->dims[axis] > WHOLE_REALS) {
    return glk_fail(context, GLK_ERROR_LIMIT,
                    "%s: axis %u of shape %S has more elements than the %u that f32 can number",
                    op->name, axis, x, (uint32_t)WHOLE_REALS);
  }
  *out = (glk_shape){.rank = 0, .count = 1};
  for (uint32_t a = 0; a < x->rank; a++) {
    if (a == axis) continue;
    out->dims[out->rank++] = x->dims[a];
    out->count *= x->dims[a];
  }
  if (!x->dims[axis]) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shape %S has nothing to choose from along axis %u", op->name, x, axis);
  }
  return GLK_OK;
}

static void arg_forward(const glk_call *call, glk_real sign) {
  const glk_shape *x = call->in_shape[0];
  const uint32_t axis = (uint32_t)call->attributes->values[0];
  const size_t outer = glk_shape_product(x, 0, axis);
  const size_t inner = glk_shape_product(x, axis + 1, x->rank);
  for (size_t o = 0; o < outer; o++) {
    glk_kernel_arg_rows(x->dims[axis], inner, sign, call->in[0] + o * x->dims[axis] * inner,
                        call->out + o * inner);
  }
}

static void arg_max_forward(const glk_call *call) { arg_forward(call, 1); }
static void arg_min_forward(const glk_call *call) { arg_forward(call, -1); }

GLK_OP_ROW(arg_max, "argMax", "argMax(x; axis)",
           "Index of the first largest along an axis; NaN counts only if all are NaN; no gradient",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = arg_infer, .forward = arg_max_forward)

GLK_OP_ROW(arg_min, "argMin", "argMin(x; axis)",
           "Index of the first smallest along an axis; NaN counts only if all are NaN; no gradient",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = arg_infer, .forward = arg_min_forward)

GLK_OP_FAMILY(reduce_extremes, &glk_op_max, &glk_op_min, &glk_op_prod, &glk_op_arg_max,
              &glk_op_arg_min)
