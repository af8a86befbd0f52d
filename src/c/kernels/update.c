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
    const glk_clock_page *page = &u->pages[at / GLK_PAGE];
    const uint32_t *cohort = page->members ? page->members + at % GLK_PAGE : NULL;
    for (uint32_t k = 0; k < u->clocked; k++) {
      gather_word(cohort, page->cohort[0], u->cohort_coefficient + k, u->clocked,
                  buffers->coefficient + k * GLK_WORD);
    }
    word->clocked = u->clocked;
    word->coefficient = buffers->coefficient;
  }
  if (u->factor) {
    if (!word->clocked) {
      for (size_t j = 0; j < GLK_WORD; j++) buffers->coefficient[j] = u->coefficient[0];
      word->clocked = 1;
      word->coefficient = buffers->coefficient;
    }
    GLK_NO_UNROLL
    for (size_t j = 0; j < GLK_WORD; j++) buffers->coefficient[j] *= u->factor[i + j];
  }
}

/* ---------------------------------------------------------------------------------------- lists */

/* The next places of a page that has any left, into the walk; 0 if no page has. */
static int next_places(const glk_update *u, glk_list_walk *walk) {
  const size_t start = u->first % GLK_PAGE, end = start + u->words * GLK_WORD;
  for (; walk->page * (size_t)GLK_PAGE < end; walk->page++, walk->next = 0) {
    const glk_page_list *list = &u->lists[walk->page];
    const uint32_t left = list->count - walk->next;
    if (!left) continue;
    walk->places = u->places + list->place + walk->next;
    walk->count = left;
    walk->base = (ptrdiff_t)(walk->page * (size_t)GLK_PAGE) - (ptrdiff_t)start;
    walk->is_packed = list->form == GLK_PAGE_PACKED;
    walk->slot = list->slot + (walk->is_packed ? walk->next : 0);
    return 1;
  }
  return 0;
}

/* Set the bits of places that the step passes over: locked ones, and those outside of u. Their
 * lanes then compute what a free element of the same turn does, and the result is dropped. Returns
 * 0 if nothing is left. */
static int find_locks(const glk_update *u, glk_list_walk *walk) {
  const ptrdiff_t end = (ptrdiff_t)(u->words * GLK_WORD);
  const uint16_t *places = walk->places;
  uint32_t any = GLK_TURN;
  memset(walk->locks, 0, sizeof walk->locks);
  for (uint32_t j = 0; j < walk->count; j++) {
    const ptrdiff_t at = walk->base + places[j];
    const int is_out = (places[j] & GLK_PLACE_LOCKED) || at < 0 || at >= end;
    walk->locks[j / 32] |= (uint32_t)is_out << j % 32;
    if (!is_out) any = j;
  }
  if (any == GLK_TURN) return 0;
  for (uint32_t j = 0; j < walk->count; j++) {
    walk->copy[j] = places[walk->locks[j / 32] >> j % 32 & 1 ? any : j];
  }
  walk->places = walk->copy;
  return 1;
}

int glk_list_next(const glk_update *u, glk_list_walk *walk) {
  const ptrdiff_t end = (ptrdiff_t)(u->words * GLK_WORD);
  while (next_places(u, walk)) {
    if (walk->count > GLK_TURN) walk->count = GLK_TURN;
    const uint32_t behind = walk->next + walk->count;
    walk->is_partly_locked = behind > u->lists[walk->page].free ||
                             walk->base + walk->places[0] < 0 ||
                             walk->base + walk->places[walk->count - 1] >= end;
    walk->next = behind;
    if (!walk->is_partly_locked || find_locks(u, walk)) return 1;
  }
  return 0;
}

static void gather(const glk_real *from, const glk_list_walk *walk, glk_real *out) {
  const uint16_t *places = walk->places;
  const uint32_t count = walk->count;
  GLK_NO_UNROLL
  for (uint32_t j = 0; j < count; j += GLK_LANES) vstore(out + j, vgather(from, places + j));
}

static void scatter(const glk_real *from, const glk_list_walk *walk, glk_real *out) {
  const uint16_t *places = walk->places;
  const uint32_t count = walk->count;
  if (!walk->is_partly_locked) {
    GLK_NO_UNROLL
    for (uint32_t j = 0; j < count; j += GLK_LANES) vscatter(out, places + j, vload(from + j));
    return;
  }
  for (uint32_t j = 0; j < count; j++) {
    if (walk->locks[j / 32] >> j % 32 & 1) continue;
    store_bits(out + places[j], load_bits(from + j));
  }
}

/* Coefficients of each element, by its clock. */
static void look_up(const glk_update *u, const glk_list_walk *walk, glk_list_buffers *buffers) {
  const glk_clock_page *page = &u->pages[u->first / GLK_PAGE + walk->page];
  const size_t step = u->clocked;
  for (uint32_t j = 0; j < walk->count; j++) {
    const uint32_t cohort = page->members ? page->members[walk->places[j]] : page->cohort[0];
    for (uint32_t k = 0; k < step; k++) {
      buffers->coefficient[k][j] = u->cohort_coefficient[step * cohort + k];
    }
  }
  buffers->clocked = u->clocked;
}

/* Clipping, decay, factors and clocks, as glk_prepare_word has them. */
static void prepare_turn(const glk_update *u, const glk_list_walk *walk,
                         glk_list_buffers *buffers) {
  const vreal limit = vsplat(u->clip);
  const glk_clip mode = u->clip_mode;
  if (u->pages) look_up(u, walk, buffers);
  const int is_first = u->factor && !buffers->clocked;
  if (is_first) buffers->clocked = 1;
  for (uint32_t j = 0; j < walk->count; j += GLK_LANES) {
    const vreal g = vload(buffers->gradient + j), x = vload(buffers->x + j);
    const vreal factor = u->factor ? vgather(u->factor + walk->base, walk->places + j) : vsplat(1);
    if (mode == GLK_CLIP_SCALE) vstore(buffers->gradient + j, g * limit);
    if (mode == GLK_CLIP_VALUE) vstore(buffers->gradient + j, vmax(vmin(g, limit), vneg(limit)));
    if (u->decay != 0) {
      vreal rate = vsplat(u->decay_rate);
      if (u->factor) rate *= factor;
      vstore(buffers->x + j, x - (x * vsplat(u->decay)) * rate);
    }
    if (!u->factor) continue;
    glk_real *c = buffers->coefficient[0] + j;
    vstore(c, (is_first ? vsplat(u->coefficient[0]) : vload(c)) * factor);
  }
}

void glk_list_enter(const glk_update *u, int slots, const glk_list_walk *walk,
                    glk_list_buffers *buffers) {
  buffers->clocked = 0;
  gather(u->x + walk->base, walk, buffers->x);
  gather(u->gradient + walk->base, walk, buffers->gradient);
  for (int k = 0; k < slots; k++) {
    const glk_real *slot = u->slots[k] + walk->slot;
    if (!walk->is_packed) gather(slot, walk, buffers->slots[k]);
    if (!walk->is_packed || !walk->is_partly_locked) continue;
    memcpy(buffers->slots[k], slot, walk->count * sizeof *slot);
  }
  if (!glk_update_is_plain(u)) prepare_turn(u, walk, buffers);
}

void glk_list_leave(const glk_update *u, int slots, const glk_list_walk *walk,
                    const glk_list_buffers *buffers) {
  scatter(buffers->x, walk, u->x + walk->base);
  if (walk->is_packed && !walk->is_partly_locked) return;
  for (int k = 0; k < slots; k++) {
    glk_real *slot = u->slots[k] + walk->slot;
    if (!walk->is_packed) scatter(buffers->slots[k], walk, slot);
    for (uint32_t j = 0; walk->is_packed && j < walk->count; j++) {
      if (walk->locks[j / 32] >> j % 32 & 1) continue;
      store_bits(slot + j, load_bits(buffers->slots[k] + j));
    }
  }
}

/* --------------------------------------------------------------------------------------- norms */

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
