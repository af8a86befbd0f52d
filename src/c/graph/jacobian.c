/* Rows of the Jacobian of output 0, whatever its shape: one backward pass of the output weighted by
 * a seed, written once. With a one in the seed at index i and zeros elsewhere, a run computes row
 * i: d(output[i])/d(variables). */
#include "core/memory.h"
#include "graph/program.h"

/* A tensor that only the program holds, as a leaf after the recorded nodes. */
static glk_status add_seed(glk_context *context, glk_program *program, const glk_shape *shape,
                           glk_ref *out) {
  glk_tensor *seed;
  GLK_TRY(glk_tensor_filled(context, shape, NULL, &seed));
  const glk_status status = glk_program_leaf(context, program, seed, out);
  glk_drop(context, &seed->object);
  return status;
}

static glk_status write_rows(glk_context *context, glk_program *program, glk_derivative *rows,
                             uint32_t count) {
  glk_ref *leaves, seed;
  GLK_TRY(add_seed(context, program, program->nodes[program->outputs[0]].shape, &seed));
  GLK_TRY(glk_allocate(context, (size_t)2 * count, sizeof(glk_ref), &leaves));
  glk_ref *values = leaves + count;
  for (uint32_t i = 0; i < count; i++) leaves[i] = rows[i].leaf;
  const glk_status status =
      glk_program_backward(context, program, program->outputs, &seed, 1, leaves, count, values);
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) rows[i].value = values[i];
  glk_release(context, leaves, (size_t)2 * count, sizeof(glk_ref));
  if (status == GLK_OK) program->seed = program->nodes[seed].leaf->storage->values;
  return status;
}

static glk_status know_rows(glk_context *context, glk_program *program) {
  if (program->rows) return GLK_OK;
  const uint32_t before = program->node_count;
  uint32_t count = 0;
  for (uint32_t i = 0; i < program->forward_count; i++) {
    count += glk_node_variable(&program->nodes[i]) != NULL;
  }
  glk_derivative *rows;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_derivative), &rows));
  uint32_t found = 0;
  for (uint32_t i = 0; i < program->forward_count; i++) {
    if (!glk_node_variable(&program->nodes[i])) continue;
    rows[found++] = (glk_derivative){.leaf = i, .value = GLK_NO_REF, .masked = GLK_NO_REF};
  }
  const glk_status status = write_rows(context, program, rows, count);
  if (status != GLK_OK) {
    glk_program_truncate(context, program, before);
    glk_release(context, rows, count, sizeof *rows);
    return status;
  }
  program->rows = rows;
  program->row_count = count;
  return GLK_OK;
}

glk_status glk_program_jacobian(glk_context *context, glk_program *program,
                                glk_variable *const *variables, uint32_t count) {
  GLK_TRY(know_rows(context, program));
  for (uint32_t i = 0; i < count; i++) {
    const glk_derivative *row =
        glk_derivative_find(program, program->rows, program->row_count, variables[i]);
    if (!row || row->value == GLK_NO_REF) return glk_refuse_unused(context, variables[i]);
  }
  return GLK_OK;
}
