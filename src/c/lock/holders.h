/* Holders (docs/laws.md, law 20): named lock sets of one variable, each with its own owner. An
 * element is locked if any of them locks it.
 *
 * A variable with only the default holder has no glk_holders at all. */
#ifndef GLK_LOCK_HOLDERS_H
#define GLK_LOCK_HOLDERS_H

#include "lock/lockset.h"

#define GLK_NAME_BYTES 64

/** A stage of a timetable: the holder's locks from that step on. */
typedef struct glk_stage {
  uint32_t step;
  uint32_t *words;
} glk_stage;

typedef struct glk_holder {
  char name[GLK_NAME_BYTES];
  glk_lockset set;
  /** The object that set these locks and may clear them, such as a solver with bounds; 0: none. */
  glk_handle owner;
  /* The policy that changes the holder during training, see lock/policy.h. */
  /** [word_count] The policy's next selection or, while is_applied, the locks before it; NULL
   *  without a policy. */
  uint32_t *next;
  /** 1: the policy was applied for a step that has not succeeded yet. */
  int is_applied;
  glk_policy policy;
  /** [stage_count] Stages of a timetable; NULL: the policy selects by its choice. */
  glk_stage *stages;
  uint32_t stage_count;
  /** The number of training steps under the policy. */
  uint32_t steps;
} glk_holder;

typedef struct glk_holders {
  /** The holder without a name. */
  glk_lockset default_holder;
  /** The variable's locks: elements that any holder locks. */
  glk_lockset *locks;
  glk_holder *items;
  uint32_t count, capacity;
} glk_holders;

/** Free holders with their locks and policies. NULL is allowed. */
void glk_holders_free(glk_context *context, glk_holders *holders);
/** Make `locks` the union of these holders, also after later changes. Cannot fail. */
void glk_holders_bind(glk_context *context, glk_holders *holders, glk_lockset *locks);

/** GLK_ERROR_ARGUMENT unless `name` has 1 to 63 bytes. */
glk_status glk_holder_check_name(glk_context *context, const char *name);
/** The holder with that name, or NULL. `holders` NULL is allowed. */
glk_holder *glk_holder_find(const glk_holders *holders, const char *name);
/** The holder with that name. If missing, creates it, and `*holders` for the variable's `locks`. If
 *  a later call fails, glk_holder_drop_unused removes a new, empty holder. */
glk_status glk_holder_make(glk_context *context, glk_holders **holders, glk_lockset *locks,
                           const char *name, glk_holder **out);
/** Set `out` to the union of all holders except the one with that name, which need not exist.
 *  holders    NULL: the variable has only the default holder, whose set is `locks`
 *  locks      the variable's locks */
void glk_holders_others(glk_context *context, const glk_holders *holders, const glk_lockset *locks,
                        const char *name, glk_lockset *out);
/** Remove a holder that locks nothing and has no policy. */
void glk_holder_drop_unused(glk_context *context, glk_holders *holders, glk_holder *holder);
/** Free a holder's policy; the holder keeps its locks. */
void glk_holder_clear_policy(glk_context *context, glk_holder *holder);

#endif
