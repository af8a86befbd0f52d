/* Arithmetic, rounding, powers, exponentials, logarithms, sin, cos, atan and erf, elementwise, with
 * NumPy broadcasting. Values of functions come from kernels/math.h, which states their accuracy: at
 * most 2 ulp, and the same bits anywhere. */
#include "ops/broadcast.h"

/* y = a + b */
static void add_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->needs_gradient[1]) glk_emit_give(e, g, 1, g->dy);
}

GLK_BINARY_ROW(add, "add", "add(a, b)", "a + b", add_gradient)

/* y = a - b */
static void sub_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->needs_gradient[1]) glk_emit_give(e, g, 1, glk_emit1(e, &glk_op_neg, g->dy));
}

GLK_BINARY_ROW(sub, "sub", "sub(a, b)", "a - b", sub_gradient)

/* y = a * b */
static void mul_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_mul, g->dy, g->in[1]));
  if (g->needs_gradient[1]) glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, g->dy, g->in[0]));
}

GLK_BINARY_ROW(mul, "mul", "mul(a, b)", "a * b", mul_gradient)

/* y = a / b, dy/da = 1/b, dy/db = -y/b */
static void div_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_div, g->dy, g->in[1]));
  if (g->needs_gradient[1]) {
    const glk_ref slope = glk_emit1(e, &glk_op_neg, glk_emit2(e, &glk_op_div, g->out, g->in[1]));
    glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, g->dy, slope));
  }
}

GLK_BINARY_ROW(div, "div", "div(a, b)",
               "a / b; IEEE 754 division, so 1/0 is Infinity and 0/0 is NaN", div_gradient)

/* y = -x */
static void neg_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit1(e, &glk_op_neg, g->dy);
}

GLK_UNARY_ROW(neg, "neg", "neg(x)", "-x", neg_gradient)

/* y = x^2, dy/dx = 2x */
static void square_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_mul, g->dy, glk_emit2(e, &glk_op_add, g->in[0], g->in[0]));
}

GLK_UNARY_ROW(square, "square", "square(x)", "x * x", square_gradient)

/* y = sqrt x, dy/dx = 1/2y */
static void sqrt_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_div, g->dy, glk_emit2(e, &glk_op_add, g->out, g->out));
}

GLK_UNARY_ROW(sqrt, "sqrt", "sqrt(x)", "Square root, correctly rounded; NaN below zero",
              sqrt_gradient)

/* y = 1 / x, dy/dx = -y^2 */
static void reciprocal_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref once = glk_emit2(e, &glk_op_mul, g->dy, glk_emit1(e, &glk_op_neg, g->out));
  g->d[0] = glk_emit2(e, &glk_op_mul, once, g->out); /* y^2 may overflow where dy y^2 does not */
}

GLK_UNARY_ROW(reciprocal, "reciprocal", "reciprocal(x)", "1 / x, correctly rounded",
              reciprocal_gradient)

/* y = 1 / sqrt x, dy/dx = -y^3 / 2 */
static void rsqrt_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref half = glk_emit2(e, &glk_op_mul, g->dy, e->scalar(e, (glk_real)-0.5));
  const glk_ref once = glk_emit2(e, &glk_op_mul, half, g->out); /* before y^3 overflows */
  g->d[0] = glk_emit2(e, &glk_op_mul, once, glk_emit1(e, &glk_op_square, g->out));
}

GLK_UNARY_ROW(rsqrt, "rsqrt", "rsqrt(x)", "1 / sqrt(x), two roundings; Infinity at 0, NaN below",
              rsqrt_gradient)

/* y = |x|, dy/dx = sign x */
static void abs_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_abs_gradient, g->dy, g->in[0]);
}

GLK_UNARY_ROW(abs, "abs", "abs(x)", "|x|; the gradient at 0 is 0, as in TensorFlow", abs_gradient)

/* Linear in dy; its slope in x is zero almost everywhere. */
static void abs_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0])
    glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_abs_gradient, g->dy, g->in[1]));
}

GLK_BINARY_PART(abs_gradient, "absGradient", "absGradient(dy, x)", "dy * sign(x)",
                abs_gradient_gradient)

/* (a - b)^2 */
static glk_ref squared_difference_expand(glk_emitter *e, const glk_ref *in,
                                         const glk_attributes *attributes) {
  (void)attributes;
  return glk_emit1(e, &glk_op_square, glk_emit2(e, &glk_op_sub, in[0], in[1]));
}

GLK_OP_ROW(squared_difference, "squaredDifference", "squaredDifference(a, b)", "(a - b) * (a - b)",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = glk_infer_broadcast,
           .expand = squared_difference_expand)

/* Steps, whose derivative is 0 as in TensorFlow.js. */
#define STEP_ROW(row, name_, signature_, doc_)                 \
  GLK_KERNEL_ROW(row, name_, signature_, doc_, NULL, unary, 1, \
                 GLK_OP_PUBLIC | GLK_OP_ZERO_GRADIENT, glk_infer_same)

STEP_ROW(sign, "sign", "sign(x)", "-1, 0 or 1; NaN stays; the gradient is 0")
STEP_ROW(floor, "floor", "floor(x)", "The greatest whole number not above x; the gradient is 0")
STEP_ROW(ceil, "ceil", "ceil(x)", "The least whole number not below x; the gradient is 0")
STEP_ROW(round, "round", "round(x)",
         "The nearest whole number, of two the even one; the gradient is 0")

/* y = a - b floor(a/b), dy/da = 1, dy/db = -floor(a/b) */
static void mod_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) glk_emit_give(e, g, 0, g->dy);
  if (g->needs_gradient[1]) {
    const glk_ref quotient = glk_emit2(e, &glk_op_div, g->in[0], g->in[1]);
    const glk_ref slope = glk_emit1(e, &glk_op_neg, glk_emit1(e, &glk_op_floor, quotient));
    glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, g->dy, slope));
  }
}

GLK_BINARY_ROW(
    mod, "mod", "mod(a, b)",
    "The remainder of a / b with the sign of b, as TensorFlow's floormod: C's fmod, plus "
    "b where that has the other sign; NaN if b is 0",
    mod_gradient)

/* y = exp x, dy/dx = y */
static void exp_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_mul, g->dy, g->out);
}

GLK_UNARY_ROW(exp, "exp", "exp(x)", "e to the power x", exp_gradient)

/* y = exp x - 1, dy/dx = exp x */

/* y + 1 would have lost what is small. */
static void expm1_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_mul, g->dy, glk_emit1(e, &glk_op_exp, g->in[0]));
}

GLK_UNARY_ROW(expm1, "expm1", "expm1(x)", "exp(x) - 1, accurate near 0", expm1_gradient)

/* y = log x, dy/dx = 1/x */
static void log_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_div, g->dy, g->in[0]);
}

GLK_UNARY_ROW(log, "log", "log(x)", "Natural logarithm; -Infinity at 0, NaN below", log_gradient)

/* y = log(1 + x), dy/dx = 1 / (1 + x) */
static void log1p_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref sum = glk_emit2(e, &glk_op_add, g->in[0], e->scalar(e, 1));
  g->d[0] = glk_emit2(e, &glk_op_div, g->dy, sum);
}

GLK_UNARY_ROW(log1p, "log1p", "log1p(x)", "log(1 + x), accurate near 0; -Infinity at -1, NaN below",
              log1p_gradient)

/* y = a^b, dy/da = b a^(b - 1), dy/db = y log a if a > 0 */
static void pow_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0]) {
    const glk_ref less = glk_emit2(e, &glk_op_sub, g->in[1], e->scalar(e, 1));
    const glk_ref power = glk_emit2(e, &glk_op_pow, g->in[0], less);
    const glk_ref scaled = glk_emit2(e, &glk_op_mul, g->dy, g->in[1]);
    glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_mul, scaled, power));
  }
  if (g->needs_gradient[1]) {
    /* log 1 = 0; to choose before the logarithm keeps a second derivative at 0 from being 0/0. */
    const glk_ref one = e->scalar(e, 1);
    const glk_ref above = glk_emit2(e, &glk_op_greater, g->in[0], e->scalar(e, 0));
    const glk_ref base = glk_emit3(e, &glk_op_where, above, g->in[0], one);
    const glk_ref scaled = glk_emit2(e, &glk_op_mul, g->dy, g->out);
    glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, scaled, glk_emit1(e, &glk_op_log, base)));
  }
}

GLK_BINARY_ROW(pow, "pow", "pow(a, b)",
               "a to the power b, with IEEE 754's special cases: x^0 and 1^x are 1, below 0 only "
               "whole powers are numbers; where a <= 0 the gradient of b is 0, as in TensorFlow",
               pow_gradient)

static glk_ref exp2_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  (void)attributes;
  return glk_emit2(e, &glk_op_pow, e->scalar(e, 2), in[0]);
}

GLK_OP_ROW(exp2, "exp2", "exp2(x)", "2 to the power x; exact for whole numbers", .inputs = 1,
           .flags = GLK_OP_PUBLIC, .infer = glk_infer_same, .expand = exp2_expand)

/* y = sin x, y = cos x */
static void sin_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_mul, g->dy, glk_emit1(e, &glk_op_cos, g->in[0]));
}

GLK_UNARY_ROW(sin, "sin", "sin(x)", "Sine of x in radians, of any size; NaN for +-Infinity",
              sin_gradient)

static void cos_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref sine = glk_emit1(e, &glk_op_sin, g->in[0]);
  g->d[0] = glk_emit2(e, &glk_op_mul, g->dy, glk_emit1(e, &glk_op_neg, sine));
}

GLK_UNARY_ROW(cos, "cos", "cos(x)", "Cosine of x in radians, of any size; NaN for +-Infinity",
              cos_gradient)

/* y = atan2(a, b), dy/da = b / (a^2 + b^2), dy/db = -a / (a^2 + b^2) */
static void atan2_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref a = glk_emit1(e, &glk_op_square, g->in[0]),
                b = glk_emit1(e, &glk_op_square, g->in[1]);
  const glk_ref sum = glk_emit2(e, &glk_op_add, a, b);
  if (g->needs_gradient[0]) {
    const glk_ref slope = glk_emit2(e, &glk_op_div, g->in[1], sum);
    glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_mul, g->dy, slope));
  }
  if (g->needs_gradient[1]) {
    const glk_ref slope = glk_emit1(e, &glk_op_neg, glk_emit2(e, &glk_op_div, g->in[0], sum));
    glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, g->dy, slope));
  }
}

GLK_BINARY_ROW(atan2, "atan2", "atan2(a, b)",
               "The angle of the point (b, a) from the axis of b, from -pi to pi, with C's special "
               "cases: zeros have a sign; the gradient at (0, 0) is NaN, as in TensorFlow",
               atan2_gradient)

static glk_ref atan_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  (void)attributes;
  return glk_emit2(e, &glk_op_atan2, in[0], e->scalar(e, 1));
}

GLK_OP_ROW(atan, "atan", "atan(x)", "Arctangent of x, from -pi/2 to pi/2", .inputs = 1,
           .flags = GLK_OP_PUBLIC, .infer = glk_infer_same, .expand = atan_expand)

/* y = erf x, dy/dx = 2 / sqrt(pi) exp(-x^2) */
static void erf_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref square = glk_emit1(e, &glk_op_square, g->in[0]);
  const glk_ref bell = glk_emit1(e, &glk_op_exp, glk_emit1(e, &glk_op_neg, square));
  const glk_ref factor = e->scalar(e, (glk_real)1.1283791670955126); /* 2 / sqrt(pi) */
  g->d[0] = glk_emit2(e, &glk_op_mul, glk_emit2(e, &glk_op_mul, g->dy, factor), bell);
}

GLK_UNARY_ROW(erf, "erf", "erf(x)", "The error function", erf_gradient)

GLK_OP_FAMILY(elementwise, &glk_op_add, &glk_op_sub, &glk_op_mul, &glk_op_div, &glk_op_neg,
              &glk_op_square, &glk_op_squared_difference, &glk_op_sqrt, &glk_op_abs,
              &glk_op_abs_gradient, &glk_op_reciprocal, &glk_op_rsqrt, &glk_op_sign, &glk_op_floor,
              &glk_op_ceil, &glk_op_round, &glk_op_mod, &glk_op_exp, &glk_op_exp2, &glk_op_expm1,
              &glk_op_log, &glk_op_log1p, &glk_op_pow, &glk_op_sin, &glk_op_cos, &glk_op_erf,
              &glk_op_atan2, &glk_op_atan)
