/* Derivatives of a program's output 0 by the variables it reads, for training and valueAndGrad. */

#include "core/memory.h"
#include "graph/program.h"

glk_derivative *glk_derivative_find(const glk_program *program, glk_derivative *list,
                                    uint32_t count, glk_variable *variable) {
  const uint32_t last = variable->derivative;
  if (last < count && program->nodes[list[last].leaf].leaf == &variable->tensor) return &list[last];
  for (uint32_t i = 0; i < count; i++) {
    if (program->nodes[list[i].leaf].leaf != &variable->tensor) continue;
    variable->derivative = i;
    return &list[i];
  }
  return NULL;
}

glk_derivative *glk_program_derivative(glk_program *program, glk_variable *variable) {
  return glk_derivative_find(program, program->derivatives, program->derivative_count, variable);
}

static uint64_t visit_all(glk_context *context, glk_variable *const *variables, uint32_t count) {
  const uint64_t visit = glk_visit_new(context);
  for (uint32_t i = 0; i < count; i++) variables[i]->tensor.visit = visit;
  return visit;
}

/* Visit the variables that have a derivative, and store its index in each. */
static uint64_t visit_known(glk_context *context, const glk_program *program) {
  const uint64_t visit = glk_visit_new(context);
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_variable *v = glk_node_variable(&program->nodes[program->derivatives[i].leaf]);
    v->tensor.visit = visit;
    v->derivative = i;
  }
  return visit;
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
  const uint32_t most = count + program->derivative_count;
  GLK_TRY(glk_allocate(context, most, sizeof **out, out));
  const uint64_t visit = visit_known(context, program);
  *out_count = 0;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    (*out)[(*out_count)++] = glk_node_variable(&program->nodes[program->derivatives[i].leaf]);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (variables[i]->tensor.visit == visit) continue;
    variables[i]->tensor.visit = visit;
    (*out)[(*out_count)++] = variables[i];
  }
  return GLK_OK;
}

/* The nodes that read variables; GLK_NO_REF for one that was not recorded. Each leaf learns its
 * node again, which another recording may have replaced. */
static void find_leaves(glk_context *context, const glk_program *program,
                        glk_variable *const *variables, uint32_t count, glk_ref *out) {
  for (uint32_t i = 0; i < program->forward_count; i++) {
    glk_tensor *leaf = program->nodes[i].leaf;
    if (!leaf) continue;
    leaf->leaf_of = program->serial;
    leaf->leaf_node = i;
  }
  for (uint32_t i = 0; i < count; i++) {
    out[i] = glk_program_find_leaf(context, program, &variables[i]->tensor);
  }
}

static glk_status write_gradients(glk_context *context, glk_program *program,
                                  glk_variable *const *variables, uint32_t count,
                                  glk_derivative *derivatives) {
  glk_ref *leaves;
  GLK_TRY(glk_allocate(context, (size_t)2 * count, sizeof(glk_ref), &leaves));
  glk_ref *values = leaves + count;
  find_leaves(context, program, variables, count, leaves);
  const glk_status status =
      glk_program_backward(context, program, program->outputs, NULL, 1, leaves, count, values);
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    derivatives[i] = (glk_derivative){.leaf = leaves[i], .value = values[i], .masked = GLK_NO_REF};
  }
  glk_release(context, leaves, (size_t)2 * count, sizeof(glk_ref));
  return status;
}

/* Nodes of an earlier, smaller set of variables stay in the list. Nothing reads them any more, so
 * they are neither planned nor run. A failure has nothing to restore. */
static glk_status extend_gradients(glk_context *context, glk_program *program,
                                   glk_variable *const *variables, uint32_t count) {
  void *derivatives;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_derivative), &derivatives));
  const glk_status status = write_gradients(context, program, variables, count, derivatives);
  if (status != GLK_OK) {
    glk_release(context, derivatives, count, sizeof(glk_derivative));
    return status;
  }
  /* A plan speaks of the derivatives of before. */
  if (program->mode == GLK_TRACE) glk_program_unplan(context, program);
  glk_release(context, program->derivatives, program->derivative_count, sizeof(glk_derivative));
  program->derivatives = derivatives;
  program->derivative_count = count;
  return GLK_OK;
}

static int are_known(glk_context *context, const glk_program *program,
                     glk_variable *const *variables, uint32_t count) {
  const uint64_t visit = visit_known(context, program);
  int known = 1;
  for (uint32_t i = 0; i < count; i++) known &= variables[i]->tensor.visit == visit;
  return known;
}

/* Have a derivative of every variable, GLK_NO_REF where the loss does not depend on it. */
static glk_status know_gradients(glk_context *context, glk_program *program,
                                 glk_variable *const *variables, uint32_t count) {
  if (are_known(context, program, variables, count)) return GLK_OK;
  glk_variable **all;
  uint32_t all_count;
  const uint32_t capacity = count + program->derivative_count;
  GLK_TRY(join_variables(context, program, variables, count, &all, &all_count));
  const glk_status status = extend_gradients(context, program, all, all_count);
  glk_release(context, all, capacity, sizeof *all);
  return status;
}

static glk_status refuse_shape(glk_context *context, const glk_program *program) {
  const glk_shape *loss = program->nodes[program->outputs[0]].shape;
  if (!loss->rank) return GLK_OK;
  return glk_fail(context, GLK_ERROR_GRADIENT,
                  "the loss has shape %S, expected a scalar: take its mean or sum", loss);
}

/* Refuse variables that the program does not read. */
static glk_status expect_read(glk_context *context, const glk_program *program,
                              glk_variable *const *variables, uint32_t count) {
  if (are_known(context, program, variables, count)) return GLK_OK;
  const uint64_t asked = visit_all(context, variables, count), read = glk_visit_new(context);
  for (uint32_t i = 0; i < program->forward_count; i++) {
    glk_tensor *leaf = program->nodes[i].leaf;
    if (leaf && leaf->visit == asked) leaf->visit = read;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (variables[i]->tensor.visit != read) return glk_refuse_unused(context, variables[i]);
  }
  return GLK_OK;
}

glk_status glk_program_differentiate(glk_context *context, glk_program *program,
                                     glk_variable *const *variables, uint32_t count) {
  GLK_TRY(refuse_shape(context, program));
  GLK_TRY(expect_read(context, program, variables, count));
  GLK_TRY(know_gradients(context, program, variables, count));
  const uint64_t visit = visit_known(context, program);
  for (uint32_t i = 0; i < count; i++) {
    const glk_variable *v = variables[i];
    if (v->tensor.visit != visit || program->derivatives[v->derivative].value == GLK_NO_REF)
      return glk_refuse_unused(context, v);
  }
  return GLK_OK;
}

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
  visit_known(context, program);
  for (uint32_t i = 0; i < count; i++) {
    if (program->derivatives[list[i]->derivative].value == GLK_NO_REF) continue;
    if (found < capacity) out[found] = list[i]->tensor.object.handle;
    found++;
  }
  *out_count = found;
  return GLK_OK;
}

glk_status glk_program_trainable(glk_context *context, glk_handle program, glk_handle *out,
                                 uint32_t capacity, uint32_t *out_count) {
  glk_program *p;
  glk_variable **list;
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
