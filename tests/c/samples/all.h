/* The samples of every family: who needs them walks these. */
#ifndef GLK_TESTS_SAMPLES_ALL_H
#define GLK_TESTS_SAMPLES_ALL_H

#include "activation.h"
#include "compare.h"
#include "elementwise.h"
#include "image.h"
#include "indexing.h"
#include "linear.h"
#include "loss.h"
#include "normalize.h"
#include "random.h"
#include "reduce.h"
#include "shape.h"

/* clang-format off */
static const sample_family *const families[] = {
    &activation_samples,
    &compare_samples,
    &elementwise_samples,
    &image_samples,
    &indexing_samples,
    &linear_samples,
    &loss_samples,
    &normalize_samples,
    &random_samples,
    &reduce_samples,
    &shape_samples,
    NULL};
/* clang-format on */

/** Walk one list of every family: FOR_SAMPLES(text, examples) check(text); */
#define FOR_SAMPLES(text, list)                                          \
  for (const sample_family *const *family = families; *family; family++) \
    for (const char *const *at = (*family)->list, *text; (text = *at); at++)

#endif
