/* Matrix products: matMul, and dot and outerProduct in terms of it. A transpose is an exchange of
 * strides, so neither a product nor its gradient moves elements for one. */
#include "kernels/gemm.h"
#include "ops/op.h"

/* Axes before the last two are batches, which broadcast. Attributes: transposeA, transposeB (0 or
 * 1). */

static int transposed(const glk_attributes *attributes, int i) {
  return attributes->values[i] != 0;
}

/* The size of the first (0) or second (1) axis of operand i, after its transpose. */
static uint32_t size_of(const glk_shape *in, const glk_attributes *attributes, int i, int axis) {
  return in->dims[in->rank - 2 + (transposed(attributes, i) ? 1 - axis : axis)];
}

static glk_shape batch_of(const glk_shape *x) {
  glk_shape batch = {.rank = x->rank - 2, .count = 1};
  for (uint32_t a = 0; a < batch.rank; a++) batch.count *= batch.dims[a] = x->dims[a];
  return batch;
}

static glk_status refuse_matrices(glk_context *context, const glk_op *op,
                                  const glk_shape *const *in, const glk_attributes *attributes,
                                  const char *why) {
  static const char *const turned[] = {"", " transposed"};
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: %s, given %S%s and %S%s", op->name, why, in[0],
                  turned[transposed(attributes, 0)], in[1], turned[transposed(attributes, 1)]);
}

/* a is (..., m, k), b is (..., k, n), each after its transpose; out is (..., m, n) */
static glk_status matmul_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 2));
  for (; attributes->count < 2; attributes->count++) attributes->values[attributes->count] = 0;
  GLK_TRY(glk_attribute_flag(context, op, attributes, 0, "transposeA"));
  GLK_TRY(glk_attribute_flag(context, op, attributes, 1, "transposeB"));
  if (in[0]->rank < 2 || in[1]->rank < 2) {
    return refuse_matrices(context, op, in, attributes, "matrices have rank 2 or more");
  }
  if (size_of(in[0], attributes, 0, 1) != size_of(in[1], attributes, 1, 0)) {
    return refuse_matrices(context, op, in, attributes, "inner sizes differ");
  }
  const glk_shape a = batch_of(in[0]), b = batch_of(in[1]);
  glk_shape batch;
  if (glk_shape_broadcast(context, op->name, &a, &b, &batch) != GLK_OK) {
    return refuse_matrices(context, op, in, attributes,
                           "axes before the last two do not broadcast");
  }
  batch.dims[batch.rank] = size_of(in[0], attributes, 0, 0);
  batch.dims[batch.rank + 1] = size_of(in[1], attributes, 1, 1);
  return glk_shape_make(context, op->name, batch.rank + 2, batch.dims, out);
}

/* True if the matrices of a are adjacent in memory and all are multiplied by the same b: then they
 * are one tall matrix. */
static int is_tall(const glk_shape *a, const glk_shape *b, const glk_attributes *attributes) {
  return !transposed(attributes, 0) && a->rank > 2 && batch_of(b).count == 1;
}

/* Rows of each product: of one matrix, or of all of a tall a. */
static size_t rows_of(const glk_shape *const *in, const glk_attributes *attributes) {
  const size_t rows = size_of(in[0], attributes, 0, 0);
  return is_tall(in[0], in[1], attributes) ? batch_of(in[0]).count * rows : rows;
}

static size_t matmul_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  const size_t m = rows_of(in, attributes), n = size_of(in[1], attributes, 1, 1);
  return glk_kernel_gemm_scratch(m, n, size_of(in[0], attributes, 0, 1),
                                 transposed(attributes, 0)) +
         glk_kernel_masked_gemm_scratch(m, n);
}

/* The matrices of operand i in batch number `number` of the output. */
static glk_matrix operand(const glk_call *call, int i, size_t number) {
  const glk_shape *x = call->in_shape[i], *out = call->out_shape;
  const size_t rows = x->dims[x->rank - 2], columns = x->dims[x->rank - 1];
  size_t at = 0, stride = rows * columns;
  for (uint32_t a = out->rank - 2, b = x->rank - 2; b > 0; number /= out->dims[a]) {
    a--, b--;
    if (x->dims[b] != 1) at += number % out->dims[a] * stride;
    stride *= x->dims[b];
  }
  const glk_real *values = call->in[i] + at;
  if (transposed(call->attributes, i)) return (glk_matrix){values, 1, columns};
  return (glk_matrix){values, columns, 1};
}

static size_t matmul_gathered(const glk_shape *const *in, const glk_attributes *attributes) {
  return size_of(in[0], attributes, 0, 1);
}

/* One product, C = A B, and the bits of C that are not read, from `first` on; NULL: all are. */
typedef struct product_job {
  const glk_call *call;
  size_t m, n, k;
  glk_matrix a, b;
  glk_real *c;
  const uint32_t *unread;
  size_t first;
} product_job;

static void multiply_rows(const void *work, size_t from, size_t to, uint32_t thread) {
  const product_job *p = work;
  const glk_matrix a = {p->a.values + from * p->a.rs, p->a.rs, p->a.cs};
  glk_real *c = p->c + from * p->n, *scratch = p->call->scratch + thread * p->call->thread_scratch;
  if (p->unread) {
    glk_kernel_masked_gemm(to - from, p->n, p->k, a, p->b, c, scratch, p->unread,
                           p->first + from * p->n);
  } else {
    glk_kernel_gemm(to - from, p->n, p->k, a, p->b, c, p->n, scratch, NULL);
  }
}

static void multiply_columns(const void *work, size_t from, size_t to, uint32_t thread) {
  const product_job *p = work;
  const glk_matrix b = {p->b.values + from * p->b.cs, p->b.rs, p->b.cs};
  glk_kernel_gemm(p->m, to - from, p->k, p->a, b, p->c + from, p->n,
                  p->call->scratch + thread * p->call->thread_scratch, NULL);
}

/* By rows, or by columns where there are more of them: each part reads a part of the larger
 * operand. Rows under locks go by sixteens, since their kernel shares the packing of B. */
static void multiply(const product_job *p) {
  const double ns = GLK_PRODUCT_NS * (double)p->m * (double)p->n * (double)p->k;
  if (p->unread || p->m >= p->n) {
    glk_parallel_for(p->call->threads, ns, p->m, p->unread ? 16 : 4 * GLK_TILE_ROWS, multiply_rows,
                     p);
  } else {
    glk_parallel_for(p->call->threads, ns, p->n, 4 * GLK_TILE_COLUMNS, multiply_columns, p);
  }
}

/* Chosen rows of a single product: those of A side by side, as a transposed matrix. */
static void multiply_chosen(const glk_call *call, size_t n, size_t k) {
  const glk_rows *rows = call->rows;
  const glk_matrix a = operand(call, 0, 0), b = operand(call, 1, 0);
  const size_t m = rows->count;
  glk_real *to = rows->gathered;
  for (size_t p = 0; p < k; p++) {
    const glk_real *from = a.values + p * a.cs;
    for (size_t r = 0; r < m; r++) *to++ = from[rows->list[r] * a.rs];
  }
  const glk_matrix chosen = {rows->gathered, 1, m};
  const product_job job = {call, m, n, k, chosen, b, call->out, rows->unread, 0};
  multiply(&job);
}

/* Products of one call. */
typedef struct batch_job {
  const glk_call *call;
  size_t m, n, k;
} batch_job;

static product_job product_of(const batch_job *b, size_t i) {
  const glk_call *call = b->call;
  const size_t first = i * b->m * b->n;
  return (product_job){
      call,         b->m, b->n, b->k, operand(call, 0, i), operand(call, 1, i), call->out + first,
      call->unread, first};
}

static void multiply_batch(const void *work, size_t from, size_t to, uint32_t thread) {
  const batch_job *batch = work;
  for (size_t i = from; i < to; i++) {
    const product_job job = product_of(batch, i);
    multiply_rows(&job, 0, batch->m, thread);
  }
}

static void matmul_forward(const glk_call *call) {
  const glk_shape *out = call->out_shape;
  if (!out->count) return;
  const size_t n = out->dims[out->rank - 1], k = size_of(call->in_shape[0], call->attributes, 0, 1);
  const size_t m = rows_of(call->in_shape, call->attributes);
  if (call->rows) {
    multiply_chosen(call, n, k);
    return;
  }
  const size_t products = out->count / (m * n);
  const batch_job batch = {call, m, n, k};
  if (products > 1) {
    const double ns = GLK_PRODUCT_NS * (double)out->count * (double)k;
    glk_parallel_for(call->threads, ns, products, 1, multiply_batch, &batch);
  } else {
    const product_job job = product_of(&batch, 0);
    multiply(&job);
  }
}

static glk_ref product(glk_emitter *e, glk_ref a, int ta, glk_ref b, int tb) {
  const glk_attributes attributes = {2, {ta, tb}};
  return e->apply(e, &glk_op_matmul, (const glk_ref[]){a, b}, &attributes);
}

/* (..., m, n) as (all m, n) */
static glk_ref flatten(glk_emitter *e, glk_ref x) {
  const glk_shape from = e->shape(e, x);
  const uint32_t n = from.dims[from.rank - 1];
  const glk_shape to = {2, {batch_of(&from).count * from.dims[from.rank - 2], n}, from.count};
  return glk_emit_reshape(e, x, &to);
}

/* Y = A B: dA = dY B', dB = A' dY; where A came transposed, dA' = B dY' and so on. What was
 * repeated along a batch gets the sum over it; that of a tall A is the product's own. */
static void matmul_gradient(glk_emitter *e, glk_gradient *g) {
  const int ta = transposed(g->attributes, 0), tb = transposed(g->attributes, 1);
  const glk_shape a = e->shape(e, g->in[0]), b = e->shape(e, g->in[1]);
  if (g->needs_gradient[0]) {
    const glk_ref d = ta ? product(e, g->in[1], tb, g->dy, 1) : product(e, g->dy, 0, g->in[1], !tb);
    glk_emit_give(e, g, 0, d);
  }
  if (!g->needs_gradient[1]) return;
  const int tall = is_tall(&a, &b, g->attributes);
  const glk_ref x = tall ? flatten(e, g->in[0]) : g->in[0], dy = tall ? flatten(e, g->dy) : g->dy;
  const glk_ref d = tb ? product(e, dy, 1, x, ta) : product(e, x, !ta, dy, 0);
  if (tall) {
    g->d[1] = glk_emit_reshape(e, d, &b);
  } else {
    glk_emit_give(e, g, 1, d);
  }
}

GLK_OP_ROW(matmul, "matMul", "matMul(a, b; transposeA, transposeB)",
           "Products of matrices, the last two axes; axes before them broadcast", .inputs = 2,
           .flags = GLK_OP_PUBLIC | GLK_OP_MASKED | GLK_OP_SHARED, .infer = matmul_infer,
           .scratch = matmul_scratch, .gathered = matmul_gathered, .forward = matmul_forward,
           .gradient = matmul_gradient)

/* A vector is a row before the product and a column after it; its axis of 1 goes again. */
static glk_status dot_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  const glk_shape *a = in[0], *b = in[1];
  if (a->rank < 1 || a->rank > 2 || b->rank < 1 || b->rank > 2) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S, expected ranks 1 and 2",
                    op->name, a, b);
  }
  if (a->dims[a->rank - 1] != b->dims[0]) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: inner sizes of shapes %S and %S differ",
                    op->name, a, b);
  }
  uint32_t dims[2], rank = 0;
  if (a->rank == 2) dims[rank++] = a->dims[0];
  if (b->rank == 2) dims[rank++] = b->dims[1];
  return glk_shape_make(context, op->name, rank, dims, out);
}

static glk_ref dot_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  (void)attributes;
  const glk_shape a = e->shape(e, in[0]), b = e->shape(e, in[1]);
  const uint32_t k = b.dims[0], m = a.rank == 2 ? a.dims[0] : 1, n = b.rank == 2 ? b.dims[1] : 1;
  const glk_shape left = {2, {m, k}, m * k}, right = {2, {k, n}, k * n};
  glk_shape out = {.rank = 0, .count = m * n};
  if (a.rank == 2) out.dims[out.rank++] = m;
  if (b.rank == 2) out.dims[out.rank++] = n;
  const glk_ref rows = glk_emit_reshape(e, in[0], &left);
  const glk_ref columns = glk_emit_reshape(e, in[1], &right);
  const glk_ref y = product(e, rows, 0, columns, 0);
  return glk_emit_reshape(e, y, &out);
}

GLK_OP_ROW(dot, "dot", "dot(a, b)",
           "Sum over the last axis of a and the first of b, each a vector or a matrix", .inputs = 2,
           .flags = GLK_OP_PUBLIC, .infer = dot_infer, .expand = dot_expand)

static glk_status outer_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                              glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  if (in[0]->rank != 1 || in[1]->rank != 1) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S, expected two of rank 1",
                    op->name, in[0], in[1]);
  }
  const uint32_t dims[2] = {in[0]->dims[0], in[1]->dims[0]};
  return glk_shape_make(context, op->name, 2, dims, out);
}

static glk_ref outer_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  (void)attributes;
  const uint32_t m = e->shape(e, in[0]).count;
  const glk_shape column = {2, {m, 1}, m};
  return glk_emit2(e, &glk_op_mul, glk_emit_reshape(e, in[0], &column), in[1]);
}

GLK_OP_ROW(outer_product, "outerProduct", "outerProduct(a, b)",
           "Every element of a vector times every element of another", .inputs = 2,
           .flags = GLK_OP_PUBLIC, .infer = outer_infer, .expand = outer_expand)

GLK_OP_FAMILY(linear, &glk_op_matmul, &glk_op_dot, &glk_op_outer_product)
