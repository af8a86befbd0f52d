/* Samples of the compare ops. */
#ifndef GLK_TESTS_SAMPLES_COMPARE_H
#define GLK_TESTS_SAMPLES_COMPARE_H

#include "family.h"

/* clang-format off */
static const sample_family compare_samples = {
    .examples = SAMPLES(
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
        "clipByValue [5] -3 0.5 9 -0 nan ; -1 1 = [5] -1 0.5 1 -0 nan",
        "clipByValue [2] 5 -5 ; -inf 2 = [2] 2 -5",
        "clipByValue [2] -3 3 ; 1 1 = [2] 1 1",
        "notEqual [3] 1 nan 0 [3] 1 nan -0 = [3] 0 1 0",
        "logicalAnd [4] 0 1 nan 2 [4] 1 -0 1 -3 = [4] 0 0 1 1",
        "logicalOr [3] 0 -0 nan [3] 0 2 0 = [3] 0 1 1",
        "logicalXor [3] 0 1 nan [] 5 = [3] 1 0 0",
        "logicalNot [4] 0 -0 2 nan = [4] 1 1 0 0",
        "isNaN [3] nan inf 1 = [3] 1 0 0",
        "isInf [4] inf -inf nan 1 = [4] 1 1 0 0",
        "isFinite [4] inf -inf nan 1 = [4] 0 0 0 1",
        NULL),
    .broadcasting = SAMPLES(
        "maximum qr",
        "minimum qr",
        "where caa",
        NULL),
    .slopes = SAMPLES(
        "clipByValue q [2,3] ; -1 1",
        "clipByValue q [0] ; -1 1",
        NULL),
    .conventions = SAMPLES(
        "maximum aa [4] 1 2 -0 1 [4] 1 1 0 2 = [4] 5 nan 5 nan [4] 5 nan 5 0 [4] 0 0 0 nan",
        "minimum aa [4] 1 1 0 2 [4] 1 2 -0 1 = [4] 5 nan 5 nan [4] 5 nan 5 0 [4] 0 0 0 nan",
        "where Caa [4] 1 0 0 1 [4] 0 nan [4] nan = [4] 5 5 nan nan [4] 5 0 0 nan [4] 0 5 nan 0",
        "clipByValue a [5] -1 1 2 -2 nan ; -1 1 = [5] 5 5 nan nan 5 [5] 5 5 0 0 0",
        NULL),
    .refusals = SAMPLES(
        "where [2] [3] [] = SHAPE shapes [2] and [3]",
        "where [2] [] [3] = SHAPE shapes [2] and [3]",
        "clipByValue [2] ; 1 -1 = ARGUMENT low (1) must not be above high (-1)",
        "clipByValue [2] ; nan 1 = ARGUMENT low (NaN) must not be above high (1)",
        "clipByValue [2] ; 1 = ARGUMENT 1 attributes were given, expected 2",
        NULL),
    .flat = SAMPLES("where 0", NULL),
};
/* clang-format on */

#endif
