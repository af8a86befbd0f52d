/* Slices of one axis by their indices (gather), and its reverse, which adds slices at indices: each
 * is the other's gradient. Sums are in the order of the indices, so the bits are the same
 * everywhere. */
#include "kernels/elementwise.h"
#include "ops/gather_indices.h"

/* x as (batch, outer, n, inner), indices as (batch, k); the gathered side has k instead of n. */
typedef struct view {
  size_t batch, outer, k, inner;
  uint32_t n;
} view;

/* `x` is the side with n. */
static view view_of(const glk_call *call, const glk_shape *x) {
  const uint32_t axis = (uint32_t)call->attributes->values[0];
  const uint32_t shared = (uint32_t)call->attributes->values[1];
  const glk_shape *indices = call->in_shape[1];
  view v = {1, 1, 1, 1, x->dims[axis]};
  for (uint32_t a = 0; a < shared; a++) v.batch *= x->dims[a];
  for (uint32_t a = shared; a < axis; a++) v.outer *= x->dims[a];
  for (uint32_t a = axis + 1; a < x->rank; a++) v.inner *= x->dims[a];
  for (uint32_t a = shared; a < indices->rank; a++) v.k *= indices->dims[a];
  return v;
}

/* The indices of run number `run` of the batch * outer runs. */
static glk_gather_indices indices_of(const view *v, const glk_real *indices, size_t run) {
  const glk_real *first = indices + run / v->outer * v->k;
  return (glk_gather_indices){
      .count = v->k, .block = v->inner, .depth = 1, .dims = {v->n}, .indices = first};
}

/* attributes[1] is batchDims: this number of leading axes must agree. */
static glk_status infer_batch(glk_context *context, const glk_op *op, const glk_shape *x,
                              const glk_shape *indices, uint32_t axis,
                              const glk_attributes *attributes) {
  int64_t shared;
  GLK_TRY(glk_attribute_integer(context, op, attributes, 1, GLK_ERROR_INDEX, "batchDims", 0,
                                axis < indices->rank ? axis : indices->rank, &shared));
  for (uint32_t a = 0; a < shared; a++) {
    if (x->dims[a] != indices->dims[a]) {
      return glk_fail(context, GLK_ERROR_SHAPE,
                      "%s: shapes %S and %S differ in their first %u axes, the batch", op->name, x,
                      indices, (uint32_t)shared);
    }
  }
  return GLK_OK;
}

/* Attributes: axis = 0, batchDims = 0. */
static glk_status gather_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0], *indices = in[1];
  uint32_t dims[3 * GLK_MAX_RANK], rank = 0, axis;
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 2));
  for (; attributes->count < 2; attributes->count++) attributes->values[attributes->count] = 0;
  GLK_TRY(glk_indexed_axis(context, op, attributes, 0, x, &axis));
  GLK_TRY(infer_batch(context, op, x, indices, axis, attributes));
  for (uint32_t a = 0; a < axis; a++) dims[rank++] = x->dims[a];
  for (uint32_t a = (uint32_t)attributes->values[1]; a < indices->rank; a++) {
    dims[rank++] = indices->dims[a];
  }
  for (uint32_t a = axis + 1; a < x->rank; a++) dims[rank++] = x->dims[a];
  return glk_shape_make(context, op->name, rank, dims, out);
}

static glk_status gather_check(glk_context *context, const glk_op *op, const glk_call *call) {
  const view v = view_of(call, call->in_shape[0]);
  return glk_check_indices(context, op->name, "indices", call->in_shape[1], call->in[1], &v.n, 1);
}

static void gather_forward(const glk_call *call) {
  const view v = view_of(call, call->in_shape[0]);
  for (size_t run = 0; run < v.batch * v.outer; run++) {
    const glk_gather_indices p = indices_of(&v, call->in[1], run);
    glk_kernel_gather(&p, call->in[0] + run * v.n * v.inner, call->out + run * v.k * v.inner);
  }
}

static void gather_gradient(glk_emitter *e, glk_gradient *g) {
  if (!g->needs_gradient[0]) return;
  const double axis = g->attributes->values[0], shared = g->attributes->values[1];
  const glk_attributes back = {3, {e->shape(e, g->in[0]).dims[(uint32_t)axis], axis, shared}};
  g->d[0] = e->apply(e, &glk_op_segment_sum, (const glk_ref[]){g->dy, g->in[1]}, &back);
}

GLK_OP_ROW(
    gather, "gather", "gather(x, indices; axis, batchDims)",
    "Slices along an axis at the given indices; x and indices share the first batchDims axes. The "
    "gradient adds up slices that were taken several times, in the order of the indices",
    .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = gather_infer, .check = gather_check,
    .forward = gather_forward, .gradient = gather_gradient)

/* A separate row, so that errors name the op that was called. */
GLK_OP_ROW(embedding_lookup, "embeddingLookup", "embeddingLookup(table, ids)",
           "Rows of a table at the given ids: gather along the first axis", .inputs = 2,
           .flags = GLK_OP_PUBLIC, .infer = gather_infer, .check = gather_check,
           .forward = gather_forward, .gradient = gather_gradient)

/* Attributes: numSegments, axis = 0, batchDims = 0, kept as axis, batchDims, numSegments. Data of
 * shape x[:axis] + ids[batchDims:] + rest becomes x[:axis] + [numSegments] + rest. */
static glk_status segment_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  const glk_shape *data = in[0], *ids = in[1];
  int64_t segments, axis;
  uint32_t dims[2 * GLK_MAX_RANK], rank = 0;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 3));
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_SHAPE, "numSegments", 0,
                                GLK_MAX_INDEXED, &segments));
  attributes->values[0] = attributes->count > 1 ? attributes->values[1] : 0;
  attributes->values[1] = attributes->count > 2 ? attributes->values[2] : 0;
  attributes->values[2] = (double)segments;
  attributes->count = 3;
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_INDEX, "the axis", 0,
                                data->rank, &axis));
  GLK_TRY(infer_batch(context, op, data, ids, (uint32_t)axis, attributes));
  const uint32_t shared = (uint32_t)attributes->values[1], axes = ids->rank - shared;
  int fits = axis + axes <= data->rank;
  for (uint32_t a = 0; a < axes && fits; a++) fits = data->dims[axis + a] == ids->dims[shared + a];
  if (!fits) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: segmentIds of shape %S do not fit data of shape %S from axis %u on",
                    op->name, ids, data, (uint32_t)axis);
  }
  for (uint32_t a = 0; a < axis; a++) dims[rank++] = data->dims[a];
  dims[rank++] = (uint32_t)segments;
  for (uint32_t a = (uint32_t)axis + axes; a < data->rank; a++) dims[rank++] = data->dims[a];
  return glk_shape_make(context, op->name, rank, dims, out);
}

static glk_status segment_check(glk_context *context, const glk_op *op, const glk_call *call) {
  const view v = view_of(call, call->out_shape);
  return glk_check_indices(context, op->name, "segmentIds", call->in_shape[1], call->in[1], &v.n,
                           1);
}

static size_t segment_gathered(const glk_shape *const *in, const glk_attributes *attributes) {
  (void)in;
  return attributes->values[0] == 0 ? 0 : GLK_NO_ROWS;
}

/* The index of row `number` in the list; its length if the list does not have that row. */
static size_t find_row(const glk_rows *rows, uint32_t number) {
  size_t low = 0, high = rows->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (rows->list[middle] < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < rows->count && rows->list[low] == number ? low : rows->count;
}

/* Computes only the rows in the list: blocks along the first axis. */
static void add_to_rows(const glk_call *call, const view *v) {
  const glk_gather_indices p = indices_of(v, call->in[1], 0);
  glk_kernel_fill(call->rows->count * v->inner, 0, call->out);
  for (size_t i = 0; i < v->k; i++) {
    const size_t row = find_row(call->rows, (uint32_t)glk_gather_index(&p, i));
    const glk_real *from = call->in[0] + i * v->inner;
    glk_real *to = call->out + row * v->inner;
    if (row < call->rows->count) glk_kernel_add(v->inner, to, 1, from, 1, to);
  }
}

static void segment_forward(const glk_call *call) {
  const view v = view_of(call, call->out_shape);
  if (call->rows) {
    add_to_rows(call, &v);
    return;
  }
  glk_kernel_fill(call->out_shape->count, 0, call->out);
  for (size_t run = 0; run < v.batch * v.outer; run++) {
    const glk_gather_indices p = indices_of(&v, call->in[1], run);
    glk_kernel_scatter(GLK_SCATTER_ADD, &p, call->in[0] + run * v.k * v.inner,
                       call->out + run * v.n * v.inner);
  }
}

static void segment_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_attributes along = {2, {g->attributes->values[0], g->attributes->values[1]}};
  if (!g->needs_gradient[0]) return;
  g->d[0] = e->apply(e, &glk_op_gather, (const glk_ref[]){g->dy, g->in[1]}, &along);
}

GLK_OP_ROW(segment_sum, "unsortedSegmentSum",
           "unsortedSegmentSum(data, segmentIds; numSegments, axis, batchDims)",
           "Sums of the slices with the same id, added in the order of the ids; an empty segment "
           "is 0, an id outside of 0 to numSegments - 1 is an error",
           .inputs = 2, .flags = GLK_OP_PUBLIC | GLK_OP_MASKED, .infer = segment_infer,
           .gathered = segment_gathered, .check = segment_check, .forward = segment_forward,
           .gradient = segment_gradient)

GLK_OP_FAMILY(indexing_gather, &glk_op_gather, &glk_op_embedding_lookup, &glk_op_segment_sum)
