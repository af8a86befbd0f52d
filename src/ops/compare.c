/* Comparisons (1 or 0, no gradient) and what chooses by them. */
#include "ops/broadcast.h"

#define COMPARISON(row, row_name, row_signature, row_doc)                                     \
  static void row##_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_##row); } \
  const glk_op glk_op_##row = {                                                               \
      .name = row_name,                                                                       \
      .signature = GLK_DOC(row_signature),                                                    \
      .doc = GLK_DOC(row_doc),                                                                \
      .inputs = 2,                                                                            \
      .flags = GLK_OP_PUBLIC | GLK_OP_IN_PLACE,                                               \
      .infer = glk_infer_broadcast,                                                           \
      .forward = row##_forward,                                                               \
  };

COMPARISON(equal, "equal", "equal(a, b)", "1 where a = b, else 0; NaN equals nothing")
COMPARISON(greater, "greater", "greater(a, b)", "1 where a > b, else 0")
COMPARISON(greater_equal, "greaterEqual", "greaterEqual(a, b)", "1 where a >= b, else 0")
COMPARISON(less, "less", "less(a, b)", "1 where a < b, else 0")
COMPARISON(less_equal, "lessEqual", "lessEqual(a, b)", "1 where a <= b, else 0")

/* dy goes whole to the operand that was chosen, by selection; nothing is multiplied. */
static void choose_gradient(glk_emitter *e, glk_gradient *g, glk_ref condition, int first) {
  for (int k = 0; k < 2; k++) {
    const int i = first + k;
    if (!g->wanted[i] || e->status != GLK_OK) continue;
    const glk_ref zero = e->scalar(e, 0);
    const glk_ref d = k == 0 ? glk_emit3(e, GLK_OP_WHERE, condition, g->dy, zero)
                             : glk_emit3(e, GLK_OP_WHERE, condition, zero, g->dy);
    glk_emit_give(e, g, i, d);
  }
}

/* ------------------------------------------------------------------------------------ y = max(a, b) */

static void maximum_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_maximum); }

static void maximum_gradient(glk_emitter *e, glk_gradient *g) {
  choose_gradient(e, g, glk_emit2(e, GLK_OP_GREATER_EQUAL, g->in[0], g->in[1]), 0);
}

const glk_op glk_op_maximum = {
    .name = "maximum",
    .signature = GLK_DOC("maximum(a, b)"),
    .doc =
        GLK_DOC("The larger, NaN if either is; at ties the gradient goes to a, as in TensorFlow"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC | GLK_OP_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = maximum_forward,
    .gradient = maximum_gradient,
};

/* ------------------------------------------------------------------------------------ y = min(a, b) */

static void minimum_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_minimum); }

static void minimum_gradient(glk_emitter *e, glk_gradient *g) {
  choose_gradient(e, g, glk_emit2(e, GLK_OP_LESS_EQUAL, g->in[0], g->in[1]), 0);
}

const glk_op glk_op_minimum = {
    .name = "minimum",
    .signature = GLK_DOC("minimum(a, b)"),
    .doc =
        GLK_DOC("The smaller, NaN if either is; at ties the gradient goes to a, as in TensorFlow"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC | GLK_OP_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = minimum_forward,
    .gradient = minimum_gradient,
};

/* --------------------------------------------------------------------------- y = condition ? a : b */

static void where_forward(const glk_call *call) { glk_run_where(call); }

static void where_gradient(glk_emitter *e, glk_gradient *g) { choose_gradient(e, g, g->in[0], 1); }

const glk_op glk_op_where = {
    .name = "where",
    .signature = GLK_DOC("where(condition, a, b)"),
    .doc = GLK_DOC("a where the condition is not 0, else b; the operand not chosen leaves no "
                   "trace, not even NaN"),
    .inputs = 3,
    .flags = GLK_OP_PUBLIC | GLK_OP_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = where_forward,
    .gradient = where_gradient,
};
