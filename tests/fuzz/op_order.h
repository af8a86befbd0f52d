/* The ops in the order in which inputs of fuzzers name them. It never changes, whatever the order of
 * the table is, or old inputs would say nothing; ops that it lacks come last. */
#ifndef GLK_TESTS_FUZZ_OP_ORDER_H
#define GLK_TESTS_FUZZ_OP_ORDER_H

#include <stdio.h>
#include <string.h>

#include "gradlock.h"

enum { MOST_OPS = 256 };

static const char op_order[] =
    "add sub mul div neg square squaredDifference sqrt abs absGradient reciprocal rsqrt sign "
    "floor ceil round mod exp exp2 expm1 log log1p pow sin cos erf tanh tanhGradient sigmoid "
    "sigmoidGradient relu reluGradient softplus gelu geluExact geluGradient silu leakyRelu elu "
    "equal notEqual greater greaterEqual less lessEqual logicalAnd logicalOr logicalXor "
    "logicalNot isNaN isInf isFinite maximum minimum clipByValue where sum max min prod argMax "
    "argMin cumsum all any logSumExp variance l2Norm mean matMul dot outerProduct conv2d "
    "conv2dTranspose conv2dFilterGradient depthwiseConv2d depthwiseConv2dInputGradient "
    "depthwiseConv2dFilterGradient maxPool maxPoolGradient maxPoolPick avgPool avgPoolGradient "
    "softmax "
    "softmaxGradient logSoftmax layerNorm meanSquaredError meanAbsoluteError huber hinge "
    "cosineSimilarity binaryCrossentropy categoricalCrossentropy sparseCategoricalCrossentropy "
    "crossentropy crossentropyGradient reshape flatten expandDims squeeze stopGradient transpose "
    "broadcastTo slice stridedSlice placeIn pad mirrorPad gather embeddingLookup "
    "unsortedSegmentSum gatherNd scatterNd tensorScatterNdUpdate lastOfRepeats tensorScatterNdAdd "
    "tensorScatterNdSub tensorScatterNdMin tensorScatterNdMax argSort sort oneHot concat reverse "
    "tile roll randomUniform randomNormal truncatedNormal randomBernoulli randomPermutation "
    "dropout orthogonalize hardSigmoid atan2 atan";

/* [glk_op_count()] The number of each op. */
static uint32_t op_numbers[MOST_OPS];

static void order_ops(void) {
  glk_op_info info;
  char names[MOST_OPS][64] = {{0}};
  int is_known[MOST_OPS] = {0};
  uint32_t all = 0, known = 0;
  while (all < MOST_OPS && glk_op_describe(all, &info) == GLK_OK)
    snprintf(names[all++], sizeof names[0], "%s", info.name);
  for (const char *at = op_order; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
    for (uint32_t op = 0; op < all; op++) {
      if (strlen(names[op]) != strcspn(at, " ") || strncmp(at, names[op], strlen(names[op])))
        continue;
      op_numbers[known++] = op;
      is_known[op] = 1;
    }
  }
  for (uint32_t op = 0; op < all; op++) {
    if (!is_known[op]) op_numbers[known++] = op;
  }
}

#endif
