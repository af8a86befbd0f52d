/* Comparisons (1 or 0, no gradient), and selection by them (where). */
#include "ops/broadcast.h"

GLK_BINARY_ROW(equal, "equal", "equal(a, b)", "1 where a = b, else 0; NaN equals nothing", NULL)
GLK_BINARY_ROW(not_equal, "notEqual", "notEqual(a, b)",
               "1 where a != b, else 0; NaN differs from everything", NULL)
GLK_BINARY_ROW(greater, "greater", "greater(a, b)", "1 where a > b, else 0", NULL)
GLK_BINARY_ROW(greater_equal, "greaterEqual", "greaterEqual(a, b)", "1 where a >= b, else 0", NULL)
GLK_BINARY_ROW(less, "less", "less(a, b)", "1 where a < b, else 0", NULL)
GLK_BINARY_ROW(less_equal, "lessEqual", "lessEqual(a, b)", "1 where a <= b, else 0", NULL)

/* Any value but 0 counts as true, NaN too. */
GLK_BINARY_ROW(logical_and, "logicalAnd", "logicalAnd(a, b)", "1 where neither is 0, else 0", NULL)
GLK_BINARY_ROW(logical_or, "logicalOr", "logicalOr(a, b)", "1 where either is not 0, else 0", NULL)
GLK_BINARY_ROW(logical_xor, "logicalXor", "logicalXor(a, b)",
               "1 where one is 0 and one is not, else 0", NULL)
GLK_UNARY_ROW(logical_not, "logicalNot", "logicalNot(x)", "1 where x is 0, else 0", NULL)

GLK_UNARY_ROW(is_nan, "isNaN", "isNaN(x)", "1 where x is NaN, else 0", NULL)
GLK_UNARY_ROW(is_inf, "isInf", "isInf(x)", "1 where x is Infinity or -Infinity, else 0", NULL)
GLK_UNARY_ROW(is_finite, "isFinite", "isFinite(x)", "1 where x is neither infinite nor NaN, else 0",
              NULL)

/* dy goes whole to the operand that was chosen, by selection; nothing is multiplied. */
static void select_gradient(glk_emitter *e, glk_gradient *g, glk_ref condition, int first) {
  for (int k = 0; k < 2; k++) {
    const int i = first + k;
    if (!g->needs_gradient[i]) continue;
    const glk_ref zero = e->scalar(e, 0);
    const glk_ref d = k == 0 ? glk_emit3(e, &glk_op_where, condition, g->dy, zero)
                             : glk_emit3(e, &glk_op_where, condition, zero, g->dy);
    glk_emit_give(e, g, i, d);
  }
}

/* y = max(a, b) */
static void maximum_gradient(glk_emitter *e, glk_gradient *g) {
  select_gradient(e, g, glk_emit2(e, &glk_op_greater_equal, g->in[0], g->in[1]), 0);
}

GLK_BINARY_ROW(maximum, "maximum", "maximum(a, b)",
               "The larger, NaN if either is; at ties the gradient goes to a, as in TensorFlow",
               maximum_gradient)

/* y = min(a, b) */
static void minimum_gradient(glk_emitter *e, glk_gradient *g) {
  select_gradient(e, g, glk_emit2(e, &glk_op_less_equal, g->in[0], g->in[1]), 0);
}

GLK_BINARY_ROW(minimum, "minimum", "minimum(a, b)",
               "The smaller, NaN if either is; at ties the gradient goes to a, as in TensorFlow",
               minimum_gradient)

/* y = condition ? a : b */
static void where_gradient(glk_emitter *e, glk_gradient *g) { select_gradient(e, g, g->in[0], 1); }

GLK_OP_ROW(where, "where", "where(condition, a, b)",
           "a where the condition is not 0, else b; the operand that is not chosen has no effect, "
           "even if it is NaN",
           .inputs = 3, .flags = GLK_OP_PUBLIC | GLK_OP_ELEMENTWISE, .infer = glk_infer_broadcast,
           .forward = glk_run_where, .gradient = where_gradient)

/* y = min(max(x, low), high) */
static glk_status clip_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 2, 2));
  const double low = attributes->values[0], high = attributes->values[1];
  if (!(low <= high)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: low (%g) must not be above high (%g)",
                    op->name, low, high);
  }
  *out = *in[0];
  return GLK_OK;
}

static glk_ref clip_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const glk_ref low = e->scalar(e, (glk_real)attributes->values[0]);
  const glk_ref high = e->scalar(e, (glk_real)attributes->values[1]);
  return glk_emit2(e, &glk_op_minimum, glk_emit2(e, &glk_op_maximum, in[0], low), high);
}

GLK_OP_ROW(clip_by_value, "clipByValue", "clipByValue(x; low, high)",
           "x limited to low..high; NaN stays; the gradient passes from low to high inclusive",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = clip_infer, .expand = clip_expand)

GLK_OP_FAMILY(compare, &glk_op_equal, &glk_op_not_equal, &glk_op_greater, &glk_op_greater_equal,
              &glk_op_less, &glk_op_less_equal, &glk_op_logical_and, &glk_op_logical_or,
              &glk_op_logical_xor, &glk_op_logical_not, &glk_op_is_nan, &glk_op_is_inf,
              &glk_op_is_finite, &glk_op_maximum, &glk_op_minimum, &glk_op_clip_by_value,
              &glk_op_where)
