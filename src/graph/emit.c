/* The emitter that recipes write to: what a gradient or a composite op is made of becomes nodes of a program. */
#include "graph/program.h"

static glk_ref write_op(glk_emitter *self, glk_op_id op, const glk_ref *inputs,
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
  return *((const glk_writer *)self)->program->nodes[ref].shape;
}

glk_writer glk_writer_to(glk_context *context, glk_program *program) {
  return (glk_writer){{GLK_OK, write_op, write_scalar, shape_of}, context, program};
}
