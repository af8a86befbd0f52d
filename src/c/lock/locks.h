/* Lock sets by handle: separate sets, and the locks of a variable. */
#ifndef GLK_LOCK_LOCKS_H
#define GLK_LOCK_LOCKS_H

#include "core/handle.h"
#include "lock/lockset.h"

/** A separate lock set, by its handle. */
typedef struct glk_locks {
  glk_object object;
  glk_lockset set;
} glk_locks;

/** A separate lock set, empty or a copy. */
glk_status glk_locks_make(glk_context *context, const glk_shape *shape, const glk_lockset *source,
                          glk_handle *out);
/** The lock set of a handle, for reading: a separate set, or a variable's. */
glk_status glk_expect_locks(const glk_context *context, glk_handle handle, const char *role,
                            glk_lockset **out);
/** The lock set of a handle, for changing: a separate set, or a variable's default holder. Locks do
 *  not change while a program is being recorded: its function would then lock at every recording
 *  and never at a replay. */
glk_status glk_expect_target(glk_context *context, glk_handle handle, glk_lockset **out);

#endif
