/* Reverse-mode differentiation: walk the recorded nodes backwards and let each op write its
 * gradient as more nodes, which a later backward pass may differentiate again.
 * Source: Griewank & Walther 2008, Evaluating Derivatives, section 3.2. */
#include "core/memory.h"
#include "graph/program.h"

/* What the backward pass knows of each node. */
typedef struct backward_node {
  glk_ref gradient; /* d(targets)/d(node) so far */
  int depends;      /* on a source, by derivatives that may be zero everywhere */
  int is_zero;      /* a target depends on it, only through step functions: its gradient is 0 */
} backward_node;

static int passes(const glk_op *op) { return op->gradient || op->flags & GLK_OP_ZERO_GRADIENT; }

static void mark_dependents(const glk_program *program, const glk_ref *sources, uint32_t count,
                            backward_node *back, uint32_t end) {
  for (uint32_t i = 0; i < end; i++) back[i] = (backward_node){.gradient = GLK_NO_REF};
  for (uint32_t i = 0; i < count; i++) {
    if (sources[i] < end) back[sources[i]].depends = 1;
  }
  for (uint32_t i = 0; i < end; i++) {
    const glk_node *node = &program->nodes[i];
    if (node->leaf || !passes(node->op)) continue;
    for (uint32_t k = 0; k < node->op->inputs; k++) back[i].depends |= back[node->in[k]].depends;
  }
}

static void add_gradient(glk_writer *w, backward_node *node, glk_ref term) {
  node->gradient = node->gradient == GLK_NO_REF
                       ? term
                       : glk_emit2(&w->emitter, &glk_op_add, node->gradient, term);
}

static void differentiate_node(glk_writer *w, uint32_t index, backward_node *back) {
  const glk_node node = w->program->nodes[index]; /* a copy: the list moves as it grows */
  glk_gradient g = {.out = index, .dy = back[index].gradient, .attributes = &node.work->attributes};
  for (uint32_t k = 0; k < node.op->inputs; k++) {
    g.in[k] = node.in[k];
    g.needs_gradient[k] = back[node.in[k]].depends;
    g.d[k] = GLK_NO_REF;
  }
  node.op->gradient(&w->emitter, &g);
  for (uint32_t k = 0; k < node.op->inputs && w->emitter.status == GLK_OK; k++) {
    if (g.needs_gradient[k] && g.d[k] != GLK_NO_REF) add_gradient(w, &back[node.in[k]], g.d[k]);
  }
}

/* Zeros are not recorded: values that they would multiply are never computed. */
static void pass_zero(const glk_node *node, backward_node *back) {
  for (uint32_t k = 0; k < node->op->inputs; k++) back[node->in[k]].is_zero = 1;
}

static glk_ref emit_filled(glk_writer *w, glk_ref like, glk_real value) {
  const glk_shape shape = w->emitter.shape(&w->emitter, like);
  return glk_emit_broadcast(&w->emitter, w->emitter.scalar(&w->emitter, value), &shape);
}

static void walk_back(glk_writer *w, const glk_ref *targets, const glk_ref *seeds, uint32_t count,
                      backward_node *back, uint32_t end) {
  for (uint32_t i = 0; i < count && w->emitter.status == GLK_OK; i++) {
    if (!back[targets[i]].depends) continue;
    glk_ref seed = seeds ? seeds[i] : GLK_NO_REF;
    if (seed == GLK_NO_REF) seed = emit_filled(w, targets[i], 1);
    add_gradient(w, &back[targets[i]], seed);
  }
  for (uint32_t i = end; i-- > 0 && w->emitter.status == GLK_OK;) {
    const glk_node *node = &w->program->nodes[i];
    const backward_node *s = &back[i];
    /* A source may be the output of an op without a gradient. */
    if (node->leaf || !passes(node->op) || !s->depends) continue;
    if (s->gradient != GLK_NO_REF && node->op->gradient) {
      differentiate_node(w, i, back);
    } else if (s->gradient != GLK_NO_REF || s->is_zero) {
      pass_zero(node, back);
    }
  }
}

/* The gradient by a source, GLK_NO_REF if no target depends on it. */
static glk_ref result_of(glk_writer *w, glk_ref source, const backward_node *back, uint32_t end) {
  if (source >= end) return GLK_NO_REF; /* after the last target, or not a node */
  if (back[source].gradient != GLK_NO_REF || !back[source].is_zero) return back[source].gradient;
  return emit_filled(w, source, 0);
}

glk_status glk_program_backward(glk_context *context, glk_program *program, const glk_ref *targets,
                                const glk_ref *seeds, uint32_t target_count, const glk_ref *sources,
                                uint32_t source_count, glk_ref *out) {
  const uint32_t before = program->node_count;
  uint32_t end = 0; /* nodes after the last target do not matter */
  for (uint32_t i = 0; i < target_count; i++) {
    if (targets[i] >= end) end = targets[i] + 1;
  }
  backward_node *back;
  GLK_TRY(glk_allocate(context, end, sizeof(backward_node), &back));
  glk_writer w = glk_writer_to(context, program);
  mark_dependents(program, sources, source_count, back, end);
  walk_back(&w, targets, seeds, target_count, back, end);
  for (uint32_t i = 0; i < source_count && w.emitter.status == GLK_OK; i++) {
    out[i] = result_of(&w, sources[i], back, end);
  }
  glk_release(context, back, end, sizeof(backward_node));
  if (w.emitter.status != GLK_OK) glk_program_truncate(context, program, before);
  return w.emitter.status;
}
