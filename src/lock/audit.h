/* Audits (docs/laws.md, law 22): what locked elements held when they were locked, so that any way past the locks is found,
 * with its place. Costs a pointer until someone watches; then a copy of the values, and a look at the lock words at
 * every change of locks. Nothing is done in a step. */
#ifndef GLK_LOCK_AUDIT_H
#define GLK_LOCK_AUDIT_H

#include "lock/lockset.h"

typedef struct glk_audit {
  const glk_real *values; /* of the variable, whose storage stays where it is */
  uint32_t *seen;         /* [word_count] the locks as last looked at, padding too */
  glk_real *kept;         /* [count] the bits of what they hold */
} glk_audit;

/** Free what watching a lock set took, if it is watched. */
void glk_audit_free(glk_context *context, glk_lockset *set);
/** After a change of a watched set: keep the bits of what was locked just now. */
void glk_audit_follow(glk_lockset *set);
/** After writing `count` elements from `start` on with consent: what is locked of them has these bits from now on. */
void glk_audit_accept(glk_lockset *set, size_t start, size_t count);

#endif
