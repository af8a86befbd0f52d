/* Samples of the normalize ops. */
#ifndef GLK_TESTS_SAMPLES_NORMALIZE_H
#define GLK_TESTS_SAMPLES_NORMALIZE_H

#include "family.h"

/* clang-format off */
static const sample_family normalize_samples = {
    .examples = SAMPLES(
        "softmax [2,2] 0 0 -1000 1000 = [2,2] 0.5 0.5 0 1",
        "softmax [3] 7 -inf 7 = [3] 0.5 0 0.5",
        "softmax [2] -inf -inf = [2] nan nan",
        "softmax [2] inf 1 = [2] nan nan",
        "softmax [2,2] 0 5 0 5 ; 0 = [2,2] 0.5 0.5 0.5 0.5",
        "softmax [2,0] = [2,0]",
        "softmax [2,2,1] 3 3 4 4 ; 1 = [2,2,1] 0.5 0.5 0.5 0.5",
        "softmaxGradient [2,2] 1 2 3 4 [2,2] 0.5 0.5 1 0 = [2,2] -0.25 0.25 0 0",
        "softmaxGradient [2,0] [2,0] = [2,0]",
        "softmax [0,2] ; 0 = [0,2]",
        "logSoftmax [2] 1000 0 = [2] 0 -1000",
        "logSoftmax [2] -inf 3 = [2] -inf 0",
        "logSoftmax [2] -inf -inf = [2] nan nan",
        "logSoftmax [2,1] 4 5 = [2,1] 0 0",
        "logSoftmax [3,0] ; 0 = [3,0]",
        "layerNorm [2,2] 1 3 5 5 ; 0 = [2,2] -1 1 nan nan",
        "layerNorm [2,2] 1 3 5 5 ; 3 = [2,2] -0.5 0.5 0 0",
        "layerNorm [2,2] 1 5 3 5 ; 3 0 = [2,2] -0.5 0 0.5 0",
        "layerNorm [2,1,2] 1 3 3 1 ; 3 0 -1 = [2,1,2] -0.5 0.5 0.5 -0.5",
        "layerNorm [2,0] = [2,0]",
        NULL),
    .broadcasting = SAMPLES(NULL),
    .slopes = SAMPLES(
        "softmax a [2,3]",
        "softmax a [2,3] ; 0",
        "softmax a [2,3,2] ; 1",
        "softmax a [2,3,1] ; 1",
        "softmax a [37]",
        "softmaxGradient aa [2,3] [2,3]",
        "softmaxGradient aa [18] [18]",
        "softmax a [0,3]",
        "logSoftmax a [2,3]",
        "logSoftmax a [2,3] ; -2",
        "logSoftmax a [2,3,1] ; 1",
        "logSoftmax a [1]",
        "layerNorm a [2,5] ; 1",
        "layerNorm a [2,3,2] ; 1 0 -1",
        "layerNorm a [3] ; 0.5",
        "layerNorm a [0,3]",
        NULL),
    .conventions = SAMPLES(
        "softmax a [3] 0 -inf 0 = [3] 4 2 0 [3] 1 0 -1",
        NULL),
    .refusals = SAMPLES(
        "softmax [2,3] ; 2 = INDEX axis is 2",
        "softmax [] = INDEX rank 0",
        "softmaxGradient [2] [3] = SHAPE [2] and [3]",
        "softmaxGradient [2,3] [2,3] ; 0 = SHAPE [2,3] and [2,3]",
        "softmax [2] ; 0 1 = ARGUMENT 2 attributes",
        "logSoftmax [2,3] ; -3 = INDEX axis is -3",
        "layerNorm [2,3] ; -1 = ARGUMENT epsilon is -1",
        "layerNorm [2,3] ; nan = ARGUMENT epsilon is NaN",
        "layerNorm [2,3] ; 0 2 = INDEX axis is 2",
        "layerNorm [2,3] ; 0 1 1 = INDEX axis 1 is named twice",
        "layerNorm [] = INDEX rank 0",
        NULL),
    .flat = SAMPLES(NULL),
};
/* clang-format on */

#endif
