/* Helpers of losses: Keras 3's order of operands (yTrue, yPred), its rule for ranks that differ by
 * one, and its reductions. Attribute 0 of every loss is the reduction of the losses of the samples.
 * Source: keras/src/losses/{loss,losses}.py of 3.15. */
#ifndef GLK_OPS_LOSS_H
#define GLK_OPS_LOSS_H

#include "ops/op.h"

/** Values of attribute 0: the loss of each sample, their sum, or their mean (Keras's
 *  sumOverBatchSize), which is 0 of no samples at all. */
enum { GLK_LOSS_EACH, GLK_LOSS_SUM, GLK_LOSS_MEAN };

/** Keras's epsilon: probabilities are taken from epsilon to 1 - epsilon, lengths from epsilon
 *  up. */
#define GLK_LOSS_EPSILON 1e-7

/** The shapes in which yTrue and yPred are compared. If ranks differ by one and the last axis of
 *  the longer is 1, it is dropped, or added to a vector. So [n] and [n,1] are compared sample by
 *  sample, not each with all. */
void glk_loss_align(const glk_shape *const *in, glk_shape aligned[2]);
/** Both operands under those shapes. */
void glk_loss_operands(glk_emitter *e, const glk_ref *in, glk_ref out[2]);

/** There are 0 to `most` attributes; the first, if missing, becomes GLK_LOSS_MEAN. */
glk_status glk_loss_attributes(glk_context *context, const glk_op *op, glk_attributes *attributes,
                               uint32_t most);
/** Attribute `index`, `missing` where it is not given, refused outside of low..high. */
glk_status glk_loss_number(glk_context *context, const glk_op *op, glk_attributes *attributes,
                           uint32_t index, const char *what, double missing, double low,
                           double high);
/** The output's shape: that of the samples, which is `values` without an axis, or a scalar. A
 *  scalar value is a sample of its own. */
glk_shape glk_loss_shape(const glk_attributes *attributes, const glk_shape *values, uint32_t axis);

/** Fold along one axis; a scalar stays. */
glk_ref glk_loss_fold(glk_emitter *e, const glk_op *op, glk_ref x, int keep_dims, uint32_t axis);
/** The last axis of a value, 0 for a scalar. */
uint32_t glk_loss_last(glk_emitter *e, glk_ref x);
/** 0 - x: where nothing is lost that is 0, and not -0. */
glk_ref glk_loss_negative(glk_emitter *e, glk_ref x);
/** From the losses of the samples to the loss. */
glk_ref glk_loss_reduce(glk_emitter *e, glk_ref samples, const glk_attributes *attributes);

#endif
