/* Choices: elements said by their values or by chance instead of by their places. Nothing here allocates. */
#ifndef GLK_LOCK_CHOOSE_H
#define GLK_LOCK_CHOOSE_H

#include "core/shape.h"

/** GLK_ERROR_OPTION if the choice asks for what a set of this shape cannot give. */
glk_status glk_choice_check(glk_context *context, const glk_choice *choice, const glk_shape *shape);
static inline int glk_choice_is_random(const glk_choice *choice) {
  return choice->choose == GLK_CHOOSE_RANDOM;
}
/** Set the bits of the chosen ones of `count` elements. `values` may be NULL for a random choice. */
void glk_choice_add(const glk_choice *choice, uint32_t count, const glk_real *values,
                    uint32_t *words);

#endif
