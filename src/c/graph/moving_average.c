/* Moving averages: variables that follow a value, such as the running statistics of batch
 * normalisation. They are written after a run, never during it, in the order in which they were
 * recorded. Like any other update, they skip locked elements (docs/laws.md, law 19). If the value
 * is itself a variable, it is read at that time, too. */
#include "core/memory.h"
#include "graph/program.h"
#include "kernels/update.h"

static void move(glk_variable *variable, const glk_real *value, glk_real decay) {
  glk_kernel_moving_average(variable->locks.word_count, variable->locks.words,
                            variable->tensor.storage->values, value, decay);
  variable->writes++;
}

void glk_program_update_averages(const glk_program *program) {
  for (uint32_t i = 0; i < program->average_count; i++) {
    const glk_moving_average *m = &program->averages[i];
    move(glk_node_variable(&program->nodes[m->leaf]), program->nodes[m->value].values, m->decay);
  }
}

static glk_status record(glk_context *context, glk_program *program, glk_variable *variable,
                         glk_tensor *value, glk_real decay) {
  glk_moving_average average = {.decay = decay};
  const uint32_t before = program->node_count;
  glk_status status = glk_program_leaf(context, program, &variable->tensor, &average.leaf);
  if (status == GLK_OK) status = glk_program_leaf(context, program, value, &average.value);
  if (status == GLK_OK) {
    status = glk_reserve(context, &program->averages, &program->average_capacity,
                         program->average_count + 1, sizeof average);
  }
  if (status == GLK_OK) {
    program->averages[program->average_count++] = average;
  } else {
    glk_program_truncate(context, program, before);
  }
  return status;
}

glk_status glk_assign_moving_average(glk_context *context, glk_handle variable, glk_handle value,
                                     double decay) {
  glk_variable *v;
  glk_tensor *t;
  GLK_REFUSE_IF(context, 0);
  GLK_TRY(glk_expect_variable(context, variable, "the variable that moves", &v));
  GLK_TRY(glk_expect_tensor(context, value, "the value it follows", &t));
  if (!glk_shape_equal(&v->tensor.shape, &t->shape)) {
    return glk_fail(context, GLK_ERROR_SHAPE, "variable '%s' %S cannot follow a value of shape %S",
                    v->name, &v->tensor.shape, &t->shape);
  }
  if (!(decay >= 0 && decay <= 1)) {
    return glk_fail(context, GLK_ERROR_OPTION, "decay is %g, expected 0 to 1", decay);
  }
  glk_program *program = (glk_program *)context->recording;
  const int is_recorded = program && t->recording_serial == program->serial;
  if (!is_recorded) GLK_TRY(glk_expect_value(context, value, "the value it follows", &t));
  if (program && program->mode == GLK_TRACE) {
    return record(context, program, v, t, (glk_real)decay);
  }
  if (!t->storage) return glk_fail_placeholder(context);
  move(v, t->storage->values, (glk_real)decay);
  return GLK_OK;
}
