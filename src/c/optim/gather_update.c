/* Steps of listed elements (slots/page_lists.h). They are gathered into words of their own, a turn
 * at a time, and the rule takes these like any others: it knows no lists (decision 61). */
#include "optim/step.h"

enum { TURN = GLK_PAGE < 256 ? GLK_PAGE : 256, TURN_WORDS = TURN / GLK_WORD };

/* Elements side by side. */
typedef struct turn {
  /** [count] Within the variable, from element 0 of the page; a multiple of 4. */
  const uint16_t *places;
  uint32_t count;
  int is_partly_locked;
  /** The bits of those that stay as they are, and of what follows the last. */
  uint32_t locks[TURN_WORDS];
  /** If they are partly locked: places, those with a bit of `locks` replaced. */
  uint16_t copy[TURN];
  glk_real x[TURN], gradient[TURN], factor[TURN], slots[GLK_MAX_SLOTS][TURN];
  uint32_t members[TURN];
} turn;

static int has_lock(const turn *t, uint32_t j) { return t->locks[j / 32] >> j % 32 & 1; }

/* Set the bits of places that the step passes over: locked ones, and those outside of u. Their
 * lanes compute what another of the same turn does, and the result is dropped. Returns 0 if nothing
 * is left. */
static int find_locks(const glk_update *u, ptrdiff_t base, turn *t) {
  const ptrdiff_t end = (ptrdiff_t)(u->words * GLK_WORD);
  uint32_t any = TURN;
  for (uint32_t j = 0; j < t->count; j++) {
    const ptrdiff_t at = base + t->places[j];
    const int is_out = (t->places[j] & GLK_PLACE_LOCKED) || at < 0 || at >= end;
    t->locks[j / 32] |= (uint32_t)is_out << j % 32;
    if (!is_out) any = j;
  }
  if (any == TURN) return 0;
  for (uint32_t j = 0; j < t->count; j++) t->copy[j] = t->places[has_lock(t, j) ? any : j];
  t->places = t->copy;
  return 1;
}

/* Take places from `next` on. Returns 0 if none of them takes a step. */
static int choose(const glk_update *u, const glk_page_list *list, const uint16_t *places,
                  uint32_t next, ptrdiff_t base, turn *t) {
  const uint32_t left = list->count - next, count = left < TURN ? left : TURN;
  t->places = places + next;
  t->count = count;
  for (uint32_t w = 0; w < TURN_WORDS; w++) {
    const uint32_t first = w * GLK_WORD;
    t->locks[w] = count >= first + GLK_WORD ? 0 : ~(uint32_t)0 << count % GLK_WORD;
  }
  t->is_partly_locked = next + count > list->free || base + t->places[0] < 0 ||
                        base + t->places[count - 1] >= (ptrdiff_t)(u->words * GLK_WORD);
  return !t->is_partly_locked || find_locks(u, base, t);
}

static void gather(const glk_real *from, const turn *t, glk_real *out) {
  const uint16_t *places = t->places;
  const uint32_t count = t->count;
  GLK_NO_UNROLL
  for (uint32_t j = 0; j < count; j += GLK_LANES) vstore(out + j, vgather(from, places + j));
  for (uint32_t j = count; j % GLK_WORD; j += GLK_LANES) vstore(out + j, vsplat(0));
}

static void scatter(const glk_real *from, const turn *t, glk_real *out) {
  const uint16_t *places = t->places;
  const uint32_t count = t->count;
  if (!t->is_partly_locked) {
    GLK_NO_UNROLL
    for (uint32_t j = 0; j < count; j += GLK_LANES) vscatter(out, places + j, vload(from + j));
    return;
  }
  for (uint32_t j = 0; j < count; j++) {
    if (!has_lock(t, j)) store_bits(out + places[j], load_bits(from + j));
  }
}

/* Coefficients of a turn, where elements have taken different numbers of steps. `clock` is then in
 * use until the step is done. */
static void find_members(const glk_update *u, turn *t, glk_clock_page *clock, glk_update *words) {
  *clock = u->pages[u->first / GLK_PAGE];
  words->pages = clock;
  if (!clock->members) return;
  for (uint32_t j = 0; j < words->words * GLK_WORD; j++) {
    t->members[j] = clock->members[t->places[j < t->count ? j : 0]];
  }
  clock->members = t->members;
}

static void step_turn(const glk_rule_row *rule, const double *options, const glk_update *u,
                      ptrdiff_t base, int is_packed, turn *t) {
  glk_update words = *u;
  glk_clock_page clock;
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
  if (u->pages) find_members(u, t, &clock, &words);
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    if (!u->slots[k] || is_packed) continue;
    words.slots[k] = t->slots[k];
    gather(u->slots[k], t, t->slots[k]);
  }
  rule->update(options, &words);
  scatter(t->x, t, u->x + base);
  for (uint32_t k = 0; k < GLK_MAX_SLOTS && !is_packed; k++) {
    if (u->slots[k]) scatter(t->slots[k], t, u->slots[k]);
  }
}

static void step_turns(const glk_rule_row *rule, const double *options, glk_update *u,
                       const glk_page_list *list, const uint16_t *places, ptrdiff_t base) {
  const int is_packed = list->form == GLK_PAGE_PACKED;
  turn t;
  for (uint32_t next = 0; next < list->count; next += t.count) {
    if (choose(u, list, places, next, base, &t)) step_turn(rule, options, u, base, is_packed, &t);
    for (uint32_t k = 0; k < GLK_MAX_SLOTS && is_packed; k++) {
      if (u->slots[k]) u->slots[k] += t.count;
    }
  }
}

void glk_step_listed(const glk_rule_row *rule, const double *options, glk_update *u,
                     const glk_page_list *list, const uint16_t *places) {
  const ptrdiff_t base = -(ptrdiff_t)(u->first % GLK_PAGE);
  const int is_packed = list->form == GLK_PAGE_PACKED;
  const int is_free = list->count && list->free == list->count;
  if (is_packed && is_free && base == 0 && places[list->count - 1] < u->words * GLK_WORD) {
    u->places = places;
    u->place_count = list->count;
    if (rule->update(options, u)) return;
    u->places = NULL;
  }
  step_turns(rule, options, u, list, places, base);
}
