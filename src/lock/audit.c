/* What is kept are bits, not a digest alone: a digest can tell that something changed, but not what. */
#include "lock/audit.h"

#include <string.h>

#include "core/memory.h"
#include "lock/variable.h"

void glk_audit_free(glk_context *context, glk_lockset *set) {
  glk_audit *audit = set->audit;
  if (!audit) return;
  set->audit = NULL;
  glk_release(context, audit->seen, set->word_count, sizeof(uint32_t));
  glk_release(context, audit->kept, set->shape.count, sizeof(glk_real));
  glk_release(context, audit, 1, sizeof *audit);
}

void glk_audit_follow(glk_lockset *set) {
  glk_audit *audit = set->audit;
  for (uint32_t w = 0; w < set->word_count; w++) {
    uint32_t fresh = set->words[w] & ~audit->seen[w];
    audit->seen[w] = set->words[w];
    for (; fresh; fresh &= fresh - 1) {
      const uint32_t i = w * 32 + (uint32_t)__builtin_ctz(fresh);
      if (i < set->shape.count) memcpy(&audit->kept[i], &audit->values[i], sizeof(glk_real));
    }
  }
}

void glk_audit_accept(glk_lockset *set, size_t start, size_t count) {
  if (!set->audit) return;
  memcpy(set->audit->kept + start, set->audit->values + start, count * sizeof(glk_real));
}

glk_status glk_locks_watch(glk_context *context, glk_handle variable, int is_watched) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  void *memory, *seen, *kept;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  glk_lockset *set = &v->locks;
  if (!is_watched) {
    glk_audit_free(context, set);
    return GLK_OK;
  }
  if (set->audit) {
    memset(set->audit->seen, 0, set->word_count * sizeof(uint32_t));
    glk_audit_follow(set);
    return GLK_OK;
  }
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_audit), &memory));
  glk_status status = glk_allocate(context, set->word_count, sizeof(uint32_t), &seen);
  if (status == GLK_OK) {
    status = glk_allocate(context, set->shape.count, sizeof(glk_real), &kept);
    if (status != GLK_OK) glk_release(context, seen, set->word_count, sizeof(uint32_t));
  }
  if (status != GLK_OK) {
    glk_release(context, memory, 1, sizeof(glk_audit));
    return status;
  }
  set->audit = memory;
  *set->audit = (glk_audit){v->tensor.storage->values, seen, kept};
  glk_audit_follow(set);
  return GLK_OK;
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 1099511628211u; /* FNV-1a */
  return hash;
}

glk_status glk_locks_audit(glk_context *context, glk_handle variable, uint32_t *out_changed,
                           uint32_t *out_first, uint64_t *out_digest) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  const glk_lockset *set = &v->locks;
  const glk_audit *audit = set->audit;
  if (!audit) {
    return glk_fail(context, GLK_ERROR_ARGUMENT,
                    "variable '%s' is not watched: what its locked elements held is not known",
                    v->name);
  }
  uint32_t changed = 0, first = set->shape.count;
  uint64_t digest = 14695981039346656037u;
  for (uint32_t i = 0; i < set->shape.count; i++) {
    if (!glk_lockset_has(set, i)) continue;
    digest = mix(mix(digest, &i, sizeof i), &audit->kept[i], sizeof(glk_real));
    if (!memcmp(&audit->kept[i], &audit->values[i], sizeof(glk_real))) continue;
    if (!changed++) first = i;
  }
  if (out_changed) *out_changed = changed;
  if (out_first) *out_first = first;
  if (out_digest) *out_digest = digest;
  return GLK_OK;
}
