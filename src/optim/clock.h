/* Clocks: how many steps each element of a variable has taken (docs/laws.md, law 4).
 *
 * Elements that have always been locked and freed together share a cohort and one count. While
 * locks stand still there are at most two cohorts, the free and the locked, told apart by a copy of
 * the lock words: no memory per element. Only when locks change between steps, and counts come to
 * differ, does each element carry the number of its cohort. Cohorts of equal count and equal state
 * are joined at every change, so there are at most two per distinct count.
 */
#ifndef GLK_OPTIM_CLOCK_H
#define GLK_OPTIM_CLOCK_H

#include "kernels/update.h"
#include "lock/lockset.h"

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
  /** [element_count] The cohort of each; NULL: cohort 0 is free, cohort 1 locked. */
  uint32_t *cohort;
  glk_cohort *cohorts;
  uint32_t cohort_count, cohort_capacity;
  /** [2 cohort_capacity] Scratch for a change. */
  uint32_t *map;
  /** [GLK_MAX_CLOCKED cohort_capacity] for the driver: the coefficients of each cohort's count. */
  glk_real *coefficient;
} glk_clock;

glk_status glk_clock_init(glk_context *context, const glk_lockset *locks, glk_clock *out);
void glk_clock_free(glk_context *context, glk_clock *clock);

/** A clock as its parts were saved, at any alignment: cohorts [cohort_count], words and cohort or
 *  NULL. */
glk_status glk_clock_restore(glk_context *context, const glk_lockset *locks, const void *cohorts,
                             uint32_t cohort_count, const void *words, const void *cohort,
                             glk_clock *out);
/** Whether its parts agree with each other. */
int glk_clock_is_sound(const glk_clock *clock);
/** Get the memory that glk_clock_sync_locks will need for the same arguments. No count changes. */
glk_status glk_clock_reserve(glk_context *context, glk_clock *clock, const glk_lockset *locks,
                             int reset);
/** Take note of the locks of the coming step. With `reset`, elements that were locked and are free
 *  now start at 0. Cannot fail after glk_clock_reserve. */
void glk_clock_sync_locks(glk_clock *clock, const glk_lockset *locks, int reset);
/** Whether glk_clock_sync_locks would see any element come free. */
int glk_clock_is_freeing(const glk_clock *clock, const glk_lockset *locks);
/** Count one step of every free element. */
void glk_clock_tick(glk_clock *clock);
/** The cohort that every free element belongs to; the cohort count if they differ. */
uint32_t glk_clock_free_cohort(const glk_clock *clock);
/** Steps that an element has taken. */
uint32_t glk_clock_read(const glk_clock *clock, uint32_t index);

#endif
