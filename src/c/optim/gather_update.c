/* Steps of listed elements (slots/page_lists.h). They are gathered into words of their own, a batch
 * at a time, and the rule takes these like any others: it knows no lists (decision 61). */
#include "optim/step.h"

enum { BATCH = GLK_PAGE < 256 ? GLK_PAGE : 256, BATCH_WORDS = BATCH / GLK_WORD };

/* Elements side by side. */
typedef struct batch {
  /** [count] Within the variable, from element 0 of the page; a multiple of 4. */
  const uint16_t *indices;
  uint32_t count;
  int is_cut;
  /** The bits of those outside of the step, and of what follows the last. */
  uint32_t locks[BATCH_WORDS];
  /** If some are outside: indices, those with a bit of `locks` replaced. */
  uint16_t copy[BATCH];
  glk_real x[BATCH], gradient[BATCH], factor[BATCH];
  uint32_t members[BATCH];
} batch;

static int is_left_out(const batch *t, uint32_t j) { return t->locks[j / 32] >> j % 32 & 1; }

/* Set the bits of indices outside of u. Their lanes compute what another of the same batch does,
 * and the result is dropped. Returns 0 if nothing is left. */
static int leave_out(const glk_update *u, ptrdiff_t base, batch *t) {
  const ptrdiff_t end = (ptrdiff_t)(u->words * GLK_WORD);
  uint32_t inside = BATCH;
  for (uint32_t j = 0; j < t->count; j++) {
    const ptrdiff_t at = base + t->indices[j];
    const int is_out = at < 0 || at >= end;
    t->locks[j / 32] |= (uint32_t)is_out << j % 32;
    if (!is_out) inside = j;
  }
  if (inside == BATCH) return 0;
  for (uint32_t j = 0; j < t->count; j++) t->copy[j] = t->indices[is_left_out(t, j) ? inside : j];
  t->indices = t->copy;
  return 1;
}

/* Take indices from `next` on. Returns 0 if none of them takes a step. */
static int next_batch(const glk_update *u, const glk_page_list *list, const uint16_t *indices,
                      uint32_t next, ptrdiff_t base, batch *t) {
  const uint32_t left = list->free - next, count = left < BATCH ? left : BATCH;
  t->indices = indices + next;
  t->count = count;
  for (uint32_t w = 0; w < BATCH_WORDS; w++) {
    const uint32_t first = w * GLK_WORD;
    t->locks[w] = count >= first + GLK_WORD ? 0 : ~(uint32_t)0 << count % GLK_WORD;
  }
  t->is_cut =
      base + t->indices[0] < 0 || base + t->indices[count - 1] >= (ptrdiff_t)(u->words * GLK_WORD);
  return !t->is_cut || leave_out(u, base, t);
}

static void gather(const glk_real *from, const batch *t, glk_real *out) {
  const uint16_t *indices = t->indices;
  const uint32_t count = t->count;
  GLK_NO_UNROLL
  for (uint32_t j = 0; j < count; j += GLK_LANES) vstore(out + j, vgather(from, indices + j));
  for (uint32_t j = count; j % GLK_WORD; j += GLK_LANES) vstore(out + j, vsplat(0));
}

static void scatter(const glk_real *from, const batch *t, glk_real *out) {
  const uint16_t *indices = t->indices;
  const uint32_t count = t->count;
  if (!t->is_cut) {
    GLK_NO_UNROLL
    for (uint32_t j = 0; j < count; j += GLK_LANES) vscatter(out, indices + j, vload(from + j));
    return;
  }
  for (uint32_t j = 0; j < count; j++) {
    if (!is_left_out(t, j)) store_bits(out + indices[j], load_bits(from + j));
  }
}

/* Coefficients of a batch, where elements have taken different numbers of steps. `counts` is
 * then in use until the step is done. */
static void find_members(const glk_update *u, batch *t, glk_count_page *counts, glk_update *words) {
  *counts = u->pages[u->first / GLK_PAGE];
  words->pages = counts;
  if (!counts->members) return;
  for (uint32_t j = 0; j < words->words * GLK_WORD; j++) {
    t->members[j] = counts->members[t->indices[j < t->count ? j : 0]];
  }
  counts->members = t->members;
}

static void step_batch(const glk_rule_row *rule, const double *options, const glk_update *u,
                       ptrdiff_t base, batch *t) {
  glk_update words = *u;
  glk_count_page counts;
  words.words = (t->count + GLK_WORD - 1) / GLK_WORD;
  words.locks = t->locks;
  words.first = 0;
  words.x = t->x;
  words.gradient = t->gradient;
  gather(u->x + base, t, t->x);
  gather(u->gradient + base, t, t->gradient);
  if (u->factor) {
    words.factor = t->factor;
    gather(u->factor + base, t, t->factor);
  }
  if (u->pages) find_members(u, t, &counts, &words);
  rule->update(options, &words);
  scatter(t->x, t, u->x + base);
}

void glk_step_listed(const glk_rule_row *rule, const double *options, glk_update *u,
                     const glk_page_list *list, const uint16_t *indices) {
  const ptrdiff_t base = -(ptrdiff_t)(u->first % GLK_PAGE);
  if (!list->free) return;
  if (base == 0 && indices[list->free - 1] < u->words * GLK_WORD) {
    u->indices = indices;
    u->index_count = list->free;
    if (rule->update(options, u)) return;
    u->indices = NULL;
  }
  batch t;
  for (uint32_t next = 0; next < list->free; next += t.count) {
    if (next_batch(u, list, indices, next, base, &t)) step_batch(rule, options, u, base, &t);
    for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
      if (u->slots[k]) u->slots[k] += t.count;
    }
  }
}
