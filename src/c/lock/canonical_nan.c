/* Reads values, with canonical NaNs. WebAssembly and C leave the bits of a computed NaN to the
 * machine, so NaNs are made canonical before a caller sees them. This happens in place, so a value
 * that was read stays the same when it is locked later. The bits of a locked element belong to the
 * user and are never changed. */
#include <string.h>

#include "lock/locks.h"
#include "lock/variable.h"

static void canonicalise(glk_tensor *tensor) {
  const glk_real nan = glk_canonical_nan();
  glk_real *values = tensor->storage->values;
  const glk_lockset *locks =
      tensor->object.kind == GLK_KIND_VARIABLE ? &((const glk_variable *)tensor)->locks : NULL;
  for (uint32_t i = 0; i < tensor->shape.count; i++) {
    if (values[i] != values[i] && !(locks && glk_lockset_has(locks, i))) values[i] = nan;
  }
}

glk_status glk_read(glk_context *context, glk_handle handle, glk_real *out, size_t count) {
  glk_tensor *tensor;
  GLK_REFUSE_IF(context, (!out && count));
  GLK_TRY(glk_expect_value(context, handle, "this", &tensor));
  GLK_TRY(glk_expect_count(context, &tensor->shape, count));
  canonicalise(tensor);
  if (count) memcpy(out, tensor->storage->values, count * sizeof *out);
  return GLK_OK;
}

glk_status glk_view(glk_context *context, glk_handle handle, const glk_real **out,
                    size_t *out_count) {
  glk_tensor *tensor;
  GLK_REFUSE_IF(context, !out || !out_count);
  GLK_TRY(glk_expect_value(context, handle, "this", &tensor));
  canonicalise(tensor);
  *out = tensor->storage->values;
  *out_count = tensor->shape.count;
  return GLK_OK;
}

glk_status glk_digest(glk_context *context, glk_handle handle, uint64_t *out) {
  glk_tensor *tensor;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_value(context, handle, "this", &tensor));
  uint64_t hash = 14695981039346656037u; /* FNV-1a, 64 bits; all our targets are little-endian */
  const glk_real nan = glk_canonical_nan();
  for (uint32_t i = 0; i < tensor->shape.count; i++) {
    const glk_real *value = &tensor->storage->values[i];
    unsigned char bytes[sizeof *value];
    memcpy(bytes, *value != *value ? &nan : value, sizeof bytes);
    for (size_t k = 0; k < sizeof bytes; k++) hash = (hash ^ bytes[k]) * 1099511628211u;
  }
  *out = hash;
  return GLK_OK;
}

glk_status glk_shape_of(const glk_context *context, glk_handle handle, uint32_t *out_rank,
                        uint32_t *out_dims) {
  GLK_REFUSE_IF(context, 0);
  const glk_shape *shape;
  const glk_object *object = glk_lookup(context, handle);
  if (object && object->kind == GLK_KIND_LOCKS) {
    shape = &((const glk_locks *)object)->set.shape;
  } else {
    glk_tensor *tensor;
    GLK_TRY(glk_expect_tensor(context, handle, "this", &tensor));
    shape = &tensor->shape;
  }
  if (out_rank) *out_rank = shape->rank;
  if (out_dims) memcpy(out_dims, shape->dims, sizeof shape->dims);
  return GLK_OK;
}
