/* Elementwise arithmetic with NumPy broadcasting. */
#include "ops/broadcast.h"

/* ------------------------------------------------------------------------------------ y = a + b */

static void add_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->wanted[1]) glk_emit_give(e, g, 1, g->dy);
}

GLK_BINARY_ROW(add, "add", "add(a, b)", "a + b", add_gradient)

/* ------------------------------------------------------------------------------------ y = a - b */

static void sub_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->wanted[1]) glk_emit_give(e, g, 1, glk_emit1(e, GLK_OP_NEG, g->dy));
}

GLK_BINARY_ROW(sub, "sub", "sub(a, b)", "a - b", sub_gradient)

/* ------------------------------------------------------------------------------------ y = a * b */

static void mul_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_MUL, g->dy, g->in[1]));
  if (g->wanted[1]) glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, g->in[0]));
}

GLK_BINARY_ROW(mul, "mul", "mul(a, b)", "a * b", mul_gradient)

/* --------------------------------------------------------- y = a / b, dy/da = 1/b, dy/db = -y/b */

static void div_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_DIV, g->dy, g->in[1]));
  if (g->wanted[1]) {
    const glk_ref slope = glk_emit1(e, GLK_OP_NEG, glk_emit2(e, GLK_OP_DIV, g->out, g->in[1]));
    glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, slope));
  }
}

GLK_BINARY_ROW(div, "div", "div(a, b)",
               "a / b; IEEE 754 division, so 1/0 is Infinity and 0/0 is NaN", div_gradient)

/* --------------------------------------------------------------------------------------- y = -x */

static void neg_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit1(e, GLK_OP_NEG, g->dy);
}

GLK_UNARY_ROW(neg, "neg", "neg(x)", "-x", neg_gradient)

/* -------------------------------------------------------------------------- y = x^2, dy/dx = 2x */

static void square_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, glk_emit2(e, GLK_OP_ADD, g->in[0], g->in[0]));
}

GLK_UNARY_ROW(square, "square", "square(x)", "x * x", square_gradient)

/* --------------------------------------------------------------------- y = sqrt x, dy/dx = 1/2y */

static void sqrt_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_DIV, g->dy, glk_emit2(e, GLK_OP_ADD, g->out, g->out));
}

GLK_UNARY_ROW(sqrt, "sqrt", "sqrt(x)", "Square root, correctly rounded; NaN below zero",
              sqrt_gradient)

/* ---------------------------------------------------------------------- y = 1 / x, dy/dx = -y^2 */

static void reciprocal_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref once = glk_emit2(e, GLK_OP_MUL, g->dy, glk_emit1(e, GLK_OP_NEG, g->out));
  g->d[0] = glk_emit2(e, GLK_OP_MUL, once, g->out); /* y^2 may overflow where dy y^2 does not */
}

GLK_UNARY_ROW(reciprocal, "reciprocal", "reciprocal(x)", "1 / x, correctly rounded",
              reciprocal_gradient)

/* ------------------------------------------------------------- y = 1 / sqrt x, dy/dx = -y^3 / 2 */

static void rsqrt_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref half = glk_emit2(e, GLK_OP_MUL, g->dy, e->scalar(e, (glk_real)-0.5));
  const glk_ref once = glk_emit2(e, GLK_OP_MUL, half, g->out); /* before y^3 overflows */
  g->d[0] = glk_emit2(e, GLK_OP_MUL, once, glk_emit1(e, GLK_OP_SQUARE, g->out));
}

GLK_UNARY_ROW(rsqrt, "rsqrt", "rsqrt(x)", "1 / sqrt(x), two roundings; Infinity at 0, NaN below",
              rsqrt_gradient)

/* ---------------------------------------------------------------------- y = |x|, dy/dx = sign x */

static void abs_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_ABS_GRADIENT, g->dy, g->in[0]);
}

GLK_UNARY_ROW(abs, "abs", "abs(x)", "|x|; the gradient at 0 is 0, as in TensorFlow", abs_gradient)

/* Linear in dy; its slope in x is zero almost everywhere. */
static void abs_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_ABS_GRADIENT, g->dy, g->in[1]));
}

GLK_BINARY_PART(abs_gradient, "absGradient", "absGradient(dy, x)", "dy * sign(x)",
                abs_gradient_gradient)

/* ------------------------------------------------------------------------------------ (a - b)^2 */

static glk_ref squared_difference_expand(glk_emitter *e, const glk_ref *in,
                                         const glk_attributes *attributes) {
  (void)attributes;
  return glk_emit1(e, GLK_OP_SQUARE, glk_emit2(e, GLK_OP_SUB, in[0], in[1]));
}

const glk_op glk_op_squared_difference = {
    .name = "squaredDifference",
    .signature = GLK_DOC("squaredDifference(a, b)"),
    .doc = GLK_DOC("(a - b) * (a - b)"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC,
    .infer = glk_infer_broadcast,
    .expand = squared_difference_expand,
};
