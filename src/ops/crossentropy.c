/* Cross-entropies, as Keras 3 defines them, from probabilities or from logits. What is known of a label is its
 * probability, between 0 and 1, or its number. Composites but for the last two rows. */
#include <string.h>

#include "kernels/elementwise.h"
#include "ops/loss.h"

/* Attributes: reduction, fromLogits, labelSmoothing. Unlike other losses these do not broadcast. */
static glk_status probabilities_infer(glk_context *context, const glk_op *op,
                                      const glk_shape *const *in, glk_attributes *attributes,
                                      glk_shape *out) {
  int64_t flag;
  glk_shape y[2];
  GLK_TRY(glk_loss_attributes(context, op, attributes, 3));
  GLK_TRY(glk_loss_number(context, op, attributes, 1, "fromLogits", 0, 0, 1));
  GLK_TRY(glk_attribute_integer(context, op, attributes, 1, GLK_ERROR_ARGUMENT, "fromLogits", 0, 1,
                                &flag));
  GLK_TRY(glk_loss_number(context, op, attributes, 2, "labelSmoothing", 0, 0, 1));
  glk_loss_align(in, y);
  if (!glk_shape_equal(&y[0], &y[1]) || !y[0].rank) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shapes %S and %S, expected one shape of rank 1 or above", op->name, in[0],
                    in[1]);
  }
  *out = glk_loss_shape(attributes, &y[0], y[0].rank - 1);
  return GLK_OK;
}

/* y (1 - smoothing) + smoothing / classes */
static glk_ref smoothed(glk_emitter *e, glk_ref y, const glk_attributes *attributes,
                        glk_real classes) {
  const double smoothing = attributes->values[2];
  if (smoothing == 0) return y;
  const glk_ref kept = glk_emit2(e, GLK_OP_MUL, y, e->scalar(e, (glk_real)(1 - smoothing)));
  return glk_emit2(e, GLK_OP_ADD, kept, e->scalar(e, (glk_real)smoothing / classes));
}

/* p within epsilon..1 - epsilon, where its logarithms are finite; outside it has no gradient. */
static glk_ref within(glk_emitter *e, glk_ref p) {
  const glk_attributes range = {2, {GLK_LOSS_EPSILON, 1 - GLK_LOSS_EPSILON}};
  return e->apply(e, GLK_OP_CLIP_BY_VALUE, &p, &range);
}

/* ---------------------------------------------------------- -(y log p + (1 - y) log (1 - p)), p = sigmoid x */

/* log sigmoid x = -softplus(-x) and log (1 - sigmoid x) = -softplus(x): exact in every tail, unlike a difference. */
static glk_ref binary_expand(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes) {
  glk_ref y[2];
  glk_loss_operands(e, in, y);
  const glk_ref one = e->scalar(e, 1), truth = smoothed(e, y[0], attributes, 2);
  const glk_ref untruth = glk_emit2(e, GLK_OP_SUB, one, truth);
  glk_ref yes, no, cost;
  if (attributes->values[1] != 0) {
    yes = glk_emit1(e, GLK_OP_SOFTPLUS, glk_emit1(e, GLK_OP_NEG, y[1]));
    no = glk_emit1(e, GLK_OP_SOFTPLUS, y[1]);
  } else {
    const glk_ref p = within(e, y[1]);
    yes = glk_emit1(e, GLK_OP_LOG, p);
    no = glk_emit1(e, GLK_OP_LOG, glk_emit2(e, GLK_OP_SUB, one, p));
  }
  yes = glk_emit2(e, GLK_OP_MUL, truth, yes);
  no = glk_emit2(e, GLK_OP_MUL, untruth, no);
  cost = glk_emit2(e, GLK_OP_ADD, yes, no);
  if (attributes->values[1] == 0) cost = glk_loss_negative(e, cost);
  const uint32_t last = glk_loss_last(e, cost);
  return glk_loss_reduce(e, glk_loss_fold(e, GLK_OP_MEAN, cost, 0, last), attributes);
}

const glk_op glk_op_binary_crossentropy = {
    .name = "binaryCrossentropy",
    .signature = GLK_DOC("binaryCrossentropy(yTrue, yPred; reduction, fromLogits, labelSmoothing)"),
    .doc = GLK_DOC("Mean along the last axis of -(y log p + (1 - y) log(1 - p)), where p lies "
                   "1e-7 inside 0..1, or is the sigmoid of yPred"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC,
    .infer = probabilities_infer,
    .expand = binary_expand,
};

/* ------------------------------------------------------------------- -sum (y log p), p = softmax x */

static glk_ref categorical_expand(glk_emitter *e, const glk_ref *in,
                                  const glk_attributes *attributes) {
  glk_ref y[2], logs;
  glk_loss_operands(e, in, y);
  if (e->status != GLK_OK) return GLK_NO_REF;
  const uint32_t axis = glk_loss_last(e, y[1]);
  const glk_ref truth = smoothed(e, y[0], attributes, (glk_real)e->shape(e, y[0]).dims[axis]);
  if (attributes->values[1] != 0) {
    logs = glk_emit1(e, GLK_OP_LOG_SOFTMAX, y[1]);
  } else {
    const glk_ref whole = glk_loss_fold(e, GLK_OP_SUM, y[1], 1, axis);
    logs = glk_emit1(e, GLK_OP_LOG, within(e, glk_emit2(e, GLK_OP_DIV, y[1], whole)));
  }
  const glk_ref terms = glk_emit2(e, GLK_OP_MUL, truth, logs);
  const glk_ref sum = glk_loss_fold(e, GLK_OP_SUM, terms, 0, axis);
  return glk_loss_reduce(e, glk_loss_negative(e, sum), attributes);
}

const glk_op glk_op_categorical_crossentropy = {
    .name = "categoricalCrossentropy",
    .signature =
        GLK_DOC("categoricalCrossentropy(yTrue, yPred; reduction, fromLogits, labelSmoothing)"),
    .doc = GLK_DOC("-sum(y log p) along the last axis, where p is yPred over its sum and 1e-7 "
                   "inside 0..1, or the softmax of yPred"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC,
    .infer = probabilities_infer,
    .expand = categorical_expand,
};

/* ---------------------------------------------------------------------- -log p[label], p = softmax x */

/* Bring shapes to (...) for labels and (..., classes) for predictions. Labels may be (..., 1); and as Keras does, for labels
 * that are, a single class is dropped from predictions (..., 1, 1). */
static void squeeze_labels(glk_shape *labels, glk_shape *x) {
  const uint32_t last = labels->rank - 1;
  if (!labels->rank || labels->dims[last] != 1) return;
  if (last && x->rank == labels->rank + 1 && x->dims[x->rank - 1] == 1) x->rank--;
  if (labels->rank == x->rank) labels->rank--;
}

/* Attributes: reduction, fromLogits. */
static glk_status sparse_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out) {
  int64_t flag;
  GLK_TRY(glk_loss_attributes(context, op, attributes, 2));
  GLK_TRY(glk_loss_number(context, op, attributes, 1, "fromLogits", 0, 0, 1));
  GLK_TRY(glk_attribute_integer(context, op, attributes, 1, GLK_ERROR_ARGUMENT, "fromLogits", 0, 1,
                                &flag));
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
  if (e->status != GLK_OK) return GLK_NO_REF;
  glk_shape labels = e->shape(e, in[0]), predictions = e->shape(e, in[1]);
  squeeze_labels(&labels, &predictions);
  glk_ref logits = glk_emit_reshape(e, in[1], &predictions);
  if (attributes->values[1] == 0) logits = glk_emit1(e, GLK_OP_LOG, within(e, logits));
  const glk_ref logs = glk_emit1(e, GLK_OP_LOG_SOFTMAX, logits);
  const glk_ref picked =
      glk_emit2(e, GLK_OP_PICK_LABELS, logs, glk_emit_reshape(e, in[0], &labels));
  return glk_loss_reduce(e, glk_loss_negative(e, picked), attributes);
}

const glk_op glk_op_sparse_categorical_crossentropy = {
    .name = "sparseCategoricalCrossentropy",
    .signature = GLK_DOC("sparseCategoricalCrossentropy(yTrue, yPred; reduction, fromLogits)"),
    .doc = GLK_DOC("-log p[label] along the last axis, where p is yPred, 1e-7 inside 0..1, over "
                   "its sum, or the softmax of yPred"),
    .inputs = 2,
    .flags = GLK_OP_PUBLIC,
    .infer = sparse_infer,
    .expand = sparse_expand,
};

/* ------------------------------------------------- the element of each row that its label names, and back */

/* x is (..., classes), labels and out are (...) */
static glk_status pick_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0], *labels = in[1];
  GLK_TRY(glk_attribute_count(context, op, attributes, 0, 0));
  if (labels->rank + 1 != x->rank ||
      memcmp(labels->dims, x->dims, labels->rank * sizeof *x->dims) != 0) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S do not fit", op->name, x,
                    labels);
  }
  *out = *labels;
  return GLK_OK;
}

/* Labels are what the loss was given, so that is the name in the message. */
static glk_status check_labels(glk_context *context, const glk_call *call, const glk_shape *whole) {
  const glk_shape *labels = call->in_shape[1];
  const uint32_t classes = whole->dims[whole->rank - 1];
  for (uint32_t i = 0; i < labels->count; i++) {
    const double label = (double)call->in[1][i];
    if (label >= 0 && label < classes && label == (double)(uint32_t)label) continue;
    return glk_fail(context, GLK_ERROR_INDEX,
                    "sparseCategoricalCrossentropy: label %u of %S is %g, expected a whole number "
                    "from 0 to %g",
                    i, labels, label, (double)classes - 1);
  }
  return GLK_OK;
}

static glk_status pick_check(glk_context *context, const glk_op *op, const glk_call *call) {
  (void)op;
  return check_labels(context, call, call->in_shape[0]);
}

static void pick_forward(const glk_call *call) {
  const size_t classes = call->in_shape[0]->dims[call->in_shape[0]->rank - 1];
  for (size_t i = 0; i < call->out_shape->count; i++) {
    call->out[i] = call->in[0][i * classes + (size_t)call->in[1][i]];
  }
}

static void pick_gradient(glk_emitter *e, glk_gradient *g) {
  if (!g->wanted[0] || e->status != GLK_OK) return;
  const glk_shape x = e->shape(e, g->in[0]);
  const glk_attributes classes = {1, {x.dims[x.rank - 1]}};
  g->d[0] = e->apply(e, GLK_OP_PLACE_LABELS, (const glk_ref[]){g->dy, g->in[1]}, &classes);
}

const glk_op glk_op_pick_labels = {
    .name = "pickLabels",
    .signature = GLK_DOC("pickLabels(x, labels)"),
    .doc = GLK_DOC("The element of each row of x that the row's label names"),
    .inputs = 2,
    .flags = 0,
    .infer = pick_infer,
    .check = pick_check,
    .forward = pick_forward,
    .gradient = pick_gradient,
};

/* x and labels are (...), out is (..., classes) */
static glk_status place_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                              glk_attributes *attributes, glk_shape *out) {
  int64_t classes;
  GLK_TRY(glk_attribute_count(context, op, attributes, 1, 1));
  GLK_TRY(glk_attribute_integer(context, op, attributes, 0, GLK_ERROR_SHAPE, "a size", 0,
                                GLK_MAX_ELEMENTS, &classes));
  if (!glk_shape_equal(in[0], in[1])) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S do not fit", op->name, in[0],
                    in[1]);
  }
  uint32_t dims[GLK_MAX_RANK + 1];
  memcpy(dims, in[0]->dims, sizeof in[0]->dims);
  dims[in[0]->rank] = (uint32_t)classes;
  return glk_shape_make(context, op->name, in[0]->rank + 1, dims, out);
}

static glk_status place_check(glk_context *context, const glk_op *op, const glk_call *call) {
  (void)op;
  return check_labels(context, call, call->out_shape);
}

static void place_forward(const glk_call *call) {
  const size_t classes = call->out_shape->dims[call->out_shape->rank - 1];
  glk_kernel_fill(call->out_shape->count, 0, call->out);
  for (size_t i = 0; i < call->in_shape[0]->count; i++) {
    call->out[i * classes + (size_t)call->in[1][i]] = call->in[0][i];
  }
}

static void place_gradient(glk_emitter *e, glk_gradient *g) {
  if (g->wanted[0]) g->d[0] = glk_emit2(e, GLK_OP_PICK_LABELS, g->dy, g->in[1]);
}

const glk_op glk_op_place_labels = {
    .name = "placeLabels",
    .signature = GLK_DOC("placeLabels(x, labels; classes)"),
    .doc = GLK_DOC("Rows of zeros, with x where the labels say: pickLabels, reversed"),
    .inputs = 2,
    .flags = 0,
    .infer = place_infer,
    .check = place_check,
    .forward = place_forward,
    .gradient = place_gradient,
};
