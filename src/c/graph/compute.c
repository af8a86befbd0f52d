/* Eager computation of one op. */
#include "core/memory.h"
#include "graph/program.h"

glk_status glk_compute(glk_context *context, const glk_op *op, const glk_real *const *in,
                       const glk_shape *const *in_shape, const glk_attributes *attributes,
                       const glk_shape *out_shape, glk_storage **storage) {
  const size_t lane_scratch = op->scratch ? glk_lane_scratch(op->scratch(in_shape, attributes)) : 0;
  glk_team *team = glk_op_team(op, lane_scratch, context->team);
  const size_t scratch_count = glk_op_scratch(op, lane_scratch, team);
  void *scratch = NULL;
  glk_storage *result;
  GLK_TRY(glk_storage_create_unset(context, out_shape->count, &result));
  if (scratch_count) {
    const glk_status status =
        glk_allocate_unset(context, scratch_count, sizeof(glk_real), &scratch);
    if (status != GLK_OK) {
      glk_storage_drop(context, result);
      return status;
    }
  }
  static const uint32_t never = 0;
  glk_call call = {.run = &never,
                   .out = result->values,
                   .scratch = scratch,
                   .lane_scratch = lane_scratch,
                   .out_shape = out_shape,
                   .attributes = attributes};
  for (uint32_t i = 0; i < op->inputs; i++) {
    call.in[i] = in[i];
    call.in_shape[i] = in_shape[i];
  }
  call.team = glk_call_team(op, &call, team);
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
