/* Sums and means over axes and running sums, and how every reduction walks them. */
#include "ops/reduce.h"

#include <string.h>

#include "kernels/copy.h"
#include "kernels/elementwise.h"
#include "kernels/reduce.h"

/* Added to keepDims. */
enum { NO_AXES_IS_NONE = 2 };

/* Rows that are worth sums in chunks. */
#ifdef GLK_DEBUG
enum { MANY_ROWS = 64 };
#else
enum { MANY_ROWS = 1024 };
#endif

glk_status glk_reduce_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  int64_t keep = 0;
  uint32_t reduced;
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 1 + GLK_MAX_RANK));
  if (attributes->count) {
    GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_ARGUMENT, "keepDims", 0,
                                  1 + NO_AXES_IS_NONE, &keep));
  }
  GLK_TRY(glk_attribute_axes(context, op, attributes, 1, x->rank, &reduced));
  const int all = attributes->count < 2 && !(keep & NO_AXES_IS_NONE);
  keep &= 1;
  attributes->count = 1 + x->rank;
  attributes->values[0] = (double)keep;
  for (uint32_t a = 0; a < x->rank; a++) attributes->values[1 + a] = all || reduced >> a & 1;
  *out = glk_reduce_shape(x, attributes, keep != 0);
  return GLK_OK;
}

glk_shape glk_reduce_shape(const glk_shape *x, const glk_attributes *attributes, int keep_dims) {
  glk_shape out = {.rank = 0, .count = 1};
  for (uint32_t a = 0; a < x->rank; a++) {
    const int is_reduced = glk_reduce_has(attributes, a);
    if (is_reduced && !keep_dims) continue;
    out.dims[out.rank++] = is_reduced ? 1 : x->dims[a];
    out.count *= out.dims[out.rank - 1];
  }
  return out;
}

int glk_reduce_has(const glk_attributes *attributes, uint32_t axis) {
  return attributes->values[1 + axis] != 0;
}

/* x seen as (outer, rows, columns) when the reduced axes are neighbours (sizes of 1 do not count):
 * outer and columns are kept. Returns 0 if they are not. */
static int as_block(const glk_shape *x, const glk_attributes *attributes, size_t *outer,
                    size_t *rows, size_t *columns) {
  int phase = 0;
  *outer = *rows = *columns = 1;
  for (uint32_t a = 0; a < x->rank; a++) {
    if (x->dims[a] == 1) continue;
    const int reduced = glk_reduce_has(attributes, a);
    if (reduced && phase == 0) phase = 1;
    if (!reduced && phase == 1) phase = 2;
    if (reduced && phase == 2) return 0;
    *(phase == 0 ? outer : phase == 1 ? rows : columns) *= x->dims[a];
  }
  return 1;
}

/* Scratch for scattered axes: x rearranged with the reduced axes last. */
size_t glk_reduce_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  size_t outer, rows, columns;
  return as_block(in[0], attributes, &outer, &rows, &columns) ? 0 : in[0]->count;
}

/* Blocks (rows, columns), each folded to a row. */
typedef struct fold_job {
  const glk_fold *fold;
  size_t rows, columns;
  const glk_real *x;
  glk_real *out;
} fold_job;

static void fold_some(const void *work, size_t from, size_t to, uint32_t thread) {
  const fold_job *job = work;
  const size_t rows = job->rows, columns = job->columns;
  const glk_real *x = job->x + from * rows * columns;
  (void)thread;
  for (glk_real *out = job->out + from * columns; from < to; from++, out += columns) {
    if (columns == 1) {
      *out = job->fold->run(rows, x);
    } else {
      job->fold->rows(rows, columns, columns, x, out);
    }
    x += rows * columns;
  }
}

/* Columns of one block. */
static void fold_columns(const void *work, size_t from, size_t to, uint32_t thread) {
  const fold_job *job = work;
  (void)thread;
  job->fold->rows(job->rows, to - from, job->columns, job->x + from, job->out + from);
}

/* Chunks of one sum, and what they add up to. */
typedef struct chunk_job {
  const fold_job *fold;
  glk_real *parts;
} chunk_job;

static void sum_chunks(const void *work, size_t from, size_t to, uint32_t thread) {
  const chunk_job *job = work;
  const fold_job *fold = job->fold;
  (void)thread;
  for (; from < to; from++) {
    glk_kernel_sum_chunk(fold->rows, fold->columns, from, fold->x, job->parts);
  }
}

static void sum_together(glk_thread_pool *threads, double ns, const fold_job *fold) {
  glk_real parts[GLK_SUM_CHUNKS * GLK_SUM_COLUMNS];
  const chunk_job job = {fold, parts};
  const size_t chunks = glk_kernel_sum_chunks(fold->rows, fold->columns);
  glk_parallel_for(threads, ns, chunks, 1, sum_chunks, &job);
  glk_kernel_sum_join(fold->rows, fold->columns, fold->x, parts, fold->out);
}

static void fold_blocks(const glk_call *call, const glk_fold *fold, size_t outer, size_t rows,
                        size_t columns, const glk_real *x) {
  const fold_job job = {fold, rows, columns, x, call->out};
  const double ns = GLK_ELEMENT_NS / 2 * (double)outer * (double)rows * (double)columns;
  const int is_narrow = columns >= 1 && columns <= GLK_SUM_COLUMNS;
  if (call->threads && fold->is_sum && outer == 1 && is_narrow && rows > MANY_ROWS) {
    sum_together(call->threads, ns, &job);
  } else if (outer == 1 && columns > 1) {
    glk_parallel_for(call->threads, ns, columns, 64, fold_columns, &job);
  } else {
    glk_parallel_for(call->threads, ns, outer, 1, fold_some, &job);
  }
}

static int reduces_any(const glk_shape *x, const glk_attributes *attributes) {
  int any = 0;
  for (uint32_t a = 0; a < x->rank; a++) any |= glk_reduce_has(attributes, a);
  return any;
}

void glk_reduce_run(const glk_call *call, const glk_fold *fold) {
  const glk_shape *x = call->in_shape[0];
  size_t outer, rows, columns;
  if (x->rank && !reduces_any(x, call->attributes)) { /* x itself, to the bit */
    if (x->count) memcpy(call->out, call->in[0], x->count * sizeof *call->out);
    return;
  }
  if (as_block(x, call->attributes, &outer, &rows, &columns)) {
    fold_blocks(call, fold, outer, rows, columns, call->in[0]);
    return;
  }
  if (!x->count) {
    glk_kernel_fill(call->out_shape->count, fold->run(0, NULL), call->out);
    return;
  }
  glk_box box = {.rank = x->rank};
  size_t strides[GLK_MAX_RANK], stride = 1, kept = 1;
  glk_shape_strides(x, strides);
  for (uint32_t i = 0, last = x->rank; i < 2; i++) { /* reduced axes from the end, then the kept */
    for (uint32_t a = x->rank; a-- > 0;) {
      if (glk_reduce_has(call->attributes, a) != (i == 0)) continue;
      last--;
      box.dims[last] = x->dims[a];
      box.from[last] = strides[a];
      box.to[last] = stride;
      stride *= x->dims[a];
      if (i == 1) kept *= x->dims[a];
    }
  }
  glk_kernel_copy_box(&box, call->in[0], call->scratch);
  fold_blocks(call, fold, kept, x->count / kept, 1, call->scratch);
}

glk_ref glk_reduce_emit(glk_emitter *e, const glk_op *op, glk_ref x, int keep_dims,
                        const glk_attributes *attributes) {
  const glk_shape shape = e->shape(e, x);
  glk_attributes given = {.count = 1, .values = {keep_dims + NO_AXES_IS_NONE}};
  for (uint32_t a = 0; a < shape.rank; a++) {
    if (glk_reduce_has(attributes, a)) given.values[given.count++] = a;
  }
  return e->apply(e, op, &x, &given);
}

glk_ref glk_reduce_kept(glk_emitter *e, glk_ref value, glk_ref like,
                        const glk_attributes *attributes) {
  const glk_shape x = e->shape(e, like), kept = glk_reduce_shape(&x, attributes, 1);
  return glk_emit_reshape(e, value, &kept);
}

/* A reduced value, repeated along the reduced axes to the shape of `like`. */
static glk_ref spread(glk_emitter *e, glk_ref value, glk_ref like,
                      const glk_attributes *attributes) {
  const glk_shape x = e->shape(e, like);
  return glk_emit_broadcast(e, glk_reduce_kept(e, value, like, attributes), &x);
}

/* y = sum */
static const glk_fold sum_fold = {glk_kernel_sum, glk_kernel_sum_rows, 1};

static void sum_forward(const glk_call *call) { glk_reduce_run(call, &sum_fold); }

static void sum_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = spread(e, g->dy, g->in[0], g->attributes);
}

GLK_OP_ROW(sum, "sum", "sum(x; keepDims, axis...)",
           "Sum over axes, pairwise; the sum of nothing is 0", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_SHARED | GLK_OP_ONE_SCRATCH, .infer = glk_reduce_infer,
           .scratch = glk_reduce_scratch, .forward = sum_forward, .gradient = sum_gradient)

/* y = sum / n */
static glk_real mean_divisor(const glk_shape *x, const glk_attributes *attributes) {
  glk_real n = 1;
  for (uint32_t a = 0; a < x->rank; a++) {
    if (glk_reduce_has(attributes, a)) n *= (glk_real)x->dims[a];
  }
  return n;
}

static void mean_forward(const glk_call *call) {
  sum_forward(call);
  const glk_real n = mean_divisor(call->in_shape[0], call->attributes);
  glk_kernel_div(call->out_shape->count, call->out, 1, &n, 0, call->out);
}

static void mean_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape x = e->shape(e, g->in[0]);
  const glk_ref n = e->scalar(e, mean_divisor(&x, g->attributes));
  g->d[0] = spread(e, glk_emit2(e, &glk_op_div, g->dy, n), g->in[0], g->attributes);
}

GLK_OP_ROW(mean, "mean", "mean(x; keepDims, axis...)",
           "Sum over axes divided by their size; the mean of nothing is NaN", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_SHARED | GLK_OP_ONE_SCRATCH, .infer = glk_reduce_infer,
           .scratch = glk_reduce_scratch, .forward = mean_forward, .gradient = mean_gradient)

/* Attributes: the axis, exclusive (0 or 1), reverse (0 or 1). */
static glk_status cumsum_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t axis;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 3));
  for (; attributes->count < 3; attributes->count++) attributes->values[attributes->count] = 0;
  GLK_TRY(glk_attribute_axis(context, op, attributes, 0, "an axis", x->rank, &axis));
  for (uint32_t i = 1; i < 3; i++) {
    GLK_TRY(glk_attribute_flag(context, op, attributes, i, i == 1 ? "exclusive" : "reverse"));
  }
  *out = *x;
  return GLK_OK;
}

/* Row after row along the axis: each is the one before it, plus x's. Rows may be single elements,
 * so no kernel is called for each. */
static void cumsum_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[0];
  const double *attributes = call->attributes->values;
  const uint32_t axis = (uint32_t)attributes[0];
  const int exclusive = attributes[1] != 0, reverse = attributes[2] != 0;
  const size_t n = x->dims[axis], outer = glk_shape_product(x, 0, axis);
  const size_t inner = glk_shape_product(x, axis + 1, x->rank);
  for (size_t o = 0; o < outer; o++) {
    for (size_t k = 0; k < n; k++) {
      const size_t row = (o * n + (reverse ? n - 1 - k : k)) * inner;
      const size_t previous = reverse ? row + inner : row - inner; /* none for k = 0 */
      const glk_real *addend = call->in[0] + (exclusive && k ? previous : row);
      glk_real *out = call->out + row;
      for (size_t i = 0; i < inner; i++) {
        out[i] = k ? call->out[previous + i] + addend[i] : exclusive ? 0 : addend[i];
      }
    }
  }
}

/* Each element counts in every sum that follows it: the running sum of dy from the other end. */
static void cumsum_gradient(glk_emitter *e, glk_gradient *g) {
  glk_attributes turned = *g->attributes;
  turned.values[2] = turned.values[2] != 0 ? 0 : 1;
  g->d[0] = e->apply(e, &glk_op_cumsum, &g->dy, &turned);
}

GLK_OP_ROW(cumsum, "cumsum", "cumsum(x; axis, exclusive, reverse)",
           "Running sums along an axis, in order", .inputs = 1, .flags = GLK_OP_PUBLIC,
           .infer = cumsum_infer, .forward = cumsum_forward, .gradient = cumsum_gradient)

GLK_OP_FAMILY(reduce, &glk_op_sum, &glk_op_cumsum, &glk_op_mean)
