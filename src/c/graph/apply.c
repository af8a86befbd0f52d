/* Application of an op: computed at once, or appended to the program being recorded. */
#include "graph/program.h"

static glk_status apply_now(glk_context *context, const glk_op *op, glk_tensor *const *inputs,
                            glk_attributes *attributes, glk_handle *out) {
  const glk_real *in[GLK_MAX_INPUTS] = {0};
  const glk_shape *in_shape[GLK_MAX_INPUTS] = {0};
  glk_shape shape;
  glk_storage *storage;
  glk_tensor *tensor;
  for (uint32_t i = 0; i < op->inputs; i++) {
    in[i] = inputs[i]->storage->values;
    in_shape[i] = &inputs[i]->shape;
  }
  GLK_TRY(op->infer(context, op, in_shape, attributes, &shape));
  /* A tensor's values never change, so a reshape may share them; a variable's do. */
  if ((op->flags & GLK_OP_ALIAS) && inputs[0]->object.kind == GLK_KIND_TENSOR) {
    storage = inputs[0]->storage;
    storage->references++;
  } else {
    GLK_TRY(glk_compute(context, op, in, in_shape, attributes, &shape, &storage));
  }
  glk_status status = glk_tensor_make(context, &shape, storage, &tensor);
  glk_storage_drop(context, storage);
  if (status != GLK_OK) return status;
  return glk_publish(context, &tensor->object, out);
}

static glk_status apply_recorded(glk_context *context, glk_program *program, const glk_op *op,
                                 glk_tensor *const *inputs, const glk_attributes *attributes,
                                 glk_handle *out) {
  uint32_t in[GLK_MAX_INPUTS] = {0}, node;
  const uint32_t before = program->node_count;
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < op->inputs && status == GLK_OK; i++) {
    status = glk_program_leaf(context, program, inputs[i], &in[i]);
  }
  if (status == GLK_OK) status = glk_program_append(context, program, op, in, attributes, &node);
  if (status == GLK_OK) status = glk_program_tensor(context, program, node, out);
  if (status != GLK_OK) glk_program_truncate(context, program, before);
  return status;
}

/* Run a composite op at once: its parts are recorded on a hidden tape. */
static glk_status apply_parts(glk_context *context, const glk_op *op, glk_tensor *const *inputs,
                              const glk_attributes *attributes, glk_handle *out) {
  glk_program *tape;
  GLK_TRY(glk_program_create(context, GLK_TAPE, &tape));
  const glk_status status = apply_recorded(context, tape, op, inputs, attributes, out);
  glk_drop(context, &tape->object);
  return status;
}

glk_status glk_apply(glk_context *context, uint32_t op, const glk_handle *inputs,
                     uint32_t input_count, const double *attributes, uint32_t attribute_count,
                     glk_handle *out) {
  static const char *const roles[GLK_MAX_INPUTS] = {"operand 0", "operand 1", "operand 2",
                                                    "operand 3"};
  GLK_REFUSE_IF(context, !out);
  const glk_op *row = glk_op_at(op);
  if (!row) return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no op %u", op);
  if (input_count != row->inputs || (input_count && !inputs)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: %u operands were given, expected %u",
                    row->name, input_count, row->inputs);
  }
  if (attribute_count > GLK_MAX_ATTRIBUTES || (attribute_count && !attributes)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: %u attributes were given", row->name,
                    attribute_count);
  }
  glk_attributes given = {.count = attribute_count};
  for (uint32_t i = 0; i < attribute_count; i++) given.values[i] = attributes[i];
  glk_program *program = (glk_program *)context->recording;
  glk_tensor *tensors[GLK_MAX_INPUTS];
  for (uint32_t i = 0; i < input_count; i++) {
    GLK_TRY(glk_expect_tensor(context, inputs[i], roles[i], &tensors[i]));
    if (!tensors[i]->storage && (!program || tensors[i]->recording_serial != program->serial)) {
      GLK_TRY(glk_expect_value(context, inputs[i], roles[i], &tensors[i]));
    }
  }
  if (program) return apply_recorded(context, program, row, tensors, &given, out);
  if (row->expand) return apply_parts(context, row, tensors, &given, out);
  return apply_now(context, row, tensors, &given, out);
}
