/* Samples of the loss rows. */
#ifndef GLK_TESTS_SAMPLES_LOSS_H
#define GLK_TESTS_SAMPLES_LOSS_H

#include "family.h"

/* clang-format off */
static const sample_family loss_samples = {
    .examples = SAMPLES(NULL),
    .broadcasting = SAMPLES(NULL),
    .slopes = SAMPLES(NULL),
    .conventions = SAMPLES(NULL),
    .refusals = SAMPLES(NULL),
    .flat = SAMPLES(NULL),
};
/* clang-format on */

#endif
