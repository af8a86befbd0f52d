/* Memory plan of a program: every node gets a place in one arena before the first run, unless its
 * values are in a derivative's room. A place is reused after its values are read for the last time;
 * an elementwise node may overwrite an operand that no later node reads. */
#include <string.h>

#include "core/memory.h"
#include "graph/buffer.h"

static void use_until(const glk_program *program, glk_gather_index *places, uint32_t node,
                      uint32_t until) {
  glk_gather_index *root = &places[program->nodes[node].root];
  if (root->last_use < until) root->last_use = until;
}

static void keep_derivatives(const glk_program *program, glk_gather_index *places,
                             const glk_derivative *list, uint32_t count, int all) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i].value == GLK_NO_REF || !(all || list[i].wanted || list[i].is_planned)) continue;
    places[list[i].value].is_live = 1;
    use_until(program, places, list[i].value, GLK_FOREVER);
  }
}

static void find_lifetimes(const glk_program *program, glk_gather_index *places) {
  for (uint32_t i = 0; i < program->kept_count; i++) {
    places[program->outputs[i]].is_live = 1;
    use_until(program, places, program->outputs[i], GLK_FOREVER);
  }
  keep_derivatives(program, places, program->derivatives, program->derivative_count, 0);
  keep_derivatives(program, places, program->rows, program->row_count, 1);
  for (uint32_t i = program->node_count; i-- > 0;) {
    const glk_node *node = &program->nodes[i];
    places[i].offset = places[i].scratch = GLK_NO_PLACE;
    if (!places[i].is_live || !node->op) continue;
    for (uint32_t k = 0; k < node->op->inputs; k++) {
      places[node->in[k]].is_live = 1;
      use_until(program, places, node->in[k], i);
    }
  }
}

/* The operand that node i may overwrite: it has the same element count, is in the arena, and is
 * read here for the last time. */
static glk_gather_index *find_dying(const glk_program *program, glk_gather_index *places,
                                    uint32_t i) {
  const glk_node *node = &program->nodes[i];
  if (!(node->op->flags & GLK_OP_ELEMENTWISE)) return NULL;
  for (uint32_t k = 0; k < node->op->inputs; k++) {
    const glk_node *in = &program->nodes[node->in[k]];
    glk_gather_index *p = &places[in->root];
    if (p->offset == GLK_NO_PLACE || p->is_piece || p->last_use != i ||
        in->shape->count != node->shape->count) {
      continue;
    }
    return p;
  }
  return NULL;
}

/* Find a place for the output of node i. */
static void assign_values(const glk_program *program, glk_gather_index *places, uint32_t i,
                          glk_stretch *busy, uint32_t *busy_count) {
  if (places[i].is_piece || places[i].is_apart) return;
  places[i].count = glk_padded_count(program->nodes[i].shape->count);
  const glk_gather_index *dying = find_dying(program, places, i);
  if (!dying) {
    places[i].offset = glk_stretch_take(busy, busy_count, places[i].count, places[i].until);
    return;
  }
  for (uint32_t b = 0; b < *busy_count; b++) {
    if (busy[b].offset == dying->offset) busy[b].until = places[i].until;
  }
  places[i].offset = dying->offset;
}

/* A block for the pieces of the chain that begins at node i. */
static void assign_pieces(const glk_program *program, glk_gather_index *places, uint32_t i,
                          glk_stretch *busy, uint32_t *busy_count, const glk_thread_pool *threads) {
  uint32_t last = i;
  const size_t count = glk_chain_place(program, places, i, busy + 3 * program->node_count, &last);
  if (!count) return;
  const size_t all = count * glk_thread_pool_size(threads);
  glk_chain_move(places, i, last, glk_stretch_take(busy, busy_count, all, last), count);
}

/* Returns the arena's size in reals. `busy` has room for four stretches a node: values, scratch, a
 * chain's block, and while a chain is placed its pieces. */
static size_t assign(const glk_program *program, glk_gather_index *places, glk_stretch *busy,
                     glk_thread_pool *threads) {
  uint32_t busy_count = 0;
  size_t total = 0;
  for (uint32_t i = 0; i < program->node_count; i++) {
    const glk_node *node = &program->nodes[i];
    if (!places[i].is_live || !node->op || node->root != i) continue;
    glk_stretch_retire(busy, &busy_count, i);
    if (places[i].chain == i + 1) assign_pieces(program, places, i, busy, &busy_count, threads);
    assign_values(program, places, i, busy, &busy_count);
    if (node->scratch_count) {
      const size_t own = glk_thread_scratch(node->scratch_count);
      const size_t count = glk_op_scratch(node->op, own, glk_op_threads(node->op, own, threads));
      places[i].scratch = glk_stretch_take(busy, &busy_count, count, i);
    }
    for (uint32_t b = 0; b < busy_count; b++) {
      const size_t end = busy[b].offset + busy[b].count;
      if (end > total) total = end;
    }
  }
  return total;
}

static void place_nodes(glk_program *program, const glk_gather_index *places,
                        glk_thread_pool *threads) {
  for (uint32_t i = 0; i < program->node_count; i++) {
    glk_node *node = &program->nodes[i];
    if (!node->op) continue;
    if (!places[i].is_live) {
      node->values = NULL;
      continue;
    }
    if (node->root != i) {
      node->values = program->nodes[node->root].values;
      continue;
    }
    node->values = places[i].is_apart ? NULL : program->arena + places[i].offset;
    node->chain = places[i].chain;
    node->is_piece = places[i].is_piece != 0;
    node->thread_stride = places[i].thread_stride;
    node->scratch = places[i].scratch == GLK_NO_PLACE ? NULL : program->arena + places[i].scratch;
    glk_call *call = &program->calls[i];
    const size_t thread_scratch = glk_thread_scratch(node->scratch_count);
    *call = (glk_call){.out = node->values,
                       .scratch = node->scratch,
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
static int is_read_once(const glk_program *program, const glk_gather_index *places, uint32_t root) {
  for (uint32_t i = 0; i < program->node_count; i++) {
    const glk_node *node = &program->nodes[i];
    if (!places[i].is_live || !node->op || node->root != i) continue;
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

static void find_apart(const glk_program *program, glk_gather_index *places) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    const glk_derivative *d = &program->derivatives[i];
    if (d->value == GLK_NO_REF || !places[d->value].is_live) continue;
    const uint32_t root = program->nodes[d->value].root;
    const glk_op *op = program->nodes[root].op;
    if (op && (op->flags & GLK_OP_MASKED) && is_read_once(program, places, root)) {
      places[root].is_apart = 1;
    }
  }
}

static void enter_derivatives(glk_program *program, const glk_gather_index *places) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    const int is_live = d->value != GLK_NO_REF && places[d->value].is_live;
    const uint32_t root = is_live ? program->nodes[d->value].root : GLK_NO_REF;
    d->is_planned = is_live;
    d->sparing = is_live && places[root].is_apart ? root : GLK_NO_REF;
  }
}

void glk_program_unplan(glk_context *context, glk_program *program) {
  glk_program_free_rooms(context, program);
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
                                      const glk_gather_index *places) {
  for (uint32_t i = 0; i < program->node_count; i++) {
    const glk_op *op = program->nodes[i].op;
    if (places[i].is_live && op && !op->forward) return glk_fail_placeholder(context);
  }
  return GLK_OK;
}

glk_status glk_program_plan(glk_context *context, glk_program *program) {
  const uint32_t n = program->node_count;
  void *places, *busy, *memory[2] = {0};
  glk_real *arena = NULL;
  GLK_TRY(glk_allocate(context, n, sizeof(glk_gather_index), &places));
  glk_status status = glk_allocate(context, (size_t)4 * n, sizeof(glk_stretch), &busy);
  size_t arena_count = 0;
  if (status == GLK_OK) {
    find_lifetimes(program, places);
    find_apart(program, places);
    glk_chains_find(program, places);
    arena_count = assign(program, places, busy, context->threads);
    glk_release(context, busy, (size_t)4 * n, sizeof(glk_stretch));
    status = refuse_placeholders(context, program, places);
    if (status == GLK_OK) status = allocate_plan(context, arena_count, n, &arena, memory);
  }
  if (status == GLK_OK) {
    glk_program_unplan(context, program);
    program->arena = arena;
    program->calls = memory[0];
    program->schedule = memory[1];
    program->arena_count = arena_count;
    program->planned_count = n;
    place_nodes(program, places, context->threads);
    enter_derivatives(program, places);
  }
  glk_release(context, places, n, sizeof(glk_gather_index));
  return status;
}
