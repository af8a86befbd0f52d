/* Tensors and their shared, padded storage; lookups of tensors and variables by handle. */
#include "core/tensor.h"

#include <string.h>

#include "core/memory.h"

uint32_t glk_padded_count(uint32_t count) { return count ? (count + 31) & ~(uint32_t)31 : 32; }

glk_status glk_storage_create(glk_context *context, uint32_t count, const glk_real *values,
                              glk_storage **out) {
  GLK_TRY(glk_storage_create_uninitialized(context, count, out));
  if (values) {
    memcpy((*out)->values, values, count * sizeof *values);
  } else {
    memset((*out)->values, 0, count * sizeof *values);
  }
  return GLK_OK;
}

glk_status glk_storage_create_uninitialized(glk_context *context, uint32_t count,
                                            glk_storage **out) {
  glk_storage *storage;
  GLK_TRY(glk_allocate(context, 1, sizeof *storage, &storage));
  const uint32_t padded = glk_padded_count(count);
  storage->references = 1;
  storage->count = padded;
  const glk_status status = glk_allocate_reals(context, GLK_VALUES, padded, &storage->values);
  if (status != GLK_OK) {
    glk_release(context, storage, 1, sizeof *storage);
    return status;
  }
  memset(storage->values + count, 0, (padded - count) * sizeof(glk_real));
  *out = storage;
  return GLK_OK;
}

void glk_storage_drop(glk_context *context, glk_storage *storage) {
  if (!storage || --storage->references) return;
  glk_release_reals(context, GLK_VALUES, storage->values, storage->count);
  glk_release(context, storage, 1, sizeof *storage);
}

static void destroy_tensor(glk_context *context, glk_object *object) {
  glk_tensor *tensor = (glk_tensor *)object;
  glk_storage_drop(context, tensor->storage);
  glk_release(context, tensor, 1, sizeof *tensor);
}

glk_status glk_tensor_make(glk_context *context, const glk_shape *shape, glk_storage *storage,
                           glk_tensor **out) {
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_tensor), out));
  if (storage) storage->references++;
  **out = (glk_tensor){
      .object = {GLK_KIND_TENSOR, 1, 0, destroy_tensor}, .shape = *shape, .storage = storage};
  return GLK_OK;
}

glk_status glk_tensor_filled(glk_context *context, const glk_shape *shape, const glk_real *values,
                             glk_tensor **out) {
  glk_storage *storage;
  GLK_TRY(glk_storage_create(context, shape->count, values, &storage));
  const glk_status status = glk_tensor_make(context, shape, storage, out);
  glk_storage_drop(context, storage);
  return status;
}

glk_status glk_tensor_scalar(glk_context *context, glk_real value, glk_tensor **out) {
  const glk_shape scalar = {.rank = 0, .count = 1};
  return glk_tensor_filled(context, &scalar, &value, out);
}

glk_real glk_canonical_nan(void) {
#ifdef GLK_DOUBLE
  const uint64_t bits = 0x7ff8000000000000u;
#else
  const uint32_t bits = 0x7fc00000u;
#endif
  glk_real nan;
  memcpy(&nan, &bits, sizeof nan);
  return nan;
}

glk_status glk_expect_count(const glk_context *context, const glk_shape *shape, size_t count) {
  if (count == shape->count) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%z values were given, shape %S needs %u", count, shape,
                  shape->count);
}

glk_status glk_tensor_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                             const glk_real *values, size_t count, glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  glk_shape shape;
  glk_tensor *tensor;
  GLK_TRY(glk_shape_make(context, "a tensor", rank, dims, &shape));
  GLK_TRY(glk_expect_count(context, &shape, count));
  GLK_TRY(glk_tensor_filled(context, &shape, values, &tensor));
  return glk_publish(context, &tensor->object, out);
}

glk_status glk_expect_tensor(const glk_context *context, glk_handle handle, const char *role,
                             glk_tensor **out) {
  glk_object *object = glk_lookup(context, handle);
  if (!object || (object->kind != GLK_KIND_VARIABLE && object->kind != GLK_KIND_TENSOR)) {
    return glk_expect(context, handle, GLK_KIND_TENSOR, role, &object);
  }
  *out = (glk_tensor *)object;
  return GLK_OK;
}

glk_status glk_expect_value(const glk_context *context, glk_handle handle, const char *role,
                            glk_tensor **out) {
  glk_tensor *tensor = NULL;
  GLK_TRY(glk_expect_tensor(context, handle, role, &tensor));
  if (!tensor->storage) {
    return glk_fail(context, GLK_ERROR_RECORDING,
                    "%s was recorded in a program and has no value yet: run the program and read "
                    "its outputs",
                    role);
  }
  *out = tensor;
  return GLK_OK;
}
