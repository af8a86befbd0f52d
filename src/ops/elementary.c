/* Elementwise powers, exponentials, logarithms, sin, cos and erf. kernels/math.h states their
 * accuracy, at most 2 ulp; the bits are the same everywhere. */
#include "ops/broadcast.h"

/* ------------------------------------------------------------------------- y = exp x, dy/dx = y */

static void exp_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, g->out);
}

GLK_UNARY_ROW(exp, "exp", "exp(x)", "e to the power x", exp_gradient)

/* ----------------------------------------------------------------- y = exp x - 1, dy/dx = exp x */

/* y + 1 would have lost what is small. */
static void expm1_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, glk_emit1(e, GLK_OP_EXP, g->in[0]));
}

GLK_UNARY_ROW(expm1, "expm1", "expm1(x)", "exp(x) - 1, accurate near 0", expm1_gradient)

/* ----------------------------------------------------------------------- y = log x, dy/dx = 1/x */

static void log_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_DIV, g->dy, g->in[0]);
}

GLK_UNARY_ROW(log, "log", "log(x)", "Natural logarithm; -Infinity at 0, NaN below", log_gradient)

/* ---------------------------------------------------------- y = log(1 + x), dy/dx = 1 / (1 + x) */

static void log1p_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref sum = glk_emit2(e, GLK_OP_ADD, g->in[0], e->scalar(e, 1));
  g->d[0] = glk_emit2(e, GLK_OP_DIV, g->dy, sum);
}

GLK_UNARY_ROW(log1p, "log1p", "log1p(x)", "log(1 + x), accurate near 0; -Infinity at -1, NaN below",
              log1p_gradient)

/* --------------------------------------- y = a^b, dy/da = b a^(b - 1), dy/db = y log a if a > 0 */

static void pow_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) {
    const glk_ref less = glk_emit2(e, GLK_OP_SUB, g->in[1], e->scalar(e, 1));
    const glk_ref power = glk_emit2(e, GLK_OP_POW, g->in[0], less);
    const glk_ref scaled = glk_emit2(e, GLK_OP_MUL, g->dy, g->in[1]);
    glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_MUL, scaled, power));
  }
  if (g->wanted[1]) {
    /* log 1 = 0; to choose before the logarithm keeps a second derivative at 0 from being 0/0. */
    const glk_ref one = e->scalar(e, 1);
    const glk_ref above = glk_emit2(e, GLK_OP_GREATER, g->in[0], e->scalar(e, 0));
    const glk_ref base = glk_emit3(e, GLK_OP_WHERE, above, g->in[0], one);
    const glk_ref scaled = glk_emit2(e, GLK_OP_MUL, g->dy, g->out);
    glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, scaled, glk_emit1(e, GLK_OP_LOG, base)));
  }
}

GLK_BINARY_ROW(pow, "pow", "pow(a, b)",
               "a to the power b, with IEEE 754's special cases: x^0 and 1^x are 1, below 0 only "
               "whole powers are numbers; where a <= 0 the gradient of b is 0, as in TensorFlow",
               pow_gradient)

static glk_ref exp2_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  (void)attributes;
  return glk_emit2(e, GLK_OP_POW, e->scalar(e, 2), in[0]);
}

const glk_op glk_op_exp2 = {
    .name = "exp2",
    .signature = GLK_DOC("exp2(x)"),
    .doc = GLK_DOC("2 to the power x; exact for whole numbers"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = glk_infer_same,
    .expand = exp2_expand,
};

/* ------------------------------------------------------------------------- y = sin x, y = cos x */

static void sin_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, glk_emit1(e, GLK_OP_COS, g->in[0]));
}

GLK_UNARY_ROW(sin, "sin", "sin(x)", "Sine of x in radians, of any size; NaN for +-Infinity",
              sin_gradient)

static void cos_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref sine = glk_emit1(e, GLK_OP_SIN, g->in[0]);
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, glk_emit1(e, GLK_OP_NEG, sine));
}

GLK_UNARY_ROW(cos, "cos", "cos(x)", "Cosine of x in radians, of any size; NaN for +-Infinity",
              cos_gradient)

/* --------------------------------------------------- y = erf x, dy/dx = 2 / sqrt(pi) exp(-x^2) */

static void erf_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref square = glk_emit1(e, GLK_OP_SQUARE, g->in[0]);
  const glk_ref bell = glk_emit1(e, GLK_OP_EXP, glk_emit1(e, GLK_OP_NEG, square));
  const glk_ref factor = e->scalar(e, (glk_real)1.1283791670955126); /* 2 / sqrt(pi) */
  g->d[0] = glk_emit2(e, GLK_OP_MUL, glk_emit2(e, GLK_OP_MUL, g->dy, factor), bell);
}

GLK_UNARY_ROW(erf, "erf", "erf(x)", "The error function", erf_gradient)
