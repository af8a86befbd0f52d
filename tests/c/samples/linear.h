/* Samples of the linear rows. */
#ifndef GLK_TESTS_SAMPLES_LINEAR_H
#define GLK_TESTS_SAMPLES_LINEAR_H

#include "family.h"

/* clang-format off */
static const sample_family linear_samples = {
    .examples = SAMPLES(
        "matMul [1,2] 1 2 [2,2] 3 4 5 6 = [1,2] 13 16",
        "matMul [2,1] 1 2 [1,2] 3 4 ; 1 1 = [1,1] 11",
        "matMul [1,2] 1 2 [1,2] 3 4 ; 0 1 = [1,1] 11",
        "matMul [1,2] 1 2 [1,2] 3 4 ; 1 = [2,2] 3 4 6 8",
        "matMul [2,0] [0,2] = [2,2] 0 0 0 0",
        NULL),
    .broadcasting = SAMPLES(NULL),
    .slopes = SAMPLES(
        "matMul aa [2,3] [3,4]",
        "matMul aa [3,2] [3,4] ; 1",
        "matMul aa [2,3] [4,3] ; 0 1",
        "matMul aa [3,2] [4,3] ; 1 1",
        "matMul aa [2,0] [0,3]",
        "matMul aa [0,2] [2,3]",
        "matMul aa [9,5] [5,17]",
        NULL),
    .conventions = SAMPLES(NULL),
    .refusals = SAMPLES(
        "matMul [2,3] [2,4] = SHAPE [2,3] and [2,4]",
        "matMul [2,3] [2,4] ; 1 1 = SHAPE [2,4] transposed",
        "matMul [2,3] [3] = SHAPE [2,3] and [3]",
        "matMul [1,2,3] [3,1] = SHAPE [1,2,3] and [3,1]",
        "matMul [32768,0] [0,32768] = SHAPE [32768,32768]",
        "matMul [2,2] [2,2] ; 2 = ARGUMENT transposeA is 2",
        "matMul [2,2] [2,2] ; 0 nan = ARGUMENT B is NaN",
        "matMul [2,2] [2,2] ; 0.5 = ARGUMENT A is 0.5",
        "matMul [2,2] [2,2] ; 0 0 0 = ARGUMENT 3 attrib",
        NULL),
    .flat = SAMPLES(NULL),
};
/* clang-format on */

#endif
