/* Clocks by cohorts: elements join and split where locks change; steps are counted per cohort. */
#include "optim/clock.h"

#include <string.h>

#include "core/memory.h"

enum { FREE = 0, LOCKED = 1 };

/* The three arrays of one entry a cohort, larger, with what the old ones held; all or none. */
static glk_status grow_cohorts(glk_context *context, glk_clock *clock, uint32_t capacity) {
  const uint32_t old = clock->cohort_capacity;
  void *cohorts, *map = NULL, *coefficient = NULL;
  GLK_TRY(glk_allocate(context, capacity, sizeof *clock->cohorts, &cohorts));
  glk_status status = glk_allocate(context, (size_t)2 * capacity, sizeof *clock->map, &map);
  if (status == GLK_OK) {
    status = glk_allocate(context, (size_t)GLK_MAX_CLOCKED * capacity, sizeof *clock->coefficient,
                          &coefficient);
  }
  if (status != GLK_OK) {
    glk_release(context, cohorts, capacity, sizeof *clock->cohorts);
    glk_release(context, map, (size_t)2 * capacity, sizeof *clock->map);
    return status;
  }
  if (old) memcpy(cohorts, clock->cohorts, old * sizeof *clock->cohorts);
  glk_release(context, clock->cohorts, old, sizeof *clock->cohorts);
  glk_release(context, clock->map, (size_t)2 * old, sizeof *clock->map);
  glk_release(context, clock->coefficient, (size_t)GLK_MAX_CLOCKED * old,
              sizeof *clock->coefficient);
  clock->cohorts = cohorts;
  clock->map = map;
  clock->coefficient = coefficient;
  clock->cohort_capacity = capacity;
  return GLK_OK;
}

glk_status glk_clock_init(glk_context *context, const glk_lockset *locks, glk_clock *out) {
  glk_clock clock = {.element_count = locks->word_count * 32, .word_count = locks->word_count};
  GLK_TRY(grow_cohorts(context, &clock, 2));
  clock.cohort_count = 2;
  clock.cohorts[LOCKED].is_locked = 1;
  *out = clock;
  return GLK_OK;
}

void glk_clock_free(glk_context *context, glk_clock *clock) {
  glk_release(context, clock->words, clock->word_count, sizeof *clock->words);
  glk_release(context, clock->cohort, clock->element_count, sizeof *clock->cohort);
  glk_release(context, clock->cohorts, clock->cohort_capacity, sizeof *clock->cohorts);
  glk_release(context, clock->map, (size_t)2 * clock->cohort_capacity, sizeof *clock->map);
  glk_release(context, clock->coefficient, (size_t)GLK_MAX_CLOCKED * clock->cohort_capacity,
              sizeof *clock->coefficient);
}

/* A word of the locks as last seen; before any lock was seen, all but the padding was free. */
static uint32_t seen_word(const glk_clock *clock, const glk_lockset *locks, uint32_t w) {
  if (clock->words) return clock->words[w];
  const uint32_t padding = locks->word_count * 32 - locks->shape.count;
  return w + 1 == locks->word_count && padding ? ~(uint32_t)0 << (32 - padding) : 0;
}

static int is_changed(const glk_clock *clock, const glk_lockset *locks) {
  if (clock->version == locks->version) return 0;
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (seen_word(clock, locks, w) != locks->words[w]) return 1;
  }
  return 0;
}

int glk_clock_is_freeing(const glk_clock *clock, const glk_lockset *locks) {
  if (clock->version == locks->version) return 0;
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (seen_word(clock, locks, w) & ~locks->words[w]) return 1;
  }
  return 0;
}

/* Two counts still say it all after a change: nothing was ever locked, or the counts are equal and
 * stay so. */
static int stays_simple(const glk_clock *clock, int reset) {
  if (clock->cohort) return 0;
  const uint32_t steps = clock->cohorts[FREE].steps;
  return !clock->words || (steps == clock->cohorts[LOCKED].steps && !(reset && steps));
}

glk_status glk_clock_reserve(glk_context *context, glk_clock *clock, const glk_lockset *locks,
                             int reset) {
  if (!is_changed(clock, locks)) return GLK_OK;
  void *memory;
  if (!stays_simple(clock, reset)) {
    /* A change can split each cohort in two, and the new ones are made behind the old. */
    const uint32_t needed = 3 * clock->cohort_count;
    const uint32_t twice = 2 * clock->cohort_capacity;
    if (needed > clock->cohort_capacity) {
      GLK_TRY(grow_cohorts(context, clock, needed > twice ? needed : twice));
    }
    if (!clock->cohort) {
      GLK_TRY(glk_allocate(context, clock->element_count, sizeof(uint32_t), &memory));
      clock->cohort = memory; /* the same counts, said per element */
      for (uint32_t i = 0; i < clock->element_count; i++) {
        clock->cohort[i] = seen_word(clock, locks, i / 32) >> (i % 32) & 1;
      }
    }
  }
  if (!clock->words) {
    GLK_TRY(glk_allocate(context, clock->word_count, sizeof(uint32_t), &memory));
    uint32_t *words = memory;
    for (uint32_t w = 0; w < clock->word_count; w++) words[w] = seen_word(clock, locks, w);
    /* Nothing was locked, so the count of the locked is free to mean the same as the others'. */
    if (!clock->cohort) clock->cohorts[LOCKED].steps = clock->cohorts[FREE].steps;
    clock->words = words;
  }
  return GLK_OK;
}

/* The new cohort (steps, is_locked), made if it is new; new cohorts stand behind the `old` ones and
 * are numbered from 0. `table` has room for 4 old numbers, hashed by what they stand for: twice as
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
  uint32_t *table = clock->map + 2 * old;
  memset(clock->map, 0xff, 6 * old * sizeof *clock->map);
  for (uint32_t i = 0; i < clock->element_count; i++) {
    const uint32_t from = clock->cohort[i];
    const uint32_t is_locked = locks->words[i / 32] >> (i % 32) & 1;
    uint32_t *to = &clock->map[2 * from + is_locked];
    if (*to == UINT32_MAX) {
      const int restarts = reset && clock->cohorts[from].is_locked && !is_locked;
      const uint32_t steps = restarts ? 0 : clock->cohorts[from].steps;
      *to = find_cohort(clock, old, table, steps, is_locked);
    }
    clock->cohort[i] = *to;
  }
  clock->cohort_count -= old;
  memmove(clock->cohorts, clock->cohorts + old, clock->cohort_count * sizeof *clock->cohorts);
}

void glk_clock_sync_locks(glk_clock *clock, const glk_lockset *locks, int reset) {
  if (is_changed(clock, locks)) {
    if (clock->cohort) split_cohorts(clock, locks, reset);
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

uint32_t glk_clock_read(const glk_clock *clock, uint32_t index) {
  if (clock->cohort) return clock->cohorts[clock->cohort[index]].steps;
  const int is_locked = clock->words && (clock->words[index / 32] >> (index % 32) & 1);
  return clock->cohorts[is_locked ? LOCKED : FREE].steps;
}

glk_status glk_clock_restore(glk_context *context, const glk_lockset *locks, const void *cohorts,
                             uint32_t cohort_count, const void *words, const void *cohort,
                             glk_clock *out) {
  void *memory;
  *out = (glk_clock){.element_count = locks->word_count * 32, .word_count = locks->word_count};
  GLK_TRY(grow_cohorts(context, out, cohort_count < 2 ? 2 : cohort_count));
  out->cohort_count = cohort_count;
  if (cohort_count) memcpy(out->cohorts, cohorts, cohort_count * sizeof *out->cohorts);
  if (words) {
    GLK_TRY(glk_allocate(context, out->word_count, sizeof *out->words, &memory));
    memcpy(memory, words, out->word_count * sizeof *out->words);
    out->words = memory;
  }
  if (cohort) {
    GLK_TRY(glk_allocate(context, out->element_count, sizeof *out->cohort, &memory));
    memcpy(memory, cohort, out->element_count * sizeof *out->cohort);
    out->cohort = memory;
  }
  return GLK_OK;
}

int glk_clock_is_sound(const glk_clock *clock) {
  for (uint32_t k = 0; k < clock->cohort_count; k++) {
    if (clock->cohorts[k].is_locked > 1) return 0;
  }
  if (!clock->cohort) {
    return clock->cohort_count == 2 && !clock->cohorts[FREE].is_locked &&
           clock->cohorts[LOCKED].is_locked;
  }
  for (uint32_t i = 0; i < clock->element_count; i++) {
    const uint32_t bit = clock->words[i / 32] >> (i % 32) & 1;
    if (clock->cohort[i] >= clock->cohort_count) return 0;
    if (clock->cohorts[clock->cohort[i]].is_locked != bit) return 0;
  }
  return 1;
}
