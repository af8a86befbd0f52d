/* Arithmetic, elementwise, with NumPy broadcasting. */
#include "ops/broadcast.h"

#define PUBLIC_IN_PLACE (GLK_OP_PUBLIC | GLK_OP_IN_PLACE)

/* ---------------------------------------------------------------------------------------- y = a + b */

static void add_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_add); }

static void add_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->wanted[1]) glk_emit_give(e, g, 1, g->dy);
}

const glk_op glk_op_add = {
    .name = "add",
    .signature = GLK_DOC("add(a, b)"),
    .doc = GLK_DOC("a + b"),
    .inputs = 2,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = add_forward,
    .gradient = add_gradient,
};

/* ---------------------------------------------------------------------------------------- y = a - b */

static void sub_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_sub); }

static void sub_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->wanted[1]) glk_emit_give(e, g, 1, glk_emit1(e, GLK_OP_NEG, g->dy));
}

const glk_op glk_op_sub = {
    .name = "sub",
    .signature = GLK_DOC("sub(a, b)"),
    .doc = GLK_DOC("a - b"),
    .inputs = 2,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = sub_forward,
    .gradient = sub_gradient,
};

/* ---------------------------------------------------------------------------------------- y = a * b */

static void mul_forward(const glk_call *call) { glk_run_binary(call, glk_kernel_mul); }

static void mul_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_MUL, g->dy, g->in[1]));
  if (g->wanted[1]) glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, g->in[0]));
}

const glk_op glk_op_mul = {
    .name = "mul",
    .signature = GLK_DOC("mul(a, b)"),
    .doc = GLK_DOC("a * b"),
    .inputs = 2,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = mul_forward,
    .gradient = mul_gradient,
};

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
    .name = "div",
    .signature = GLK_DOC("div(a, b)"),
    .doc = GLK_DOC("a / b; IEEE 754 division, so 1/0 is Infinity and 0/0 is NaN"),
    .inputs = 2,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = div_forward,
    .gradient = div_gradient,
};

/* ------------------------------------------------------------------------------------------- y = -x */

static void neg_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_neg); }

static void neg_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit1(e, GLK_OP_NEG, g->dy);
}

const glk_op glk_op_neg = {
    .name = "neg",
    .signature = GLK_DOC("neg(x)"),
    .doc = GLK_DOC("-x"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = neg_forward,
    .gradient = neg_gradient,
};

/* ------------------------------------------------------------------------------ y = x^2, dy/dx = 2x */

static void square_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_square); }

static void square_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, glk_emit2(e, GLK_OP_ADD, g->in[0], g->in[0]));
}

const glk_op glk_op_square = {
    .name = "square",
    .signature = GLK_DOC("square(x)"),
    .doc = GLK_DOC("x * x"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = square_forward,
    .gradient = square_gradient,
};

/* ------------------------------------------------------------------------- y = sqrt x, dy/dx = 1/2y */

static void sqrt_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_sqrt); }

static void sqrt_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_DIV, g->dy, glk_emit2(e, GLK_OP_ADD, g->out, g->out));
}

const glk_op glk_op_sqrt = {
    .name = "sqrt",
    .signature = GLK_DOC("sqrt(x)"),
    .doc = GLK_DOC("Square root, correctly rounded; NaN below zero"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = sqrt_forward,
    .gradient = sqrt_gradient,
};

/* ----------------------------------------------------------------------- y = 1 / x, dy/dx = -y^2 */

static void reciprocal_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_reciprocal); }

static void reciprocal_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref slope = glk_emit1(e, GLK_OP_NEG, glk_emit1(e, GLK_OP_SQUARE, g->out));
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, slope);
}

const glk_op glk_op_reciprocal = {
    .name = "reciprocal",
    .signature = "reciprocal(x)",
    .doc = GLK_DOC("1 / x, correctly rounded"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = reciprocal_forward,
    .gradient = reciprocal_gradient,
};

/* ------------------------------------------------------------------ y = 1 / sqrt x, dy/dx = -y^3 / 2 */

static void rsqrt_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_rsqrt); }

static void rsqrt_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref cube = glk_emit2(e, GLK_OP_MUL, g->out, glk_emit1(e, GLK_OP_SQUARE, g->out));
  const glk_ref slope = glk_emit2(e, GLK_OP_MUL, cube, e->scalar(e, (glk_real)-0.5));
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, slope);
}

const glk_op glk_op_rsqrt = {
    .name = "rsqrt",
    .signature = "rsqrt(x)",
    .doc = GLK_DOC("1 / sqrt(x), two roundings; Infinity at 0, NaN below"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = rsqrt_forward,
    .gradient = rsqrt_gradient,
};

/* ------------------------------------------------------------------------- y = sign x, dy/dx = 0 */

static void sign_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_sign); }

const glk_op glk_op_sign = {
    .name = "sign",
    .signature = "sign(x)",
    .doc = GLK_DOC("-1, 0 or 1; a zero and NaN stay as they are; no gradient"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = sign_forward,
};

/* -------------------------------------------------------------------------- y = |x|, dy/dx = sign x */

static void abs_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_abs); }

static void abs_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_ABS_GRADIENT, g->dy, g->in[0]);
}

const glk_op glk_op_abs = {
    .name = "abs",
    .signature = GLK_DOC("abs(x)"),
    .doc = GLK_DOC("|x|; the gradient at 0 is 0, as in TensorFlow"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = abs_forward,
    .gradient = abs_gradient,
};

static void abs_gradient_forward(const glk_call *call) {
  glk_run_binary(call, glk_kernel_abs_gradient);
}

/* Linear in dy; its slope in x is zero almost everywhere. */
static void abs_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_ABS_GRADIENT, g->dy, g->in[1]));
}

const glk_op glk_op_abs_gradient = {
    .name = "absGradient",
    .signature = GLK_DOC("absGradient(dy, x)"),
    .doc = GLK_DOC("dy * sign(x)"),
    .inputs = 2,
    .flags = GLK_OP_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = abs_gradient_forward,
    .gradient = abs_gradient_gradient,
};
