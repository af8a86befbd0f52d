/* Variables: creation, guarded assignment (docs/laws.md, law 9), and fixing of single elements. */
#include "lock/variable.h"

#include <string.h>

#include "core/memory.h"

static void destroy_variable(glk_context *context, glk_object *object) {
  glk_variable *variable = (glk_variable *)object;
  glk_storage_drop(context, variable->tensor.storage);
  glk_audit_free(context, variable->audit);
  glk_holders_free(context, variable->holders);
  glk_lockset_free(context, &variable->locks);
  glk_release(context, variable, 1, sizeof *variable);
}

static void locks_changed(glk_context *context, glk_lockset *set) {
  const glk_variable *variable = set->owner;
  (void)context;
  if (variable->audit) glk_audit_sync_locks(variable->audit);
}

static glk_status fill_variable(glk_context *context, const glk_shape *shape,
                                const glk_real *values, glk_variable *variable) {
  variable->tensor.shape = *shape;
  GLK_TRY(glk_storage_create(context, shape->count, values, &variable->tensor.storage));
  GLK_TRY(glk_lockset_init(context, shape, &variable->locks));
  variable->locks.on_change = locks_changed;
  variable->locks.owner = variable;
  return GLK_OK;
}

glk_status glk_variable_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                               const glk_real *values, size_t count, const char *name,
                               int trainable, glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  glk_shape shape;
  const size_t name_bytes = name ? strlen(name) : 0;
  GLK_TRY(glk_require_idle(context, "creating a variable"));
  GLK_TRY(glk_shape_make(context, "a variable", rank, dims, &shape));
  GLK_TRY(glk_expect_count(context, &shape, count));
  if (name_bytes >= GLK_NAME_BYTES) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "a name of %z bytes is longer than %u", name_bytes,
                    (uint32_t)GLK_NAME_BYTES - 1);
  }
  glk_variable *variable;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_variable), &variable));
  variable->tensor.object = (glk_object){GLK_KIND_VARIABLE, 1, 0, destroy_variable};
  variable->trainable = trainable != 0;
  if (name_bytes) memcpy(variable->name, name, name_bytes);
  const glk_status status = fill_variable(context, &shape, values, variable);
  if (status == GLK_OK) return glk_publish(context, &variable->tensor.object, out);
  glk_drop(context, &variable->tensor.object);
  return status;
}

glk_status glk_expect_variable(const glk_context *context, glk_handle handle, const char *role,
                               glk_variable **out) {
  glk_object *object;
  GLK_TRY(glk_expect(context, handle, GLK_KIND_VARIABLE, role, &object));
  *out = (glk_variable *)object;
  return GLK_OK;
}

glk_status glk_variable_visit(const glk_context *context, glk_handle handle, const char *role,
                              uint64_t visit, glk_variable **out) {
  GLK_TRY(glk_expect_variable(context, handle, role, out));
  if ((*out)->tensor.visit == visit) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "variable '%s' is named twice", (*out)->name);
  }
  (*out)->tensor.visit = visit;
  return GLK_OK;
}

glk_status glk_variable_trainable(const glk_context *context, glk_handle variable, int *out) {
  glk_variable *v;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  *out = v->trainable;
  return GLK_OK;
}

glk_status glk_variable_version(const glk_context *context, glk_handle variable, uint32_t *out) {
  glk_variable *v;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  *out = v->writes;
  return GLK_OK;
}

glk_status glk_refuse_locked(glk_context *context, const glk_variable *v, uint32_t first,
                             uint32_t count, glk_real from, glk_real to) {
  context->conflict_first = first;
  context->conflict_count = count;
  return glk_fail(context, GLK_ERROR_LOCKED,
                  "variable '%s' %S: %u locked element%s would change, first at flat index %u from "
                  "%g to %g; nothing was written",
                  v->name, &v->tensor.shape, count, count == 1 ? "" : "s", first, (double)from,
                  (double)to);
}

glk_status glk_check_locked_unchanged(glk_context *context, const glk_variable *v,
                                      const void *values) {
  const glk_real *old = v->tensor.storage->values;
  const uint8_t *bytes = values;
  uint32_t offenders = 0, first = 0;
  for (uint32_t i = 0; v->locks.locked && i < v->tensor.shape.count; i++) {
    if (!glk_lockset_has(&v->locks, i)) continue;
    if (memcmp(&old[i], bytes + i * sizeof *old, sizeof *old) && !offenders++) first = i;
  }
  if (!offenders) return GLK_OK;
  glk_real to;
  memcpy(&to, bytes + first * sizeof to, sizeof to);
  return glk_refuse_locked(context, v, first, offenders, old[first], to);
}

glk_status glk_variable_assign(glk_context *context, glk_handle variable, const glk_real *values,
                               size_t count, int force) {
  glk_variable *v;
  GLK_TRY(glk_require_idle(context, "assigning to a variable"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_expect_count(context, &v->tensor.shape, count));
  if (count && !values) return glk_fail(context, GLK_ERROR_ARGUMENT, "the values are missing");
  if (!force) GLK_TRY(glk_check_locked_unchanged(context, v, values));
  if (count) memmove(v->tensor.storage->values, values, count * sizeof *values);
  if (force) glk_audit_accept(v->audit, 0, count);
  v->writes++;
  return GLK_OK;
}

glk_status glk_variable_fix(glk_context *context, glk_handle variable, uint32_t index,
                            glk_real value) {
  glk_variable *v;
  GLK_TRY(glk_require_idle(context, "fixing an element"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  if (index >= v->tensor.shape.count) {
    return glk_fail(context, GLK_ERROR_INDEX, "index %u is outside of shape %S", index,
                    &v->tensor.shape);
  }
  memcpy(&v->tensor.storage->values[index], &value, sizeof value);
  glk_audit_accept(v->audit, index, 1);
  v->writes++;
  glk_lockset *holder = glk_variable_default_holder(v);
  glk_lockset_add(holder, index);
  glk_lockset_changed(context, holder);
  return GLK_OK;
}
