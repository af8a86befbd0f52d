/* Clocks by cohorts: elements join and split where locks change; steps are counted per cohort. */
#include "slots/step_count.h"

#include <string.h>

#include "core/memory.h"

enum { FREE = 0, LOCKED = 1, PAGE_WORDS = GLK_PAGE / 32 };

const glk_cohort glk_clock_start[2] = {{0, FREE}, {0, LOCKED}};

/* Get memory for this number of cohorts. */
static glk_status reserve_cohorts(glk_context *context, glk_clock *clock, uint32_t count) {
  void *cohorts = clock->cohorts, *scratch = clock->scratch;
  glk_status status =
      glk_reserve(context, &cohorts, &clock->cohort_capacity, count, sizeof *clock->cohorts);
  clock->cohorts = cohorts;
  if (status != GLK_OK) return status;
  status = glk_reserve(context, &scratch, &clock->scratch_capacity, count,
                       GLK_MAX_CLOCKED * sizeof *clock->scratch);
  clock->scratch = scratch;
  return status;
}

glk_status glk_clock_init(glk_context *context, const glk_lockset *locks, const void *cohorts,
                          uint32_t cohort_count, glk_clock *out) {
  const uint32_t words = locks->word_count, pages = (words + PAGE_WORDS - 1) / PAGE_WORDS;
  void *memory;
  GLK_TRY(glk_allocate(context, cohort_count, sizeof *out->cohorts, &memory));
  if (cohort_count) memcpy(memory, cohorts, cohort_count * sizeof *out->cohorts);
  *out = (glk_clock){.element_count = words * 32,
                     .word_count = words,
                     .page_count = pages,
                     .cohorts = memory,
                     .cohort_count = cohort_count,
                     .cohort_capacity = cohort_count};
  return GLK_OK;
}

void glk_clock_free(glk_context *context, glk_clock *clock) {
  for (uint32_t p = 0; clock->pages && p < clock->page_count; p++) {
    glk_release(context, clock->pages[p].members, glk_clock_page_elements(clock, p),
                sizeof(uint32_t));
  }
  glk_release(context, clock->pages, clock->page_count, sizeof *clock->pages);
  glk_release(context, clock->words, clock->word_count, sizeof *clock->words);
  glk_release(context, clock->cohorts, clock->cohort_capacity, sizeof *clock->cohorts);
  glk_release(context, clock->scratch, clock->scratch_capacity,
              GLK_MAX_CLOCKED * sizeof *clock->scratch);
}

/* --------------------------------------------------------------------------------- what changed */

/* A word of locks of which only the padding is locked. */
static uint32_t free_word(const glk_lockset *locks, uint32_t w) {
  const uint32_t padding = locks->word_count * 32 - locks->shape.count;
  return w + 1 == locks->word_count && padding ? ~(uint32_t)0 << (32 - padding) : 0;
}

/* A word of the locks as last seen; before any lock was seen, all but the padding was free. */
static uint32_t seen_word(const glk_clock *clock, const glk_lockset *locks, uint32_t w) {
  return clock->words ? clock->words[w] : free_word(locks, w);
}

static int saw_all_free(const glk_clock *clock, const glk_lockset *locks) {
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (seen_word(clock, locks, w) != free_word(locks, w)) return 0;
  }
  return 1;
}

static int is_changed(const glk_clock *clock, const glk_lockset *locks) {
  if (clock->version == locks->version) return 0;
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (seen_word(clock, locks, w) != locks->words[w]) return 1;
  }
  return 0;
}

/* Two counts still say it all after a change: nothing was ever locked, or the counts are equal and
 * stay so. */
static int stays_simple(const glk_clock *clock, const glk_lockset *locks, int reset) {
  if (clock->pages) return 0;
  const uint32_t steps = clock->cohorts[FREE].steps;
  if (clock->words && steps != clock->cohorts[LOCKED].steps) return 0;
  return !(reset && steps) || saw_all_free(clock, locks);
}

/* True if elements that were locked and elements that were free will be free together, or locked
 * together. They might have taken equally many steps, but hardly ever have. */
static int comes_apart(const glk_clock *clock, const glk_lockset *locks, uint32_t page) {
  const uint32_t first = page * PAGE_WORDS, count = glk_clock_page_elements(clock, page) / 32;
  uint32_t free[2] = {0, 0}, locked[2] = {0, 0}; /* of such that were free, that were locked */
  for (uint32_t w = first; w < first + count; w++) {
    const uint32_t was = clock->words[w], is = locks->words[w];
    free[0] |= ~was & ~is;
    free[1] |= was & ~is;
    locked[0] |= ~was & is;
    locked[1] |= was & is;
  }
  return (free[0] && free[1]) || (locked[0] && locked[1]);
}

/* ---------------------------------------------------------------------------------------- pages */

glk_status glk_clock_add_pages(glk_context *context, glk_clock *clock) {
  void *memory;
  GLK_TRY(reserve_cohorts(context, clock, clock->cohort_count));
  GLK_TRY(glk_allocate(context, clock->page_count, sizeof *clock->pages, &memory));
  clock->pages = memory;
  for (uint32_t p = 0; p < clock->page_count; p++) clock->pages[p].cohort[LOCKED] = LOCKED;
  return GLK_OK;
}

glk_status glk_clock_add_members(glk_context *context, glk_clock *clock, uint32_t page) {
  const uint32_t count = glk_clock_page_elements(clock, page);
  void *memory;
  GLK_TRY(glk_allocate(context, count, sizeof(uint32_t), &memory));
  for (uint32_t w = 0; w < count / 32; w++) {
    glk_clock_read(clock, page * PAGE_WORDS + w, (uint32_t *)memory + 32 * w);
  }
  clock->pages[page] = (glk_clock_page){{GLK_APART, GLK_APART}, memory};
  return GLK_OK;
}

glk_status glk_clock_reserve(glk_context *context, glk_clock *clock, const glk_lockset *locks,
                             int reset) {
  if (!is_changed(clock, locks)) return GLK_OK;
  void *memory;
  if (!stays_simple(clock, locks, reset)) {
    /* A change can split each cohort in two, and the new ones are added after the old ones. */
    GLK_TRY(reserve_cohorts(context, clock, 3 * clock->cohort_count));
    if (!clock->pages) GLK_TRY(glk_clock_add_pages(context, clock));
    for (uint32_t p = 0; p < clock->page_count; p++) {
      if (clock->pages[p].members || !comes_apart(clock, locks, p)) continue;
      GLK_TRY(glk_clock_add_members(context, clock, p));
    }
  }
  if (!clock->words) {
    GLK_TRY(glk_allocate(context, clock->word_count, sizeof(uint32_t), &memory));
    uint32_t *words = memory;
    for (uint32_t w = 0; w < clock->word_count; w++) words[w] = seen_word(clock, locks, w);
    /* Nothing was locked, so the count of the locked is free to mean the same as the others'. */
    clock->cohorts[LOCKED].steps = clock->cohorts[FREE].steps;
    clock->words = words;
  }
  return GLK_OK;
}

/* -------------------------------------------------------------------------------------- changes */

/* The new cohort (steps, is_locked), made if it is new; new cohorts come after the `old` ones and
 * are numbered from 0. `table` has room for 4 old numbers, hashed by (steps, is_locked): twice as
 * many as there can be. */
static uint32_t find_cohort(glk_clock *clock, uint32_t old, uint32_t *table, uint32_t steps,
                            uint32_t is_locked) {
  const glk_cohort *made = clock->cohorts + old;
  uint32_t slot = (2 * steps + is_locked) * 2654435761u % (4 * old);
  while (table[slot] != UINT32_MAX) {
    const glk_cohort *c = &made[table[slot]];
    if (c->steps == steps && c->is_locked == is_locked) return table[slot];
    slot = (slot + 1) % (4 * old);
  }
  clock->cohorts[clock->cohort_count] = (glk_cohort){steps, is_locked};
  return table[slot] = clock->cohort_count++ - old;
}

/* Every element moves to the cohort of its count and its new state. map[2 from + is_locked] is
 * where, once known. */
static void split_cohorts(glk_clock *clock, const glk_lockset *locks, int reset) {
  const uint32_t old = clock->cohort_count;
  uint32_t *map = (uint32_t *)clock->scratch;
  memset(map, 0xff, 6 * old * sizeof *map);
  for (uint32_t p = 0; p < clock->page_count; p++) {
    glk_clock_page *page = &clock->pages[p];
    const uint32_t count = glk_clock_page_elements(clock, p);
    uint32_t shared[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t w = p * PAGE_WORDS + i / 32, was_locked = clock->words[w] >> (i % 32) & 1;
      const uint32_t is_locked = locks->words[w] >> (i % 32) & 1;
      const uint32_t from = page->members ? page->members[i] : page->cohort[was_locked];
      uint32_t *to = &map[2 * from + is_locked];
      if (*to == UINT32_MAX) {
        const uint32_t steps = reset && was_locked && !is_locked ? 0 : clock->cohorts[from].steps;
        *to = find_cohort(clock, old, map + 2 * old, steps, is_locked);
      }
      *(page->members ? &page->members[i] : &shared[is_locked]) = *to;
    }
    if (!page->members) memcpy(page->cohort, shared, sizeof shared);
  }
  clock->cohort_count -= old;
  memmove(clock->cohorts, clock->cohorts + old, clock->cohort_count * sizeof *clock->cohorts);
  memset(map, 0, 6 * old * sizeof *map); /* as coefficients these would be slow */
}

void glk_clock_sync_locks(glk_clock *clock, const glk_lockset *locks, int reset) {
  if (is_changed(clock, locks)) {
    if (clock->pages) split_cohorts(clock, locks, reset);
    memcpy(clock->words, locks->words, clock->word_count * sizeof(uint32_t));
  }
  clock->version = locks->version;
}

void glk_clock_tick(glk_clock *clock) {
  for (uint32_t k = 0; k < clock->cohort_count; k++) {
    if (!clock->cohorts[k].is_locked) clock->cohorts[k].steps++;
  }
}

uint32_t glk_clock_free_cohort(const glk_clock *clock) {
  uint32_t found = clock->cohort_count;
  for (uint32_t k = 0; k < clock->cohort_count; k++) {
    if (clock->cohorts[k].is_locked) continue;
    if (found != clock->cohort_count) return clock->cohort_count;
    found = k;
  }
  return found;
}

void glk_clock_read(const glk_clock *clock, uint32_t word, uint32_t *cohort) {
  static const glk_clock_page simple = {{FREE, LOCKED}, NULL};
  const glk_clock_page *page = clock->pages ? &clock->pages[word / PAGE_WORDS] : &simple;
  const uint32_t seen = clock->words ? clock->words[word] : 0;
  for (uint32_t i = 0; i < 32; i++) cohort[i] = page->cohort[seen >> i & 1];
  if (page->members) memcpy(cohort, page->members + 32 * (word % PAGE_WORDS), 32 * sizeof *cohort);
}

int glk_clock_is_sound(const glk_clock *clock) {
  const glk_cohort *cohorts = clock->cohorts;
  if (!clock->pages) {
    return clock->cohort_count == 2 && cohorts[FREE].is_locked == 0 &&
           cohorts[LOCKED].is_locked == 1;
  }
  for (uint32_t w = 0; w < clock->word_count; w++) {
    uint32_t cohort[32];
    glk_clock_read(clock, w, cohort);
    for (uint32_t i = 0; i < 32; i++) {
      const uint32_t is_locked = clock->words[w] >> i & 1;
      if (cohort[i] >= clock->cohort_count || cohorts[cohort[i]].is_locked != is_locked) return 0;
    }
  }
  return 1;
}
