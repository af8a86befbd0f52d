/* Samples of the activation ops. */
#ifndef GLK_TESTS_SAMPLES_ACTIVATION_H
#define GLK_TESTS_SAMPLES_ACTIVATION_H

#include "family.h"

/* clang-format off */
static const sample_family activation_samples = {
    .examples = SAMPLES(
        "tanh [4] 0 inf -inf -0 = [4] 0 1 -1 -0",
        "tanhGradient [2] 3 4 [2] 0 0.5 = [2] 3 3",
        "sigmoid [3] 0 inf -inf = [3] 0.5 1 0",
        "sigmoidGradient [1] 8 [1] 0.5 = [1] 2",
        "relu [4] -1 -0 2 nan = [4] 0 0 2 nan",
        "reluGradient [3] nan 5 5 [3] 0 -1 2 = [3] 0 0 5",
        "softplus [4] -inf inf 1000 nan = [4] 0 inf 1000 nan",
        "gelu [6] 0 -0 1000 -inf inf nan = [6] 0 -0 1000 -0 inf nan",
        "gelu [6] 0 -0 1000 -inf inf nan ; 1 = [6] 0 -0 1000 nan inf nan",
        "gelu [0,3] ; 1 = [0,3]",
        "geluExact [2] 0 -inf = [2] 0 -0",
        "geluGradient [4] 2 2 2 nan [4] 0 inf -inf 0 = [4] 1 2 0 nan",
        "silu [5] 0 -0 1000 -1000 nan = [5] 0 -0 1000 -0 nan",
        "leakyRelu [5] 1 -1 0 -0 nan = [5] 1 -0.2 0 -0 nan",
        "leakyRelu [2] 3 -4 ; 0.5 = [2] 3 -2",
        "elu [6] 2 0 -0 -inf inf nan = [6] 2 0 -0 -1 inf nan",
        "elu [2] 2 -inf ; 3 = [2] 2 -3",
        "hardSigmoid [7] 0 -3 3 1.5 -inf inf nan = [7] 0.5 0 1 0.75 0 1 nan",
        NULL),
    .broadcasting = SAMPLES(
        "tanh a",
        "sigmoid a",
        "relu q",
        "tanhGradient aa",
        "sigmoidGradient aa",
        "reluGradient aQ",
        "softplus a",
        "gelu a",
        "geluExact a",
        "geluGradient aa",
        "silu a",
        "leakyRelu q",
        "elu q",
        "hardSigmoid a",
        NULL),
    .slopes = SAMPLES(
        "gelu a [2,3] ; 1",
        "leakyRelu q [2,3] ; 1.5",
        "elu q [2,3] ; 2",
        "elu q [2,3] ; -0.5",
        NULL),
    .conventions = SAMPLES(
        "relu a [4] 0 -0 -1 2 = [4] 5 nan nan 5 [4] 0 0 0 5",
        "reluGradient aA [4] 1 nan 3 4 [4] 0 -1 2 -0 = [4] nan 5 5 nan [4] 0 0 5 0",
        "silu a [4] 3e38 -3e38 1e30 0 = [4] 3e38 3e38 1e30 1 [4] 3e38 -0 1e30 0.5",
        "leakyRelu a [4] 0 -1 1 nan = [4] 1 1 1 1 [4] 0.2 0.2 1 0.2",
        "elu a [5] 0 1000 nan -inf 1 = [5] 5 5 5 5 nan [5] 5 5 5 0 nan",
        "elu a [2] 0 -0 ; 3 = [2] 1 1 [2] 3 3",
        "hardSigmoid a [5] 0 -3 3 -4 nan = [5] 6 nan nan nan 6 [5] 1 0 0 0 0",
        "gelu a [3] inf -inf 0 = [3] 2 2 2 [3] 2 0 1",
        NULL),
    .refusals = SAMPLES(
        "leakyRelu [2] ; nan = ARGUMENT alpha is NaN",
        "elu [2] ; inf = ARGUMENT expected a finite number",
        "elu [2] ; 1 2 = ARGUMENT 2 attributes",
        "gelu [2] ; 2 = ARGUMENT approximate is 2",
        "gelu [2] ; 0.5 = ARGUMENT approximate is 0.5",
        "gelu [2] ; nan = ARGUMENT approximate is NaN",
        NULL),
    .flat = SAMPLES("reluGradient 1", NULL),
};
/* clang-format on */

#endif
