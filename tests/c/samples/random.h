/* Samples of the random ops. Normal values are no examples, since f32 and f64 round them
 * differently, but for a deviation of 0; a slope of what is drawn anew in each run is none, so
 * dropout's gradient with a rate is held as a convention here and against its mask in
 * test_random.c. */
#ifndef GLK_TESTS_SAMPLES_RANDOM_H
#define GLK_TESTS_SAMPLES_RANDOM_H

#include "family.h"

/* clang-format off */
static const sample_family random_samples = {
    .examples = SAMPLES(
        "randomUniform ; 0 0 0 1 = [] 0x1.3f46a8p-2", "randomUniform ; 0 0 0 1 0 3 = [0,3]",
        "randomUniform ; 7 1 -1 3 2 3 = [2,3] 0x1.27aae8p+0 -0x1.0a0cp-5 -0x1.e1381p-1 "
        "0x1.699804p+1 0x1.e7593p-1 -0x1.5dbb6p-2",
        "randomUniform ; 9007199254740991 4294967295 0 1 2 = [2] 0x1.bacac8p-1 0x1.2476fcp-1",
        "randomNormal ; 7 1 -1.5 0 2 1 = [2,1] -1.5 -1.5", "randomNormal ; 7 1 0 1 0 = [0]",
        "truncatedNormal ; 7 1 2.5 0 3 = [3] 2.5 2.5 2.5", "truncatedNormal ; 7 1 -0 0 = [] 0",
        "randomBernoulli ; 7 1 0.25 2 4 = [2,4] 1 1 0 0 1 1 0 0",
        "randomBernoulli ; 7 1 0 2 = [2] 0 0", "randomBernoulli ; 7 1 1 2 = [2] 1 1",
        "randomPermutation ; 7 1 6 = [6] 2 4 5 3 0 1", "randomPermutation ; 7 1 1 = [1] 0",
        "randomPermutation ; 7 1 0 = [0]",
        "dropout [2,4] 1 -2 3 nan 5 nan -0 inf ; 0.5 7 1 = [2,4] 2 -4 0 0 10 nan -0 inf",
        "dropout [3] -0 nan -inf ; 0 7 1 = [3] -0 nan -inf", "dropout [] 3 ; 0.5 7 1 = [] 6",
        "dropout [0,2] ; 0.5 7 1 = [0,2]", "dropout [1,1,1,1,1,1,1] 3 ; 0 7 1 = [1,1,1,1,1,1,1] 3",
        "orthogonalize [2,2] 0 -2 3 5 = [2,2] 0 -1 1 0",
        "orthogonalize [2,1] 0 -2 = [2,1] 0 -1", "orthogonalize [2,0] = [2,0]", NULL),
    .broadcasting = SAMPLES(NULL),
    .slopes = SAMPLES(
        "dropout a [2,3] ; 0 7 1", "dropout a [] ; 0 7 1", "dropout a [0,2] ; 0.5 7 1", NULL),
    .conventions = SAMPLES(
        "dropout a [4] 1 1 1 nan ; 0.5 7 1 = [4] 5 -6 nan nan [4] 10 -12 0 0",
        "dropout a [2] nan 1 ; 0.75 7 1 = [2] 1 nan [2] 4 nan", NULL),
    .refusals = SAMPLES(
        "randomUniform ; 9007199254740992 0 0 1 = ARGUMENT the seed is 9.0071",
        "randomUniform ; -1 0 0 1 = ARGUMENT the seed is -1",
        "randomUniform ; 0.5 0 0 1 = ARGUMENT the seed is 0.5",
        "randomUniform ; nan 0 0 1 = ARGUMENT the seed is NaN",
        "randomUniform ; 0 4294967296 0 1 = ARGUMENT the step is 4.29",
        "randomUniform ; 0 -1 0 1 = ARGUMENT the step is -1",
        "randomUniform ; 0 1.5 0 1 = ARGUMENT the step is 1.5",
        "randomUniform ; 0 0 1 1 = ARGUMENT low (1) must be below high (1)",
        "randomUniform ; 0 0 2 1 = ARGUMENT low (2) must be below high (1)", "randomUniform ; 0 0 nan 1 = ARGUMENT low (NaN)",
        "randomUniform ; 0 0 0 nan = ARGUMENT high (NaN)", "randomUniform ; 0 0 -inf 0 = ARGUMENT by a finite amount",
        "randomUniform ; 0 0 0 inf = ARGUMENT by a finite amount",
        "randomUniform ; 0 0 0 1 -1 = SHAPE a size is -1",
        "randomUniform ; 0 0 0 1 2.5 = ARGUMENT a size is 2.5",
        "randomUniform ; 0 0 0 1 nan = SHAPE a size is NaN",
        "randomUniform ; 0 0 0 1 65536 65536 = SHAPE [65536,65536] holds more",
        "randomUniform ; 0 0 0 = ARGUMENT 3 attributes",
        "randomUniform ; 0 0 0 1 1 1 1 1 1 1 1 1 = ARGUMENT 12 attributes",
        "randomNormal ; 0 0 nan 1 = ARGUMENT mean NaN", "randomNormal ; 0 0 inf 1 = ARGUMENT mean Inf",
        "randomNormal ; 0 0 0 -1 = ARGUMENT stddev -1", "randomNormal ; 0 0 0 nan = ARGUMENT stddev NaN",
        "randomNormal ; 0 0 0 inf = ARGUMENT stddev Inf", "randomNormal ; -1 0 0 1 = ARGUMENT the seed",
        "truncatedNormal ; 0 0 0 -1 2 = ARGUMENT stddev -1",
        "truncatedNormal ; 0 0 0 1 -2 = SHAPE a size is -2",
        "randomBernoulli ; 0 0 nan = ARGUMENT p is NaN", "randomBernoulli ; 0 0 -0.1 = ARGUMENT p is -0.1",
        "randomBernoulli ; 0 0 1.5 3 = ARGUMENT p is 1.5",
        "randomBernoulli ; 0 -1 0.5 3 = ARGUMENT the step is -1",
        "randomPermutation ; 0 0 16777217 = LIMIT n is 16777217", "randomPermutation ; 0 0 -1 = SHAPE size is -1",
        "randomPermutation ; 0 0 0.5 = ARGUMENT size is 0.5", "randomPermutation ; 0 0 = ARGUMENT 2 attributes",
        "randomPermutation ; 0 0 2 2 = ARGUMENT 4 attributes", "randomPermutation ; 1.5 0 2 = ARGUMENT the seed",
        "dropout [2] ; 1 0 0 = ARGUMENT rate is 1", "dropout [2] ; -0.5 0 0 = ARGUMENT rate is -0.5",
        "dropout [2] ; nan 0 0 = ARGUMENT rate is NaN", "dropout [2] ; 0.5 0.5 0 = ARGUMENT the seed is 0.5",
        "dropout [2] ; 0.5 0 -1 = ARGUMENT the step is -1", "dropout [2] ; 0.5 0 = ARGUMENT 2 attributes",
        "orthogonalize [2] = SHAPE shape [2]", "orthogonalize [2,3] = SHAPE shape [2,3]",
        "orthogonalize [1,1,1] = SHAPE [1,1,1]", NULL),
    .flat = SAMPLES(NULL),
};
/* clang-format on */

#endif
