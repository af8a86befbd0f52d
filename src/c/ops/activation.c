/* Elementwise activations. kernels/math.h states their accuracy; the bits are the same
 * everywhere. */
#include "ops/broadcast.h"

/* y = tanh x, dy/dx = 1 - y^2 */
static void tanh_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_tanh_gradient, g->dy, g->out);
}

GLK_UNARY_ROW(tanh, "tanh", "tanh(x)", "Hyperbolic tangent", tanh_gradient)

/* z = a (1 - y^2): dz/da = 1 - y^2, dz/dy = -2 a y */
static void tanh_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0])
    glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_tanh_gradient, g->dy, g->in[1]));
  if (g->needs_gradient[1]) {
    const glk_ref ay = glk_emit2(e, &glk_op_mul, g->in[0], g->in[1]);
    const glk_ref slope = glk_emit1(e, &glk_op_neg, glk_emit2(e, &glk_op_add, ay, ay));
    glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, g->dy, slope));
  }
}

GLK_BINARY_PART(tanh_gradient, "tanhGradient", "tanhGradient(dy, y)", "dy * (1 - y * y)",
                tanh_gradient_gradient)

/* y = 1 / (1 + exp -x), dy/dx = y (1 - y) */
static void sigmoid_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_sigmoid_gradient, g->dy, g->out);
}

GLK_UNARY_ROW(sigmoid, "sigmoid", "sigmoid(x)", "1 / (1 + exp(-x))", sigmoid_gradient)

/* z = a (y - y^2): dz/da = y - y^2, dz/dy = a (1 - 2y) */
static void sigmoid_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0])
    glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_sigmoid_gradient, g->dy, g->in[1]));
  if (g->needs_gradient[1]) {
    const glk_ref two_y = glk_emit2(e, &glk_op_add, g->in[1], g->in[1]);
    const glk_ref slope =
        glk_emit2(e, &glk_op_mul, g->in[0], glk_emit2(e, &glk_op_sub, e->scalar(e, 1), two_y));
    glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, g->dy, slope));
  }
}

GLK_BINARY_PART(sigmoid_gradient, "sigmoidGradient", "sigmoidGradient(dy, y)", "dy * (y * (1 - y))",
                sigmoid_gradient_gradient)

/* y = max(x, 0), dy/dx = [y > 0] */
static void relu_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_relu_gradient, g->dy, g->out);
}

GLK_UNARY_ROW(relu, "relu", "relu(x)",
              "max(x, 0); NaN stays; the gradient at 0 is 0, as in TensorFlow", relu_gradient)

static void relu_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0])
    glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_relu_gradient, g->dy, g->in[1]));
}

GLK_BINARY_PART(relu_gradient, "reluGradient", "reluGradient(dy, y)",
                "dy where y > 0, else 0, by selection: NaN * 0 cannot leak", relu_gradient_gradient)

/* y = log(1 + exp x), dy/dx = sigmoid x */
static void softplus_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_mul, g->dy, glk_emit1(e, &glk_op_sigmoid, g->in[0]));
}

GLK_UNARY_ROW(softplus, "softplus", "softplus(x)", "log(1 + exp(x)) without overflow",
              softplus_gradient)

/* y = x Phi(x), dy/dx = Phi(x) + x phi(x), phi = Phi' */
static void gelu_exact_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, &glk_op_gelu_gradient, g->dy, g->in[0]);
}

GLK_UNARY_PART(gelu_exact, "geluExact", "geluExact(x)",
               "x * Phi(x), Phi being the normal distribution's; as limits, -0 at -Infinity",
               gelu_exact_gradient)

/* z = a (Phi(x) + x phi(x)): dz/dx = a phi(x) (2 - x^2) */
static void gelu_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->needs_gradient[0])
    glk_emit_give(e, g, 0, glk_emit2(e, &glk_op_gelu_gradient, g->dy, g->in[1]));
  if (g->needs_gradient[1]) {
    const glk_ref square = glk_emit1(e, &glk_op_square, g->in[1]);
    const glk_ref half = glk_emit2(e, &glk_op_mul, square, e->scalar(e, (glk_real)-0.5));
    const glk_ref factor = e->scalar(e, (glk_real)0.3989422804014327); /* 1 / sqrt(2 pi) */
    const glk_ref density = glk_emit2(e, &glk_op_mul, glk_emit1(e, &glk_op_exp, half), factor);
    const glk_ref rest = glk_emit2(e, &glk_op_sub, e->scalar(e, 2), square);
    const glk_ref slope = glk_emit2(e, &glk_op_mul, density, rest);
    const glk_ref dy_a = glk_emit2(e, &glk_op_mul, g->dy, g->in[0]);
    glk_emit_give(e, g, 1, glk_emit2(e, &glk_op_mul, dy_a, slope));
  }
}

GLK_BINARY_PART(gelu_gradient, "geluGradient", "geluGradient(dy, x)", "dy * (Phi(x) + x * Phi'(x))",
                gelu_gradient_gradient)

/* Attribute: 1 for the form with tanh, 0 unless given. */
static glk_status gelu_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 1));
  if (!attributes->count) *attributes = (glk_attributes){1, {0}};
  GLK_TRY(glk_attribute_flag(context, op, attributes, 0, "approximate"));
  *out = *in[0];
  return GLK_OK;
}

/* x (1 + tanh u) / 2 = x sigmoid(2u), u = sqrt(2 / pi) (x + 0.044715 x^3) */
static glk_ref gelu_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  if (attributes->values[0] == 0) return glk_emit1(e, &glk_op_gelu_exact, in[0]);
  const glk_ref square = glk_emit1(e, &glk_op_square, in[0]);
  const glk_ref cubic = e->scalar(e, (glk_real)0.07135481282553501);
  const glk_ref linear = e->scalar(e, (glk_real)1.5957691216057308);
  const glk_ref factor =
      glk_emit2(e, &glk_op_add, glk_emit2(e, &glk_op_mul, square, cubic), linear);
  const glk_ref share = glk_emit1(e, &glk_op_sigmoid, glk_emit2(e, &glk_op_mul, in[0], factor));
  return glk_emit2(e, &glk_op_mul, in[0], share);
}

GLK_OP_ROW(gelu, "gelu", "gelu(x; approximate)",
           "x * Phi(x), where Phi is the normal distribution function; approximate = 1: computed "
           "with tanh",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = gelu_infer, .expand = gelu_expand)

static void silu_forward(const glk_call *call) {
  const size_t count = call->out_shape->count;
  glk_kernel_sigmoid(count, call->in[0], call->out);
  glk_kernel_mul(count, call->in[0], 1, call->out, 1, call->out);
}

/* dy s (1 + x (1 - s)), s = sigmoid x, as TensorFlow writes it: through the product, x dy could
 * overflow. */
static void silu_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref one = e->scalar(e, 1), s = glk_emit1(e, &glk_op_sigmoid, g->in[0]);
  const glk_ref bend = glk_emit2(e, &glk_op_mul, g->in[0], glk_emit2(e, &glk_op_sub, one, s));
  const glk_ref slope = glk_emit2(e, &glk_op_mul, s, glk_emit2(e, &glk_op_add, one, bend));
  g->d[0] = glk_emit2(e, &glk_op_mul, g->dy, slope);
}

GLK_OP_ROW(silu, "silu", "silu(x)", "x * sigmoid(x), also called swish", .inputs = 1,
           .flags = GLK_OP_PUBLIC, .infer = glk_infer_same, .forward = silu_forward,
           .gradient = silu_gradient)

/* Attribute: alpha, the slope of x below 0. */
static glk_status alpha_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                              glk_attributes *attributes, double otherwise, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 1));
  if (!attributes->count) *attributes = (glk_attributes){1, {otherwise}};
  const glk_real alpha = (glk_real)attributes->values[0];
  if (alpha - alpha != 0) { /* infinite, NaN */
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: alpha is %g, expected a finite number",
                    op->name, attributes->values[0]);
  }
  *out = *in[0];
  return GLK_OK;
}

static glk_status leaky_relu_infer(glk_context *context, const glk_op *op,
                                   const glk_shape *const *in, glk_attributes *attributes,
                                   glk_shape *out) {
  return alpha_infer(context, op, in, attributes, 0.2, out);
}

static glk_ref leaky_relu_expand(glk_emitter *e, const glk_ref *in,
                                 const glk_attributes *attributes) {
  const glk_ref slope = e->scalar(e, (glk_real)attributes->values[0]);
  const glk_ref below = glk_emit2(e, &glk_op_mul, in[0], slope);
  const glk_ref is_above = glk_emit2(e, &glk_op_greater, in[0], e->scalar(e, 0));
  return glk_emit3(e, &glk_op_where, is_above, in[0], below);
}

GLK_OP_ROW(leaky_relu, "leakyRelu", "leakyRelu(x; alpha)",
           "x above 0, alpha * x elsewhere; alpha is 0.2 unless given; the gradient at 0 is alpha",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = leaky_relu_infer,
           .expand = leaky_relu_expand)

static glk_status elu_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out) {
  return alpha_infer(context, op, in, attributes, 1, out);
}

/* The smaller of x and 0 prevents overflow of exp where it is not selected. The slope up to 0 is
 * exp(x), not y + 1, which has lost small digits. */
static glk_ref elu_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const glk_real alpha = (glk_real)attributes->values[0];
  const glk_ref zero = e->scalar(e, 0);
  glk_ref below = glk_emit1(e, &glk_op_expm1, glk_emit2(e, &glk_op_minimum, in[0], zero));
  if (alpha != 1) below = glk_emit2(e, &glk_op_mul, below, e->scalar(e, alpha));
  const glk_ref is_below = glk_emit2(e, &glk_op_less_equal, in[0], zero);
  return glk_emit3(e, &glk_op_where, is_below, below, in[0]);
}

GLK_OP_ROW(elu, "elu", "elu(x; alpha)",
           "x above 0, alpha * (exp(x) - 1) elsewhere; alpha is 1 unless given; the gradient at 0 "
           "is alpha",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = elu_infer, .expand = elu_expand)

/* In minimum(x, 6), a tie's gradient goes to the 6, so it is 0 at both ends. */
static glk_ref hard_sigmoid_expand(glk_emitter *e, const glk_ref *in,
                                   const glk_attributes *attributes) {
  (void)attributes;
  const glk_ref six = e->scalar(e, 6);
  const glk_ref up = glk_emit1(e, &glk_op_relu, glk_emit2(e, &glk_op_add, in[0], e->scalar(e, 3)));
  return glk_emit2(e, &glk_op_div, glk_emit2(e, &glk_op_minimum, six, up), six);
}

GLK_OP_ROW(hard_sigmoid, "hardSigmoid", "hardSigmoid(x)",
           "relu6(x + 3) / 6, as in Keras 3; the gradient at -3 and 3 is 0", .inputs = 1,
           .flags = GLK_OP_PUBLIC, .infer = glk_infer_same, .expand = hard_sigmoid_expand)

GLK_OP_FAMILY(activation, &glk_op_tanh, &glk_op_tanh_gradient, &glk_op_sigmoid,
              &glk_op_sigmoid_gradient, &glk_op_relu, &glk_op_relu_gradient, &glk_op_softplus,
              &glk_op_gelu, &glk_op_gelu_exact, &glk_op_gelu_gradient, &glk_op_silu,
              &glk_op_leaky_relu, &glk_op_elu, &glk_op_hard_sigmoid)
