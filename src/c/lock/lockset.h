/* Lock sets: one bit per element, 1 = locked, padded with ones to whole words.
 *
 * This is set arithmetic only. Variables (assignment) and update kernels (training), which write
 * values, obey the locks. Others learn of a change through `on_change`. Only glk_lockset_init
 * allocates. */
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
  /** Called after every change; may be NULL. */
  void (*on_change)(glk_context *context, glk_lockset *set);
  /** For on_change to use. */
  void *owner;
};

/** Create a set with only the padding locked. Does not call on_change. */
glk_status glk_lockset_init(glk_context *context, const glk_shape *shape, glk_lockset *out);
void glk_lockset_free(glk_context *context, glk_lockset *set);

/** Call this after writing words: it counts, restores the padding, increases the version and calls
 *  on_change. */
void glk_lockset_changed(glk_context *context, glk_lockset *set);
/** Set the bits after the last element. */
void glk_lockset_pad(const glk_shape *shape, uint32_t *words);
/** Lock start..stop - 1. This writes words only: call glk_lockset_changed next. */
void glk_lockset_add_range(glk_lockset *set, size_t start, size_t stop);
/** Check the arguments of glk_lockset_combine: the operation exists and the shapes are equal. */
glk_status glk_lockset_check(glk_context *context, const glk_lockset *set, glk_locks_op op,
                             const glk_lockset *other);
/** set = set op other. This writes words only: call glk_lockset_changed next. */
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
