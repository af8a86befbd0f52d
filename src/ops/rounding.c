/* Elementwise sign, floor, ceil and round, whose derivative is 0 as in TensorFlow.js, and mod. */
#include "ops/broadcast.h"

#define STEP_ROW(row, name_, signature_, doc_)                                              \
  GLK_KERNEL_ROW(row, name_, signature_, doc_, NULL, unary, 1, GLK_OP_PUBLIC | GLK_OP_STEP, \
                 glk_infer_same)

STEP_ROW(sign, "sign", "sign(x)", "-1, 0 or 1; NaN stays; the gradient is 0")
STEP_ROW(floor, "floor", "floor(x)", "The greatest whole number not above x; the gradient is 0")
STEP_ROW(ceil, "ceil", "ceil(x)", "The least whole number not below x; the gradient is 0")
STEP_ROW(round, "round", "round(x)",
         "The nearest whole number, of two the even one; the gradient is 0")

/* ----------------------------------------- y = a - b floor(a/b), dy/da = 1, dy/db = -floor(a/b) */

static void mod_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->wanted[1]) {
    const glk_ref quotient = glk_emit2(e, GLK_OP_DIV, g->in[0], g->in[1]);
    const glk_ref slope = glk_emit1(e, GLK_OP_NEG, glk_emit1(e, GLK_OP_FLOOR, quotient));
    glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, slope));
  }
}

GLK_BINARY_ROW(
    mod, "mod", "mod(a, b)",
    "The remainder of a / b with the sign of b, as TensorFlow's floormod: C's fmod, plus "
    "b where that has the other sign; NaN if b is 0",
    mod_gradient)
