/* Derivatives of a program's first output, by the variables it reads: what training and valueAndGrad ask for. */

#include "core/memory.h"
#include "graph/program.h"

/* ------------------------------------------------------------------------------------ what is asked */

static uint32_t find_leaf(const glk_program *program, const glk_variable *variable) {
  for (uint32_t i = 0; i < program->forward_count; i++) {
    if (program->nodes[i].leaf == &variable->tensor) return i;
  }
  return GLK_NO_REF;
}

glk_derivative *glk_program_derivative(glk_program *program, const glk_variable *variable) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    if (program->nodes[d->leaf].leaf == &variable->tensor) return d;
  }
  return NULL;
}

glk_status glk_refuse_unused(glk_context *context, const glk_variable *variable) {
  return glk_fail(context, GLK_ERROR_GRADIENT,
                  "the loss does not depend on variable '%s' %S, so it has no gradient",
                  variable->name, &variable->tensor.shape);
}

/* The variables asked for now and at any time before, so that switching between sets settles. */
static glk_status join_variables(glk_context *context, glk_program *program,
                                 glk_variable *const *variables, uint32_t count,
                                 glk_variable ***out, uint32_t *out_count) {
  void *memory;
  const uint32_t most = count + program->derivative_count;
  GLK_TRY(glk_allocate(context, most, sizeof **out, &memory));
  *out = memory;
  *out_count = 0;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    (*out)[(*out_count)++] = glk_node_variable(&program->nodes[program->derivatives[i].leaf]);
  }
  for (uint32_t i = 0; i < count; i++) {
    int known = 0;
    for (uint32_t k = 0; k < *out_count; k++) known |= (*out)[k] == variables[i];
    if (!known) (*out)[(*out_count)++] = variables[i];
  }
  return GLK_OK;
}

static glk_status write_gradients(glk_context *context, glk_program *program,
                                  glk_variable *const *variables, uint32_t count,
                                  glk_derivative *derivatives) {
  void *memory;
  GLK_TRY(glk_allocate(context, (size_t)2 * count, sizeof(glk_ref), &memory));
  glk_ref *leaves = memory, *values = leaves + count;
  for (uint32_t i = 0; i < count; i++) leaves[i] = find_leaf(program, variables[i]);
  const glk_status status =
      glk_program_sweep(context, program, program->outputs, NULL, 1, leaves, count, values);
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    derivatives[i] = (glk_derivative){leaves[i], values[i], 0, GLK_NO_REF};
  }
  glk_release(context, memory, (size_t)2 * count, sizeof(glk_ref));
  return status;
}

/* Nodes of an earlier, smaller set of variables stay in the list: nothing reads them any more, so they are neither
 * planned nor run, and a failure half-way has nothing to restore. */
static glk_status extend_gradients(glk_context *context, glk_program *program,
                                   glk_variable *const *variables, uint32_t count) {
  void *derivatives;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_derivative), &derivatives));
  const glk_status status = write_gradients(context, program, variables, count, derivatives);
  if (status != GLK_OK) {
    glk_release(context, derivatives, count, sizeof(glk_derivative));
    return status;
  }
  glk_release(context, program->derivatives, program->derivative_count, sizeof(glk_derivative));
  program->derivatives = derivatives;
  program->derivative_count = count;
  return GLK_OK;
}

/* Have a derivative of every variable, GLK_NO_REF where the loss does not depend on it. */
static glk_status know_gradients(glk_context *context, glk_program *program,
                                 glk_variable *const *variables, uint32_t count) {
  int is_known = 1;
  for (uint32_t i = 0; i < count; i++) {
    is_known &= glk_program_derivative(program, variables[i]) != NULL;
  }
  if (is_known) return GLK_OK;
  glk_variable **all;
  uint32_t all_count;
  const uint32_t room = count + program->derivative_count;
  GLK_TRY(join_variables(context, program, variables, count, &all, &all_count));
  const glk_status status = extend_gradients(context, program, all, all_count);
  glk_release(context, all, room, sizeof *all);
  return status;
}

static glk_status refuse_shape(glk_context *context, const glk_program *program) {
  const glk_shape *loss = program->nodes[program->outputs[0]].shape;
  if (!loss->rank) return GLK_OK;
  return glk_fail(context, GLK_ERROR_GRADIENT,
                  "the loss has shape %S, expected a scalar: take its mean or sum", loss);
}

glk_status glk_program_differentiate(glk_context *context, glk_program *program,
                                     glk_variable *const *variables, uint32_t count) {
  GLK_TRY(refuse_shape(context, program));
  for (uint32_t i = 0; i < count; i++) {
    if (find_leaf(program, variables[i]) == GLK_NO_REF)
      return glk_refuse_unused(context, variables[i]);
  }
  GLK_TRY(know_gradients(context, program, variables, count));
  for (uint32_t i = 0; i < count; i++) {
    const glk_derivative *d = glk_program_derivative(program, variables[i]);
    if (d->value == GLK_NO_REF) return glk_refuse_unused(context, variables[i]);
  }
  return GLK_OK;
}

/* ------------------------------------------------------------------------------- what can be trained */

static glk_status list_trainable(glk_context *context, glk_program *program, glk_variable **list,
                                 glk_handle *out, uint32_t capacity, uint32_t *out_count) {
  uint32_t count = 0, found = 0;
  for (uint32_t i = 0; i < program->forward_count; i++) {
    glk_variable *variable = glk_node_variable(&program->nodes[i]);
    if (!variable || !variable->trainable || !variable->tensor.object.handle) continue;
    if (program->mode == GLK_TAPE && glk_lockset_is_full(&variable->locks)) {
      if (found < capacity) out[found] = variable->tensor.object.handle;
      found++; /* nothing of it moves, so nothing is computed to find out */
    } else {
      list[count++] = variable;
    }
  }
  GLK_TRY(know_gradients(context, program, list, count));
  for (uint32_t i = 0; i < count; i++) {
    if (glk_program_derivative(program, list[i])->value == GLK_NO_REF) continue;
    if (found < capacity) out[found] = list[i]->tensor.object.handle;
    found++;
  }
  *out_count = found;
  return GLK_OK;
}

glk_status glk_program_trainable(glk_context *context, glk_handle program, glk_handle *out,
                                 uint32_t capacity, uint32_t *out_count) {
  glk_program *p;
  void *list;
  GLK_REFUSE_IF(context, !out_count || (capacity && !out));
  GLK_TRY(glk_require_idle(context, "differentiating a program"));
  GLK_TRY(glk_expect_program(context, program, &p));
  GLK_TRY(refuse_shape(context, p));
  const uint32_t most = p->forward_count;
  GLK_TRY(glk_allocate(context, most, sizeof(glk_variable *), &list));
  const glk_status status = list_trainable(context, p, list, out, capacity, out_count);
  glk_release(context, list, most, sizeof(glk_variable *));
  return status;
}
