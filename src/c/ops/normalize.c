/* Normalization along axes: softmax, its logarithm, and layer normalization, a composite. */
#include "kernels/softmax.h"
#include "ops/reduce.h"

/* Attribute: the axis; kept as a reduction's over it. */
static glk_status softmax_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 1));
  const double axis = attributes->count ? attributes->values[0] : -1;
  glk_shape reduced;
  *attributes = (glk_attributes){2, {1, axis}};
  GLK_TRY(glk_reduce_infer(context, op, in, attributes, &reduced));
  *out = *in[0];
  return GLK_OK;
}

/* x seen as (outer, n, inner), lines running along n. */
typedef struct lines {
  size_t outer, n, inner;
} lines;

static lines lines_of(const glk_shape *x, const glk_attributes *attributes) {
  lines l = {1, 1, 1};
  for (uint32_t a = 0, passed = 0; a < x->rank; a++) {
    if (glk_reduce_has(attributes, a)) {
      l.n = x->dims[a];
      passed = 1;
    } else {
      *(passed ? &l.inner : &l.outer) *= x->dims[a];
    }
  }
  return l;
}

static size_t softmax_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  const lines l = lines_of(in[0], attributes);
  return l.inner > 1 ? 2 * l.inner : 0;
}

/* How a function runs along rows, and along the columns of a block. */
typedef struct ways {
  void (*rows)(size_t rows, size_t n, const glk_real *x, glk_real *out);
  void (*columns)(size_t n, size_t columns, const glk_real *x, glk_real *scratch, glk_real *out);
} ways;

typedef struct lines_job {
  const glk_call *call;
  const ways *way;
  lines l;
} lines_job;

/* Outer items. */
static void run_outer(const void *work, size_t from, size_t to, uint32_t thread) {
  const lines_job *job = work;
  const glk_call *call = job->call;
  const size_t n = job->l.n, inner = job->l.inner, block = n * inner;
  if (inner == 1) {
    job->way->rows(to - from, n, call->in[0] + from * n, call->out + from * n);
    return;
  }
  for (size_t o = from; o < to; o++) {
    job->way->columns(n, inner, call->in[0] + o * block, glk_scratch_of(call, thread),
                      call->out + o * block);
  }
}

/* About what an exponential and what goes with it take, in nanoseconds. */
#define POWER_NS 1.5

static void run_lines(const glk_call *call, const ways *way) {
  const lines_job job = {call, way, lines_of(call->in_shape[0], call->attributes)};
  const double ns = POWER_NS * call->out_shape->count;
  if (call->out_shape->count) glk_parallel_for(call->threads, ns, job.l.outer, 1, run_outer, &job);
}

static void softmax_forward(const glk_call *call) {
  static const ways way = {glk_kernel_softmax, glk_kernel_softmax_columns};
  run_lines(call, &way);
}

static glk_ref weighted_sum(glk_emitter *e, glk_ref a, glk_ref y,
                            const glk_attributes *attributes) {
  return glk_reduce_emit(e, &glk_op_sum, glk_emit2(e, &glk_op_mul, a, y), 1, attributes);
}

static glk_ref centred(glk_emitter *e, glk_ref a, glk_ref y, const glk_attributes *attributes) {
  return glk_emit2(e, &glk_op_sub, a, weighted_sum(e, a, y, attributes));
}

static int is_last(const glk_shape *x, const glk_attributes *attributes) {
  return glk_reduce_has(attributes, x->rank - 1);
}

/* (dy - sum(dy y)) y: one node along the last axis, its parts along others. */
static void softmax_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape y = e->shape(e, g->out);
  g->d[0] = is_last(&y, g->attributes)
                ? glk_emit2(e, &glk_op_softmax_gradient, g->dy, g->out)
                : glk_emit2(e, &glk_op_mul, centred(e, g->dy, g->out, g->attributes), g->out);
}

GLK_OP_ROW(softmax, "softmax", "softmax(x; axis)",
           "exp(x) / sum(exp(x)) along an axis, the last by default, without overflow", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_SHARED, .infer = softmax_infer,
           .scratch = softmax_scratch, .forward = softmax_forward, .gradient = softmax_gradient)

/* Both are (..., n). Attributes as a reduction's over the last axis. */
static glk_status softmax_gradient_infer(glk_context *context, const glk_op *op,
                                         const glk_shape *const *in, glk_attributes *attributes,
                                         glk_shape *out) {
  GLK_TRY(softmax_infer(context, op, in, attributes, out));
  if (glk_shape_equal(in[0], in[1]) && is_last(in[0], attributes)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S do not fit", op->name, in[0],
                  in[1]);
}

static void softmax_gradient_rows(const void *work, size_t from, size_t to, uint32_t thread) {
  const lines_job *job = work;
  const size_t n = job->l.n, at = from * n;
  const glk_call *call = job->call;
  (void)thread;
  glk_kernel_softmax_gradient(to - from, n, call->in[0] + at, call->in[1] + at, call->out + at);
}

static void softmax_gradient_forward(const glk_call *call) {
  const lines_job job = {call, NULL, lines_of(call->in_shape[0], call->attributes)};
  const double ns = GLK_ELEMENT_NS * 2 * call->out_shape->count;
  if (job.l.n) {
    glk_parallel_for(call->threads, ns, job.l.outer, 1, softmax_gradient_rows, &job);
  }
}

/* z = (a - sum(a y)) y: linear in a, and its own transpose; by y it is dz (a - sum(a y)) - a sum(dz
 * y). */
static void softmax_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref a = g->in[0], y = g->in[1];
  if (g->needs_gradient[0]) g->d[0] = glk_emit2(e, &glk_op_softmax_gradient, g->dy, y);
  if (g->needs_gradient[1]) {
    const glk_ref direct = glk_emit2(e, &glk_op_mul, g->dy, centred(e, a, y, g->attributes));
    const glk_ref sum = weighted_sum(e, g->dy, y, g->attributes);
    g->d[1] = glk_emit2(e, &glk_op_sub, direct, glk_emit2(e, &glk_op_mul, a, sum));
  }
}

GLK_OP_ROW(softmax_gradient, "softmaxGradient", "softmaxGradient(dy, y)",
           "(dy - sum(dy * y)) * y along the last axis", .inputs = 2, .flags = GLK_OP_SHARED,
           .infer = softmax_gradient_infer, .forward = softmax_gradient_forward,
           .gradient = softmax_gradient_gradient)

static void log_softmax_forward(const glk_call *call) {
  static const ways way = {glk_kernel_log_softmax, glk_kernel_log_softmax_columns};
  run_lines(call, &way);
}

/* dy - exp(y) sum(dy) */
static void log_softmax_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref sum = glk_reduce_emit(e, &glk_op_sum, g->dy, 1, g->attributes);
  const glk_ref share = glk_emit2(e, &glk_op_mul, glk_emit1(e, &glk_op_exp, g->out), sum);
  g->d[0] = glk_emit2(e, &glk_op_sub, g->dy, share);
}

GLK_OP_ROW(log_softmax, "logSoftmax", "logSoftmax(x; axis)",
           "log(softmax(x)) along an axis, the last by default, without overflow", .inputs = 1,
           .flags = GLK_OP_PUBLIC | GLK_OP_SHARED, .infer = softmax_infer,
           .scratch = softmax_scratch, .forward = log_softmax_forward,
           .gradient = log_softmax_gradient)

/* y = (x - mean) / sqrt(variance + epsilon) */

/* Attributes: epsilon, Keras's 0.001 unless named, then axes, the last unless named; kept as
 * epsilon and one flag an axis. Ba, Kiros & Hinton 2016, arXiv:1607.06450, equation 3; the gain and
 * the bias are the caller's. */
static glk_status layer_norm_infer(glk_context *context, const glk_op *op,
                                   const glk_shape *const *in, glk_attributes *attributes,
                                   glk_shape *out) {
  glk_shape reduced;
  const double epsilon = attributes->count ? attributes->values[0] : 1e-3;
  if (!(epsilon >= 0 && epsilon <= 1e30)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: epsilon is %g, expected 0 or above", op->name,
                    epsilon);
  }
  if (attributes->count < 2) *attributes = (glk_attributes){2, {1, -1}};
  attributes->values[0] = 1;
  GLK_TRY(glk_reduce_infer(context, op, in, attributes, &reduced));
  attributes->values[0] = epsilon;
  *out = *in[0];
  return GLK_OK;
}

static glk_ref layer_norm_expand(glk_emitter *e, const glk_ref *in,
                                 const glk_attributes *attributes) {
  const glk_ref mean = glk_reduce_emit(e, &glk_op_mean, in[0], 1, attributes);
  const glk_ref centred = glk_emit2(e, &glk_op_sub, in[0], mean);
  const glk_ref squares = glk_emit1(e, &glk_op_square, centred);
  const glk_ref variance = glk_reduce_emit(e, &glk_op_mean, squares, 1, attributes);
  const glk_ref epsilon = e->scalar(e, (glk_real)attributes->values[0]);
  const glk_ref scale = glk_emit1(e, &glk_op_rsqrt, glk_emit2(e, &glk_op_add, variance, epsilon));
  return glk_emit2(e, &glk_op_mul, centred, scale);
}

GLK_OP_ROW(layer_norm, "layerNorm", "layerNorm(x; epsilon, axis...)",
           "(x - mean) / sqrt(variance + epsilon) along axes", .inputs = 1, .flags = GLK_OP_PUBLIC,
           .infer = layer_norm_infer, .expand = layer_norm_expand)

GLK_OP_FAMILY(normalize, &glk_op_softmax, &glk_op_softmax_gradient, &glk_op_log_softmax,
              &glk_op_layer_norm)
