/* Clocks: how many steps each element of a variable has taken (docs/laws.md, law 4).
 *
 * Elements that have always been locked and freed together share a cohort and one count. While
 * locks do not change there are at most two cohorts, the free and the locked. A copy of the lock
 * words distinguishes them, without memory per element. When locks change between steps and counts
 * differ, each page of GLK_PAGE elements has its own two cohorts. Only if its free elements, or its
 * locked ones, differ among themselves does each element store its cohort's number. Cohorts of
 * equal count and equal state are joined at every change, so there are at most two per distinct
 * count.
 */
#ifndef GLK_SLOTS_STEP_COUNT_H
#define GLK_SLOTS_STEP_COUNT_H

#include "lock/lockset.h"
#include "slots/pages.h"

typedef struct glk_cohort {
  uint32_t steps;
  uint32_t is_locked;
} glk_cohort;

typedef struct glk_clock {
  /** Elements, padded to whole lock words. */
  uint32_t element_count;
  uint32_t word_count;
  /** Version of the lock set when last seen; 0 before. */
  uint32_t version;
  /** [word_count] The lock words then; NULL: nothing was ever locked. */
  uint32_t *words;
  /** [page_count] NULL: of every element cohort 0 is free, cohort 1 locked. */
  glk_clock_page *pages;
  uint32_t page_count;
  glk_cohort *cohorts;
  uint32_t cohort_count, cohort_capacity;
  /** [GLK_MAX_CLOCKED scratch_capacity] Data of each cohort, if there are pages: its new cohort
   *  during a change of locks, its coefficients during a step. */
  glk_real *scratch;
  uint32_t scratch_capacity;
} glk_clock;

/** The first two cohorts of every clock. */
extern const glk_cohort glk_clock_start[2];

/** Create a clock that has not seen any locks, from cohorts at any alignment. */
glk_status glk_clock_init(glk_context *context, const glk_lockset *locks, const void *cohorts,
                          uint32_t cohort_count, glk_clock *out);
void glk_clock_free(glk_context *context, glk_clock *clock);

/** The number of a page's elements, padding included. */
static inline uint32_t glk_clock_page_elements(const glk_clock *clock, uint32_t page) {
  const uint32_t left = clock->element_count - page * GLK_PAGE;
  return left < GLK_PAGE ? left : GLK_PAGE;
}

/** Pages of its two cohorts, for a clock that has none. No count changes. */
glk_status glk_clock_add_pages(glk_context *context, glk_clock *clock);
/** Numbers for the elements of a page that has none. No count changes. */
glk_status glk_clock_add_members(glk_context *context, glk_clock *clock, uint32_t page);
/** True if the clock's parts agree with each other. */
int glk_clock_is_sound(const glk_clock *clock);
/** Get the memory that glk_clock_sync_locks will need for the same arguments. No count changes. */
glk_status glk_clock_reserve(glk_context *context, glk_clock *clock, const glk_lockset *locks,
                             int reset);
/** Take note of the locks of the coming step. With `reset`, elements that were locked and are free
 *  now start at 0. Cannot fail after glk_clock_reserve. */
void glk_clock_sync_locks(glk_clock *clock, const glk_lockset *locks, int reset);
/** Count one step of every free element. */
void glk_clock_tick(glk_clock *clock);
/** The cohort that every free element belongs to; the cohort count if they differ. */
uint32_t glk_clock_free_cohort(const glk_clock *clock);
/** The cohorts of a word's elements, cohort [32]. */
void glk_clock_read(const glk_clock *clock, uint32_t word, uint32_t *cohort);

#endif
