/* Step counts: how many steps each element of a variable has taken (docs/laws.md, law 4).
 *
 * Elements that have always been locked and freed together share a group and one count. While
 * locks do not change there are at most two groups, the free and the locked. A copy of the lock
 * words distinguishes them, without memory per element. When locks change between steps and counts
 * differ, each page of GLK_PAGE elements has its own two groups. Only if its free elements, or its
 * locked ones, differ among themselves does each element store its group's number. Groups of
 * equal count and equal state are joined at every change, so there are at most two per distinct
 * count.
 */
#ifndef GLK_SLOTS_STEP_COUNT_H
#define GLK_SLOTS_STEP_COUNT_H

#include "lock/lockset.h"
#include "slots/pages.h"

typedef struct glk_step_group {
  uint32_t steps;
  uint32_t is_locked;
} glk_step_group;

typedef struct glk_step_counts {
  /** Elements, padded to whole lock words. */
  uint32_t element_count;
  uint32_t word_count;
  /** Version of the lock set when last seen; 0 before. */
  uint32_t version;
  /** [word_count] The lock words then; NULL: nothing was ever locked. */
  uint32_t *words;
  /** [page_count] NULL: of every element group 0 is free, group 1 locked. */
  glk_count_page *pages;
  uint32_t page_count;
  glk_step_group *groups;
  uint32_t group_count, group_capacity;
  /** [GLK_MAX_BY_COUNT scratch_capacity] Data of each group, if there are pages: its new group
   *  during a change of locks, its coefficients during a step. */
  glk_real *scratch;
  uint32_t scratch_capacity;
} glk_step_counts;

/** The first two groups of every variable. */
extern const glk_step_group glk_step_counts_start[2];

/** Create counts that have not seen any locks, from groups at any alignment. */
glk_status glk_step_counts_init(glk_context *context, const glk_lockset *locks, const void *groups,
                                uint32_t group_count, glk_step_counts *out);
void glk_step_counts_free(glk_context *context, glk_step_counts *counts);

/** The number of a page's elements, padding included. */
static inline uint32_t glk_step_counts_page_elements(const glk_step_counts *counts, uint32_t page) {
  const uint32_t left = counts->element_count - page * GLK_PAGE;
  return left < GLK_PAGE ? left : GLK_PAGE;
}

/** Pages of its two groups, for counts that have none. No count changes. */
glk_status glk_step_counts_add_pages(glk_context *context, glk_step_counts *counts);
/** Numbers for the elements of a page that has none. No count changes. */
glk_status glk_step_counts_add_members(glk_context *context, glk_step_counts *counts,
                                       uint32_t page);
/** True if the parts of the counts agree with each other. */
int glk_step_counts_is_sound(const glk_step_counts *counts);
/** Get the memory that glk_step_counts_sync_locks will need for the same arguments. No count
 *  changes. */
glk_status glk_step_counts_reserve(glk_context *context, glk_step_counts *counts,
                                   const glk_lockset *locks, int reset);
/** Take note of the locks of the coming step. With `reset`, elements that were locked and are free
 *  now start at 0. Cannot fail after glk_step_counts_reserve. */
void glk_step_counts_sync_locks(glk_step_counts *counts, const glk_lockset *locks, int reset);
/** Count one step of every free element. */
void glk_step_counts_tick(glk_step_counts *counts);
/** The group that every free element belongs to; the group count if they differ. */
uint32_t glk_step_counts_free_group(const glk_step_counts *counts);
/** The groups of a word's elements, group [32]. */
void glk_step_counts_read(const glk_step_counts *counts, uint32_t word, uint32_t *group);

#endif
