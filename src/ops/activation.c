/* Exponentials and activations, elementwise. Values come from kernels/math.h: at most 2 ulp, the same bits anywhere. */
#include "ops/broadcast.h"

#define PUBLIC_IN_PLACE (GLK_OP_PUBLIC | GLK_OP_IN_PLACE)

/* -------------------------------------------------------------------------- y = exp x, dy/dx = y */

static void exp_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_exp); }

static void exp_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_MUL, g->dy, g->out);
}

const glk_op glk_op_exp = {
    .name = "exp",
    .signature = GLK_DOC("exp(x)"),
    .doc = GLK_DOC("e to the power x"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = exp_forward,
    .gradient = exp_gradient,
};

/* ------------------------------------------------------------------------ y = log x, dy/dx = 1/x */

static void log_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_log); }

static void log_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_DIV, g->dy, g->in[0]);
}

const glk_op glk_op_log = {
    .name = "log",
    .signature = GLK_DOC("log(x)"),
    .doc = GLK_DOC("Natural logarithm; -Infinity at 0, NaN below"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = log_forward,
    .gradient = log_gradient,
};

/* -------------------------------------------------------------------- y = tanh x, dy/dx = 1 - y^2 */

static void tanh_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_tanh); }

static void tanh_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_TANH_GRADIENT, g->dy, g->out);
}

const glk_op glk_op_tanh = {
    .name = "tanh",
    .signature = GLK_DOC("tanh(x)"),
    .doc = GLK_DOC("Hyperbolic tangent"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = tanh_forward,
    .gradient = tanh_gradient,
};

static void tanh_gradient_forward(const glk_call *call) {
  glk_run_binary(call, glk_kernel_tanh_gradient);
}

/* z = a (1 - y^2): dz/da = 1 - y^2, dz/dy = -2 a y */
static void tanh_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_TANH_GRADIENT, g->dy, g->in[1]));
  if (g->wanted[1]) {
    const glk_ref ay = glk_emit2(e, GLK_OP_MUL, g->in[0], g->in[1]);
    const glk_ref slope = glk_emit1(e, GLK_OP_NEG, glk_emit2(e, GLK_OP_ADD, ay, ay));
    glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, slope));
  }
}

const glk_op glk_op_tanh_gradient = {
    .name = "tanhGradient",
    .signature = GLK_DOC("tanhGradient(dy, y)"),
    .doc = GLK_DOC("dy * (1 - y * y)"),
    .inputs = 2,
    .flags = GLK_OP_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = tanh_gradient_forward,
    .gradient = tanh_gradient_gradient,
};

/* --------------------------------------------------------- y = 1 / (1 + exp -x), dy/dx = y (1 - y) */

static void sigmoid_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_sigmoid); }

static void sigmoid_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_SIGMOID_GRADIENT, g->dy, g->out);
}

const glk_op glk_op_sigmoid = {
    .name = "sigmoid",
    .signature = GLK_DOC("sigmoid(x)"),
    .doc = GLK_DOC("1 / (1 + exp(-x))"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = sigmoid_forward,
    .gradient = sigmoid_gradient,
};

static void sigmoid_gradient_forward(const glk_call *call) {
  glk_run_binary(call, glk_kernel_sigmoid_gradient);
}

/* z = a (y - y^2): dz/da = y - y^2, dz/dy = a (1 - 2y) */
static void sigmoid_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_SIGMOID_GRADIENT, g->dy, g->in[1]));
  if (g->wanted[1]) {
    const glk_ref two_y = glk_emit2(e, GLK_OP_ADD, g->in[1], g->in[1]);
    const glk_ref slope =
        glk_emit2(e, GLK_OP_MUL, g->in[0], glk_emit2(e, GLK_OP_SUB, e->scalar(e, 1), two_y));
    glk_emit_give(e, g, 1, glk_emit2(e, GLK_OP_MUL, g->dy, slope));
  }
}

const glk_op glk_op_sigmoid_gradient = {
    .name = "sigmoidGradient",
    .signature = GLK_DOC("sigmoidGradient(dy, y)"),
    .doc = GLK_DOC("dy * (y * (1 - y))"),
    .inputs = 2,
    .flags = GLK_OP_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = sigmoid_gradient_forward,
    .gradient = sigmoid_gradient_gradient,
};

/* ----------------------------------------------------------------- y = max(x, 0), dy/dx = [y > 0] */

static void relu_forward(const glk_call *call) { glk_run_unary(call, glk_kernel_relu); }

static void relu_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = glk_emit2(e, GLK_OP_RELU_GRADIENT, g->dy, g->out);
}

const glk_op glk_op_relu = {
    .name = "relu",
    .signature = GLK_DOC("relu(x)"),
    .doc = GLK_DOC("max(x, 0); NaN stays; the gradient at 0 is 0, as in TensorFlow"),
    .inputs = 1,
    .flags = PUBLIC_IN_PLACE,
    .infer = glk_infer_same,
    .forward = relu_forward,
    .gradient = relu_gradient,
};

static void relu_gradient_forward(const glk_call *call) {
  glk_run_binary(call, glk_kernel_relu_gradient);
}

static void relu_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) glk_emit_give(e, g, 0, glk_emit2(e, GLK_OP_RELU_GRADIENT, g->dy, g->in[1]));
}

const glk_op glk_op_relu_gradient = {
    .name = "reluGradient",
    .signature = GLK_DOC("reluGradient(dy, y)"),
    .doc = GLK_DOC("dy where y > 0, else 0, by selection: NaN * 0 cannot leak"),
    .inputs = 2,
    .flags = GLK_OP_IN_PLACE,
    .infer = glk_infer_broadcast,
    .forward = relu_gradient_forward,
    .gradient = relu_gradient_gradient,
};

/* --------------------------------------------------------------------------------- composites */

static glk_ref silu_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  (void)attributes;
  return glk_emit2(e, GLK_OP_MUL, in[0], glk_emit1(e, GLK_OP_SIGMOID, in[0]));
}

const glk_op glk_op_silu = {
    .name = "silu",
    .signature = "silu(x)",
    .doc = GLK_DOC("x * sigmoid(x), also called swish"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = glk_infer_same,
    .expand = silu_expand,
};

/* Attribute: the slope below 0, 0.2 unless given, as in TensorFlow. */
static glk_status leaky_relu_infer(glk_context *context, const glk_op *op,
                                   const glk_shape *const *in, glk_attributes *attributes,
                                   glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 1));
  if (!attributes->count) *attributes = (glk_attributes){1, {0.2}};
  if (attributes->values[0] != attributes->values[0]) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: the slope is NaN", op->name);
  }
  *out = *in[0];
  return GLK_OK;
}

static glk_ref leaky_relu_expand(glk_emitter *e, const glk_ref *in,
                                 const glk_attributes *attributes) {
  const glk_ref slope = e->scalar(e, (glk_real)attributes->values[0]);
  const glk_ref below = glk_emit2(e, GLK_OP_MUL, in[0], slope);
  const glk_ref is_above = glk_emit2(e, GLK_OP_GREATER, in[0], e->scalar(e, 0));
  return glk_emit3(e, GLK_OP_WHERE, is_above, in[0], below);
}

const glk_op glk_op_leaky_relu = {
    .name = "leakyRelu",
    .signature = "leakyRelu(x; alpha)",
    .doc = GLK_DOC("x above 0, alpha * x elsewhere; the gradient at 0 is alpha"),
    .inputs = 1,
    .flags = GLK_OP_PUBLIC,
    .infer = leaky_relu_infer,
    .expand = leaky_relu_expand,
};
