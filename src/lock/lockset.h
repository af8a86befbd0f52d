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
  uint32_t locked;             /* elements, padding not counted */
  uint32_t version;            /* of the last change, see glk_context.lock_version */
  struct glk_holders *holders; /* those it is one of, or made of; NULL if it stands alone */
  struct glk_audit *audit;     /* of a variable that is watched; else NULL */
} glk_lockset;

/** A lock set of its own, behind a handle. */
typedef struct glk_locks {
  glk_object object;
  glk_lockset set;
} glk_locks;

/** Nothing locked but the padding. */
glk_status glk_lockset_init(glk_context *context, const glk_shape *shape, glk_lockset *out);
void glk_lockset_free(glk_context *context, glk_lockset *set);

/** Call after writing words: counts, restores the padding, moves the version on, and the variable's with it if the set is
 *  a holder. */
void glk_lockset_changed(glk_context *context, glk_lockset *set);
/** Set the bits behind the last element. */
void glk_lockset_pad(const glk_shape *shape, uint32_t *words);
/** Lock start..stop - 1. Words only: glk_lockset_changed is to follow. */
void glk_lockset_add_range(glk_lockset *set, size_t start, size_t stop);
/** Whether glk_lockset_combine may be called: the operation is one, the shapes are equal. */
glk_status glk_lockset_check(glk_context *context, const glk_lockset *set, glk_locks_op op,
                             const glk_lockset *other);
/** Words only: glk_lockset_changed is to follow. */
void glk_lockset_combine(glk_lockset *set, glk_locks_op op, const glk_lockset *other);
/** Where changes of a set go: a variable's to its default holder. */
glk_lockset *glk_lockset_own(glk_lockset *set);

static inline int glk_lockset_has(const glk_lockset *set, uint32_t index) {
  return set->words[index / 32] >> (index % 32) & 1;
}

static inline int glk_lockset_is_full(const glk_lockset *set) {
  return set->locked == set->shape.count;
}

/** A lock set of its own, empty or a copy. */
glk_status glk_locks_make(glk_context *context, const glk_shape *shape, const glk_lockset *source,
                          glk_handle *out);
/** The lock set behind a handle: its own, or a variable's. */
glk_status glk_expect_locks(const glk_context *context, glk_handle handle, const char *role,
                            glk_lockset **out);

#endif
