/* Random tensors: ops without operands, whose result is a function of seed and step. There is no
 * hidden state. Each run of a program draws new numbers, since the number of runs counts, too
 * (core/random.h). So run 0 of a program has the bits of the same ops applied at once, and a seed
 * the same bits on every machine.
 *
 * Attributes begin with the seed, a whole number from 0 to 2^53 - 1, and the step, from 0 to 2^32 -
 * 1; sizes end them. */
#include "kernels/random.h"
#include "kernels/orthogonalize.h"
#include "ops/op.h"

#define MOST_SEED 0x1fffffffffffff
#define MOST_STEP 0xffffffff

static glk_status check_seed(glk_context *context, const glk_op *op,
                             const glk_attributes *attributes, uint32_t first) {
  GLK_TRY(glk_attribute_integer(context, op, attributes, first, GLK_ERROR_ARGUMENT, "the seed", 0,
                                MOST_SEED, NULL));
  return glk_attribute_integer(context, op, attributes, first + 1, GLK_ERROR_ARGUMENT, "the step",
                               0, MOST_STEP, NULL);
}

/* Attributes: seed, step, `parameters` numbers, sizes. */
static glk_status infer_draw(glk_context *context, const glk_op *op, glk_attributes *attributes,
                             uint32_t parameters, glk_shape *out) {
  const uint32_t first = 2 + parameters;
  GLK_TRY(glk_attribute_count(context, op, attributes, first, first + GLK_MAX_RANK));
  GLK_TRY(check_seed(context, op, attributes, 0));
  return glk_attribute_shape(context, op, attributes, first, out);
}

static glk_stream stream_of(const glk_call *call) {
  const double *values = call->attributes->values;
  return glk_stream_of(values[0], (uint32_t)values[1], *call->run);
}

/* A kernel with two parameters. */
static void draw(const glk_call *call, void (*kernel)(size_t n, const glk_stream *stream,
                                                      glk_real a, glk_real b, glk_real *out)) {
  const double *values = call->attributes->values;
  const glk_stream stream = stream_of(call);
  kernel(call->out_shape->count, &stream, (glk_real)values[2], (glk_real)values[3], call->out);
}

static glk_status uniform_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  (void)in;
  GLK_TRY(infer_draw(context, op, attributes, 2, out));
  const glk_real low = (glk_real)attributes->values[2], high = (glk_real)attributes->values[3];
  if (!(low < high) || !(high - low < (glk_real)__builtin_inf())) {
    return glk_fail(context, GLK_ERROR_ARGUMENT,
                    "%s: low (%g) must be below high (%g), by a finite amount", op->name,
                    attributes->values[2], attributes->values[3]);
  }
  return GLK_OK;
}

static void uniform_forward(const glk_call *call) { draw(call, glk_kernel_random_uniform); }

GLK_OP_ROW(random_uniform, "randomUniform", "randomUniform(; seed, step, minval, maxval, size...)",
           "Uniform in minval <= x < maxval, in steps of (maxval - minval) / 2^23; TensorFlow's "
           "first draw of a Philox generator, bit for bit",
           .flags = GLK_OP_PUBLIC, .infer = uniform_infer, .forward = uniform_forward)

static glk_status normal_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  (void)in;
  GLK_TRY(infer_draw(context, op, attributes, 2, out));
  const glk_real mean = (glk_real)attributes->values[2], stddev = (glk_real)attributes->values[3];
  if (mean - mean != 0 || !(stddev >= 0) || stddev - stddev != 0) {
    return glk_fail(context, GLK_ERROR_ARGUMENT,
                    "%s: mean %g and stddev %g, expected both finite and stddev from 0 up",
                    op->name, attributes->values[2], attributes->values[3]);
  }
  return GLK_OK;
}

static void normal_forward(const glk_call *call) { draw(call, glk_kernel_random_normal); }

GLK_OP_ROW(random_normal, "randomNormal", "randomNormal(; seed, step, mean, stddev, size...)",
           "Normal, by Box and Muller, at most 5.7 stddev from the mean; TensorFlow's first draw "
           "of a Philox generator, up to rounding",
           .flags = GLK_OP_PUBLIC, .infer = normal_infer, .forward = normal_forward)

static void truncated_normal_forward(const glk_call *call) {
  draw(call, glk_kernel_random_truncated_normal);
}

GLK_OP_ROW(truncated_normal, "truncatedNormal",
           "truncatedNormal(; seed, step, mean, stddev, size...)",
           "Normal, drawn again if 2 stddev or more from the mean; each four elements use their "
           "own bits; TensorFlow's first draw, up to rounding",
           .flags = GLK_OP_PUBLIC, .infer = normal_infer, .forward = truncated_normal_forward)

static glk_status bernoulli_infer(glk_context *context, const glk_op *op,
                                  const glk_shape *const *in, glk_attributes *attributes,
                                  glk_shape *out) {
  (void)in;
  GLK_TRY(infer_draw(context, op, attributes, 1, out));
  const double p = attributes->values[2];
  if (p >= 0 && p <= 1) return GLK_OK;
  return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: p is %g, expected 0 to 1", op->name, p);
}

static void bernoulli_forward(const glk_call *call) {
  const glk_stream stream = stream_of(call);
  glk_kernel_random_bernoulli(call->out_shape->count, &stream, call->attributes->values[2],
                              call->out);
}

GLK_OP_ROW(random_bernoulli, "randomBernoulli", "randomBernoulli(; seed, step, p, size...)",
           "1 with probability p (to 2^-32), else 0", .flags = GLK_OP_PUBLIC,
           .infer = bernoulli_infer, .forward = bernoulli_forward)

static glk_status permutation_infer(glk_context *context, const glk_op *op,
                                    const glk_shape *const *in, glk_attributes *attributes,
                                    glk_shape *out) {
  const uint32_t most = (uint32_t)1 << 24;
  (void)in;
  GLK_TRY(glk_attribute_count(context, op, attributes, 3, 3));
  GLK_TRY(infer_draw(context, op, attributes, 0, out));
  if (out->count <= most) return GLK_OK;
  return glk_fail(context, GLK_ERROR_LIMIT, "%s: n is %u, but f32 counts exactly only to %u",
                  op->name, out->count, most);
}

static void permutation_forward(const glk_call *call) {
  const glk_stream stream = stream_of(call);
  glk_kernel_random_permutation(call->out_shape->count, &stream, call->out);
}

GLK_OP_ROW(random_permutation, "randomPermutation", "randomPermutation(; seed, step, n)",
           "0 to n - 1 in random order, every order equally likely; n up to 2^24",
           .flags = GLK_OP_PUBLIC, .infer = permutation_infer, .forward = permutation_forward)

/* Attributes: rate, seed, step. */
static glk_status dropout_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 3, 3));
  GLK_TRY(check_seed(context, op, attributes, 1));
  const double rate = attributes->values[0];
  if (!(rate >= 0 && rate < 1)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: the rate is %g, expected 0 to below 1",
                    op->name, rate);
  }
  *out = *in[0];
  return GLK_OK;
}

/* A selection, not a product: dropped elements have no effect, even if they are NaN, and no
 * gradient. */
static glk_ref dropout_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  const double rate = attributes->values[0];
  if (rate == 0) return glk_emit_result(e, in[0], in[0]);
  const glk_shape shape = e->shape(e, in[0]);
  glk_attributes draw = {3 + shape.rank, {attributes->values[1], attributes->values[2], 1 - rate}};
  for (uint32_t a = 0; a < shape.rank; a++) draw.values[3 + a] = shape.dims[a];
  const glk_ref kept = e->apply(e, &glk_op_random_bernoulli, NULL, &draw);
  const glk_ref scaled = glk_emit2(e, &glk_op_mul, in[0], e->scalar(e, (glk_real)(1 / (1 - rate))));
  return glk_emit3(e, &glk_op_where, kept, scaled, e->scalar(e, 0));
}

GLK_OP_ROW(dropout, "dropout", "dropout(x; rate, seed, step)",
           "0 with probability rate, x / (1 - rate) elsewhere; the gradient is 0 where x is "
           "dropped, even if it was NaN",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = dropout_infer, .expand = dropout_expand)

static glk_status orthogonalize_infer(glk_context *context, const glk_op *op,
                                      const glk_shape *const *in, glk_attributes *attributes,
                                      glk_shape *out) {
  const glk_shape *x = in[0];
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  if (x->rank != 2 || x->dims[0] < x->dims[1]) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shape %S, expected a matrix with no more columns than rows", op->name, x);
  }
  *out = *x;
  return GLK_OK;
}

static size_t orthogonalize_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  (void)attributes;
  return glk_kernel_orthogonalize_scratch(in[0]->dims[0], in[0]->dims[1]) *
         (sizeof(double) / sizeof(glk_real));
}

static void orthogonalize_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[0];
  glk_kernel_orthogonalize(x->dims[0], x->dims[1], call->in[0], (double *)(void *)call->scratch,
                           call->out);
}

GLK_OP_ROW(orthogonalize, "orthogonalize", "orthogonalize(x)",
           "Q of x = QR, with orthonormal columns, and a diagonal of R that is not negative; for "
           "initializers: it has no gradient",
           .inputs = 1, .infer = orthogonalize_infer, .scratch = orthogonalize_scratch,
           .forward = orthogonalize_forward)

GLK_OP_FAMILY(random, &glk_op_random_uniform, &glk_op_random_normal, &glk_op_truncated_normal,
              &glk_op_random_bernoulli, &glk_op_random_permutation, &glk_op_dropout,
              &glk_op_orthogonalize)
