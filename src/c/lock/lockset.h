/* Lock sets: one bit per element, 1 = locked, padded with ones to whole words.
 *
 * Set arithmetic only: what a lock means is the business of whoever writes values, variables
 * (assignment) and update kernels (training), and who else must know of a change says so by
 * `on_change`. Nothing here allocates but glk_lockset_init. */
#ifndef GLK_LOCK_LOCKSET_H
#define GLK_LOCK_LOCKSET_H

#include "core/context.h"
#include "core/shape.h"

typedef struct glk_lockset glk_lockset;
struct glk_lockset {
  glk_shape shape;
  /** [word_count] */
  uint32_t *words;
  uint32_t word_count;
  /** Number of locked elements, without padding. */
  uint32_t locked;
  /** Version of the last change, see glk_context.lock_version. */
  uint32_t version;
  /** Called after every change; NULL: nobody is told. */
  void (*on_change)(glk_context *context, glk_lockset *set);
  /** For on_change to use. */
  void *owner;
};

/** Nothing locked but the padding, nobody told. */
glk_status glk_lockset_init(glk_context *context, const glk_shape *shape, glk_lockset *out);
void glk_lockset_free(glk_context *context, glk_lockset *set);

/** Call after writing words: counts, restores the padding, moves the version on, and tells. */
void glk_lockset_changed(glk_context *context, glk_lockset *set);
/** Set the bits behind the last element. */
void glk_lockset_pad(const glk_shape *shape, uint32_t *words);
/** Lock start..stop - 1. Words only: glk_lockset_changed is to be called next. */
void glk_lockset_add_range(glk_lockset *set, size_t start, size_t stop);
/** Whether glk_lockset_combine may be called: the operation is one, the shapes are equal. */
glk_status glk_lockset_check(glk_context *context, const glk_lockset *set, glk_locks_op op,
                             const glk_lockset *other);
/** set = set op other. Words only: glk_lockset_changed is to be called next. */
void glk_lockset_combine(glk_lockset *set, glk_locks_op op, const glk_lockset *other);

static inline int glk_lockset_has(const glk_lockset *set, uint32_t index) {
  return set->words[index / 32] >> (index % 32) & 1;
}

/** Lock one element. Words only: glk_lockset_changed is to be called next. */
static inline void glk_lockset_add(glk_lockset *set, size_t index) {
  set->words[index / 32] |= 1u << (index % 32);
}

static inline int glk_lockset_is_full(const glk_lockset *set) {
  return set->locked == set->shape.count;
}

#endif
