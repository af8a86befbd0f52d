/* Samples of the shape rows. */
#ifndef GLK_TESTS_SAMPLES_SHAPE_H
#define GLK_TESTS_SAMPLES_SHAPE_H

#include "family.h"

/* clang-format off */
static const sample_family shape_samples = {
    .examples = SAMPLES(
        "reshape [2,2] 1 2 3 nan ; 4 -1 = [4,1] 1 2 3 nan",
        "reshape [0,3] ; 3 -1 = [3,0]",
        "transpose [2,2] 1 2 3 4 = [2,2] 1 3 2 4",
        "slice [3,2] 1 2 3 4 5 6 ; 1 0 1 -1 = [1,2] 3 4",
        "slice [3] 1 2 3 ; 3 0 = [0]",
        "placeIn [1,2] 1 2 ; 1 0 2 3 = [2,3] 0 0 0 1 2 0",
        "broadcastTo [2,1] 1 2 ; 2 2 = [2,2] 1 1 2 2",
        "broadcastTo [] 3 ; 0 = [0]",
        "stopGradient [2] 1 nan = [2] 1 nan",
        NULL),
    .broadcasting = SAMPLES(NULL),
    .slopes = SAMPLES(
        "reshape a [0,2] ; 0",
        "reshape a [2,3] ; 3 2",
        "reshape a [2,3] ; -1",
        "reshape a [1,1]",
        "transpose a [2,3]",
        "transpose a [2,3,2] ; 1 2 0",
        "transpose a []",
        "transpose a [2,0,3] ; 2 0 1",
        "slice a [3,4] ; 1 2 2 -1",
        "slice a [3] ; 3 0",
        "slice a []",
        "slice a [2,2,2] ; 0 1 0 2 1 1",
        "placeIn a [2,1] ; 1 2 4 3",
        "placeIn a [0] ; 1 3",
        "placeIn a []",
        "broadcastTo a [2,1] ; 3 2 2",
        "broadcastTo a [] ; 2 3",
        "broadcastTo a [1,2] ; 0 2",
        NULL),
    .conventions = SAMPLES(NULL),
    .refusals = SAMPLES(
        "reshape [2,3] ; 4 = SHAPE [2,3] holds 6",
        "reshape [2,3] ; -1 4 = SHAPE [2,3] holds 6",
        "reshape [2,3] ; -1 -1 = SHAPE more than one",
        "reshape [2,3] ; -2 3 = SHAPE size is -2",
        "reshape [2,3] ; 4294967298 3 = SHAPE size",
        "reshape [2,3] ; 65536 65536 = SHAPE more than",
        "reshape [2,3] ; 1.5 4 = ARGUMENT size is 1.5",
        "reshape [] ; 1 1 1 1 1 1 1 = ARGUMENT 7 attributes",
        "transpose [2,3] ; 0 = SHAPE [2,3]",
        "transpose [2,3] ; 0 0 = ARGUMENT 0 is named twice",
        "transpose [2,3] ; 0 2 = INDEX axis is 2",
        "slice [2,3] ; 0 0 2 = SHAPE [2,3]",
        "slice [2,3] ; 3 0 0 0 = INDEX begin is 3",
        "slice [2,3] ; -1 0 1 1 = INDEX begin is -1",
        "slice [2,3] ; 1 0 2 1 = SHAPE size is 2",
        "placeIn [2] ; 2 3 = INDEX begin is 2",
        "placeIn [2] ; 0 1 = SHAPE size is 1",
        "placeIn [0,0] ; 0 0 32768 32768 = SHAPE more than",
        "broadcastTo [2,3] ; 2 2 = SHAPE [2,3] and [2,2]",
        "broadcastTo [3,1] ; 1 3 = SHAPE [3,1]",
        "broadcastTo [] ; 32768 32768 = SHAPE more than",
        NULL),
    .flat = SAMPLES(NULL),
};
/* clang-format on */

#endif
