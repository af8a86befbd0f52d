/* Custom gradients, written by users.
 *
 * While f(x) is recorded, its user's gradient is recorded too, as a function of a placeholder
 * for dL/dy. Then a link ties the value to each x. A link is an identity whose gradient is that
 * recording, repeated with the true dL/dy instead of the placeholder. So a custom gradient is
 * nodes like any other: compiled, planned, and differentiated again by later backward passes.
 * Neither row is in the op table, since both make sense only here. */
#include <string.h>

#include "core/memory.h"
#include "graph/program.h"

static const glk_op placeholder_row = {.name = "placeholder"};

static glk_status require_recording(glk_context *context, glk_program **out) {
  *out = (glk_program *)context->recording;
  if (*out) return GLK_OK;
  return glk_fail(context, GLK_ERROR_RECORDING, "a custom gradient needs a recording");
}

glk_status glk_placeholder(glk_context *context, uint32_t rank, const uint32_t *dims,
                           glk_handle *out) {
  glk_program *program;
  glk_work work = {.attributes = {0}};
  uint32_t node;
  GLK_REFUSE_IF(context, !out || (rank && !dims));
  GLK_TRY(require_recording(context, &program));
  GLK_TRY(glk_shape_make(context, "a placeholder", rank, dims, &work.shape));
  const uint32_t before = program->node_count;
  GLK_TRY(glk_program_append_known(context, program, &placeholder_row, NULL, &work, &node));
  const glk_status status = glk_program_tensor(context, program, node, out);
  if (status != GLK_OK) glk_program_truncate(context, program, before);
  return status;
}

static void write_again(glk_writer *w, const glk_node *node, glk_ref *copies, glk_ref first,
                        glk_ref index) {
  uint32_t in[GLK_MAX_INPUTS] = {0};
  int changed = 0;
  for (uint32_t k = 0; k < node->op->inputs; k++) {
    in[k] = node->in[k];
    if (in[k] < first || copies[in[k] - first] == in[k]) continue;
    in[k] = copies[in[k] - first];
    changed = 1;
  }
  if (!changed) return;
  w->emitter.status = glk_program_append_known(w->context, w->program, node->op, in, node->work,
                                               &copies[index - first]);
}

/* Write `result`, a node that depends on `placeholder`, once more with `value` instead. */
static glk_ref substitute(glk_writer *w, glk_ref result, glk_ref placeholder, glk_ref value) {
  if (w->emitter.status != GLK_OK) return GLK_NO_REF;
  if (result < placeholder) return result;
  const uint32_t count = result - placeholder + 1;
  glk_ref *copies;
  w->emitter.status = glk_allocate(w->context, count, sizeof(glk_ref), &copies);
  if (w->emitter.status != GLK_OK) return GLK_NO_REF;
  for (uint32_t i = 0; i < count; i++) copies[i] = placeholder + i;
  copies[0] = value;
  for (uint32_t i = 1; i < count && w->emitter.status == GLK_OK; i++) {
    const glk_node node = w->program->nodes[placeholder + i]; /* a copy: the list moves */
    if (node.op) write_again(w, &node, copies, placeholder, placeholder + i);
  }
  const glk_ref found = w->emitter.status == GLK_OK ? copies[count - 1] : GLK_NO_REF;
  glk_release(w->context, copies, count, sizeof(glk_ref));
  return found;
}

static void link_forward(const glk_call *call) {
  memcpy(call->out, call->in[0], call->out_shape->count * sizeof *call->out);
}

/* Attributes: the placeholder, and the gradient recorded in terms of it. */
static void link_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] = g->dy;
  if (!g->needs_gradient[1]) return;
  const glk_ref placeholder = (glk_ref)g->attributes->values[0];
  const glk_ref gradient = (glk_ref)g->attributes->values[1];
  g->d[1] = substitute((glk_writer *)e, gradient, placeholder, g->dy);
}

/* Inputs: the value, and its operand, which is not read. */
static const glk_op link_row = {.name = "customGradient",
                                .inputs = 2,
                                .flags = GLK_OP_ELEMENTWISE,
                                .forward = link_forward,
                                .gradient = link_gradient};

static glk_status node_of(glk_context *context, glk_program *program, glk_handle handle,
                          const char *role, uint32_t *out) {
  glk_tensor *tensor;
  GLK_TRY(glk_expect_tensor(context, handle, role, &tensor));
  if (tensor->recording_serial != program->serial) {
    GLK_TRY(glk_expect_value(context, handle, role, &tensor));
  }
  return glk_program_leaf(context, program, tensor, out);
}

static glk_status link_node(glk_context *context, glk_program *program, const glk_handle *given,
                            glk_handle *out) {
  static const char *const roles[] = {"the value", "the operand", "the placeholder",
                                      "the gradient"};
  uint32_t nodes[4], node;
  for (int i = 0; i < 4; i++) {
    GLK_TRY(node_of(context, program, given[i], roles[i], &nodes[i]));
  }
  if (program->nodes[nodes[2]].op != &placeholder_row) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "the placeholder's handle is not a placeholder");
  }
  const glk_shape *x = program->nodes[nodes[1]].shape, *dx = program->nodes[nodes[3]].shape;
  if (!glk_shape_equal(x, dx)) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "a custom gradient gave shape %S for an operand of shape %S", dx, x);
  }
  const glk_work work = {.attributes = {2, {nodes[2], nodes[3]}},
                         .shape = *program->nodes[nodes[0]].shape};
  if (!glk_shape_equal(&work.shape, program->nodes[nodes[2]].shape)) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "the placeholder has shape %S, but the value has shape %S",
                    program->nodes[nodes[2]].shape, &work.shape);
  }
  GLK_TRY(glk_program_append_known(context, program, &link_row, nodes, &work, &node));
  return glk_program_tensor(context, program, node, out);
}

glk_status glk_custom_gradient(glk_context *context, glk_handle value, glk_handle operand,
                               glk_handle placeholder, glk_handle gradient, glk_handle *out) {
  glk_program *program;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(require_recording(context, &program));
  const uint32_t before = program->node_count;
  const glk_status status =
      link_node(context, program, (const glk_handle[]){value, operand, placeholder, gradient}, out);
  if (status != GLK_OK) glk_program_truncate(context, program, before);
  return status;
}
