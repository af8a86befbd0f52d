/* Samples of the reduce rows. */
#ifndef GLK_TESTS_SAMPLES_REDUCE_H
#define GLK_TESTS_SAMPLES_REDUCE_H

#include "family.h"

/* clang-format off */
static const sample_family reduce_samples = {
    .examples = SAMPLES(
        "sum [2,3] 1 2 3 4 5 6 = [] 21",
        "sum [2,3] 1 2 3 4 5 6 ; 0 0 = [3] 5 7 9",
        "sum [2,3] 1 2 3 4 5 6 ; 1 -1 = [2,1] 6 15",
        "sum [0,3,0] ; 0 0 2 = [3] 0 0 0",
        "sum [2,0] ; 1 0 = [1,0]",
        "mean [2,2] 1 2 3 4 ; 1 0 = [1,2] 2 3",
        "mean [0] = [] nan",
        NULL),
    .broadcasting = SAMPLES(NULL),
    .slopes = SAMPLES(
        "sum a []",
        "sum a [2,3]",
        "sum a [2,3] ; 0 0",
        "sum a [2,3] ; 1 -1",
        "sum a [2,3,2] ; 0 0 2",
        "sum a [2,1,2,1,3,2] ; 1 1 2 5",
        "sum a [0,3] ; 0 0",
        "mean a []",
        "mean a [2,3]",
        "mean a [2,3] ; 0 1",
        "mean a [2,3,2] ; 1 2 0",
        "mean a [3,0] ; 0 0",
        NULL),
    .conventions = SAMPLES(NULL),
    .refusals = SAMPLES(
        "sum [2,3] ; 0 2 = INDEX axis is 2",
        "sum [2,3] ; 0 -3 = INDEX axis is -3",
        "sum [2,3] ; 0 nan = INDEX axis is NaN",
        "sum [2,3] ; 0 0.5 = ARGUMENT axis is 0.5",
        "sum [2,3] ; 0 1 -1 = ARGUMENT axis 1 is named twice",
        "sum [] ; 0 0 = INDEX rank 0",
        "mean [2,3] ; 2 = ARGUMENT keepDims is 2",
        "mean [2] ; 0 0 1 0 1 0 1 0 = ARGUMENT 8 attributes",
        NULL),
    .flat = SAMPLES(NULL),
};
/* clang-format on */

#endif
