/* Runs of programs: the schedule of needed nodes, execution, and copies of outputs. */
#include <string.h>

#include "core/memory.h"
#include "graph/program.h"

glk_status glk_program_expect_variables(glk_context *context, const glk_program *program) {
  for (uint32_t i = 0; i < program->forward_count; i++) {
    const glk_node *node = &program->nodes[i];
    const glk_variable *variable = glk_node_variable(node);
    if (!variable) continue;
    if (!variable->tensor.object.handle) {
      return glk_fail(context, GLK_ERROR_HANDLE,
                      "the program reads variable '%s' %S, which was disposed", variable->name,
                      &variable->tensor.shape);
    }
    if (program->mode == GLK_TAPE && variable->writes != node->writes) {
      return glk_fail(context, GLK_ERROR_RECORDING,
                      "variable '%s' %S was written since the tape read it: take gradients before",
                      variable->name, &variable->tensor.shape);
    }
  }
  return GLK_OK;
}

static int is_planned(const glk_program *program) {
  int planned = program->planned_count == program->node_count;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    planned &= program->derivatives[i].is_planned | !program->derivatives[i].is_needed;
  }
  return planned;
}

glk_status glk_program_prepare(glk_context *context, glk_program *program) {
  GLK_TRY(glk_require_idle(context, "running a program"));
  GLK_TRY(glk_program_expect_variables(context, program));
  if (program->mode == GLK_TAPE || is_planned(program)) return GLK_OK;
  return glk_program_plan(context, program);
}

void glk_program_need(glk_program *program, glk_derivative *derivative, int is_needed) {
  if (derivative->is_needed == is_needed) return;
  derivative->is_needed = is_needed;
  program->is_scheduled = 0;
}

static void mark_needed(uint32_t *needed, const glk_derivative *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i].is_needed) needed[list[i].value] = 1;
  }
}

/* Which nodes does a needed result need? Marked backwards in the schedule's own memory, then listed
 * forwards. */
static void make_schedule(glk_program *program) {
  uint32_t *needed = program->schedule;
  memset(needed, 0, program->planned_count * sizeof *needed);
  for (uint32_t i = 0; i < program->kept_count; i++) needed[program->outputs[i]] = 1;
  mark_needed(needed, program->derivatives, program->derivative_count);
  mark_needed(needed, program->rows, program->row_count);
  for (uint32_t i = program->planned_count; i-- > 0;) {
    const glk_node *node = &program->nodes[i];
    if (!needed[i] || !node->op) continue;
    for (uint32_t k = 0; k < node->op->inputs; k++) needed[node->in[k]] = 1;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < program->planned_count; i++) {
    const glk_node *node = &program->nodes[i];
    if (needed[i] && node->op && node->root == i) program->schedule[count++] = i;
  }
  program->schedule_count = count;
  program->is_scheduled = 1;
}

glk_status glk_program_execute(glk_context *context, glk_program *program) {
  if (program->mode == GLK_TAPE) return GLK_OK;
  if (!program->is_scheduled) make_schedule(program);
  program->is_computed = 0;
  for (uint32_t i = 0; i < program->schedule_count;) {
    const uint32_t index = program->schedule[i];
    const glk_node *node = &program->nodes[index];
    const uint32_t behind = node->fusion ? glk_fusion_execute(program, i, context->threads) : i;
    if (behind == i) GLK_TRY(glk_op_compute(context, node->op, &program->calls[index]));
    i = behind == i ? i + 1 : behind;
  }
  program->is_computed = 1;
  program->runs++;
  return GLK_OK;
}

static void need_only(glk_context *context, glk_program *program, glk_variable *const *variables,
                      uint32_t count) {
  const uint64_t visit = glk_visit_new(context);
  for (uint32_t i = 0; i < count; i++) variables[i]->tensor.visit = visit;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    glk_program_need(program, d, program->nodes[d->leaf].leaf->visit == visit);
  }
}

static glk_status make_unset(glk_context *context, const glk_shape *shape, glk_handle *out) {
  glk_storage *storage;
  glk_tensor *tensor;
  GLK_TRY(glk_storage_create_uninitialized(context, shape->count, &storage));
  glk_status status = glk_tensor_make(context, shape, storage, &tensor);
  glk_storage_drop(context, storage);
  if (status != GLK_OK) return status;
  return glk_publish(context, &tensor->object, out);
}

/* Tensors for the values of nodes, made before a program runs, so that running out of memory
 * changes nothing. All or none. */
static glk_status make_results(glk_context *context, const glk_program *program,
                               const glk_ref *nodes, uint32_t count, glk_handle *out) {
  for (uint32_t i = 0; i < count; i++) {
    const glk_status status = make_unset(context, program->nodes[nodes[i]].shape, &out[i]);
    if (status == GLK_OK) continue;
    while (i) glk_dispose(context, out[--i]);
    return status;
  }
  return GLK_OK;
}

static void give_up(glk_context *context, uint32_t count, const glk_handle *results) {
  for (uint32_t i = 0; i < count; i++) glk_dispose(context, results[i]);
}

static void copy_out(glk_context *context, const glk_program *program, const glk_ref *nodes,
                     uint32_t count, const glk_handle *results) {
  for (uint32_t i = 0; i < count; i++) {
    const glk_node *node = &program->nodes[nodes[i]];
    const glk_tensor *tensor = (glk_tensor *)glk_lookup(context, results[i]);
    const size_t bytes = node->shape->count * sizeof(glk_real);
    if (bytes) memcpy(tensor->storage->values, node->values, bytes);
  }
}

glk_status glk_program_run(glk_context *context, glk_handle program) {
  glk_program *p;
  GLK_REFUSE_IF(context, 0);
  GLK_TRY(glk_expect_program(context, program, &p));
  if (p->mode == GLK_TAPE) {
    return glk_fail(
        context, GLK_ERROR_RECORDING,
        "a tape is computed once, while it is recorded: trace a program to run it again");
  }
  need_only(context, p, NULL, 0);
  GLK_TRY(glk_program_prepare(context, p));
  GLK_TRY(glk_program_execute(context, p));
  glk_program_update_averages(p);
  return GLK_OK;
}

static glk_status expect_output(glk_context *context, glk_handle program, uint32_t index,
                                glk_program **out, glk_ref *out_node) {
  GLK_TRY(glk_expect_program(context, program, out));
  if (index >= (*out)->output_count) {
    return glk_fail(context, GLK_ERROR_INDEX, "there is no output %u: the program has %u", index,
                    (*out)->output_count);
  }
  *out_node = (*out)->outputs[index];
  return GLK_OK;
}

glk_status glk_program_read(glk_context *context, glk_handle program, uint32_t index, glk_real *out,
                            size_t count) {
  glk_program *p;
  glk_ref ref;
  GLK_REFUSE_IF(context, !out && count);
  GLK_TRY(expect_output(context, program, index, &p, &ref));
  const glk_node *node = &p->nodes[ref];
  GLK_TRY(glk_expect_count(context, node->shape, count));
  if (!p->is_computed) GLK_TRY(glk_program_run(context, program));
  const glk_real nan = glk_canonical_nan();
  for (size_t i = 0; i < count; i++)
    out[i] = node->values[i] == node->values[i] ? node->values[i] : nan;
  return GLK_OK;
}

glk_status glk_program_output(glk_context *context, glk_handle program, uint32_t index,
                              glk_handle *out) {
  glk_program *p;
  glk_ref node;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(expect_output(context, program, index, &p, &node));
  glk_handle results;
  GLK_TRY(make_results(context, p, &node, 1, &results));
  const glk_status status = p->is_computed ? GLK_OK : glk_program_run(context, program);
  if (status == GLK_OK) {
    copy_out(context, p, &node, 1, &results);
    *out = results;
  } else {
    give_up(context, 1, &results);
  }
  return status;
}

/* `values` and `gradients` have room for count; the handles are the caller's only if all could be
 * made. */
static glk_status gradient_of(glk_context *context, glk_program *p, glk_variable *const *variables,
                              uint32_t count, glk_ref *values, glk_handle *gradients) {
  GLK_TRY(glk_program_differentiate(context, p, variables, count));
  for (uint32_t i = 0; i < count; i++) values[i] = glk_program_derivative(p, variables[i])->value;
  need_only(context, p, variables, count);
  GLK_TRY(glk_program_prepare(context, p));
  GLK_TRY(glk_program_gradient_buffers(context, p));
  GLK_TRY(make_results(context, p, values, count, gradients));
  const glk_status status = glk_program_execute(context, p);
  if (status == GLK_OK) {
    copy_out(context, p, values, count, gradients);
    glk_program_update_averages(p);
  } else {
    give_up(context, count, gradients);
  }
  return status;
}

glk_status glk_program_gradient(glk_context *context, glk_handle program,
                                const glk_handle *variables, uint32_t count, double *out_value,
                                glk_handle *out_gradients) {
  glk_program *p;
  glk_variable **v;
  glk_handle *gradients;
  GLK_REFUSE_IF(context, count && (!variables || !out_gradients));
  GLK_TRY(glk_require_idle(context, "differentiating a program"));
  GLK_TRY(glk_expect_program(context, program, &p));
  GLK_TRY(glk_allocate(context, count, sizeof *v, &v));
  glk_status status = glk_allocate(context, count, 2 * sizeof *gradients, &gradients);
  if (status == GLK_OK) {
    for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
      status = glk_expect_variable(context, variables[i], "a variable to differentiate by", &v[i]);
    }
    if (status == GLK_OK) status = gradient_of(context, p, v, count, gradients + count, gradients);
    if (status == GLK_OK) {
      if (count) memcpy(out_gradients, gradients, count * sizeof *out_gradients);
      if (out_value) *out_value = glk_program_values(p, p->outputs[0])[0];
    }
    glk_release(context, gradients, count, 2 * sizeof *gradients);
  }
  glk_release(context, v, count, sizeof *v);
  return status;
}
