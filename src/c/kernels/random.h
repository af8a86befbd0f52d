/* Random numbers of several distributions, from random bits: out [n] real, at any alignment of a
 * real. Element i depends on the stream and on i alone, so a draw has the same bits on
 * every machine. Arguments are not checked here.
 *
 * Block b of a stream, four words, serves elements 4b to 4b + 3 of uniform, normal and bernoulli.
 * With the stream's step and run 0, uniform, normal and truncated_normal are what
 * tf.random.Generator.from_key_counter(seed, [0, 0], alg='philox') draws first: uniform bit for
 * bit, the others up to the rounding of log, sin and cos. */
#ifndef GLK_KERNELS_RANDOM_H
#define GLK_KERNELS_RANDOM_H

#include <stddef.h>

#include "core/random.h"
#include "gradlock.h"

/** out = low + u (high - low) with u = k / 2^23, so low <= out < high. Needs low < high and high -
 *  low finite. */
void glk_kernel_random_uniform(size_t n, const glk_stream *stream, glk_real low, glk_real high,
                               glk_real *out);

/** out = mean + stddev z; words 0 and 1 of a block make two z, words 2 and 3 two more. |z| < 5.7.
 *  Source: Box & Muller 1958, A note on the generation of random normal deviates. */
void glk_kernel_random_normal(size_t n, const glk_stream *stream, glk_real mean, glk_real stddev,
                              glk_real *out);

/** The same with |z| < 2: elements 4b to 4b + 3 use the first four such z of blocks 256 b to
 *  256 b + 255. If these 1,024 z have fewer (a chance below 10^-1000), the others are the mean. */
void glk_kernel_random_truncated_normal(size_t n, const glk_stream *stream, glk_real mean,
                                        glk_real stddev, glk_real *out);

/** out = 1 where a word is below p 2^32, else 0; 0 <= p <= 1. */
void glk_kernel_random_bernoulli(size_t n, const glk_stream *stream, double p, glk_real *out);

/** out = 0 .. n-1 in random order, all n! orders equally likely; n <= 2^24, which f32 counts
 *  exactly.
 *  Source: Durstenfeld 1964, Algorithm 235; indices without bias as in Lemire 2019,
 *  arXiv:1805.10941, section 4. */
void glk_kernel_random_permutation(size_t n, const glk_stream *stream, glk_real *out);

#endif
