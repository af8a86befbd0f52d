/* Samples of the elementwise rows. */
#ifndef GLK_TESTS_SAMPLES_ELEMENTWISE_H
#define GLK_TESTS_SAMPLES_ELEMENTWISE_H

#include "family.h"

/* clang-format off */
static const sample_family elementwise_samples = {
    .examples = SAMPLES(
        "add [2,2] 1 2 3 4 [2] 10 20 = [2,2] 11 22 13 24",
        "sub [2,1] 1 2 [1,2] 5 7 = [2,2] -4 -6 -3 -5",
        "mul [] 3 [3] 2 -0 nan = [3] 6 -0 nan",
        "div [3] 1 0 6 [3] 0 0 4 = [3] inf nan 1.5",
        "neg [3] 1 0 -inf = [3] -1 -0 inf",
        "square [3] -3 -0 -inf = [3] 9 0 inf",
        "sqrt [5] 4 0 -0 -1 inf = [5] 2 0 -0 nan inf",
        "abs [4] -1 -0 nan -inf = [4] 1 0 nan inf",
        "absGradient [3] 2 2 2 [3] 3 -3 0 = [3] 2 -2 0",
        "exp [4] 0 -inf inf nan = [4] 1 0 inf nan",
        "log [4] 1 0 inf -1 = [4] 0 -inf inf nan",
        "tanh [4] 0 inf -inf -0 = [4] 0 1 -1 -0",
        "tanhGradient [2] 3 4 [2] 0 0.5 = [2] 3 3",
        "sigmoid [3] 0 inf -inf = [3] 0.5 1 0",
        "sigmoidGradient [1] 8 [1] 0.5 = [1] 2",
        "relu [4] -1 -0 2 nan = [4] 0 0 2 nan",
        "reluGradient [3] nan 5 5 [3] 0 -1 2 = [3] 0 0 5",
        "maximum [3] nan 0 -0 [3] 1 -0 0 = [3] nan 0 0",
        "minimum [3] nan 0 -0 [3] 1 -0 0 = [3] nan -0 -0",
        "maximum [2] 1 2 [2] 3 nan = [2] 3 nan",
        "minimum [2] 1 2 [2] 3 nan = [2] 1 nan",
        "equal [3] 1 nan 0 [3] 1 nan -0 = [3] 1 0 1",
        "greater [4] 0 1 2 nan [] 1 = [4] 0 0 1 0",
        "greaterEqual [4] 0 1 2 nan [] 1 = [4] 0 1 1 0",
        "less [4] 0 1 2 nan [] 1 = [4] 1 0 0 0",
        "lessEqual [4] 0 1 2 nan [] 1 = [4] 1 1 0 0",
        "where [4] 1 0 nan -0 [] 5 [] nan = [4] 5 nan 5 nan",
        NULL),
    .broadcasting = SAMPLES(
        "add aa",
        "sub aa",
        "mul aa",
        "div ap",
        "neg a",
        "square a",
        "sqrt p",
        "abs q",
        "exp a",
        "log p",
        "tanh a",
        "sigmoid a",
        "relu q",
        "maximum qr",
        "minimum qr",
        "where caa",
        "absGradient aQ",
        "tanhGradient aa",
        "sigmoidGradient aa",
        "reluGradient aQ",
        NULL),
    .slopes = SAMPLES(
        "maximum aa [4] 1 2 -0 1 [4] 1 1 0 2 = [4] 5 nan 5 nan [4] 5 nan 5 0 [4] 0 0 0 nan",
        "minimum aa [4] 1 1 0 2 [4] 1 2 -0 1 = [4] 5 nan 5 nan [4] 5 nan 5 0 [4] 0 0 0 nan",
        "where Caa [4] 1 0 0 1 [4] 0 nan [4] nan = [4] 5 5 nan nan [4] 5 0 0 nan [4] 0 5 nan 0",
        "relu a [4] 0 -0 -1 2 = [4] 5 nan nan 5 [4] 0 0 0 5",
        "abs a [4] 0 -2 2 nan = [4] 5 5 5 5 [4] 0 -5 5 nan",
        "reluGradient aA [4] 1 nan 3 4 [4] 0 -1 2 -0 = [4] nan 5 5 nan [4] 0 0 5 0",
        NULL),
    .conventions = SAMPLES(
        "maximum aa [4] 1 2 -0 1 [4] 1 1 0 2 = [4] 5 nan 5 nan [4] 5 nan 5 0 [4] 0 0 0 nan",
        "minimum aa [4] 1 1 0 2 [4] 1 2 -0 1 = [4] 5 nan 5 nan [4] 5 nan 5 0 [4] 0 0 0 nan",
        "where Caa [4] 1 0 0 1 [4] 0 nan [4] nan = [4] 5 5 nan nan [4] 5 0 0 nan [4] 0 5 nan 0",
        "relu a [4] 0 -0 -1 2 = [4] 5 nan nan 5 [4] 0 0 0 5",
        "abs a [4] 0 -2 2 nan = [4] 5 5 5 5 [4] 0 -5 5 nan",
        "reluGradient aA [4] 1 nan 3 4 [4] 0 -1 2 -0 = [4] nan 5 5 nan [4] 0 0 5 0",
        NULL),
    .refusals = SAMPLES(
        "where [2] [3] [] = SHAPE shapes [2] and [3]",
        "add [0] [3] = SHAPE shapes [0] and [3]",
        "where [2] [] [3] = SHAPE shapes [2] and [3]",
        "add [32768,1] [1,32768] = SHAPE [32768,32768]",
        NULL),
    .flat = SAMPLES("where 0", "absGradient 1", "reluGradient 1", NULL),
};
/* clang-format on */

#endif
