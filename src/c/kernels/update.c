/* Parts of an update step that few steps need (clipping, weight decay, coefficients per element),
 * for a word of 32 elements at a time. Also norms of gradients. */
#include "kernels/update.h"

#define MASK(bits) \
  { -(bits & 1), -(bits >> 1 & 1), -(bits >> 2 & 1), -(bits >> 3 & 1) }
const vbits glk_lane_masks[16] = {MASK(0),  MASK(1),  MASK(2),  MASK(3), MASK(4),  MASK(5),
                                  MASK(6),  MASK(7),  MASK(8),  MASK(9), MASK(10), MASK(11),
                                  MASK(12), MASK(13), MASK(14), MASK(15)};

static void clip_word(const glk_update *u, const glk_real *gradient, glk_real *out) {
  const vreal limit = vsplat(u->clip);
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const vreal g = vload(gradient + j);
    const vreal limited = vmax(vmin(g, limit), vneg(limit));
    vstore(out + j, u->clip_mode == GLK_CLIP_SCALE ? g * limit : limited);
  }
}

/* x, factor (or NULL) and out [32]; at locked elements the result is not used. */
static void decay_word(const glk_update *u, const glk_real *factor, const glk_real *x,
                       glk_real *out) {
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const vreal v = vload(x + j);
    vreal rate = vsplat(u->decay_rate);
    if (factor) rate *= vload(factor + j);
    vstore(out + j, v - (v * vsplat(u->decay)) * rate);
  }
}

/* out[j] = table[step * cohort[j]]; cohort [32], or NULL where it is `shared` of what is free;
 * table [cohorts, step], out [32]. Mostly a whole word is of one cohort. */
static void gather_word(const uint32_t *cohort, uint32_t shared, const glk_real *table, size_t step,
                        glk_real *out) {
  uint32_t others = 0;
  if (cohort) {
    shared = cohort[0];
    GLK_NO_UNROLL
    for (size_t j = 0; j < GLK_WORD; j++) others |= cohort[j] ^ shared;
  }
  if (!others) {
    const vreal same = vsplat(table[step * shared]);
    GLK_NO_UNROLL
    for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) vstore(out + j, same);
    return;
  }
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const vreal own = {table[step * cohort[j]], table[step * cohort[j + 1]],
                       table[step * cohort[j + 2]], table[step * cohort[j + 3]]};
    vstore(out + j, own);
  }
}

/* factor and cohort [32] of the word, or NULL: no factors; all are of the cohort `shared`. */
static void prepare(const glk_update *u, const glk_real *factor, const uint32_t *cohort,
                    uint32_t shared, glk_word_buffers *buffers, glk_word *word) {
  if (u->clip_mode != GLK_CLIP_NONE) {
    clip_word(u, word->gradient, buffers->gradient);
    word->gradient = buffers->gradient;
  }
  if (u->decay != 0) {
    decay_word(u, factor, word->x, buffers->x);
    word->x = buffers->x;
  }
  if (u->pages) {
    for (uint32_t k = 0; k < u->clocked; k++) {
      gather_word(cohort, shared, u->cohort_coefficient + k, u->clocked,
                  buffers->coefficient + k * GLK_WORD);
    }
    word->clocked = u->clocked;
    word->coefficient = buffers->coefficient;
  }
  if (factor) {
    if (!word->clocked) {
      for (size_t j = 0; j < GLK_WORD; j++) buffers->coefficient[j] = u->coefficient[0];
      word->clocked = 1;
      word->coefficient = buffers->coefficient;
    }
    GLK_NO_UNROLL
    for (size_t j = 0; j < GLK_WORD; j++) buffers->coefficient[j] *= factor[j];
  }
}

void glk_prepare_word(const glk_update *u, size_t i, glk_word_buffers *buffers, glk_word *word) {
  const size_t at = u->first + i;
  const glk_clock_page *page = u->pages ? &u->pages[at / GLK_PAGE] : NULL;
  const uint32_t *cohort = page && page->members ? page->members + at % GLK_PAGE : NULL;
  prepare(u, u->factor ? u->factor + i : NULL, cohort, page ? page->cohort[0] : 0, buffers, word);
}

/* ---------------------------------------------------------------------------------------- lists */

/* The next places of a page that has any left, into the walk; 0 if no page has. */
static int next_places(const glk_update *u, glk_list_walk *walk) {
  const size_t end = u->first % GLK_PAGE + u->words * GLK_WORD;
  while (walk->page * (size_t)GLK_PAGE < end) {
    const glk_page_list *list = &u->lists[walk->page];
    if (walk->next < list->count) {
      const uint32_t left = list->count - walk->next;
      walk->count = left < GLK_WORD ? left : GLK_WORD;
      walk->form = list->form;
      walk->slot = list->slot + (list->form == GLK_PAGE_PACKED ? walk->next : 0);
      walk->base = (ptrdiff_t)(walk->page * (size_t)GLK_PAGE) - (ptrdiff_t)(u->first % GLK_PAGE);
      walk->places = u->places + list->place + walk->next;
      walk->next += walk->count;
      return 1;
    }
    walk->page++;
    walk->next = 0;
  }
  return 0;
}

/* Set the bits of places that the step passes over: locked ones, those outside of u, and what is
 * missing to a word. Their lanes then compute what a free element of the same turn does, and the
 * result is dropped. Returns 0 if nothing is left. */
static int find_locks(const glk_update *u, glk_list_walk *walk) {
  const ptrdiff_t end = (ptrdiff_t)(u->words * GLK_WORD);
  const uint16_t *places = walk->places;
  const uint32_t count = walk->count;
  uint32_t flags = 0;
  for (uint32_t j = 0; j < count; j++) flags |= places[j];
  walk->locks = count < GLK_WORD ? ~(uint32_t)0 << count : 0;
  const uint16_t least = places[0] & (uint16_t)~GLK_PLACE_LOCKED;
  const uint16_t most = places[count - 1] & (uint16_t)~GLK_PLACE_LOCKED;
  if (!(flags & GLK_PLACE_LOCKED) && walk->base + least >= 0 && walk->base + most < end) return 1;
  uint16_t any = 0;
  for (uint32_t j = 0; j < count; j++) {
    const uint16_t place = places[j];
    const ptrdiff_t at = walk->base + place; /* behind the end if it is flagged, or ... */
    const int is_out = (place & GLK_PLACE_LOCKED) || at < 0 || at >= end;
    walk->locks |= (uint32_t)is_out << j;
    if (!is_out) any = place;
  }
  if (walk->locks == ~(uint32_t)0) return 0;
  for (uint32_t j = 0; j < count; j++) walk->copy[j] = walk->locks >> j & 1 ? any : places[j];
  walk->places = walk->copy;
  return 1;
}

static void gather(const glk_real *from, const glk_list_walk *walk, glk_real *out) {
  GLK_NO_UNROLL
  for (uint32_t j = 0; j < walk->count; j += GLK_LANES) {
    vstore(out + j, vgather(from, walk->places + j));
  }
}

static void scatter(const glk_real *from, const glk_list_walk *walk, glk_real *out) {
  GLK_NO_UNROLL
  for (uint32_t j = 0; j < walk->count; j += GLK_LANES) {
    const uint32_t four = walk->locks >> j & 15;
    if (!four) {
      vscatter(out, walk->places + j, vload(from + j));
      continue;
    }
    for (uint32_t k = 0; k < GLK_LANES; k++) {
      if (!(four >> k & 1)) store_bits(out + walk->places[j + k], load_bits(from + j + k));
    }
  }
}

/* Values of a word that is not full: lanes without an element have those of lane 0. */
static void fill_rest(const glk_list_walk *walk, glk_real *values) {
  for (uint32_t j = walk->count; j < GLK_WORD; j++) values[j] = values[0];
}

static void prepare_listed(const glk_update *u, const glk_list_walk *walk,
                           glk_word_buffers *buffers, glk_word *word) {
  uint32_t cohort[GLK_WORD];
  const glk_clock_page *page = u->pages ? &u->pages[u->first / GLK_PAGE + walk->page] : NULL;
  const uint32_t *members = page ? page->members : NULL;
  fill_rest(walk, buffers->x);
  fill_rest(walk, buffers->gradient);
  if (u->factor) {
    gather(u->factor + walk->base, walk, buffers->factor);
    fill_rest(walk, buffers->factor);
  }
  for (uint32_t j = 0; members && j < GLK_WORD; j++) {
    cohort[j] = members[walk->places[j < walk->count ? j : 0]];
  }
  prepare(u, u->factor ? buffers->factor : NULL, members ? cohort : NULL,
          page ? page->cohort[0] : 0, buffers, word);
}

int glk_list_gather(const glk_update *u, int slots, glk_list_walk *walk, glk_word_buffers *buffers,
                    glk_word *word) {
  const int is_plain = glk_update_is_plain(u);
  do {
    if (!next_places(u, walk)) return 0;
  } while (!find_locks(u, walk));
  const uint16_t *places = walk->places;
  walk->is_run = !walk->locks && places[GLK_WORD - 1] - places[0] == GLK_WORD - 1;
  const int is_packed = walk->form == GLK_PAGE_PACKED;
  const ptrdiff_t slot = (ptrdiff_t)walk->slot + (is_packed ? 0 : places[0]);
  for (int k = 0; k < slots; k++) {
    walk->slots[k] = is_packed || walk->is_run ? u->slots[k] + slot : buffers->slots[k];
    if (walk->slots[k] == buffers->slots[k]) gather(u->slots[k] + walk->slot, walk, walk->slots[k]);
  }
  if (walk->is_run) {
    const ptrdiff_t at = walk->base + places[0];
    walk->x = u->x + at;
    *word = (glk_word){walk->x, u->gradient + at, 0, NULL};
    if (!is_plain) glk_prepare_word(u, (size_t)at, buffers, word);
    return 1;
  }
  walk->x = buffers->x;
  gather(u->x + walk->base, walk, buffers->x);
  gather(u->gradient + walk->base, walk, buffers->gradient);
  *word = (glk_word){buffers->x, buffers->gradient, 0, NULL};
  if (!is_plain) prepare_listed(u, walk, buffers, word);
  return 1;
}

void glk_list_scatter(const glk_update *u, int slots, const glk_list_walk *walk) {
  scatter(walk->x, walk, u->x + walk->base);
  for (int k = 0; k < slots && walk->form != GLK_PAGE_PACKED; k++) {
    scatter(walk->slots[k], walk, u->slots[k] + walk->slot);
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
  if (decay == 1) return;
  for (size_t i = 0; i < words * GLK_WORD; i += GLK_LANES) {
    const uint32_t four = locks[i / GLK_WORD] >> i % GLK_WORD & 15;
    const vreal old = vload(x + i), given = vload(value + i);
    const vreal moved = decay == 0 ? given : old * kept + given * gain;
    vstore(x + i, vselect(glk_lane_masks[four], old, moved));
  }
}
