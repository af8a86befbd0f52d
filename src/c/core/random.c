/* Philox 4x32-10 and the streams made of it; sources in random.h. */
#include "core/random.h"

#include "core/exact.h"

void glk_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < GLK_PHILOX_ROUNDS; round++) {
    const uint64_t a = (uint64_t)c0 * GLK_PHILOX_M0, b = (uint64_t)c2 * GLK_PHILOX_M1;
    c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)b;
    c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)a;
    k0 += GLK_PHILOX_W0;
    k1 += GLK_PHILOX_W1;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

glk_stream glk_stream_of(double seed, uint32_t step, uint32_t run) {
  const uint64_t key = (uint64_t)seed;
  return (glk_stream){{(uint32_t)key, (uint32_t)(key >> 32)}, step, run};
}

void glk_stream_block(const glk_stream *stream, uint64_t index, uint32_t out[4]) {
  const uint32_t counter[4] = {(uint32_t)index, stream->step, stream->run, (uint32_t)(index >> 32)};
  glk_philox(counter, stream->key, out);
}
