/* Tensors: a shape and shared, padded storage. Immutable once they have a value. A variable begins
 * with one. */
#ifndef GLK_CORE_TENSOR_H
#define GLK_CORE_TENSOR_H

#include "core/handle.h"
#include "core/shape.h"

/** Values, shared by the tensors that are reshapes of each other. Padded to whole words of 32
 *  elements, so that kernels may read (and update kernels write) whole words. */
typedef struct glk_storage {
  uint32_t references;
  /** Elements, padding included. */
  uint32_t count;
  glk_real *values;
} glk_storage;

typedef struct glk_tensor {
  glk_object object;
  glk_shape shape;
  /** NULL: recorded, not computed. */
  glk_storage *storage;
  /** Serial of the recording that made it, 0 if none. */
  uint32_t recording_serial;
  /** Its node there. */
  uint32_t node;
  /** Serial of the last recording that read it as a value from outside, 0 if none; its node
   *  there. */
  uint32_t leaf_of, leaf_node;
  /** The last visit of a list that contained it, see glk_visit_new. */
  uint64_t visit;
} glk_tensor;

/** Return the number of a new visit. After storing it in the members of a list, a caller sees at
 *  once if a tensor is one of them. It is valid until the next list is visited, since lists may
 *  share members. */
static inline uint64_t glk_visit_new(glk_context *context) { return ++context->visit; }

/** Elements rounded up to whole lock words; at least one word. */
uint32_t glk_padded_count(uint32_t count);

/** A copy of values [count], or zeros for NULL. */
glk_status glk_storage_create(glk_context *context, uint32_t count, const glk_real *values,
                              glk_storage **out);
/** The same, but only the padding is set: use it if all values are written before they are read. */
glk_status glk_storage_create_uninitialized(glk_context *context, uint32_t count,
                                            glk_storage **out);
void glk_storage_drop(glk_context *context, glk_storage *storage);

/** A tensor on the given storage, which may be NULL; on success it holds a reference.
 *  Not published. */
glk_status glk_tensor_make(glk_context *context, const glk_shape *shape, glk_storage *storage,
                           glk_tensor **out);
/** The same on new storage with these values, or zeros for NULL. */
glk_status glk_tensor_filled(glk_context *context, const glk_shape *shape, const glk_real *values,
                             glk_tensor **out);
/** A rank-0 tensor without a handle. */
glk_status glk_tensor_scalar(glk_context *context, glk_real value, glk_tensor **out);
/** The tensor or variable behind a handle. `role` is its name in messages. */
glk_status glk_expect_tensor(const glk_context *context, glk_handle handle, const char *role,
                             glk_tensor **out);
/** The same as glk_expect_tensor, but the tensor must have a value. */
glk_status glk_expect_value(const glk_context *context, glk_handle handle, const char *role,
                            glk_tensor **out);
/** Return GLK_ERROR_SHAPE unless count is the element count of the shape. */
glk_status glk_expect_count(const glk_context *context, const glk_shape *shape, size_t count);
/** The NaN that replaces every computed NaN before callers see it. */
glk_real glk_canonical_nan(void);

#endif
