/* Variables: values that train, with the locks that guard them. A lock belongs to storage
 * (docs/laws.md, law 11), so a variable has both. Nothing here knows about training. */
#ifndef GLK_LOCK_VARIABLE_H
#define GLK_LOCK_VARIABLE_H

#include "core/tensor.h"
#include "lock/audit.h"
#include "lock/holders.h"

typedef struct glk_variable {
  /** The first member, so that a variable is a tensor. */
  glk_tensor tensor;
  /** The elements that any holder locks. */
  glk_lockset locks;
  /** NULL: locks are the default holder's. */
  glk_holders *holders;
  /** NULL: not watched. */
  glk_audit *audit;
  int trainable;
  /** Number of writes, by which a tape knows that the values it read are gone. */
  uint32_t writes;
  /* Its last index in an optimizer and in a program; users of these must check them. */
  uint32_t state_index, derivative;
  char name[GLK_NAME_BYTES];
} glk_variable;

glk_status glk_expect_variable(const glk_context *context, glk_handle handle, const char *role,
                               glk_variable **out);
/** The same for a member of a list, which it visits; GLK_ERROR_ARGUMENT if that is named twice. */
glk_status glk_variable_visit(const glk_context *context, glk_handle handle, const char *role,
                              uint64_t visit, glk_variable **out);
/** The holder without a name, which changes of a variable's locks go to. */
static inline glk_lockset *glk_variable_default_holder(glk_variable *variable) {
  return variable->holders ? &variable->holders->default_holder : &variable->locks;
}
/** GLK_ERROR_LOCKED if values [count] real, at any alignment, would change a bit of a locked
 *  element (law 9); equal bits are no change. */
glk_status glk_check_locked_unchanged(glk_context *context, const glk_variable *v,
                                      const void *values);
/** GLK_ERROR_LOCKED: `count` locked elements would change, element `first` from `from` to `to`. */
glk_status glk_refuse_locked(glk_context *context, const glk_variable *v, uint32_t first,
                             uint32_t count, glk_real from, glk_real to);

#endif
