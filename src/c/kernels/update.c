/* Parts of an update step that few steps need (clipping, weight decay, coefficients per element),
 * for a word of 32 elements at a time. Also norms of gradients. */
#include "kernels/update.h"

#define MASK(bits) \
  { -(bits & 1), -(bits >> 1 & 1), -(bits >> 2 & 1), -(bits >> 3 & 1) }
const vbits glk_lane_masks[16] = {MASK(0),  MASK(1),  MASK(2),  MASK(3), MASK(4),  MASK(5),
                                  MASK(6),  MASK(7),  MASK(8),  MASK(9), MASK(10), MASK(11),
                                  MASK(12), MASK(13), MASK(14), MASK(15)};
const vbits glk_exponents = {GLK_EXPONENT_BITS, GLK_EXPONENT_BITS, GLK_EXPONENT_BITS,
                             GLK_EXPONENT_BITS};

static void clip_word(const glk_update *u, const glk_real *gradient, glk_real *out) {
  const vreal limit = vsplat(u->clip);
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const vreal g = vload(gradient + j);
    const vreal limited = vmax(vmin(g, limit), vneg(limit));
    vstore(out + j, u->clip_mode == GLK_CLIP_SCALE ? g * limit : limited);
  }
}

/* x [32], out [32]; at locked elements the result is not used. */
static void decay_word(const glk_update *u, size_t i, const glk_real *x, glk_real *out) {
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const vreal v = vload(x + j);
    vreal rate = vsplat(u->decay_rate);
    if (u->factor) rate *= vload(u->factor + i + j);
    vstore(out + j, v - (v * vsplat(u->decay)) * rate);
  }
}

/* out[j] = table[step * group[j]]; group [32], or NULL where it is `shared` of what is free;
 * table [groups, step], out [32]. Mostly a whole word is of one group. */
static void gather_word(const uint32_t *group, uint32_t shared, const glk_real *table, size_t step,
                        glk_real *out) {
  uint32_t others = 0;
  if (group) {
    shared = group[0];
    GLK_NO_UNROLL
    for (size_t j = 0; j < GLK_WORD; j++) others |= group[j] ^ shared;
  }
  if (!others) {
    const vreal same = vsplat(table[step * shared]);
    GLK_NO_UNROLL
    for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) vstore(out + j, same);
    return;
  }
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const vreal own = {table[step * group[j]], table[step * group[j + 1]],
                       table[step * group[j + 2]], table[step * group[j + 3]]};
    vstore(out + j, own);
  }
}

void glk_prepare_word(const glk_update *u, size_t i, glk_word_buffers *buffers, glk_word *word) {
  if (u->clip_mode != GLK_CLIP_NONE) {
    clip_word(u, word->gradient, buffers->gradient);
    word->gradient = buffers->gradient;
  }
  if (u->decay != 0) {
    decay_word(u, i, word->x, buffers->x);
    word->x = buffers->x;
  }
  if (u->pages) {
    const size_t at = u->first + i;
    const glk_count_page *page = &u->pages[at / GLK_PAGE];
    const uint32_t *group = page->members ? page->members + at % GLK_PAGE : NULL;
    for (uint32_t k = 0; k < u->by_count; k++) {
      gather_word(group, page->group[0], u->group_coefficient + k, u->by_count,
                  buffers->coefficient + k * GLK_WORD);
    }
    word->by_count = u->by_count;
    word->coefficient = buffers->coefficient;
  }
  if (u->factor) {
    if (!word->by_count) {
      for (size_t j = 0; j < GLK_WORD; j++) buffers->coefficient[j] = u->coefficient[0];
      word->by_count = 1;
      word->coefficient = buffers->coefficient;
    }
    GLK_NO_UNROLL
    for (size_t j = 0; j < GLK_WORD; j++) buffers->coefficient[j] *= u->factor[i + j];
  }
}

typedef double vpair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t vpair_bits __attribute__((vector_size(2 * sizeof(int64_t))));

void glk_kernel_squares(size_t count, const uint32_t *locks, const glk_real *gradient, double *free,
                        double *all) {
  /* locks [count] bits, gradient [count] */
  vpair sums = {*free, *all}; /* both wait for the same addition */
  GLK_NO_UNROLL
  for (size_t i = 0; i < count; i++) {
    const double g = (double)gradient[i], square = g * g;
    const int64_t kept = (int64_t)(locks[i / 32] >> i % 32 & 1) - 1;
    sums += (vpair)((vpair_bits)(vpair){square, square} & (vpair_bits){kept, -1});
  }
  *free = sums[0];
  *all = sums[1];
}

void glk_kernel_moving_average(size_t words, const uint32_t *locks, glk_real *x,
                               const glk_real *value, glk_real decay) {
  const vreal kept = vsplat(decay), gain = vsplat((glk_real)(1 - (double)decay));
  const vbits exponents = glk_exponents;
  if (decay == 1) return;
  for (size_t i = 0; i < words * GLK_WORD; i += GLK_LANES) {
    const uint32_t four = locks[i / GLK_WORD] >> i % GLK_WORD & 15;
    const vreal old = vload(x + i), given = vload(value + i);
    const vreal moved = decay == 0 ? given : vflush(old * kept + given * gain, exponents);
    vstore(x + i, vselect(glk_lane_masks[four], old, moved));
  }
}
