/* A variable's part of an archive: name, shape, values, and locks with their holders and policies.
 * Reading creates new objects; the variable changes only after everything was read. */
#ifndef GLK_LOCK_HOLDERS_STATE_H
#define GLK_LOCK_HOLDERS_STATE_H

#include "core/archive.h"
#include "lock/variable.h"

typedef struct glk_holders_state {
  glk_variable *variable;
  /** The values in the bytes, at any alignment. */
  const void *values;
  glk_lockset default_holder;
  /** Named holders; NULL: none. */
  glk_holders *holders;
} glk_holders_state;

/** Room for variables, each of which may be named once. */
glk_status glk_holders_state_create(glk_context *context, const glk_handle *variables,
                                    uint32_t count, glk_holders_state **out);
/** Free the memory and, with `is_read`, objects from reading that were not used. */
void glk_holders_state_free(glk_context *context, glk_holders_state *saved, uint32_t count,
                            int is_read);

void glk_holders_state_walk(glk_archive *archive, glk_holders_state *saved);
/** How many elements are free by the locks that were read.
 *  without  a holder whose locks do not count; NULL: all do */
uint32_t glk_holders_state_free_elements(const glk_holders_state *saved, const char *without);
/** Move the data that was read to the variable. Cannot fail. */
void glk_holders_state_commit(glk_context *context, glk_holders_state *saved);

#endif
