/* Memory plan of a program: every node gets a buffer in one arena before the first run, unless its
 * values are in a gradient buffer. A buffer is reused after its values are read for the last time;
 * an elementwise node may overwrite an operand that no later node reads. */
#include <string.h>

#include "core/memory.h"
#include "graph/buffer.h"

static void use_until(const glk_program *program, glk_buffer *buffers, uint32_t node,
                      uint32_t until) {
  glk_buffer *root = &buffers[program->nodes[node].root];
  if (root->last_use < until) root->last_use = until;
}

static void keep_derivatives(const glk_program *program, glk_buffer *buffers,
                             const glk_derivative *list, uint32_t count, int all) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i].value == GLK_NO_REF || !(all || list[i].is_needed || list[i].is_planned)) continue;
    buffers[list[i].value].is_live = 1;
    use_until(program, buffers, list[i].value, GLK_FOREVER);
  }
}

static void find_lifetimes(const glk_program *program, glk_buffer *buffers) {
  for (uint32_t i = 0; i < program->kept_count; i++) {
    buffers[program->outputs[i]].is_live = 1;
    use_until(program, buffers, program->outputs[i], GLK_FOREVER);
  }
  keep_derivatives(program, buffers, program->derivatives, program->derivative_count, 0);
  keep_derivatives(program, buffers, program->rows, program->row_count, 1);
  for (uint32_t i = program->node_count; i-- > 0;) {
    const glk_node *node = &program->nodes[i];
    buffers[i].offset = buffers[i].scratch = GLK_NO_OFFSET;
    if (!buffers[i].is_live || !node->op) continue;
    for (uint32_t k = 0; k < node->op->inputs; k++) {
      buffers[node->in[k]].is_live = 1;
      use_until(program, buffers, node->in[k], i);
    }
  }
}

/* The operand that node i may overwrite: it has the same element count, is in the arena, and is
 * read here for the last time. */
static glk_buffer *find_dying(const glk_program *program, glk_buffer *buffers, uint32_t i) {
  const glk_node *node = &program->nodes[i];
  if (!(node->op->flags & GLK_OP_ELEMENTWISE)) return NULL;
  for (uint32_t k = 0; k < node->op->inputs; k++) {
    const glk_node *in = &program->nodes[node->in[k]];
    glk_buffer *p = &buffers[in->root];
    if (p->offset == GLK_NO_OFFSET || p->is_piece || p->last_use != i ||
        in->shape->count != node->shape->count) {
      continue;
    }
    return p;
  }
  return NULL;
}

/* Find a buffer for the output of node i. */
static void assign_values(const glk_program *program, glk_buffer *buffers, uint32_t i,
                          glk_interval *busy, uint32_t *busy_count) {
  if (buffers[i].is_piece || buffers[i].has_own_buffer) return;
  buffers[i].count = glk_padded_count(program->nodes[i].shape->count);
  const glk_buffer *dying = find_dying(program, buffers, i);
  if (!dying) {
    buffers[i].offset = glk_interval_take(busy, busy_count, buffers[i].count, buffers[i].until);
    return;
  }
  for (uint32_t b = 0; b < *busy_count; b++) {
    if (busy[b].offset == dying->offset) busy[b].until = buffers[i].until;
  }
  buffers[i].offset = dying->offset;
}

/* A block for the pieces of the fusion that begins at node i. */
static void assign_pieces(const glk_program *program, glk_buffer *buffers, uint32_t i,
                          glk_interval *busy, uint32_t *busy_count,
                          const glk_thread_pool *threads) {
  uint32_t last = i;
  const size_t count = glk_fusion_plan(program, buffers, i, busy + 3 * program->node_count, &last);
  if (!count) return;
  const size_t all = count * glk_thread_pool_size(threads);
  glk_fusion_move(buffers, i, last, glk_interval_take(busy, busy_count, all, last), count);
}

/* Returns the arena's size in reals. `busy` has room for four intervals a node: values, scratch, a
 * fusion's block, and while a fusion is placed its pieces. */
static size_t assign(const glk_program *program, glk_buffer *buffers, glk_interval *busy,
                     glk_thread_pool *threads) {
  uint32_t busy_count = 0;
  size_t total = 0;
  for (uint32_t i = 0; i < program->node_count; i++) {
    const glk_node *node = &program->nodes[i];
    if (!buffers[i].is_live || !node->op || node->root != i) continue;
    glk_interval_retire(busy, &busy_count, i);
    if (buffers[i].fusion == i + 1) assign_pieces(program, buffers, i, busy, &busy_count, threads);
    assign_values(program, buffers, i, busy, &busy_count);
    if (node->scratch_count) {
      const size_t own = glk_thread_scratch(node->scratch_count);
      const size_t count = glk_op_scratch(node->op, own, glk_op_threads(node->op, own, threads));
      buffers[i].scratch = glk_interval_take(busy, &busy_count, count, i);
    }
    for (uint32_t b = 0; b < busy_count; b++) {
      const size_t end = busy[b].offset + busy[b].count;
      if (end > total) total = end;
    }
  }
  return total;
}

static void bind_nodes(glk_program *program, const glk_buffer *buffers, glk_thread_pool *threads) {
  for (uint32_t i = 0; i < program->node_count; i++) {
    glk_node *node = &program->nodes[i];
    if (!node->op) continue;
    if (!buffers[i].is_live) {
      node->values = NULL;
      continue;
    }
    if (node->root != i) {
      node->values = program->nodes[node->root].values;
      continue;
    }
    node->values = buffers[i].has_own_buffer ? NULL : program->arena + buffers[i].offset;
    node->fusion = buffers[i].fusion;
    node->is_piece = buffers[i].is_piece != 0;
    node->thread_stride = buffers[i].thread_stride;
    glk_call *call = &program->calls[i];
    const size_t thread_scratch = glk_thread_scratch(node->scratch_count);
    *call = (glk_call){
        .out = node->values,
        .scratch = buffers[i].scratch == GLK_NO_OFFSET ? NULL : program->arena + buffers[i].scratch,
        .thread_scratch = thread_scratch,
        .out_shape = node->shape,
        .attributes = &node->work->attributes,
        .run = &program->runs};
    for (uint32_t k = 0; k < node->op->inputs; k++) {
      call->in[k] = program->nodes[node->in[k]].values;
      call->in_shape[k] = program->nodes[node->in[k]].shape;
    }
    call->threads =
        glk_call_threads(node->op, call, glk_op_threads(node->op, thread_scratch, threads));
  }
}

static uint32_t count_readers(const glk_program *program, const glk_derivative *list,
                              uint32_t count, uint32_t root) {
  uint32_t readers = 0;
  for (uint32_t i = 0; i < count; i++) {
    readers += list[i].value != GLK_NO_REF && program->nodes[list[i].value].root == root;
  }
  return readers;
}

/* True if exactly one derivative, and nothing else, reads the values of a node. */
static int is_read_once(const glk_program *program, const glk_buffer *buffers, uint32_t root) {
  for (uint32_t i = 0; i < program->node_count; i++) {
    const glk_node *node = &program->nodes[i];
    if (!buffers[i].is_live || !node->op || node->root != i) continue;
    for (uint32_t k = 0; k < node->op->inputs; k++) {
      if (program->nodes[node->in[k]].root == root) return 0;
    }
  }
  for (uint32_t i = 0; i < program->kept_count; i++) {
    if (program->nodes[program->outputs[i]].root == root) return 0;
  }
  return count_readers(program, program->derivatives, program->derivative_count, root) +
             count_readers(program, program->rows, program->row_count, root) ==
         1;
}

static void find_own_buffers(const glk_program *program, glk_buffer *buffers) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    const glk_derivative *d = &program->derivatives[i];
    if (d->value == GLK_NO_REF || !buffers[d->value].is_live) continue;
    const uint32_t root = program->nodes[d->value].root;
    const glk_op *op = program->nodes[root].op;
    if (op && (op->flags & GLK_OP_MASKED) && is_read_once(program, buffers, root)) {
      buffers[root].has_own_buffer = 1;
    }
  }
}

static void enter_derivatives(glk_program *program, const glk_buffer *buffers) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    const int is_live = d->value != GLK_NO_REF && buffers[d->value].is_live;
    const uint32_t root = is_live ? program->nodes[d->value].root : GLK_NO_REF;
    d->is_planned = is_live;
    d->masked = is_live && buffers[root].has_own_buffer ? root : GLK_NO_REF;
  }
}

void glk_program_unplan(glk_context *context, glk_program *program) {
  glk_program_free_gradient_buffers(context, program);
  glk_release_reals(context, GLK_PROGRAMS, program->arena, program->arena_count);
  glk_release(context, program->calls, program->planned_count, sizeof *program->calls);
  glk_release(context, program->schedule, program->planned_count, sizeof *program->schedule);
  program->arena = NULL;
  program->calls = NULL;
  program->schedule = NULL;
  program->arena_count = 0;
  program->planned_count = program->schedule_count = 0;
  program->is_scheduled = program->is_computed = 0;
}

/* The new plan's memory, all of it or none. */
static glk_status allocate_plan(glk_context *context, size_t arena_count, uint32_t nodes,
                                glk_real **arena, void *out[2]) {
  glk_status status = glk_allocate_reals(context, GLK_PROGRAMS, arena_count, arena);
  if (status == GLK_OK) memset(*arena, 0, arena_count * sizeof **arena);
  if (status == GLK_OK) status = glk_allocate(context, nodes, sizeof(glk_call), &out[0]);
  if (status == GLK_OK) status = glk_allocate(context, nodes, sizeof(uint32_t), &out[1]);
  if (status != GLK_OK) {
    glk_release_reals(context, GLK_PROGRAMS, *arena, arena_count);
    glk_release(context, out[0], nodes, sizeof(glk_call));
  }
  return status;
}

static glk_status refuse_placeholders(glk_context *context, const glk_program *program,
                                      const glk_buffer *buffers) {
  for (uint32_t i = 0; i < program->node_count; i++) {
    const glk_op *op = program->nodes[i].op;
    if (buffers[i].is_live && op && !op->forward) return glk_fail_placeholder(context);
  }
  return GLK_OK;
}

glk_status glk_program_plan(glk_context *context, glk_program *program) {
  const uint32_t n = program->node_count;
  void *buffers, *busy, *memory[2] = {0};
  glk_real *arena = NULL;
  GLK_TRY(glk_allocate(context, n, sizeof(glk_buffer), &buffers));
  glk_status status = glk_allocate(context, (size_t)4 * n, sizeof(glk_interval), &busy);
  size_t arena_count = 0;
  if (status == GLK_OK) {
    find_lifetimes(program, buffers);
    find_own_buffers(program, buffers);
    glk_fusions_find(program, buffers);
    arena_count = assign(program, buffers, busy, context->threads);
    glk_release(context, busy, (size_t)4 * n, sizeof(glk_interval));
    status = refuse_placeholders(context, program, buffers);
    if (status == GLK_OK) status = allocate_plan(context, arena_count, n, &arena, memory);
  }
  if (status == GLK_OK) {
    glk_program_unplan(context, program);
    program->arena = arena;
    program->calls = memory[0];
    program->schedule = memory[1];
    program->arena_count = arena_count;
    program->planned_count = n;
    bind_nodes(program, buffers, context->threads);
    enter_derivatives(program, buffers);
  }
  glk_release(context, buffers, n, sizeof(glk_buffer));
  return status;
}
