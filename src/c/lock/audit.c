/* Audits of locked elements against copies of their values. Copies rather than a digest alone,
 * which could show that something changed but not which element. */
#include "lock/audit.h"

#include <string.h>

#include "core/memory.h"

glk_status glk_audit_create(glk_context *context, const glk_lockset *set, const glk_real *values,
                            glk_audit **out) {
  glk_audit *audit;
  GLK_TRY(glk_allocate(context, 1, sizeof *audit, &audit));
  audit->set = set;
  audit->values = values;
  glk_status status = glk_allocate(context, set->word_count, sizeof(uint32_t), &audit->seen);
  if (status == GLK_OK) {
    status = glk_allocate(context, set->shape.count, sizeof(glk_real), &audit->saved);
  }
  if (status != GLK_OK) {
    glk_audit_free(context, audit);
    return status;
  }
  glk_audit_sync_locks(audit);
  *out = audit;
  return GLK_OK;
}

void glk_audit_free(glk_context *context, glk_audit *audit) {
  if (!audit) return;
  glk_release(context, audit->seen, audit->set->word_count, sizeof(uint32_t));
  glk_release(context, audit->saved, audit->set->shape.count, sizeof(glk_real));
  glk_release(context, audit, 1, sizeof *audit);
}

void glk_audit_restart(glk_audit *audit) {
  memset(audit->seen, 0, audit->set->word_count * sizeof(uint32_t));
  glk_audit_sync_locks(audit);
}

void glk_audit_sync_locks(glk_audit *audit) {
  const glk_lockset *set = audit->set;
  for (uint32_t w = 0; w < set->word_count; w++) {
    uint32_t fresh = set->words[w] & ~audit->seen[w];
    audit->seen[w] = set->words[w];
    for (; fresh; fresh &= fresh - 1) {
      const uint32_t i = w * 32 + (uint32_t)__builtin_ctz(fresh);
      if (i < set->shape.count) memcpy(&audit->saved[i], &audit->values[i], sizeof(glk_real));
    }
  }
}

void glk_audit_accept(glk_audit *audit, size_t start, size_t count) {
  if (audit) memcpy(audit->saved + start, audit->values + start, count * sizeof(glk_real));
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 1099511628211u; /* FNV-1a */
  return hash;
}

uint32_t glk_audit_compare(const glk_audit *audit, uint32_t *out_first, uint64_t *out_digest) {
  const glk_lockset *set = audit->set;
  uint32_t changed = 0, first = set->shape.count;
  uint64_t digest = 14695981039346656037u;
  for (uint32_t i = 0; i < set->shape.count; i++) {
    if (!glk_lockset_has(set, i)) continue;
    digest = mix(mix(digest, &i, sizeof i), &audit->saved[i], sizeof(glk_real));
    if (!memcmp(&audit->saved[i], &audit->values[i], sizeof(glk_real))) continue;
    if (!changed++) first = i;
  }
  *out_first = first;
  *out_digest = digest;
  return changed;
}
