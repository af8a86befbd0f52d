/* Cross-entropies, as Keras 3 defines them, from probabilities or from logits. What is known of a
 * label is its probability, between 0 and 1, or its number. Composites but for the last two rows,
 * which those from logits are made of: one node forward, one backward. */
#include <string.h>

#include "kernels/elementwise.h"
#include "kernels/softmax.h"
#include "ops/loss.h"

/* Attributes: reduction, fromLogits, labelSmoothing. Unlike other losses these do not broadcast. */
static glk_status probabilities_infer(glk_context *context, const glk_op *op,
                                      const glk_shape *const *in, glk_attributes *attributes,
                                      glk_shape *out) {
  glk_shape y[2];
  GLK_TRY(glk_loss_attributes(context, op, attributes, 3));
  GLK_TRY(glk_loss_number(context, op, attributes, 1, "fromLogits", 0, 0, 1));
  GLK_TRY(glk_attribute_flag(context, op, attributes, 1, "fromLogits"));
  GLK_TRY(glk_loss_number(context, op, attributes, 2, "labelSmoothing", 0, 0, 1));
  glk_loss_align(in, y);
  if (!glk_shape_equal(&y[0], &y[1]) || !y[0].rank) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shapes %S and %S, expected equal shapes of rank 1 or above", op->name,
                    in[0], in[1]);
  }
  *out = glk_loss_shape(attributes, &y[0], y[0].rank - 1);
  return GLK_OK;
}

/* y (1 - smoothing) + smoothing / classes */
static glk_ref smoothed(glk_emitter *e, glk_ref y, const glk_attributes *attributes,
                        glk_real classes) {
  const double smoothing = attributes->values[2];
  if (smoothing == 0) return y;
  const glk_ref kept = glk_emit2(e, &glk_op_mul, y, e->scalar(e, (glk_real)(1 - smoothing)));
  return glk_emit2(e, &glk_op_add, kept, e->scalar(e, (glk_real)smoothing / classes));
}

/* p within epsilon..1 - epsilon, where its logarithms are finite; outside it has no gradient. */
static glk_ref within(glk_emitter *e, glk_ref p) {
  const glk_attributes range = {2, {GLK_LOSS_EPSILON, 1 - GLK_LOSS_EPSILON}};
  return e->apply(e, &glk_op_clip_by_value, &p, &range);
}

/* -(y log p + (1 - y) log (1 - p)), p = sigmoid x */

/* log sigmoid x = -softplus(-x) and log (1 - sigmoid x) = -softplus(x): exact in every tail, unlike
 * a difference. */
static glk_ref binary_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  glk_ref y[2];
  glk_loss_operands(e, in, y);
  const glk_ref one = e->scalar(e, 1), truth = smoothed(e, y[0], attributes, 2);
  const glk_ref untruth = glk_emit2(e, &glk_op_sub, one, truth);
  glk_ref yes, no, cost;
  if (attributes->values[1] != 0) {
    yes = glk_emit1(e, &glk_op_softplus, glk_emit1(e, &glk_op_neg, y[1]));
    no = glk_emit1(e, &glk_op_softplus, y[1]);
  } else {
    const glk_ref p = within(e, y[1]);
    yes = glk_emit1(e, &glk_op_log, p);
    no = glk_emit1(e, &glk_op_log, glk_emit2(e, &glk_op_sub, one, p));
  }
  yes = glk_emit2(e, &glk_op_mul, truth, yes);
  no = glk_emit2(e, &glk_op_mul, untruth, no);
  cost = glk_emit2(e, &glk_op_add, yes, no);
  if (attributes->values[1] == 0) cost = glk_loss_negative(e, cost);
  const uint32_t last = glk_loss_last(e, cost);
  return glk_loss_reduce(e, glk_loss_fold(e, &glk_op_mean, cost, 0, last), attributes);
}

GLK_OP_ROW(binary_crossentropy, "binaryCrossentropy",
           "binaryCrossentropy(yTrue, yPred; reduction, fromLogits, labelSmoothing)",
           "Mean along the last axis of -(y log p + (1 - y) log(1 - p)), where p is yPred, 1e-7 "
           "inside 0..1, or the sigmoid of yPred",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = probabilities_infer,
           .expand = binary_expand)

/* -sum (y log p), p = softmax x */
static glk_ref categorical_expand(glk_emitter *e, const glk_ref *in,
                                  const glk_attributes *attributes) {
  glk_ref y[2];
  glk_loss_operands(e, in, y);
  if (e->status != GLK_OK) return GLK_NO_REF;
  const uint32_t axis = glk_loss_last(e, y[1]);
  const glk_ref truth = smoothed(e, y[0], attributes, (glk_real)e->shape(e, y[0]).dims[axis]);
  if (attributes->values[1] != 0) {
    return glk_loss_reduce(e, glk_emit2(e, &glk_op_crossentropy, truth, y[1]), attributes);
  }
  const glk_ref whole = glk_loss_fold(e, &glk_op_sum, y[1], 1, axis);
  const glk_ref logs = glk_emit1(e, &glk_op_log, within(e, glk_emit2(e, &glk_op_div, y[1], whole)));
  const glk_ref terms = glk_emit2(e, &glk_op_mul, truth, logs);
  const glk_ref sum = glk_loss_fold(e, &glk_op_sum, terms, 0, axis);
  return glk_loss_reduce(e, glk_loss_negative(e, sum), attributes);
}

GLK_OP_ROW(categorical_crossentropy, "categoricalCrossentropy",
           "categoricalCrossentropy(yTrue, yPred; reduction, fromLogits, labelSmoothing)",
           "-sum(y log p) along the last axis, where p is yPred over its sum and 1e-7 inside 0..1, "
           "or the softmax of yPred",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = probabilities_infer,
           .expand = categorical_expand)

/* -log p[label], p = softmax x */

/* Bring shapes to (...) for labels and (..., classes) for predictions. Labels may be (..., 1); and
 * as Keras does, for labels that are, a single class is dropped from predictions (..., 1, 1). */
static void squeeze_labels(glk_shape *labels, glk_shape *x) {
  const uint32_t last = labels->rank - 1;
  if (!labels->rank || labels->dims[last] != 1) return;
  if (last && x->rank == labels->rank + 1 && x->dims[x->rank - 1] == 1) x->rank--;
  if (labels->rank == x->rank) labels->rank--;
}

/* Attributes: reduction, fromLogits. */
static glk_status sparse_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_loss_attributes(context, op, attributes, 2));
  GLK_TRY(glk_loss_number(context, op, attributes, 1, "fromLogits", 0, 0, 1));
  GLK_TRY(glk_attribute_flag(context, op, attributes, 1, "fromLogits"));
  glk_shape labels = *in[0], predictions = *in[1];
  squeeze_labels(&labels, &predictions);
  if (labels.rank + 1 != predictions.rank ||
      memcmp(labels.dims, predictions.dims, labels.rank * sizeof *labels.dims) != 0) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: labels %S and predictions %S, expected a label for each row", op->name,
                    in[0], in[1]);
  }
  if (predictions.dims[labels.rank] > 1u << 24) { /* as far as f32 counts */
    return glk_fail(context, GLK_ERROR_LIMIT, "%s: predictions %S have more than 16777216 classes",
                    op->name, in[1]);
  }
  *out = glk_loss_shape(attributes, &predictions, labels.rank);
  return GLK_OK;
}

static glk_ref sparse_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  glk_shape labels = e->shape(e, in[0]), predictions = e->shape(e, in[1]);
  squeeze_labels(&labels, &predictions);
  glk_ref logits = glk_emit_reshape(e, in[1], &predictions);
  if (attributes->values[1] == 0) logits = glk_emit1(e, &glk_op_log, within(e, logits));
  const glk_ref known = glk_emit_reshape(e, in[0], &labels);
  return glk_loss_reduce(e, glk_emit2(e, &glk_op_crossentropy, known, logits), attributes);
}

GLK_OP_ROW(sparse_categorical_crossentropy, "sparseCategoricalCrossentropy",
           "sparseCategoricalCrossentropy(yTrue, yPred; reduction, fromLogits)",
           "-log p[label] along the last axis, where p is yPred, 1e-7 inside 0..1, over its sum, "
           "or the softmax of yPred",
           .inputs = 2, .flags = GLK_OP_PUBLIC, .infer = sparse_infer, .expand = sparse_expand)

/* y is (..., classes) or (...), x (..., classes); the shape without the classes is `rows`. */
static glk_status fit_rows(glk_context *context, const glk_op *op, const glk_shape *y,
                           const glk_shape *x, glk_attributes *attributes, glk_shape *rows) {
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  if (x->rank) {
    static const glk_attributes each = {1, {GLK_LOSS_EACH}};
    *rows = glk_loss_shape(&each, x, x->rank - 1);
    if (glk_shape_equal(y, x) || glk_shape_equal(y, rows)) return GLK_OK;
  }
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S do not fit", op->name, y, x);
}

static glk_status crossentropy_infer(glk_context *context, const glk_op *op,
                                     const glk_shape *const *in, glk_attributes *attributes,
                                     glk_shape *out) {
  return fit_rows(context, op, in[0], in[1], attributes, out);
}

/* The labels are an operand of the loss, so the message names the loss. `y` is their operand,
 * logits follow. */
static glk_status check_labels(glk_context *context, const glk_call *call, uint32_t y) {
  const glk_shape *labels = call->in_shape[y], *x = call->in_shape[y + 1];
  const uint32_t classes = x->dims[x->rank - 1];
  if (labels->rank == x->rank) return GLK_OK;
  for (uint32_t i = 0; i < labels->count; i++) {
    const double label = (double)call->in[y][i];
    if (label >= 0 && label < classes && label == (double)(uint32_t)label) continue;
    return glk_fail(context, GLK_ERROR_INDEX,
                    "sparseCategoricalCrossentropy: label %u of %S is %g, expected a whole number "
                    "from 0 to %g",
                    i, labels, label, (double)classes - 1);
  }
  return GLK_OK;
}

static glk_status crossentropy_check(glk_context *context, const glk_op *op, const glk_call *call) {
  (void)op;
  return check_labels(context, call, 0);
}

static size_t crossentropy_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  (void)attributes;
  return in[1]->dims[in[1]->rank - 1];
}

static glk_truth truth_of(const glk_call *call, uint32_t y) {
  return (glk_truth){call->in[y], call->in_shape[y]->rank < call->in_shape[y + 1]->rank};
}

typedef struct rows_job {
  const glk_call *call;
  glk_truth truth;
  size_t n;
} rows_job;

static glk_truth truth_from(const rows_job *job, size_t row) {
  const size_t at = job->truth.is_labels ? row : row * job->n;
  return (glk_truth){job->truth.values + at, job->truth.is_labels};
}

/* About what a logit takes, with its exponential, in nanoseconds. */
#define LOGIT_NS 2.0

static void crossentropy_rows(const void *work, size_t from, size_t to, uint32_t thread) {
  const rows_job *job = work;
  const glk_call *call = job->call;
  const glk_truth truth = truth_from(job, from);
  glk_kernel_crossentropy(to - from, job->n, &truth, call->in[1] + from * job->n,
                          glk_scratch_of(call, thread), call->out + from);
}

static void crossentropy_forward(const glk_call *call) {
  const glk_shape *x = call->in_shape[1];
  if (!x->count) {
    glk_kernel_fill(call->out_shape->count, 0, call->out);
    return;
  }
  const rows_job job = {call, truth_of(call, 0), x->dims[x->rank - 1]};
  glk_parallel_for(call->threads, LOGIT_NS * x->count, call->out_shape->count, 1, crossentropy_rows,
                   &job);
}

/* One number for each row of x, as a column. */
static glk_ref column(glk_emitter *e, glk_ref rows, glk_ref x) {
  glk_shape shape = e->shape(e, x);
  shape.dims[shape.rank - 1] = 1;
  shape.count = e->shape(e, rows).count;
  return glk_emit_reshape(e, rows, &shape);
}

static int has_labels(glk_emitter *e, glk_ref y, glk_ref x) {
  return e->shape(e, y).rank < e->shape(e, x).rank;
}

static void crossentropy_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref y = g->in[0], x = g->in[1];
  if (g->needs_gradient[0] && !has_labels(e, y, x)) {
    const glk_ref down = column(e, glk_emit1(e, &glk_op_neg, g->dy), x);
    g->d[0] = glk_emit2(e, &glk_op_mul, down, glk_emit1(e, &glk_op_log_softmax, x));
  }
  if (g->needs_gradient[1]) g->d[1] = glk_emit3(e, &glk_op_crossentropy_gradient, g->dy, y, x);
}

GLK_OP_ROW(crossentropy, "crossentropy", "crossentropy(y, x)",
           "-sum(y log softmax(x)) along the last axis; y may be a label for each row", .inputs = 2,
           .flags = GLK_OP_SHARED, .infer = crossentropy_infer, .check = crossentropy_check,
           .scratch = crossentropy_scratch, .forward = crossentropy_forward,
           .gradient = crossentropy_gradient)

static glk_status crossentropy_gradient_infer(glk_context *context, const glk_op *op,
                                              const glk_shape *const *in,
                                              glk_attributes *attributes, glk_shape *out) {
  glk_shape rows;
  GLK_TRY(fit_rows(context, op, in[1], in[2], attributes, &rows));
  *out = *in[2];
  if (glk_shape_equal(in[0], &rows)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S do not fit", op->name, in[0],
                  in[2]);
}

static glk_status crossentropy_gradient_check(glk_context *context, const glk_op *op,
                                              const glk_call *call) {
  (void)op;
  return check_labels(context, call, 1);
}

static void crossentropy_gradient_rows(const void *work, size_t from, size_t to, uint32_t thread) {
  const rows_job *job = work;
  const glk_call *call = job->call;
  const glk_truth truth = truth_from(job, from);
  const size_t at = from * job->n;
  (void)thread;
  glk_kernel_crossentropy_gradient(to - from, job->n, &truth, call->in[2] + at, call->in[0] + from,
                                   call->out + at);
}

static void crossentropy_gradient_forward(const glk_call *call) {
  const glk_shape *x = call->out_shape;
  if (!x->count) return;
  const rows_job job = {call, truth_of(call, 1), x->dims[x->rank - 1]};
  glk_parallel_for(call->threads, LOGIT_NS * x->count, call->in_shape[0]->count, 1,
                   crossentropy_gradient_rows, &job);
}

/* z = (p s - y) a, p = softmax x, s = sum y (1 of labels): by a sum(dz (p s - y)), by y a (sum(dz
 * p) - dz), and by x a s times what softmax makes of dz. */
static void crossentropy_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_ref a = g->in[0], y = g->in[1], x = g->in[2];
  const int is_labels = has_labels(e, y, x);
  const uint32_t last = glk_loss_last(e, x);
  if (g->needs_gradient[0]) {
    const glk_shape rows = e->shape(e, a);
    const glk_ref ones = glk_emit_broadcast(e, e->scalar(e, 1), &rows);
    const glk_ref slope = glk_emit3(e, &glk_op_crossentropy_gradient, ones, y, x);
    g->d[0] = glk_loss_fold(e, &glk_op_sum, glk_emit2(e, &glk_op_mul, g->dy, slope), 0, last);
  }
  const glk_ref p = glk_emit1(e, &glk_op_softmax, x), weights = column(e, a, x);
  if (g->needs_gradient[1] && !is_labels) {
    const glk_ref products = glk_emit2(e, &glk_op_mul, g->dy, p);
    const glk_ref sum = glk_loss_fold(e, &glk_op_sum, products, 1, last);
    g->d[1] = glk_emit2(e, &glk_op_mul, weights, glk_emit2(e, &glk_op_sub, sum, g->dy));
  }
  if (g->needs_gradient[2]) {
    glk_ref scale = weights;
    if (!is_labels) {
      scale = glk_emit2(e, &glk_op_mul, scale, glk_loss_fold(e, &glk_op_sum, y, 1, last));
    }
    const glk_ref slope = glk_emit2(e, &glk_op_softmax_gradient, g->dy, p);
    g->d[2] = glk_emit2(e, &glk_op_mul, scale, slope);
  }
}

GLK_OP_ROW(crossentropy_gradient, "crossentropyGradient", "crossentropyGradient(dy, y, x)",
           "(softmax(x) * sum(y) - y) * dy along the last axis; y may be labels", .inputs = 3,
           .flags = GLK_OP_SHARED, .infer = crossentropy_gradient_infer,
           .check = crossentropy_gradient_check, .forward = crossentropy_gradient_forward,
           .gradient = crossentropy_gradient_gradient)

GLK_OP_FAMILY(loss_crossentropy, &glk_op_binary_crossentropy, &glk_op_categorical_crossentropy,
              &glk_op_sparse_categorical_crossentropy, &glk_op_crossentropy,
              &glk_op_crossentropy_gradient)
