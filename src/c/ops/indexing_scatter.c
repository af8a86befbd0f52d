/* Gather and scatter of blocks by lists of indices (gatherNd, scatterNd and others), one row of
 * indices per block. Updates are combined in the order of the list, so the bits are the same
 * everywhere. Refuses to replace a block twice unless the caller says which update counts
 * (docs/laws.md, law 14). */
#include "kernels/elementwise.h"
#include "ops/gather_indices.h"

#include <string.h>

static glk_gather_indices gather_from(const glk_call *call, const glk_shape *x, uint32_t indices) {
  return glk_gather_indices_of(x, call->in_shape[indices], call->in[indices]);
}

static glk_status check_indices(glk_context *context, const glk_op *op, const glk_call *call,
                                const glk_shape *x, uint32_t indices) {
  const glk_gather_indices p = gather_from(call, x, indices);
  return glk_check_indices(context, op->name, "indices", call->in_shape[indices], call->in[indices],
                           p.dims, p.depth ? p.depth : 1);
}

static glk_attributes dims_of(const glk_shape *x) {
  glk_attributes dims = {.count = x->rank};
  for (uint32_t a = 0; a < x->rank; a++) dims.values[a] = x->dims[a];
  return dims;
}

static glk_ref emit_gather_nd(glk_emitter *e, glk_ref x, glk_ref indices) {
  return glk_emit2(e, &glk_op_gather_nd, x, indices);
}

static glk_ref emit_scatter_nd(glk_emitter *e, glk_ref indices, glk_ref updates, glk_ref like) {
  const glk_shape shape = e->shape(e, like);
  const glk_attributes dims = dims_of(&shape);
  return e->apply(e, &glk_op_scatter_nd, (const glk_ref[]){indices, updates}, &dims);
}

static glk_status gather_nd_infer(glk_context *context, const glk_op *op,
                                  const glk_shape *const *in, glk_attributes *attributes,
                                  glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  return glk_gather_infer(context, op->name, in[0], in[1], out);
}

static glk_status onto_check(glk_context *context, const glk_op *op, const glk_call *call) {
  return check_indices(context, op, call, call->in_shape[0], 1);
}

static void gather_nd_forward(const glk_call *call) {
  const glk_gather_indices p = gather_from(call, call->in_shape[0], 1);
  glk_kernel_gather(&p, call->in[0], call->out);
}

static void gather_nd_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) g->d[0] = emit_scatter_nd(e, g->in[1], g->dy, g->in[0]);
}

GLK_OP_ROW(
    gather_nd, "gatherNd", "gatherNd(x, indices)",
    "Elements or slices of x at indices, whose last axis has one number for each of the first axes "
    "of x; the gradient adds up those taken several times, in the order of the list",
    .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = gather_nd_infer, .check = onto_check,
    .forward = gather_nd_forward, .gradient = gather_nd_gradient)

/* Attributes: the shape. */
static glk_status scatter_nd_infer(glk_context *context, const glk_op *op,
                                   const glk_shape *const *in, glk_attributes *attributes,
                                   glk_shape *out) {
  GLK_TRY(glk_attribute_shape(context, op, attributes, 0, out));
  return glk_scatter_infer(context, op->name, out, in[0], in[1]);
}

static glk_status scatter_nd_check(glk_context *context, const glk_op *op, const glk_call *call) {
  return check_indices(context, op, call, call->out_shape, 0);
}

static void scatter_nd_forward(const glk_call *call) {
  const glk_gather_indices p = gather_from(call, call->out_shape, 0);
  glk_kernel_fill(call->out_shape->count, 0, call->out);
  glk_kernel_scatter(GLK_SCATTER_ADD, &p, call->in[1], call->out);
}

static void scatter_nd_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[1]) g->d[1] = emit_gather_nd(e, g->dy, g->in[0]);
}

GLK_OP_ROW(
    scatter_nd, "scatterNd", "scatterNd(indices, updates; size...)",
    "Zeros of a shape with updates added at indices; duplicates add up in the order of the list",
    .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = scatter_nd_infer, .check = scatter_nd_check,
    .forward = scatter_nd_forward, .gradient = scatter_nd_gradient)

static glk_status onto_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  *out = *in[0];
  return glk_scatter_infer(context, op->name, in[0], in[1], in[2]);
}

static void scatter_onto(const glk_call *call, glk_scatter mode) {
  const glk_gather_indices p = gather_from(call, call->in_shape[0], 1);
  memcpy(call->out, call->in[0], call->out_shape->count * sizeof *call->out);
  glk_kernel_scatter(mode, &p, call->in[2], call->out);
}

/* Attribute: duplicates, 0 refused, 1 the last, 2 their sum; as the first modes of glk_scatter. */
static glk_status update_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  const glk_attributes none = {0, {0}};
  glk_attributes given = none;
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 1));
  if (!attributes->count) attributes->values[attributes->count++] = 0;
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_ARGUMENT, "duplicates", 0,
                                GLK_SCATTER_UPDATE_SUM, NULL));
  return onto_infer(context, op, in, &given, out);
}

static size_t mark_scratch(const glk_shape *x, const glk_shape *indices) {
  const glk_gather_indices p = glk_gather_indices_of(x, indices, NULL);
  return glk_mark_words(glk_gather_block_count(&p)); /* a real holds a word */
}

static size_t update_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  return attributes->values[0] == GLK_SCATTER_UPDATE ? mark_scratch(in[0], in[1]) : 0;
}

static glk_status update_check(glk_context *context, const glk_op *op, const glk_call *call) {
  GLK_TRY(onto_check(context, op, call));
  if (call->attributes->values[0] != GLK_SCATTER_UPDATE) return GLK_OK;
  const glk_gather_indices p = gather_from(call, call->in_shape[0], 1);
  return glk_check_no_repeats(context, op->name, &p, (uint32_t *)call->scratch);
}

static void update_forward(const glk_call *call) {
  scatter_onto(call, (glk_scatter)call->attributes->values[0]);
}

/* A replaced element has no gradient. Among duplicates of which the last counts, only the last has
 * one. */
static void update_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref tensor = g->in[0], indices = g->in[1], updates = g->in[2];
  const glk_shape block = e->shape(e, updates), x = e->shape(e, tensor);
  if (g->needs_gradient[0]) {
    const glk_ref zeros = glk_emit_broadcast(e, e->scalar(e, 0), &block);
    const glk_attributes last = {1, {GLK_SCATTER_UPDATE_LAST}};
    g->d[0] = e->apply(e, &glk_op_scatter_update, (const glk_ref[]){g->dy, indices, zeros}, &last);
  }
  if (!g->needs_gradient[2]) return;
  g->d[2] = emit_gather_nd(e, g->dy, indices);
  if (g->attributes->values[0] == GLK_SCATTER_UPDATE_LAST) {
    const glk_attributes dims = dims_of(&x);
    const glk_ref counts = e->apply(e, &glk_op_last_of_repeats, &indices, &dims);
    g->d[2] = glk_emit3(e, &glk_op_where, counts, g->d[2], e->scalar(e, 0));
  }
}

GLK_OP_ROW(scatter_update, "tensorScatterNdUpdate",
           "tensorScatterNdUpdate(tensor, indices, updates; duplicates)",
           "The tensor with updates written at indices. Duplicates are an error; with duplicates = "
           "1 the last one counts, with 2 their sum",
           .inputs = 3, .flags = GLK_OP_PUBLIC, .infer = update_infer, .scratch = update_scratch,
           .check = update_check, .forward = update_forward, .gradient = update_gradient)

/* Attributes: the shape that indices point into. (rows..., 1...), to be broadcast against
 * updates. */
static glk_status last_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  glk_shape x, block;
  GLK_TRY(glk_attribute_shape(context, op, attributes, 0, &x));
  GLK_TRY(glk_gather_infer(context, op->name, &x, in[0], &block));
  for (uint32_t a = in[0]->rank - 1; a < block.rank; a++) block.dims[a] = 1;
  return glk_shape_make(context, op->name, block.rank, block.dims, out);
}

static glk_shape named_shape(const glk_attributes *attributes) {
  glk_shape x = {.rank = attributes->count};
  for (uint32_t a = 0; a < x.rank; a++) x.dims[a] = (uint32_t)attributes->values[a];
  return x;
}

static size_t last_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  const glk_shape x = named_shape(attributes);
  return mark_scratch(&x, in[0]);
}

static glk_status last_check(glk_context *context, const glk_op *op, const glk_call *call) {
  const glk_shape x = named_shape(call->attributes);
  return check_indices(context, op, call, &x, 0);
}

static void last_forward(const glk_call *call) {
  const glk_shape x = named_shape(call->attributes);
  const glk_gather_indices p = gather_from(call, &x, 0);
  uint32_t *marks = (uint32_t *)call->scratch;
  for (size_t w = glk_mark_words(glk_gather_block_count(&p)); w-- > 0;) marks[w] = 0;
  for (size_t row = p.count; row-- > 0;)
    call->out[row] = !glk_mark(marks, glk_gather_index(&p, row));
}

GLK_OP_ROW(last_of_repeats, "lastOfRepeats", "lastOfRepeats(indices; size...)",
           "1 for each row of indices that no later row repeats, else 0", .inputs = 1,
           .infer = last_infer, .scratch = last_scratch, .check = last_check,
           .forward = last_forward)

static void add_forward(const glk_call *call) { scatter_onto(call, GLK_SCATTER_ADD); }

static void add_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) g->d[0] = g->dy;
  if (g->needs_gradient[2]) g->d[2] = emit_gather_nd(e, g->dy, g->in[1]);
}

GLK_OP_ROW(scatter_add, "tensorScatterNdAdd", "tensorScatterNdAdd(tensor, indices, updates)",
           "The tensor with updates added at indices, in the order of the list", .inputs = 3,
           .flags = GLK_OP_PUBLIC, .infer = onto_infer, .check = onto_check, .forward = add_forward,
           .gradient = add_gradient)

static void sub_forward(const glk_call *call) { scatter_onto(call, GLK_SCATTER_SUB); }

static void sub_gradient(glk_emitter *e, glk_gradient *g) {
  add_gradient(e, g);
  if (g->needs_gradient[2]) g->d[2] = glk_emit1(e, &glk_op_neg, g->d[2]);
}

GLK_OP_ROW(scatter_sub, "tensorScatterNdSub", "tensorScatterNdSub(tensor, indices, updates)",
           "The tensor with updates subtracted at indices, in the order of the list", .inputs = 3,
           .flags = GLK_OP_PUBLIC, .infer = onto_infer, .check = onto_check, .forward = sub_forward,
           .gradient = sub_gradient)

/* The elements that tie for an extreme, the tensor's own element included, share its gradient
 * equally, as in TensorFlow. Source: tensorflow/python/ops/array_grad.py,
 * _TensorScatterMinOrMaxGrad. The gradient is selected, not multiplied, so NaN does not spread. */
static void extreme_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref indices = g->in[1], zero = e->scalar(e, 0);
  const glk_ref kept = glk_emit2(e, &glk_op_equal, g->in[0], g->out);
  const glk_ref taken = glk_emit2(e, &glk_op_equal, g->in[2], emit_gather_nd(e, g->out, indices));
  const glk_ref ties =
      glk_emit2(e, &glk_op_add, kept, emit_scatter_nd(e, indices, taken, g->in[0]));
  const glk_ref share = glk_emit2(e, &glk_op_div, g->dy, ties);
  if (g->needs_gradient[0]) g->d[0] = glk_emit3(e, &glk_op_where, kept, share, zero);
  if (!g->needs_gradient[2]) return;
  g->d[2] = glk_emit3(e, &glk_op_where, taken, emit_gather_nd(e, share, indices), zero);
}

static void min_forward(const glk_call *call) { scatter_onto(call, GLK_SCATTER_MIN); }

GLK_OP_ROW(scatter_min, "tensorScatterNdMin", "tensorScatterNdMin(tensor, indices, updates)",
           "The tensor with the smallest of its element and the updates at indices, NaN if any is; "
           "ties share the gradient equally, as in TensorFlow",
           .inputs = 3, .flags = GLK_OP_PUBLIC, .infer = onto_infer, .check = onto_check,
           .forward = min_forward, .gradient = extreme_gradient)

static void max_forward(const glk_call *call) { scatter_onto(call, GLK_SCATTER_MAX); }

GLK_OP_ROW(scatter_max, "tensorScatterNdMax", "tensorScatterNdMax(tensor, indices, updates)",
           "The tensor with the largest of its element and the updates at indices, NaN if any is; "
           "ties share the gradient equally, as in TensorFlow",
           .inputs = 3, .flags = GLK_OP_PUBLIC, .infer = onto_infer, .check = onto_check,
           .forward = max_forward, .gradient = extreme_gradient)

GLK_OP_FAMILY(indexing_scatter, &glk_op_gather_nd, &glk_op_scatter_nd, &glk_op_scatter_update,
              &glk_op_last_of_repeats, &glk_op_scatter_add, &glk_op_scatter_sub,
              &glk_op_scatter_min, &glk_op_scatter_max)
