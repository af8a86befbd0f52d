/* Lock sets: one bit per element, 1 = locked, padded with ones to whole words.
 *
 * This is set arithmetic only. What a lock means is the business of whoever writes values: variables (assignment) and
 * update kernels (training). Nothing here allocates but glk_lockset_init. */
#ifndef GLK_LOCK_LOCKSET_H
#define GLK_LOCK_LOCKSET_H

#include "core/handle.h"
#include "core/shape.h"

typedef struct glk_lockset {
  glk_shape shape;
  uint32_t *words; /* [word_count] */
  uint32_t word_count;
  uint32_t locked;  /* elements, padding not counted */
  uint32_t version; /* of the last change, see glk_context.lock_version */
} glk_lockset;

/** A lock set of its own, behind a handle. */
typedef struct glk_locks {
  glk_object object;
  glk_lockset set;
} glk_locks;

/** Nothing locked but the padding. */
glk_status glk_lockset_init(glk_context *context, const glk_shape *shape, glk_lockset *out);
void glk_lockset_free(glk_context *context, glk_lockset *set);

/** Call after writing words: counts, restores the padding, moves the version on. */
void glk_lockset_changed(glk_context *context, glk_lockset *set);

static inline int glk_lockset_has(const glk_lockset *set, uint32_t index) {
  return set->words[index / 32] >> (index % 32) & 1;
}

static inline int glk_lockset_is_full(const glk_lockset *set) {
  return set->locked == set->shape.count;
}

/** The lock set behind a handle: its own, or a variable's. */
glk_status glk_expect_locks(const glk_context *context, glk_handle handle, const char *role,
                            glk_lockset **out);

#endif
