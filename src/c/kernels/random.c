/* Uniform, normal, truncated normal and Bernoulli numbers, sixteen at a time, and permutations. */
#include "kernels/random.h"

#include "kernels/elementwise.h"

/* The greatest real below x. */
static glk_real below(glk_real x) {
  glk_bits bits = load_bits(&x);
  if (x == 0) bits = 0; /* whichever zero */
  bits = x > 0 ? bits - 1 : (bits | GLK_SIGN_BIT) + 1;
  store_bits(&x, bits);
  return x;
}

enum { BLOCKS = 4, WORDS = 4 * BLOCKS };

typedef uint32_t words4 __attribute__((vector_size(4 * sizeof(uint32_t))));
typedef uint64_t wide4 __attribute__((vector_size(4 * sizeof(uint64_t))));
typedef double doubles4 __attribute__((vector_size(4 * sizeof(double))));
typedef float floats4 __attribute__((vector_size(4 * sizeof(float))));

/* Blocks first, first + step, first + 2 step and first + 3 step, one after the other:
 * glk_stream_block in lanes. */
static void draw_blocks(const glk_stream *stream, uint64_t first, uint64_t step,
                        uint32_t out[WORDS]) {
  const wide4 index = {first, first + step, first + 2 * step, first + 3 * step};
  words4 c0 = __builtin_convertvector(index, words4), c1 = c0 * 0 + stream->step;
  words4 c2 = c0 * 0 + stream->run, c3 = __builtin_convertvector(index >> 32, words4);
  uint32_t k0 = stream->key[0], k1 = stream->key[1];
  GLK_NO_UNROLL
  for (int round = 0; round < GLK_PHILOX_ROUNDS; round++) {
    const wide4 a = __builtin_convertvector(c0, wide4) * GLK_PHILOX_M0;
    const wide4 b = __builtin_convertvector(c2, wide4) * GLK_PHILOX_M1;
    c0 = __builtin_convertvector(b >> 32, words4) ^ c1 ^ k0;
    c1 = __builtin_convertvector(b, words4);
    c2 = __builtin_convertvector(a >> 32, words4) ^ c3 ^ k1;
    c3 = __builtin_convertvector(a, words4);
    k0 += GLK_PHILOX_W0;
    k1 += GLK_PHILOX_W1;
  }
  for (int block = 0; block < BLOCKS; block++) {
    out[4 * block] = c0[block];
    out[4 * block + 1] = c1[block];
    out[4 * block + 2] = c2[block];
    out[4 * block + 3] = c3[block];
  }
}

/* k / 2^23 of the low 23 bits of four words: they are the mantissa of a number in 1 .. 2, as in
 * TensorFlow. */
static floats4 units(const uint32_t *words) {
  const words4 bits = {words[0], words[1], words[2], words[3]};
  return (floats4)((bits & 0x7fffffu) | 0x3f800000u) - 1;
}

void glk_kernel_random_uniform(size_t n, const glk_stream *stream, glk_real low, glk_real high,
                               glk_real *out) {
  const glk_real range = high - low, most = below(high);
  for (size_t i = 0; i < n; i += WORDS) {
    uint32_t words[WORDS];
    draw_blocks(stream, i / 4, 1, words);
    GLK_NO_UNROLL
    for (size_t k = 0; k < glk_min_size(WORDS, n - i); k += GLK_LANES) {
      const vreal x = __builtin_convertvector(units(words + k), vreal) * range + low;
      const vreal y = vselect(x < high, x, vsplat(most)); /* where rounding would reach it */
      vstore_most(out + i + k, y, n - i - k);
    }
  }
}

void glk_kernel_random_bernoulli(size_t n, const glk_stream *stream, double p, glk_real *out) {
  for (size_t i = 0; i < n; i += WORDS) {
    uint32_t words[WORDS];
    draw_blocks(stream, i / 4, 1, words);
    GLK_NO_UNROLL
    for (size_t k = 0; k < glk_min_size(WORDS, n - i); k += GLK_LANES) {
      const doubles4 own = {words[k], words[k + 1], words[k + 2], words[k + 3]};
      const vbits is_one = __builtin_convertvector(own < p * 0x1p32, vbits);
      vstore_most(out + i + k, vselect(is_one, vsplat(1), vsplat(0)), n - i - k);
    }
  }
}

/* z of four blocks: from u and v in 0 .. 1 come the independent sqrt(-2 log u) sin 2 pi v and
 * sqrt(-2 log u) cos 2 pi v. */
static void normals(const glk_stream *stream, uint64_t first, uint64_t step, glk_real out[WORDS]) {
  enum { PAIRS = WORDS / 2 };
  glk_real radius[PAIRS], angle[PAIRS], sine[PAIRS];
  uint32_t words[WORDS];
  draw_blocks(stream, first, step, words);
  for (size_t i = 0; i < PAIRS; i += 2) {
    const floats4 u = units(words + 2 * i);
    for (size_t k = 0; k < 2; k++) {
      radius[i + k] = u[2 * k] < 1e-7f ? 1e-7f : u[2 * k]; /* TensorFlow's least u */
      angle[i + k] = (glk_real)(0x1.921fb54442d18p+2 * (double)u[2 * k + 1]);
    }
  }
  glk_kernel_log(PAIRS, radius, radius);
  for (size_t i = 0; i < PAIRS; i++) radius[i] *= -2;
  glk_kernel_sqrt(PAIRS, radius, radius);
  glk_kernel_sin(PAIRS, angle, sine);
  glk_kernel_cos(PAIRS, angle, angle);
  for (size_t i = 0; i < PAIRS; i++) {
    out[2 * i] = sine[i] * radius[i];
    out[2 * i + 1] = angle[i] * radius[i];
  }
}

void glk_kernel_random_normal(size_t n, const glk_stream *stream, glk_real mean, glk_real stddev,
                              glk_real *out) {
  glk_real z[WORDS];
  for (size_t i = 0; i < n; i += WORDS) {
    normals(stream, i / 4, 1, z);
    GLK_NO_UNROLL
    for (size_t k = 0; k < glk_min_size(WORDS, n - i); k += GLK_LANES) {
      vstore_most(out + i + k, vload(z + k) * stddev + mean, n - i - k);
    }
  }
}

/* Four adjacent groups of four elements, until the slowest is complete. */
void glk_kernel_random_truncated_normal(size_t n, const glk_stream *stream, glk_real mean,
                                        glk_real stddev, glk_real *out) {
  enum { RESERVED = 256 };
  glk_real z[WORDS];
  for (size_t i = 0; i < n; i += WORDS) {
    const size_t wanted = glk_min_size(WORDS, n - i);
    size_t found[BLOCKS] = {0}, missing = wanted;
    GLK_NO_VECTORS
    for (size_t k = 0; k < wanted; k++) out[i + k] = mean;
    for (uint32_t block = 0; missing && block < RESERVED; block++) {
      normals(stream, (uint64_t)(i / 4) * RESERVED + block, RESERVED, z);
      for (size_t k = 0; k < WORDS; k++) {
        const size_t group = k / 4, at = 4 * group + found[group];
        if (!(z[k] > -2 && z[k] < 2) || found[group] == 4 || at >= wanted) continue;
        out[i + at] = z[k] * stddev + mean;
        found[group]++;
        missing--;
      }
    }
  }
}

void glk_kernel_random_permutation(size_t n, const glk_stream *stream, glk_real *out) {
  uint32_t words[4];
  uint64_t drawn = 0;
  GLK_NO_VECTORS
  for (size_t i = 0; i < n; i++) out[i] = (glk_real)i;
  for (uint32_t i = (uint32_t)n; i > 1; i--) {
    /* An index below i: the high word of word * i. Words whose low word is below 2^32 mod i would
     * favour some indices and are drawn again, fewer than one in 2^32 / i. */
    const uint32_t unfair = -i % i;
    uint64_t product;
    do {
      if (drawn % 4 == 0) glk_stream_block(stream, drawn / 4, words);
      product = (uint64_t)words[drawn++ % 4] * i;
    } while ((uint32_t)product < unfair);
    const size_t other = (size_t)(product >> 32);
    const glk_real moved = out[i - 1];
    out[i - 1] = out[other];
    out[other] = moved;
  }
}
