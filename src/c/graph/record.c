/* Recording of programs: from begin to end, tensors that represent nodes, and queries. */
#include "core/memory.h"
#include "graph/program.h"

static void destroy_program(glk_context *context, glk_object *object) {
  glk_program *program = (glk_program *)object;
  glk_program_unplan(context, program);
  glk_program_truncate(context, program, 0);
  glk_release(context, program->nodes, program->node_capacity, sizeof *program->nodes);
  glk_release(context, program->outputs, program->kept_count, sizeof *program->outputs);
  glk_release(context, program->averages, program->average_capacity, sizeof *program->averages);
  glk_release(context, program->derivatives, program->derivative_count,
              sizeof *program->derivatives);
  glk_release(context, program->rows, program->row_count, sizeof *program->rows);
  glk_release(context, program, 1, sizeof *program);
}

glk_status glk_expect_program(const glk_context *context, glk_handle handle, glk_program **out) {
  glk_object *object;
  GLK_TRY(glk_expect(context, handle, GLK_KIND_PROGRAM, "the program", &object));
  *out = (glk_program *)object;
  return GLK_OK;
}

/* The storage that a leaf reads, or that a tape computed. A variable's values change, so a tape's
 * tensor copies them. */
static glk_status storage_of(glk_context *context, const glk_program *program, const glk_node *node,
                             glk_storage **out) {
  glk_storage *storage = node->leaf ? node->leaf->storage : node->storage;
  *out = NULL;
  if (program->mode == GLK_TRACE || !storage) return GLK_OK;
  if (!glk_node_variable(node)) {
    *out = storage;
    storage->references++;
    return GLK_OK;
  }
  return glk_storage_create(context, node->shape->count, storage->values, out);
}

glk_status glk_program_tensor(glk_context *context, const glk_program *program, uint32_t node,
                              glk_handle *out) {
  glk_tensor *tensor;
  glk_storage *storage;
  GLK_TRY(storage_of(context, program, &program->nodes[node], &storage));
  glk_status status = glk_tensor_make(context, program->nodes[node].shape, storage, &tensor);
  glk_storage_drop(context, storage);
  if (status != GLK_OK) return status;
  tensor->recording_serial = program->serial;
  tensor->node = node;
  return glk_publish(context, &tensor->object, out);
}

glk_status glk_program_create(glk_context *context, glk_record_mode mode, glk_program **out) {
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_program), out));
  (*out)->object = (glk_object){GLK_KIND_PROGRAM, 1, 0, destroy_program};
  (*out)->mode = mode;
  if (++context->recording_serial == 0) context->recording_serial = 1;
  (*out)->serial = context->recording_serial;
  return GLK_OK;
}

glk_status glk_program_begin(glk_context *context, glk_record_mode mode) {
  GLK_TRY(glk_require_idle(context, "starting another recording"));
  if (mode != GLK_TRACE && mode != GLK_TAPE) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no record mode %u", (uint32_t)mode);
  }
  glk_program *program;
  GLK_TRY(glk_program_create(context, mode, &program));
  context->recording = &program->object;
  return GLK_OK;
}

void glk_program_cancel(glk_context *context) {
  if (!context || !context->recording) return;
  glk_object *recording = context->recording;
  context->recording = NULL;
  glk_drop(context, recording);
}

static glk_status resolve_outputs(glk_context *context, glk_program *program,
                                  const glk_handle *outputs, uint32_t count, uint32_t *nodes) {
  for (uint32_t i = 0; i < count; i++) {
    glk_tensor *tensor;
    GLK_TRY(glk_expect_tensor(context, outputs[i], "an output", &tensor));
    if (tensor->recording_serial != program->serial) {
      GLK_TRY(glk_expect_value(context, outputs[i], "an output", &tensor));
    } else if (program->mode == GLK_TAPE && !tensor->storage) {
      return glk_fail_placeholder(context);
    }
    GLK_TRY(glk_program_leaf(context, program, tensor, &nodes[i]));
  }
  return GLK_OK;
}

glk_status glk_program_end(glk_context *context, const glk_handle *outputs, uint32_t count,
                           glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  glk_program *program = (glk_program *)context->recording;
  if (!program) return glk_fail(context, GLK_ERROR_RECORDING, "nothing is being recorded");
  if (!count || !outputs) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "a program needs at least one output");
  }
  const uint32_t before = program->node_count, kept = count + program->average_count;
  uint32_t *nodes;
  GLK_TRY(glk_allocate(context, kept, sizeof(uint32_t), &nodes));
  glk_status status = resolve_outputs(context, program, outputs, count, nodes);
  if (status == GLK_OK) {
    glk_retain(&program->object); /* the recording goes on after a failure */
    status = glk_publish(context, &program->object, out);
  }
  if (status != GLK_OK) {
    glk_release(context, nodes, kept, sizeof(uint32_t));
    glk_program_truncate(context, program, before);
    return status;
  }
  for (uint32_t i = count; i < kept; i++) nodes[i] = program->averages[i - count].value;
  program->outputs = nodes;
  program->output_count = count;
  program->kept_count = kept;
  program->forward_count = program->node_count;
  program->is_computed = program->mode == GLK_TAPE;
  context->recording = NULL;
  glk_drop(context, &program->object);
  return GLK_OK;
}

glk_status glk_program_variables(const glk_context *context, glk_handle program, glk_handle *out,
                                 uint32_t capacity, uint32_t *out_count) {
  glk_program *p;
  GLK_REFUSE_IF(context, !out_count || (capacity && !out));
  GLK_TRY(glk_expect_program(context, program, &p));
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->forward_count; i++) {
    const glk_variable *variable = glk_node_variable(&p->nodes[i]);
    if (!variable) continue;
    if (count < capacity) out[count] = variable->tensor.object.handle;
    count++;
  }
  *out_count = count;
  return GLK_OK;
}

glk_status glk_program_resume(glk_context *context, glk_handle program, uint32_t runs) {
  glk_program *p;
  GLK_TRY(glk_require_idle(context, "resuming a program"));
  GLK_TRY(glk_expect_program(context, program, &p));
  p->runs = runs;
  return GLK_OK;
}

glk_status glk_program_describe(const glk_context *context, glk_handle program,
                                glk_program_info *out) {
  glk_program *p;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_program(context, program, &p));
  *out = (glk_program_info){p->node_count, p->schedule_count, p->arena_count * sizeof *p->arena,
                            p->runs};
  return GLK_OK;
}
