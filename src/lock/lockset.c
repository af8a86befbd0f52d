#include "lock/lockset.h"

#include <string.h>

#include "core/memory.h"
#include "lock/audit.h"
#include "lock/holders.h"
#include "lock/variable.h"

glk_status glk_lockset_init(glk_context *context, const glk_shape *shape, glk_lockset *out) {
  void *words;
  const uint32_t word_count = (shape->count + 31) / 32;
  GLK_TRY(glk_allocate(context, word_count, sizeof(uint32_t), &words));
  *out = (glk_lockset){*shape, words, word_count, 0, 0, NULL, NULL};
  glk_lockset_changed(context, out);
  return GLK_OK;
}

void glk_lockset_free(glk_context *context, glk_lockset *set) {
  glk_release(context, set->words, set->word_count, sizeof(uint32_t));
}

void glk_lockset_pad(const glk_shape *shape, uint32_t *words) {
  if (shape->count % 32) words[shape->count / 32] |= ~(uint32_t)0 << (shape->count % 32);
}

void glk_lockset_changed(glk_context *context, glk_lockset *set) {
  glk_lockset_pad(&set->shape, set->words);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < set->word_count; i++)
    bits += (uint32_t)__builtin_popcount(set->words[i]);
  set->locked = bits - (set->word_count * 32 - set->shape.count);
  set->version = ++context->lock_version;
  if (set->audit) glk_audit_follow(set);
  if (set->holders && set->holders->effective != set) glk_holders_merge(context, set->holders);
}

glk_lockset *glk_lockset_own(glk_lockset *set) {
  return set->holders && set->holders->effective == set ? &set->holders->own : set;
}

static void destroy_locks(glk_context *context, glk_object *object) {
  glk_locks *locks = (glk_locks *)object;
  glk_lockset_free(context, &locks->set);
  glk_release(context, locks, 1, sizeof *locks);
}

glk_status glk_locks_make(glk_context *context, const glk_shape *shape, const glk_lockset *source,
                          glk_handle *out) {
  void *memory;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_locks), &memory));
  glk_locks *locks = memory;
  locks->object = (glk_object){GLK_KIND_LOCKS, 1, 0, destroy_locks};
  const glk_status status = glk_lockset_init(context, shape, &locks->set);
  if (status != GLK_OK) {
    glk_release(context, memory, 1, sizeof *locks);
    return status;
  }
  if (source) {
    memcpy(locks->set.words, source->words, source->word_count * sizeof(uint32_t));
    glk_lockset_changed(context, &locks->set);
  }
  const glk_status published = glk_publish(context, &locks->object, out);
  if (published != GLK_OK) glk_drop(context, &locks->object);
  return published;
}

glk_status glk_locks_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                            glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  glk_shape shape;
  GLK_TRY(glk_shape_make(context, "a lock set", rank, dims, &shape));
  return glk_locks_make(context, &shape, NULL, out);
}

glk_status glk_locks_copy(glk_context *context, glk_handle locks, glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  glk_lockset *set;
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  return glk_locks_make(context, &set->shape, set, out);
}

glk_status glk_expect_locks(const glk_context *context, glk_handle handle, const char *role,
                            glk_lockset **out) {
  glk_context *messages = (glk_context *)context; /* a failed query may still explain itself */
  glk_object *object = glk_lookup(context, handle);
  if (object && object->kind == GLK_KIND_VARIABLE) {
    *out = &((glk_variable *)object)->locks;
    return GLK_OK;
  }
  GLK_TRY(glk_expect(messages, handle, GLK_KIND_LOCKS, role, &object));
  *out = &((glk_locks *)object)->set;
  return GLK_OK;
}

/* ----------------------------------------------------------------------------------------- queries */

glk_status glk_locks_count(const glk_context *context, glk_handle locks, uint32_t *out) {
  glk_lockset *set;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  *out = set->locked;
  return GLK_OK;
}

glk_status glk_locks_version(const glk_context *context, glk_handle locks, uint32_t *out) {
  glk_lockset *set;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  *out = set->version;
  return GLK_OK;
}

glk_status glk_locks_test(const glk_context *context, glk_handle locks, uint32_t index, int *out) {
  glk_lockset *set;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  if (index >= set->shape.count) {
    return glk_fail((glk_context *)context, GLK_ERROR_INDEX, "index %u is outside of shape %S",
                    index, &set->shape);
  }
  *out = glk_lockset_has(set, index);
  return GLK_OK;
}

glk_status glk_locks_next(const glk_context *context, glk_handle locks, uint32_t from,
                          uint32_t *out) {
  glk_lockset *set;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  const uint32_t count = set->shape.count;
  uint32_t found = count;
  for (uint32_t w = from / 32; w < set->word_count; w++) {
    uint32_t word = set->words[w];
    if (w == from / 32) word &= ~(uint32_t)0 << (from % 32);
    if (word) {
      found = w * 32 + (uint32_t)__builtin_ctz(word);
      break;
    }
  }
  *out = found < count ? found : count; /* a bit behind the end is padding */
  return GLK_OK;
}

glk_status glk_locks_to_mask(const glk_context *context, glk_handle locks, uint8_t *out,
                             size_t count) {
  glk_lockset *set;
  GLK_REFUSE_IF(context, (!out && count));
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  GLK_TRY(glk_expect_count((glk_context *)context, &set->shape, count));
  for (uint32_t i = 0; i < count; i++) out[i] = (uint8_t)glk_lockset_has(set, i);
  return GLK_OK;
}

glk_status glk_locks_words(const glk_context *context, glk_handle locks, const uint32_t **out,
                           size_t *out_count) {
  glk_lockset *set;
  GLK_REFUSE_IF(context, !out || !out_count);
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  *out = set->words;
  *out_count = set->word_count;
  return GLK_OK;
}
