/* Random bits as a function of a seed and an index: no state, so every draw can be repeated, on
 * every machine, in any order. It knows bits only; kernels/random.h makes numbers of them.
 *
 * Philox 4x32 with 10 rounds: 128 bits of counter, turned by a key of 64 bits into 128 random bits.
 * Source: Salmon, Moraes, Dror & Shaw 2011, Parallel random numbers: as easy as 1, 2, 3 (SC'11),
 * doi:10.1145/2063384.2063405, section 3.3; the constants are those of its table 2 and listing.
 */
#ifndef GLK_CORE_RANDOM_H
#define GLK_CORE_RANDOM_H

#include <stdint.h>

#define GLK_PHILOX_ROUNDS 10
#define GLK_PHILOX_M0 0xd2511f53u
#define GLK_PHILOX_M1 0xcd9e8d57u
#define GLK_PHILOX_W0 0x9e3779b9u /* the golden ratio, as a fraction of 2^32 */
#define GLK_PHILOX_W1 0xbb67ae85u /* the square root of 3, less 1 */

/** Which numbers a draw sees. Two streams that differ in any word share no block. */
typedef struct glk_stream {
  /** Low and high word of the seed. */
  uint32_t key[2];
  /** Which draw of the generator. */
  uint32_t step;
  /** How often the program that draws ran before. */
  uint32_t run;
} glk_stream;

/** out = philox4x32-10(counter, key), as the paper orders its words. */
void glk_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/** The stream of a seed, which is a whole number from 0 to 2^53 - 1. */
glk_stream glk_stream_of(double seed, uint32_t step, uint32_t run);

/** Block `index` of a stream: counter (index's low word, step, run, index's high word). With step
 *  and run 0 that is where tf.random.Generator.from_key_counter(seed, [0, 0], alg='philox')
 *  begins. */
void glk_stream_block(const glk_stream *stream, uint64_t index, uint32_t out[4]);

#endif
