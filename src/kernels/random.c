#include "kernels/random.h"

#include <string.h>

#include "kernels/elementwise.h"

/* k / 2^23 of the low 23 bits: they are the mantissa of a number in 1 .. 2, as in TensorFlow. */
static float unit(uint32_t word) {
  const uint32_t bits = (word & 0x7fffffu) | 0x3f800000u;
  float one_and;
  memcpy(&one_and, &bits, sizeof one_and);
  return one_and - 1;
}

/* The greatest real below x. */
static glk_real below(glk_real x) {
  glk_bits bits = load_bits(&x);
  if (x == 0) bits = 0; /* whichever zero */
  bits = x > 0 ? bits - 1 : (bits | GLK_SIGN_BIT) + 1;
  store_bits(&x, bits);
  return x;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

void glk_kernel_random_uniform(size_t n, const glk_stream *stream, glk_real low, glk_real high,
                               glk_real *out) {
  const glk_real range = high - low, most = below(high);
  for (size_t i = 0; i < n; i += 4) {
    uint32_t words[4];
    glk_stream_block(stream, i / 4, words);
    for (size_t k = 0; k < least(4, n - i); k++) {
      const glk_real x = (glk_real)unit(words[k]) * range + low;
      out[i + k] = x < high ? x : most; /* where rounding would reach it */
    }
  }
}

void glk_kernel_random_bernoulli(size_t n, const glk_stream *stream, double p, glk_real *out) {
  for (size_t i = 0; i < n; i += 4) {
    uint32_t words[4];
    glk_stream_block(stream, i / 4, words);
    for (size_t k = 0; k < least(4, n - i); k++) out[i + k] = words[k] < p * 0x1p32;
  }
}

/* ------------------------------------------------------------------------------------------ normals */

enum { BLOCKS = 16 }; /* at a time: enough to keep the kernels' lanes busy */

/* z of `blocks` blocks from `first` on, four of each: from u and v in 0 .. 1 come the independent
 * sqrt(-2 log u) sin 2 pi v and sqrt(-2 log u) cos 2 pi v. */
static void normals(const glk_stream *stream, uint64_t first, size_t blocks, glk_real *out) {
  glk_real radius[2 * BLOCKS], angle[2 * BLOCKS], sine[2 * BLOCKS];
  const size_t pairs = 2 * blocks;
  for (size_t i = 0; i < pairs; i += 2) {
    uint32_t words[4];
    glk_stream_block(stream, first + i / 2, words);
    for (size_t k = 0; k < 2; k++) {
      const float u = unit(words[2 * k]);
      radius[i + k] = u < 1e-7f ? 1e-7f : u; /* TensorFlow's least u */
      angle[i + k] = (float)(0x1.921fb54442d18p+2 * (double)unit(words[2 * k + 1]));
    }
  }
  glk_kernel_log(pairs, radius, radius);
  for (size_t i = 0; i < pairs; i++) radius[i] *= -2;
  glk_kernel_sqrt(pairs, radius, radius);
  glk_kernel_sin(pairs, angle, sine);
  glk_kernel_cos(pairs, angle, angle);
  for (size_t i = 0; i < pairs; i++) {
    out[2 * i] = sine[i] * radius[i];
    out[2 * i + 1] = angle[i] * radius[i];
  }
}

void glk_kernel_random_normal(size_t n, const glk_stream *stream, glk_real mean, glk_real stddev,
                              glk_real *out) {
  glk_real z[4 * BLOCKS];
  for (size_t i = 0; i < n; i += 4 * BLOCKS) {
    const size_t count = least(4 * BLOCKS, n - i);
    normals(stream, i / 4, (count + 3) / 4, z);
    for (size_t k = 0; k < count; k++) out[i + k] = z[k] * stddev + mean;
  }
}

void glk_kernel_random_truncated_normal(size_t n, const glk_stream *stream, glk_real mean,
                                        glk_real stddev, glk_real *out) {
  enum { RESERVED = 256, AT_ONCE = 2 };
  glk_real z[4 * AT_ONCE];
  for (size_t i = 0; i < n; i += 4) {
    const size_t wanted = least(4, n - i);
    const uint64_t first = (uint64_t)(i / 4) * RESERVED;
    size_t found = 0;
    for (uint32_t block = 0; found < wanted && block < RESERVED; block += AT_ONCE) {
      normals(stream, first + block, AT_ONCE, z);
      for (size_t k = 0; k < 4 * AT_ONCE && found < wanted; k++) {
        if (z[k] > -2 && z[k] < 2) out[i + found++] = z[k] * stddev + mean;
      }
    }
    while (found < wanted) out[i + found++] = mean;
  }
}

/* ------------------------------------------------------------------------------------- permutations */

void glk_kernel_random_permutation(size_t n, const glk_stream *stream, glk_real *out) {
  uint32_t words[4];
  uint64_t drawn = 0;
  for (size_t i = 0; i < n; i++) out[i] = (glk_real)i;
  for (uint32_t i = (uint32_t)n; i > 1; i--) {
    /* A place below i: the high word of word * i. Words whose low word is below 2^32 mod i would favour some places
     * and are drawn again, fewer than one in 2^32 / i. */
    const uint32_t unfair = -i % i;
    uint64_t product;
    do {
      if (drawn % 4 == 0) glk_stream_block(stream, drawn / 4, words);
      product = (uint64_t)words[drawn++ % 4] * i;
    } while ((uint32_t)product < unfair);
    const size_t place = (size_t)(product >> 32);
    const glk_real moved = out[i - 1];
    out[i - 1] = out[place];
    out[place] = moved;
  }
}
