/* Audits (docs/laws.md, law 22): the values of elements when they were locked. An audit finds any
 * write past the locks, with its index. Without an audit this costs a pointer. With one, it costs a
 * copy of the values and a comparison of lock words at every change of locks; a step costs
 * nothing. */
#ifndef GLK_LOCK_AUDIT_H
#define GLK_LOCK_AUDIT_H

#include "lock/lockset.h"

typedef struct glk_audit {
  const glk_lockset *set;
  /** [count] The values that the set locks; neither moves. */
  const glk_real *values;
  /** [word_count] The locks as last seen, padding included. */
  uint32_t *seen;
  /** [count] Bits of the locked values. */
  glk_real *saved;
} glk_audit;

/** Begin to audit values [count] of a lock set. */
glk_status glk_audit_create(glk_context *context, const glk_lockset *set, const glk_real *values,
                            glk_audit **out);
/** NULL is allowed. */
void glk_audit_free(glk_context *context, glk_audit *audit);
/** Restart: elements that are locked now have these bits from now on. */
void glk_audit_restart(glk_audit *audit);
/** After a change of the set: save the bits of newly locked elements. */
void glk_audit_sync_locks(glk_audit *audit);
/** After an allowed write of `count` elements from `start` on: the locked ones among them have
 *  these bits from now on. NULL is allowed. */
void glk_audit_accept(glk_audit *audit, size_t start, size_t count);
/** Return the number of locked elements that differ from the saved values, the first of them (the
 *  element count if none), and a digest of the saved values. */
uint32_t glk_audit_compare(const glk_audit *audit, uint32_t *out_first, uint64_t *out_digest);

#endif
