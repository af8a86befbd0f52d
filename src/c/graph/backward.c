/* Reverse-mode differentiation: walk the recorded nodes backwards and let each op write its
 * gradient as more nodes, which a later sweep may differentiate again.
 * Source: Griewank & Walther 2008, Evaluating Derivatives, section 3.2. */
#include "core/memory.h"
#include "graph/program.h"

/* The sweep's data of each node. */
typedef struct sweep_node {
  glk_ref gradient; /* d(targets)/d(node) so far */
  int depends;      /* on a source, by derivatives that may be zero everywhere */
  int is_zero;      /* a target depends on it, but for all that is known only by such derivatives */
} sweep_node;

static int passes(const glk_op *op) { return op->gradient || op->flags & GLK_OP_STEP; }

static void mark_dependents(const glk_program *program, const glk_ref *sources, uint32_t count,
                            sweep_node *sweep, uint32_t swept) {
  for (uint32_t i = 0; i < swept; i++) sweep[i] = (sweep_node){.gradient = GLK_NO_REF};
  for (uint32_t i = 0; i < count; i++) {
    if (sources[i] < swept) sweep[sources[i]].depends = 1;
  }
  for (uint32_t i = 0; i < swept; i++) {
    const glk_node *node = &program->nodes[i];
    if (node->leaf || !passes(node->op)) continue;
    for (uint32_t k = 0; k < node->op->inputs; k++) sweep[i].depends |= sweep[node->in[k]].depends;
  }
}

static void add_gradient(glk_writer *w, sweep_node *node, glk_ref term) {
  node->gradient = node->gradient == GLK_NO_REF
                       ? term
                       : glk_emit2(&w->emitter, &glk_op_add, node->gradient, term);
}

static void differentiate_node(glk_writer *w, uint32_t index, sweep_node *sweep) {
  const glk_node node = w->program->nodes[index]; /* a copy: the list moves as it grows */
  glk_gradient g = {
      .out = index, .dy = sweep[index].gradient, .attributes = &node.work->attributes};
  for (uint32_t k = 0; k < node.op->inputs; k++) {
    g.in[k] = node.in[k];
    g.needs_gradient[k] = sweep[node.in[k]].depends;
    g.d[k] = GLK_NO_REF;
  }
  node.op->gradient(&w->emitter, &g);
  for (uint32_t k = 0; k < node.op->inputs && w->emitter.status == GLK_OK; k++) {
    if (g.needs_gradient[k] && g.d[k] != GLK_NO_REF) add_gradient(w, &sweep[node.in[k]], g.d[k]);
  }
}

/* Zeros are not recorded: values that they would multiply are never computed. */
static void pass_zero(const glk_node *node, sweep_node *sweep) {
  for (uint32_t k = 0; k < node->op->inputs; k++) sweep[node->in[k]].is_zero = 1;
}

static glk_ref emit_filled(glk_writer *w, glk_ref like, glk_real value) {
  const glk_shape shape = w->emitter.shape(&w->emitter, like);
  return glk_emit_broadcast(&w->emitter, w->emitter.scalar(&w->emitter, value), &shape);
}

static void sweep_back(glk_writer *w, const glk_ref *targets, const glk_ref *seeds, uint32_t count,
                       sweep_node *sweep, uint32_t swept) {
  for (uint32_t i = 0; i < count && w->emitter.status == GLK_OK; i++) {
    if (!sweep[targets[i]].depends) continue;
    glk_ref seed = seeds ? seeds[i] : GLK_NO_REF;
    if (seed == GLK_NO_REF) seed = emit_filled(w, targets[i], 1);
    add_gradient(w, &sweep[targets[i]], seed);
  }
  for (uint32_t i = swept; i-- > 0 && w->emitter.status == GLK_OK;) {
    const glk_node *node = &w->program->nodes[i];
    const sweep_node *s = &sweep[i];
    /* A source may be the output of an op without a gradient. */
    if (node->leaf || !passes(node->op) || !s->depends) continue;
    if (s->gradient != GLK_NO_REF && node->op->gradient) {
      differentiate_node(w, i, sweep);
    } else if (s->gradient != GLK_NO_REF || s->is_zero) {
      pass_zero(node, sweep);
    }
  }
}

/* The gradient by a source, GLK_NO_REF if no target depends on it. */
static glk_ref result_of(glk_writer *w, glk_ref source, const sweep_node *sweep, uint32_t swept) {
  if (source >= swept) return GLK_NO_REF; /* behind the last target, or of no node at all */
  if (sweep[source].gradient != GLK_NO_REF || !sweep[source].is_zero) return sweep[source].gradient;
  return emit_filled(w, source, 0);
}

glk_status glk_program_sweep(glk_context *context, glk_program *program, const glk_ref *targets,
                             const glk_ref *seeds, uint32_t target_count, const glk_ref *sources,
                             uint32_t source_count, glk_ref *out) {
  const uint32_t before = program->node_count;
  uint32_t swept = 0; /* nodes after the last target do not matter */
  for (uint32_t i = 0; i < target_count; i++) {
    if (targets[i] >= swept) swept = targets[i] + 1;
  }
  void *memory;
  GLK_TRY(glk_allocate(context, swept, sizeof(sweep_node), &memory));
  sweep_node *sweep = memory;
  glk_writer w = glk_writer_to(context, program);
  mark_dependents(program, sources, source_count, sweep, swept);
  sweep_back(&w, targets, seeds, target_count, sweep, swept);
  for (uint32_t i = 0; i < source_count && w.emitter.status == GLK_OK; i++) {
    out[i] = result_of(&w, sources[i], sweep, swept);
  }
  glk_release(context, memory, swept, sizeof(sweep_node));
  if (w.emitter.status != GLK_OK) glk_program_truncate(context, program, before);
  return w.emitter.status;
}
