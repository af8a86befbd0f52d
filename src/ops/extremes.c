/* Largest, smallest, product, and where the largest and smallest are. */
#include <string.h>

#include "kernels/elementwise.h"
#include "kernels/reduce.h"
#include "ops/reduce.h"

/* An extreme of nothing has no value, and no peer agrees on one. */
static glk_status extreme_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_reduce_infer(context, op, in, attributes, out));
  if (in[0]->count || !out->count) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: shape %S has nothing to choose from", op->name,
                  in[0]);
}

static void fold_rows(glk_binary_kernel *kernel, size_t rows, size_t columns, const glk_real *x,
                      glk_real *out) {
  memcpy(out, x, columns * sizeof *out);
  for (size_t r = 1; r < rows; r++) kernel(columns, out, 1, x + r * columns, 1, out);
}

/* As in TensorFlow: what ties for the extreme shares the gradient in equal parts. */
static void share_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref x = g->in[0];
  const glk_ref chosen =
      glk_emit2(e, GLK_OP_EQUAL, x, glk_reduce_spread(e, g->out, x, g->attributes));
  const int keep_dims = g->attributes->values[0] != 0;
  const glk_ref ties = glk_reduce_emit(e, GLK_OP_SUM, chosen, keep_dims, g->attributes);
  const glk_ref share =
      glk_reduce_spread(e, glk_emit2(e, GLK_OP_DIV, g->dy, ties), x, g->attributes);
  g->d[0] = glk_emit3(e, GLK_OP_WHERE, chosen, share, e->scalar(e, 0));
}

/* --------------------------------------------------------------------------------------- max, min */

static void max_rows(size_t rows, size_t columns, const glk_real *x, glk_real *out) {
  fold_rows(glk_kernel_maximum, rows, columns, x, out);
}

static void max_forward(const glk_call *call) {
  static const glk_fold fold = {glk_kernel_max, max_rows};
  glk_reduce_run(call, &fold);
}

const glk_op glk_op_max = {
    .name = "max",
    .signature = "max(x; keepDims, axis...)",
    .doc = GLK_DOC(
        "Largest over axes, NaN if any is; ties share the gradient equally, as in TensorFlow"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = extreme_infer,
    .scratch = glk_reduce_scratch,
    .forward = max_forward,
    .gradient = share_gradient,
};

static void min_rows(size_t rows, size_t columns, const glk_real *x, glk_real *out) {
  fold_rows(glk_kernel_minimum, rows, columns, x, out);
}

static void min_forward(const glk_call *call) {
  static const glk_fold fold = {glk_kernel_min, min_rows};
  glk_reduce_run(call, &fold);
}

const glk_op glk_op_min = {
    .name = "min",
    .signature = "min(x; keepDims, axis...)",
    .doc = GLK_DOC(
        "Smallest over axes, NaN if any is; ties share the gradient equally, as in TensorFlow"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = extreme_infer,
    .scratch = glk_reduce_scratch,
    .forward = min_forward,
    .gradient = share_gradient,
};

/* ------------------------------------------------------------------- prod; dy/dx_i = product of others */

static void prod_rows(size_t rows, size_t columns, const glk_real *x, glk_real *out) {
  if (!rows) {
    glk_kernel_fill(columns, 1, out);
  } else {
    fold_rows(glk_kernel_mul, rows, columns, x, out);
  }
}

static void prod_forward(const glk_call *call) {
  static const glk_fold fold = {glk_kernel_prod, prod_rows};
  glk_reduce_run(call, &fold);
}

/* Divided by x it would be NaN at 0, so the products before and behind each element are multiplied instead. */
static void prod_gradient(glk_emitter *e, glk_gradient *g) {
  if (e->status != GLK_OK) return;
  const glk_ref others = e->apply(e, GLK_OP_PROD_OF_OTHERS, &g->in[0], g->attributes);
  const glk_ref dy = glk_reduce_spread(e, g->dy, g->in[0], g->attributes);
  g->d[0] = glk_emit2(e, GLK_OP_MUL, dy, others);
}

const glk_op glk_op_prod = {
    .name = "prod",
    .signature = "prod(x; keepDims, axis...)",
    .doc = GLK_DOC("Product over axes; of nothing 1; the gradient is right at zeros too"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = glk_reduce_infer,
    .scratch = glk_reduce_scratch,
    .forward = prod_forward,
    .gradient = prod_gradient,
};

/* Attributes are a reduction's as kept: keepDims, then a flag an axis. */
static glk_status others_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 1 + in[0]->rank, 1 + in[0]->rank));
  *out = *in[0];
  return GLK_OK;
}

/* Elements in the order of memory that agree on the kept axes belong together: walk forwards multiplying what came
 * before, then backwards. The running product of a group is kept at the place of its kept indices, in scratch. */
static size_t others_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  size_t kept = 1;
  for (uint32_t a = 0; a < in[0]->rank; a++) {
    if (!glk_reduce_has(attributes, a)) kept *= in[0]->dims[a];
  }
  return kept;
}

static size_t group_of(const glk_shape *x, const glk_attributes *attributes, size_t index) {
  size_t group = 0, stride = 1;
  for (uint32_t a = x->rank; a-- > 0; index /= x->dims[a]) {
    if (glk_reduce_has(attributes, a)) continue;
    group += index % x->dims[a] * stride;
    stride *= x->dims[a];
  }
  return group;
}

static void others_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[0];
  const size_t n = x->count;
  const size_t groups = others_scratch(&x, call->attributes);
  glk_kernel_fill(groups, 1, call->scratch);
  for (size_t i = 0; i < n; i++) {
    glk_real *running = &call->scratch[group_of(x, call->attributes, i)];
    call->out[i] = *running;
    *running *= call->in[0][i];
  }
  glk_kernel_fill(groups, 1, call->scratch);
  for (size_t i = n; i-- > 0;) {
    glk_real *running = &call->scratch[group_of(x, call->attributes, i)];
    call->out[i] *= *running;
    *running *= call->in[0][i];
  }
}

const glk_op glk_op_prod_of_others = {
    .name = "prodOfOthers",
    .signature = "prodOfOthers(x; keepDims, flag...)",
    .doc = GLK_DOC("For each element, the product of the others it is reduced with"),
    .inputs = 1,
    .infer = others_infer,
    .scratch = others_scratch,
    .forward = others_forward,
};

/* --------------------------------------------------------------------------------- argMax, argMin */

/* Attribute: the axis, kept as 0 or more. */
static glk_status arg_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  int64_t axis;
  uint32_t dims[GLK_MAX_RANK], rank = 0;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 1));
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_INDEX, "the axis",
                                -(int64_t)x->rank, (int64_t)x->rank - 1, &axis));
  if (axis < 0) axis += x->rank;
  for (uint32_t a = 0; a < x->rank; a++) {
    if (a != axis) dims[rank++] = x->dims[a];
  }
  GLK_TRY(glk_shape_make(context, op->name, rank, dims, out));
  if (out->count && !x->count) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shape %S has nothing to choose from", op->name,
                    x);
  }
  attributes->values[0] = (double)axis;
  return GLK_OK;
}

static void arg_forward(const glk_call *call, glk_real sign) {
  const glk_shape *x = call->in_shape[0];
  const uint32_t axis = (uint32_t)call->attributes->values[0];
  size_t inner = 1, outer = 1;
  for (uint32_t a = 0; a < axis; a++) outer *= x->dims[a];
  for (uint32_t a = axis + 1; a < x->rank; a++) inner *= x->dims[a];
  for (size_t o = 0; o < outer; o++) {
    for (size_t i = 0; i < inner; i++) {
      const glk_real *first = call->in[0] + o * x->dims[axis] * inner + i;
      call->out[o * inner + i] = (glk_real)glk_kernel_arg(x->dims[axis], inner, sign, first);
    }
  }
}

static void arg_max_forward(const glk_call *call) { arg_forward(call, 1); }
static void arg_min_forward(const glk_call *call) { arg_forward(call, -1); }

const glk_op glk_op_arg_max = {
    .name = "argMax",
    .signature = "argMax(x; axis)",
    .doc = GLK_DOC("Index of the first largest along an axis; the first NaN, if any; no gradient"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = arg_infer,
    .forward = arg_max_forward,
};

const glk_op glk_op_arg_min = {
    .name = "argMin",
    .signature = "argMin(x; axis)",
    .doc = GLK_DOC("Index of the first smallest along an axis; the first NaN, if any; no gradient"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = arg_infer,
    .forward = arg_min_forward,
};
