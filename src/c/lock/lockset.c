/* Lock sets as bits: ranges, combinations, counts; the padding after the last element is locked. */
#include "lock/lockset.h"

#include "core/memory.h"

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
  if (set->on_change) set->on_change(context, set);
}

void glk_lockset_add_range(glk_lockset *set, size_t start, size_t stop) {
  for (; start < stop && start % 32; start++) glk_lockset_add(set, start);
  for (; start + 32 <= stop; start += 32) set->words[start / 32] = ~(uint32_t)0;
  for (; start < stop; start++) glk_lockset_add(set, start);
}

glk_status glk_lockset_check(glk_context *context, const glk_lockset *set, glk_locks_op op,
                             const glk_lockset *other) {
  if (!glk_shape_equal(&set->shape, &other->shape)) {
    return glk_fail(context, GLK_ERROR_SHAPE, "lock sets of shapes %S and %S do not combine",
                    &set->shape, &other->shape);
  }
  if ((uint32_t)op <= GLK_LOCKS_XOR) return GLK_OK;
  return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no lock operation %u", (uint32_t)op);
}

void glk_lockset_combine(glk_lockset *set, glk_locks_op op, const glk_lockset *other) {
  uint32_t *a = set->words;
  const uint32_t *b = other->words;
  const uint32_t n = set->word_count;
  switch (op) {
  case GLK_LOCKS_SET:
    for (uint32_t i = 0; i < n; i++) a[i] = b[i];
    break;
  case GLK_LOCKS_OR:
    for (uint32_t i = 0; i < n; i++) a[i] |= b[i];
    break;
  case GLK_LOCKS_AND:
    for (uint32_t i = 0; i < n; i++) a[i] &= b[i];
    break;
  case GLK_LOCKS_AND_NOT:
    for (uint32_t i = 0; i < n; i++) a[i] &= ~b[i];
    break;
  case GLK_LOCKS_XOR:
    for (uint32_t i = 0; i < n; i++) a[i] ^= b[i];
    break;
  }
}
