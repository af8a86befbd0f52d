/* Cumulative sums. */
#include "ops/op.h"

/* Attributes: the axis, exclusive (0 or 1), reverse (0 or 1). */
static glk_status cumsum_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  int64_t flag;
  uint32_t axis;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 3));
  for (; attributes->count < 3; attributes->count++) attributes->values[attributes->count] = 0;
  GLK_TRY(glk_attribute_axis(context, op, attributes, 0, x->rank, &axis));
  for (uint32_t i = 1; i < 3; i++) {
    GLK_TRY(glk_attribute_integer(context, op, attributes, i, GLK_ERROR_ARGUMENT,
                                  i == 1 ? "exclusive" : "reverse", 0, 1, &flag));
  }
  attributes->values[0] = axis;
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
  const size_t n = x->dims[axis];
  size_t inner = 1, outer = 1;
  for (uint32_t a = 0; a < axis; a++) outer *= x->dims[a];
  for (uint32_t a = axis + 1; a < x->rank; a++) inner *= x->dims[a];
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
  g->d[0] = e->apply(e, GLK_OP_CUMSUM, &g->dy, &turned);
}

const glk_op glk_op_cumsum = {
    .name = "cumsum",
    .signature = GLK_DOC("cumsum(x; axis, exclusive, reverse)"),
    .doc = GLK_DOC("Running sums along an axis, in order"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = cumsum_infer,
    .forward = cumsum_forward,
    .gradient = cumsum_gradient,
};
