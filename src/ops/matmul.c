/* Matrix product. Attributes: transposeA, transposeB (0 or 1). */
#include "kernels/gemm.h"
#include "ops/op.h"

static int transposed(const glk_attributes *attributes, int i) {
  return attributes->values[i] != 0;
}

/* a is (m, k), b is (k, n), each after its transpose; out is (m, n) */
static glk_status matmul_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 2));
  for (; attributes->count < 2; attributes->count++) attributes->values[attributes->count] = 0;
  for (uint32_t i = 0; i < 2; i++) {
    int64_t flag;
    GLK_TRY(glk_attribute_integer(context, op, attributes, i, GLK_ERROR_ARGUMENT,
                                  i ? "transposeB" : "transposeA", 0, 1, &flag));
  }
  if (in[0]->rank != 2 || in[1]->rank != 2) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S, expected two of rank 2",
                    op->name, in[0], in[1]);
  }
  const int ta = transposed(attributes, 0), tb = transposed(attributes, 1);
  const uint32_t k = in[0]->dims[ta ? 0 : 1];
  if (k != in[1]->dims[tb ? 1 : 0]) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: inner sizes of %S%s and %S%s differ, %u and %u",
                    op->name, in[0], ta ? " transposed" : "", in[1], tb ? " transposed" : "", k,
                    in[1]->dims[tb ? 1 : 0]);
  }
  const uint32_t dims[2] = {in[0]->dims[ta ? 1 : 0], in[1]->dims[tb ? 0 : 1]};
  return glk_shape_make(context, op->name, 2, dims, out);
}

static size_t matmul_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  return glk_kernel_gemm_scratch(in[0]->dims[transposed(attributes, 0) ? 0 : 1]);
}

static glk_matrix operand(const glk_call *call, int i) {
  const size_t columns = call->in_shape[i]->dims[1];
  if (transposed(call->attributes, i)) return (glk_matrix){call->in[i], 1, columns};
  return (glk_matrix){call->in[i], columns, 1};
}

static void matmul_forward(const glk_call *call) {
  const size_t k = call->in_shape[0]->dims[transposed(call->attributes, 0) ? 0 : 1];
  glk_kernel_gemm(call->out_shape->dims[0], call->out_shape->dims[1], k, operand(call, 0),
                  operand(call, 1), call->out, call->scratch);
}

static glk_ref product(glk_emitter *e, glk_ref a, int ta, glk_ref b, int tb) {
  const glk_attributes attributes = {2, {ta, tb}};
  return e->apply(e, GLK_OP_MATMUL, (const glk_ref[]){a, b}, &attributes);
}

/* Y = A B: dA = dY B', dB = A' dY; where A came transposed, dA' = B dY' and so on. */
static void matmul_gradient(glk_emitter *e, glk_gradient *g) {
  const int ta = transposed(g->attributes, 0), tb = transposed(g->attributes, 1);
  if (g->wanted[0]) {
    g->d[0] = ta ? product(e, g->in[1], tb, g->dy, 1) : product(e, g->dy, 0, g->in[1], !tb);
  }
  if (g->wanted[1]) {
    g->d[1] = tb ? product(e, g->dy, 1, g->in[0], ta) : product(e, g->in[0], !ta, g->dy, 0);
  }
}

const glk_op glk_op_matmul = {
    .name = "matMul",
    .signature = GLK_DOC("matMul(a, b; transposeA, transposeB)"),
    .doc = GLK_DOC("Product of two matrices"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC,
    .infer = matmul_infer,
    .scratch = matmul_scratch,
    .forward = matmul_forward,
    .gradient = matmul_gradient,
};
