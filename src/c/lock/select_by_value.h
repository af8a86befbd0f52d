/* Selections of elements by value or by chance instead of by index. Nothing here allocates. */
#ifndef GLK_LOCK_SELECT_BY_VALUE_H
#define GLK_LOCK_SELECT_BY_VALUE_H

#include "gradlock.h"

/** Elements to choose among, and where their bits are. */
typedef struct glk_candidates {
  /** [count]; NULL is allowed for a random choice. */
  const glk_real *values;
  uint32_t count;
  uint32_t *words;
} glk_candidates;

/** Return GLK_ERROR_OPTION if the choice does not fit this number of elements. */
glk_status glk_choice_check(glk_context *context, const glk_choice *choice, uint32_t count);
static inline int glk_choice_is_random(const glk_choice *choice) {
  return choice->kind == GLK_CHOICE_RANDOM;
}
/** Set the bits of the chosen ones of all elements of the parts, in their order, as if they were
 *  one. There are fewer than 2^32. */
void glk_choice_add(const glk_choice *choice, const glk_candidates *parts, uint32_t part_count);

#endif
