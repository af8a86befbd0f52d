/* Samples of the random rows. */
#ifndef GLK_TESTS_SAMPLES_RANDOM_H
#define GLK_TESTS_SAMPLES_RANDOM_H

#include "family.h"

/* clang-format off */
static const sample_family random_samples = {
    .examples = SAMPLES(NULL),
    .broadcasting = SAMPLES(NULL),
    .slopes = SAMPLES(NULL),
    .conventions = SAMPLES(NULL),
    .refusals = SAMPLES(NULL),
    .flat = SAMPLES(NULL),
};
/* clang-format on */

#endif
