/* Step counts: groups split and join where locks change. */
#include "slots/step_count.h"

#include <string.h>

#include "core/memory.h"

enum { FREE = 0, LOCKED = 1, PAGE_WORDS = GLK_PAGE / 32 };

const glk_step_group glk_step_counts_start[2] = {{0, FREE}, {0, LOCKED}};

/* Get memory for this number of groups. */
static glk_status reserve_groups(glk_context *context, glk_step_counts *counts, uint32_t count) {
  GLK_TRY(glk_reserve(context, &counts->groups, &counts->group_capacity, count,
                      sizeof *counts->groups));
  return glk_reserve(context, &counts->scratch, &counts->scratch_capacity, count,
                     GLK_MAX_BY_COUNT * sizeof *counts->scratch);
}

glk_status glk_step_counts_init(glk_context *context, const glk_lockset *locks, const void *groups,
                                uint32_t group_count, glk_step_counts *out) {
  const uint32_t words = locks->word_count, pages = (words + PAGE_WORDS - 1) / PAGE_WORDS;
  void *memory;
  GLK_TRY(glk_allocate(context, group_count, sizeof *out->groups, &memory));
  if (group_count) memcpy(memory, groups, group_count * sizeof *out->groups);
  *out = (glk_step_counts){.element_count = words * 32,
                           .word_count = words,
                           .page_count = pages,
                           .groups = memory,
                           .group_count = group_count,
                           .group_capacity = group_count};
  return GLK_OK;
}

void glk_step_counts_free(glk_context *context, glk_step_counts *counts) {
  for (uint32_t p = 0; counts->pages && p < counts->page_count; p++) {
    glk_release(context, counts->pages[p].members, glk_step_counts_page_elements(counts, p),
                sizeof(uint32_t));
  }
  glk_release(context, counts->pages, counts->page_count, sizeof *counts->pages);
  glk_release(context, counts->words, counts->word_count, sizeof *counts->words);
  glk_release(context, counts->groups, counts->group_capacity, sizeof *counts->groups);
  glk_release(context, counts->scratch, counts->scratch_capacity,
              GLK_MAX_BY_COUNT * sizeof *counts->scratch);
}

/* A word of locks of which only the padding is locked. */
static uint32_t free_word(const glk_lockset *locks, uint32_t w) {
  const uint32_t padding = locks->word_count * 32 - locks->shape.count;
  return w + 1 == locks->word_count && padding ? ~(uint32_t)0 << (32 - padding) : 0;
}

/* A word of the locks as last seen; before any lock was seen, all but the padding was free. */
static uint32_t seen_word(const glk_step_counts *counts, const glk_lockset *locks, uint32_t w) {
  return counts->words ? counts->words[w] : free_word(locks, w);
}

static int saw_all_free(const glk_step_counts *counts, const glk_lockset *locks) {
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (seen_word(counts, locks, w) != free_word(locks, w)) return 0;
  }
  return 1;
}

static int is_changed(const glk_step_counts *counts, const glk_lockset *locks) {
  if (counts->version == locks->version) return 0;
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (seen_word(counts, locks, w) != locks->words[w]) return 1;
  }
  return 0;
}

/* Two counts still say it all after a change: nothing was ever locked, or the counts are equal and
 * stay so. */
static int stays_simple(const glk_step_counts *counts, const glk_lockset *locks, int reset) {
  if (counts->pages) return 0;
  const uint32_t steps = counts->groups[FREE].steps;
  if (counts->words && steps != counts->groups[LOCKED].steps) return 0;
  return !(reset && steps) || saw_all_free(counts, locks);
}

/* True if elements that were locked and elements that were free will be free together, or locked
 * together. They might have taken equally many steps, but hardly ever have. */
static int comes_apart(const glk_step_counts *counts, const glk_lockset *locks, uint32_t page) {
  const uint32_t first = page * PAGE_WORDS,
                 count = glk_step_counts_page_elements(counts, page) / 32;
  uint32_t free[2] = {0, 0}, locked[2] = {0, 0}; /* of elements that were free, that were locked */
  for (uint32_t w = first; w < first + count; w++) {
    const uint32_t was = counts->words[w], is = locks->words[w];
    free[0] |= ~was & ~is;
    free[1] |= was & ~is;
    locked[0] |= ~was & is;
    locked[1] |= was & is;
  }
  return (free[0] && free[1]) || (locked[0] && locked[1]);
}

glk_status glk_step_counts_add_pages(glk_context *context, glk_step_counts *counts) {
  GLK_TRY(reserve_groups(context, counts, counts->group_count));
  GLK_TRY(glk_allocate(context, counts->page_count, sizeof *counts->pages, &counts->pages));
  for (uint32_t p = 0; p < counts->page_count; p++) counts->pages[p].group[LOCKED] = LOCKED;
  return GLK_OK;
}

glk_status glk_step_counts_add_members(glk_context *context, glk_step_counts *counts,
                                       uint32_t page) {
  const uint32_t count = glk_step_counts_page_elements(counts, page);
  uint32_t *members;
  GLK_TRY(glk_allocate(context, count, sizeof *members, &members));
  for (uint32_t w = 0; w < count / 32; w++) {
    glk_step_counts_read(counts, page * PAGE_WORDS + w, members + 32 * w);
  }
  counts->pages[page] = (glk_count_page){{GLK_NO_GROUP, GLK_NO_GROUP}, members};
  return GLK_OK;
}

glk_status glk_step_counts_reserve(glk_context *context, glk_step_counts *counts,
                                   const glk_lockset *locks, int reset) {
  if (!is_changed(counts, locks)) return GLK_OK;
  if (!stays_simple(counts, locks, reset)) {
    /* A change can split each group in two, and the new ones are added after the old ones. */
    GLK_TRY(reserve_groups(context, counts, 3 * counts->group_count));
    if (!counts->pages) GLK_TRY(glk_step_counts_add_pages(context, counts));
    for (uint32_t p = 0; p < counts->page_count; p++) {
      if (counts->pages[p].members || !comes_apart(counts, locks, p)) continue;
      GLK_TRY(glk_step_counts_add_members(context, counts, p));
    }
  }
  if (!counts->words) {
    uint32_t *words;
    GLK_TRY(glk_allocate(context, counts->word_count, sizeof(uint32_t), &words));
    for (uint32_t w = 0; w < counts->word_count; w++) words[w] = seen_word(counts, locks, w);
    /* Nothing was locked, so the count of the locked is free to mean the same as the others'. */
    counts->groups[LOCKED].steps = counts->groups[FREE].steps;
    counts->words = words;
  }
  return GLK_OK;
}

/* The new group (steps, is_locked), made if it is new; new groups come after the `old` ones and
 * are numbered from 0. `table` has room for 4 old numbers, hashed by (steps, is_locked): twice as
 * many as there can be. */
static uint32_t find_group(glk_step_counts *counts, uint32_t old, uint32_t *table, uint32_t steps,
                           uint32_t is_locked) {
  const glk_step_group *made = counts->groups + old;
  uint32_t slot = (2 * steps + is_locked) * 2654435761u % (4 * old);
  while (table[slot] != UINT32_MAX) {
    const glk_step_group *c = &made[table[slot]];
    if (c->steps == steps && c->is_locked == is_locked) return table[slot];
    slot = (slot + 1) % (4 * old);
  }
  counts->groups[counts->group_count] = (glk_step_group){steps, is_locked};
  return table[slot] = counts->group_count++ - old;
}

/* Every element moves to the group of its count and its new state. map[2 from + is_locked] is
 * where, once known. */
static void split_groups(glk_step_counts *counts, const glk_lockset *locks, int reset) {
  const uint32_t old = counts->group_count;
  uint32_t *map = (uint32_t *)counts->scratch;
  memset(map, 0xff, 6 * old * sizeof *map);
  for (uint32_t p = 0; p < counts->page_count; p++) {
    glk_count_page *page = &counts->pages[p];
    const uint32_t count = glk_step_counts_page_elements(counts, p);
    uint32_t shared[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t w = p * PAGE_WORDS + i / 32, was_locked = counts->words[w] >> (i % 32) & 1;
      const uint32_t is_locked = locks->words[w] >> (i % 32) & 1;
      const uint32_t from = page->members ? page->members[i] : page->group[was_locked];
      uint32_t *to = &map[2 * from + is_locked];
      if (*to == UINT32_MAX) {
        const uint32_t steps = reset && was_locked && !is_locked ? 0 : counts->groups[from].steps;
        *to = find_group(counts, old, map + 2 * old, steps, is_locked);
      }
      *(page->members ? &page->members[i] : &shared[is_locked]) = *to;
    }
    if (!page->members) memcpy(page->group, shared, sizeof shared);
  }
  counts->group_count -= old;
  memmove(counts->groups, counts->groups + old, counts->group_count * sizeof *counts->groups);
  memset(map, 0, 6 * old * sizeof *map); /* as coefficients these would be slow */
}

void glk_step_counts_sync_locks(glk_step_counts *counts, const glk_lockset *locks, int reset) {
  if (is_changed(counts, locks)) {
    if (counts->pages) split_groups(counts, locks, reset);
    memcpy(counts->words, locks->words, counts->word_count * sizeof(uint32_t));
  }
  counts->version = locks->version;
}

void glk_step_counts_tick(glk_step_counts *counts) {
  for (uint32_t k = 0; k < counts->group_count; k++) {
    if (!counts->groups[k].is_locked) counts->groups[k].steps++;
  }
}

uint32_t glk_step_counts_free_group(const glk_step_counts *counts) {
  uint32_t group = counts->group_count;
  for (uint32_t k = 0; k < counts->group_count; k++) {
    if (counts->groups[k].is_locked) continue;
    if (group != counts->group_count) return counts->group_count;
    group = k;
  }
  return group;
}

void glk_step_counts_read(const glk_step_counts *counts, uint32_t word, uint32_t *group) {
  static const glk_count_page simple = {{FREE, LOCKED}, NULL};
  const glk_count_page *page = counts->pages ? &counts->pages[word / PAGE_WORDS] : &simple;
  const uint32_t seen = counts->words ? counts->words[word] : 0;
  for (uint32_t i = 0; i < 32; i++) group[i] = page->group[seen >> i & 1];
  if (page->members) memcpy(group, page->members + 32 * (word % PAGE_WORDS), 32 * sizeof *group);
}

int glk_step_counts_is_sound(const glk_step_counts *counts) {
  const glk_step_group *groups = counts->groups;
  if (!counts->pages) {
    return counts->group_count == 2 && groups[FREE].is_locked == 0 && groups[LOCKED].is_locked == 1;
  }
  for (uint32_t w = 0; w < counts->word_count; w++) {
    uint32_t group[32];
    glk_step_counts_read(counts, w, group);
    for (uint32_t i = 0; i < 32; i++) {
      const uint32_t is_locked = counts->words[w] >> i & 1;
      if (group[i] >= counts->group_count || groups[group[i]].is_locked != is_locked) return 0;
    }
  }
  return 1;
}
