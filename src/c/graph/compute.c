/* Eager computation of one op. */
#include "core/memory.h"
#include "graph/program.h"

glk_status glk_compute(glk_context *context, const glk_op *op, const glk_real *const *in,
                       const glk_shape *const *in_shape, const glk_attributes *attributes,
                       const glk_shape *out_shape, glk_storage **storage) {
  const size_t thread_scratch =
      op->scratch ? glk_thread_scratch(op->scratch(in_shape, attributes)) : 0;
  glk_thread_pool *threads = glk_op_threads(op, thread_scratch, context->threads);
  const size_t scratch_count = glk_op_scratch(op, thread_scratch, threads);
  void *scratch = NULL;
  glk_storage *result;
  GLK_TRY(glk_storage_create_uninitialized(context, out_shape->count, &result));
  if (scratch_count) {
    const glk_status status =
        glk_allocate_uninitialized(context, scratch_count, sizeof(glk_real), &scratch);
    if (status != GLK_OK) {
      glk_storage_drop(context, result);
      return status;
    }
  }
  static const uint32_t never = 0;
  glk_call call = {.run = &never,
                   .out = result->values,
                   .scratch = scratch,
                   .thread_scratch = thread_scratch,
                   .out_shape = out_shape,
                   .attributes = attributes};
  for (uint32_t i = 0; i < op->inputs; i++) {
    call.in[i] = in[i];
    call.in_shape[i] = in_shape[i];
  }
  call.threads = glk_call_threads(op, &call, threads);
  const glk_status status = glk_op_compute(context, op, &call);
  glk_release(context, scratch, scratch_count, sizeof(glk_real));
  if (status == GLK_OK) {
    *storage = result;
  } else {
    glk_storage_drop(context, result);
  }
  return status;
}

glk_status glk_fail_placeholder(glk_context *context) {
  return glk_fail(context, GLK_ERROR_RECORDING,
                  "dL/dy of a custom gradient has a value only while a gradient is computed");
}
