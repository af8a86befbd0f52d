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
  glk_real *kept;
} glk_audit;

/** Begin to watch values [count] behind a lock set. */
glk_status glk_audit_create(glk_context *context, const glk_lockset *set, const glk_real *values,
                            glk_audit **out);
/** NULL is allowed. */
void glk_audit_free(glk_context *context, glk_audit *audit);
/** Begin anew: what is locked now has these bits from now on. */
void glk_audit_restart(glk_audit *audit);
/** After a change of the set: keep the bits of what was locked just now. */
void glk_audit_sync_locks(glk_audit *audit);
/** After writing `count` elements from `start` on with consent: what is locked of them has these
 *  bits from now on. NULL is allowed. */
void glk_audit_accept(glk_audit *audit, size_t start, size_t count);
/** How many locked elements differ from what they held, the first of them (the element count if
 *  none), and a digest of what they held. */
uint32_t glk_audit_compare(const glk_audit *audit, uint32_t *out_first, uint64_t *out_digest);

#endif
