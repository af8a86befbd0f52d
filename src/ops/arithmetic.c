/* Arithmetic, elementwise, with NumPy broadcasting. */
#include "ops/broadcast.h"

#define PUBLIC_IN_PLACE (GLK_OP_PUBLIC | GLK_OP_IN_PLACE)

/* ---------------------------------------------------------------------------------------- y = a + b */

static void add_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_add); }

static void add_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->wanted[1]) glk_emit_give(e, g, 1, g->dy);
}

const glk_op glk_op_add = {"add", "add(a, b)",     GLK_DOC("a + b"),
                           2,     PUBLIC_IN_PLACE, glk_infer_broadcast,
                           NULL,  add_forward,     add_gradient};

/* ---------------------------------------------------------------------------------------- y = a - b */

static void sub_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_sub); }

static void sub_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->wanted[1]) glk_emit_give(e, g, 1, glk_emit1(e, GLK_OP_NEG, g->dy));
}

const glk_op glk_op_sub = {"sub", "sub(a, b)",     GLK_DOC("a - b"),
                           2,     PUBLIC_IN_PLACE, glk_infer_broadcast,
                           NULL,  sub_forward,     sub_gradient};

/* ---------------------------------------------------------------------------------------- y = a * b */

static void mul_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_mul); }

static void mul_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_MUL, g->dy, g->in[1]));
  if (g->wanted[1]) glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, g->in[0]));
}

const glk_op glk_op_mul = {"mul", "mul(a, b)",     GLK_DOC("a * b"),
                           2,     PUBLIC_IN_PLACE, glk_infer_broadcast,
                           NULL,  mul_forward,     mul_gradient};

/* ------------------------------------------------------------- y = a / b, dy/da = 1/b, dy/db = -y/b */

static void div_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_div); }

static void div_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_DIV, g->dy, g->in[1]));
  if (g->wanted[1]) {
    const glk_ref slope = glk_emit1(e, GLK_OP_NEG, glk_emit2(e, GLK_OP_DIV, g->out, g->in[1]));
    glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, slope));
  }
}

const glk_op glk_op_div = {
    "div", "div(a, b)",     GLK_DOC("a / b; IEEE 754 division, so 1/0 is Infinity and 0/0 is NaN"),
    2,     PUBLIC_IN_PLACE, glk_infer_broadcast,
    NULL,  div_forward,     div_gradient};

/* ------------------------------------------------------------------------------------------- y = -x */

static void neg_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_neg); }

static void neg_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit1(e, GLK_OP_NEG, g->dy);
}

const glk_op glk_op_neg = {"neg",          "neg(x)", GLK_DOC("-x"), 1,           PUBLIC_IN_PLACE,
                           glk_infer_same, NULL,     neg_forward,   neg_gradient};

/* ------------------------------------------------------------------------------ y = x^2, dy/dx = 2x */

static void square_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_square); }

static void square_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, glk_emit2(e, GLK_OP_ADD, g->in[0], g->in[0]));
}

const glk_op glk_op_square = {"square", "square(x)",     GLK_DOC("x * x"),
                              1,        PUBLIC_IN_PLACE, glk_infer_same,
                              NULL,     square_forward,  square_gradient};

/* ------------------------------------------------------------------------- y = sqrt x, dy/dx = 1/2y */

static void sqrt_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_sqrt); }

static void sqrt_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_DIV, g->dy, glk_emit2(e, GLK_OP_ADD, g->out, g->out));
}

const glk_op glk_op_sqrt = {
    "sqrt", "sqrt(x)",       GLK_DOC("Square root, correctly rounded; NaN below zero"),
    1,      PUBLIC_IN_PLACE, glk_infer_same,
    NULL,   sqrt_forward,    sqrt_gradient};

/* -------------------------------------------------------------------------- y = |x|, dy/dx = sign x */

static void abs_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_abs); }

static void abs_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_ABS_GRADIENT, g->dy, g->in[0]);
}

const glk_op glk_op_abs = {
    "abs", "abs(x)",        GLK_DOC("|x|; the gradient at 0 is 0, as in TensorFlow"),
    1,     PUBLIC_IN_PLACE, glk_infer_same,
    NULL,  abs_forward,     abs_gradient};

static void abs_gradient_forward(const glk_call *call) {
  glk_run_binary(call, glk_kernel_abs_gradient);
}

/* Linear in dy; its slope in x is zero almost everywhere. */
static void abs_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_ABS_GRADIENT, g->dy, g->in[1]));
}

const glk_op glk_op_abs_gradient = {"absGradient",
                                    "absGradient(dy, x)",
                                    GLK_DOC("dy * sign(x)"),
                                    2,
                                    GLK_OP_IN_PLACE,
                                    glk_infer_broadcast,
                                    NULL,
                                    abs_gradient_forward,
                                    abs_gradient_gradient};
