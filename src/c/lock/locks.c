/* The public functions of lock sets: create, query and combine them; and of variables' holders and
 * audits. */
#include "lock/locks.h"

#include <string.h>

#include "core/memory.h"
#include "lock/variable.h"

static void destroy_locks(glk_context *context, glk_object *object) {
  glk_locks *locks = (glk_locks *)object;
  glk_lockset_free(context, &locks->set);
  glk_release(context, locks, 1, sizeof *locks);
}

glk_status glk_locks_make(glk_context *context, const glk_shape *shape, const glk_lockset *source,
                          glk_handle *out) {
  glk_locks *locks;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_locks), &locks));
  locks->object = (glk_object){GLK_KIND_LOCKS, 1, 0, destroy_locks};
  const glk_status status = glk_lockset_init(context, shape, &locks->set);
  if (status != GLK_OK) {
    glk_release(context, locks, 1, sizeof *locks);
    return status;
  }
  if (source) {
    memcpy(locks->set.words, source->words, source->word_count * sizeof(uint32_t));
    glk_lockset_changed(context, &locks->set);
  }
  return glk_publish(context, &locks->object, out);
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
  glk_object *object = glk_lookup(context, handle);
  if (object && object->kind == GLK_KIND_VARIABLE) {
    *out = &((glk_variable *)object)->locks;
    return GLK_OK;
  }
  GLK_TRY(glk_expect(context, handle, GLK_KIND_LOCKS, role, &object));
  *out = &((glk_locks *)object)->set;
  return GLK_OK;
}

glk_status glk_expect_target(glk_context *context, glk_handle handle, glk_lockset **out) {
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_locks(context, handle, "the lock set", out));
  const glk_object *object = glk_lookup(context, handle);
  if (object->kind == GLK_KIND_VARIABLE) *out = glk_variable_default_holder((glk_variable *)object);
  return GLK_OK;
}

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
    return glk_fail(context, GLK_ERROR_INDEX, "index %u is outside of shape %S", index,
                    &set->shape);
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
  *out = found < count ? found : count; /* a bit after the end is padding */
  return GLK_OK;
}

glk_status glk_locks_to_mask(const glk_context *context, glk_handle locks, uint8_t *out,
                             size_t count) {
  glk_lockset *set;
  GLK_REFUSE_IF(context, (!out && count));
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  GLK_TRY(glk_expect_count(context, &set->shape, count));
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

glk_status glk_locks_combine(glk_context *context, glk_handle target, glk_locks_op op,
                             glk_handle source) {
  glk_lockset *set, *other;
  GLK_TRY(glk_expect_target(context, target, &set));
  GLK_TRY(glk_expect_locks(context, source, "the other lock set", &other));
  GLK_TRY(glk_lockset_check(context, set, op, other));
  glk_lockset_combine(set, op, other);
  glk_lockset_changed(context, set);
  return GLK_OK;
}

glk_status glk_locks_invert(glk_context *context, glk_handle locks) {
  glk_lockset *set;
  GLK_TRY(glk_expect_target(context, locks, &set));
  for (uint32_t i = 0; i < set->word_count; i++) set->words[i] = ~set->words[i];
  glk_lockset_changed(context, set);
  return GLK_OK;
}

glk_status glk_holder_combine(glk_context *context, glk_handle variable, const char *name,
                              glk_locks_op op, glk_handle source) {
  glk_variable *v;
  glk_lockset *other;
  glk_holder *holder;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_holder_check_name(context, name));
  GLK_TRY(glk_expect_locks(context, source, "the other lock set", &other));
  GLK_TRY(glk_lockset_check(context, &v->locks, op, other));
  GLK_TRY(glk_holder_make(context, &v->holders, &v->locks, name, &holder));
  glk_lockset_combine(&holder->set, op, other);
  glk_lockset_changed(context, &holder->set);
  glk_holder_drop_unused(context, v->holders, holder);
  return GLK_OK;
}

glk_status glk_holder_copy(glk_context *context, glk_handle variable, const char *name,
                           glk_handle *out) {
  GLK_REFUSE_IF(context, !out || !name);
  glk_variable *v;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  const glk_holder *holder = glk_holder_find(v->holders, name);
  const glk_lockset *unnamed = glk_variable_default_holder(v);
  return glk_locks_make(context, &v->locks.shape,
                        holder  ? &holder->set
                        : *name ? NULL
                                : unnamed,
                        out);
}

glk_status glk_holder_name(const glk_context *context, glk_handle variable, uint32_t index,
                           const char **out) {
  GLK_REFUSE_IF(context, !out);
  glk_variable *v;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  const uint32_t count = v->holders ? v->holders->count : 0;
  if (index >= count) {
    return glk_fail(context, GLK_ERROR_INDEX, "there is no holder %u: the variable has %u", index,
                    count);
  }
  *out = v->holders->items[index].name;
  return GLK_OK;
}

glk_status glk_locks_watch(glk_context *context, glk_handle variable, int is_watched) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  if (!is_watched) {
    glk_audit_free(context, v->audit);
    v->audit = NULL;
  } else if (v->audit) {
    glk_audit_restart(v->audit);
  } else {
    return glk_audit_create(context, &v->locks, v->tensor.storage->values, &v->audit);
  }
  return GLK_OK;
}

glk_status glk_locks_audit(glk_context *context, glk_handle variable, uint32_t *out_changed,
                           uint32_t *out_first, uint64_t *out_digest) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  uint32_t first;
  uint64_t digest;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  if (!v->audit) {
    return glk_fail(
        context, GLK_ERROR_ARGUMENT,
        "variable '%s' is not watched: the earlier values of its locked elements are unknown",
        v->name);
  }
  const uint32_t changed = glk_audit_compare(v->audit, &first, &digest);
  if (out_changed) *out_changed = changed;
  if (out_first) *out_first = first;
  if (out_digest) *out_digest = digest;
  return GLK_OK;
}
