/* The list of nodes of a program: leaves, ops, and the emitter through which recipes (gradients and
 * composite ops) append ops. What an emitter appends may be a composite that emits: a recursion, so
 * both are in one file. */
#include "core/memory.h"
#include "graph/program.h"

static void free_node(glk_context *context, glk_node *node) {
  if (node->leaf) glk_drop(context, &node->leaf->object);
  glk_storage_drop(context, node->storage);
  glk_release(context, node->work, 1, sizeof *node->work);
  *node = (glk_node){0};
}

void glk_program_truncate(glk_context *context, glk_program *program, uint32_t count) {
  while (program->node_count > count) free_node(context, &program->nodes[--program->node_count]);
}

glk_variable *glk_node_variable(const glk_node *node) {
  return node->leaf && node->leaf->object.kind == GLK_KIND_VARIABLE ? (glk_variable *)node->leaf
                                                                    : NULL;
}

static glk_status add_node(glk_context *context, glk_program *program, uint32_t *out) {
  GLK_TRY(glk_reserve(context, &program->nodes, &program->node_capacity, program->node_count + 1,
                      sizeof *program->nodes));
  *out = program->node_count++;
  program->nodes[*out] = (glk_node){.root = *out};
  return GLK_OK;
}

/* A tensor remembers its node in the last recording that read it. If another has read it since, a
 * program that is done searches its nodes. */
glk_ref glk_program_find_leaf(const glk_context *context, const glk_program *program,
                              const glk_tensor *tensor) {
  if (tensor->leaf_of == program->serial) {
    const int is_there = tensor->leaf_node < program->node_count; /* not truncated */
    return is_there && program->nodes[tensor->leaf_node].leaf == tensor ? tensor->leaf_node
                                                                        : GLK_NO_REF;
  }
  if (!tensor->leaf_of || &program->object == context->recording) return GLK_NO_REF;
  for (uint32_t i = 0; i < program->node_count; i++) {
    if (program->nodes[i].leaf == tensor) return i;
  }
  return GLK_NO_REF;
}

glk_status glk_program_leaf(glk_context *context, glk_program *program, glk_tensor *tensor,
                            uint32_t *out) {
  *out = tensor->node;
  if (tensor->recording_serial == program->serial) return GLK_OK;
  *out = glk_program_find_leaf(context, program, tensor);
  if (*out != GLK_NO_REF) return GLK_OK;
  GLK_TRY(add_node(context, program, out));
  tensor->leaf_of = program->serial;
  tensor->leaf_node = *out;
  glk_node *node = &program->nodes[*out];
  glk_retain(&tensor->object);
  node->leaf = tensor;
  node->shape = &tensor->shape;
  node->values = tensor->storage->values;
  if (glk_node_variable(node)) node->writes = glk_node_variable(node)->writes;
  return GLK_OK;
}

/* A tape's node gets its value now. */
static glk_status compute_node(glk_context *context, glk_program *program, glk_node *node) {
  const glk_real *in[GLK_MAX_INPUTS] = {0};
  const glk_shape *in_shape[GLK_MAX_INPUTS] = {0};
  for (uint32_t i = 0; i < node->op->inputs; i++) {
    in[i] = program->nodes[node->in[i]].values;
    if (!in[i]) return GLK_OK; /* it waits for a placeholder's value */
    in_shape[i] = program->nodes[node->in[i]].shape;
  }
  GLK_TRY(glk_compute(context, node->op, in, in_shape, &node->work->attributes, node->shape,
                      &node->storage));
  node->values = node->storage->values;
  return GLK_OK;
}

static glk_ref write_op(glk_emitter *self, const glk_op *op, const glk_ref *inputs,
                        const glk_attributes *attributes) {
  glk_writer *w = (glk_writer *)self;
  uint32_t node;
  if (self->status == GLK_OK) {
    self->status = glk_program_append(w->context, w->program, op, inputs, attributes, &node);
  }
  return self->status == GLK_OK ? node : GLK_NO_REF;
}

static glk_ref write_scalar(glk_emitter *self, glk_real value) {
  glk_writer *w = (glk_writer *)self;
  glk_tensor *scalar;
  uint32_t node;
  if (self->status == GLK_OK) self->status = glk_tensor_scalar(w->context, value, &scalar);
  if (self->status != GLK_OK) return GLK_NO_REF;
  self->status = glk_program_leaf(w->context, w->program, scalar, &node);
  glk_drop(w->context, &scalar->object);
  return self->status == GLK_OK ? node : GLK_NO_REF;
}

static glk_shape shape_of(const glk_emitter *self, glk_ref ref) {
  if (ref == GLK_NO_REF) return (glk_shape){.rank = 0, .count = 1};
  return *((const glk_writer *)self)->program->nodes[ref].shape;
}

glk_writer glk_writer_to(glk_context *context, glk_program *program) {
  return (glk_writer){{GLK_OK, write_op, write_scalar, shape_of}, context, program};
}

/* A composite op is never a node: its parts are. */
static glk_status append_parts(glk_context *context, glk_program *program, const glk_op *op,
                               const uint32_t *inputs, const glk_attributes *attributes,
                               uint32_t *out) {
  const uint32_t before = program->node_count;
  glk_writer w = glk_writer_to(context, program);
  const glk_ref result = op->expand(&w.emitter, inputs, attributes);
  if (w.emitter.status == GLK_OK) {
    *out = result;
  } else {
    glk_program_truncate(context, program, before);
  }
  return w.emitter.status;
}

glk_status glk_program_append(glk_context *context, glk_program *program, const glk_op *op,
                              const uint32_t *inputs, const glk_attributes *attributes,
                              uint32_t *out) {
  const glk_shape *in_shape[GLK_MAX_INPUTS] = {0};
  glk_work work = {.attributes = *attributes};
  for (uint32_t i = 0; i < op->inputs; i++) in_shape[i] = program->nodes[inputs[i]].shape;
  GLK_TRY(op->infer(context, op, in_shape, &work.attributes, &work.shape));
  if (op->expand) return append_parts(context, program, op, inputs, &work.attributes, out);
  return glk_program_append_known(context, program, op, inputs, &work, out);
}

glk_status glk_program_append_known(glk_context *context, glk_program *program, const glk_op *op,
                                    const uint32_t *inputs, const glk_work *work, uint32_t *out) {
  const glk_shape *in_shape[GLK_MAX_INPUTS] = {0};
  for (uint32_t i = 0; i < op->inputs; i++) in_shape[i] = program->nodes[inputs[i]].shape;
  const size_t scratch = op->scratch ? op->scratch(in_shape, &work->attributes) : 0;
  glk_work *kept;
  uint32_t index;
  GLK_TRY(glk_allocate(context, 1, sizeof *work, &kept));
  glk_status status = add_node(context, program, &index);
  if (status != GLK_OK) {
    glk_release(context, kept, 1, sizeof *work);
    return status;
  }
  glk_node *node = &program->nodes[index];
  node->op = op;
  node->work = kept;
  *node->work = *work;
  node->shape = &node->work->shape;
  node->scratch_count = (uint32_t)scratch;
  for (uint32_t i = 0; i < op->inputs; i++) node->in[i] = inputs[i];
  if (program->mode == GLK_TAPE && op->forward) {
    status = compute_node(context, program, node);
    if (status != GLK_OK) glk_program_truncate(context, program, index);
  } else if (op->flags & GLK_OP_ALIAS) {
    node->root = program->nodes[inputs[0]].root;
  }
  if (status == GLK_OK) *out = index;
  return status;
}
