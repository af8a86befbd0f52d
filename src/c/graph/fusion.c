/* Fusions: runs of elementwise nodes of one element count, computed together piece by piece. So
 * the output of one node is still in the cache when the next node reads it. A value that only
 * its fusion reads exists only piece by piece. The bits are the same as for whole nodes, since
 * each element is computed by itself.
 *
 * Pieces of all nodes alternate. So the inputs of a fusion must stay until its end, and the memory
 * of its pieces is in use from its beginning to its end. */
#include "graph/buffer.h"

/* Elements computed at a time: 32 kB for each value in hand, which the second-level cache holds.
 * Builds for tests take little pieces, so that all their small programs are fusions too. */
#ifdef GLK_DEBUG
enum { PIECE = 32 };
#else
enum { PIECE = 8192 };
#endif

static int can_join(const glk_program *program, const glk_node *node) {
  const uint32_t n = node->shape->count;
  if (!(node->op->flags & GLK_OP_ELEMENTWISE) || n <= PIECE) return 0;
  for (uint32_t k = 0; k < node->op->inputs; k++) {
    const uint32_t count = program->nodes[node->in[k]].shape->count;
    if (count != n && count != 1) return 0;
  }
  return 1;
}

/* True if node i is computed, and is not an alias of another node. */
static int is_computed(const glk_program *program, const glk_buffer *buffers, uint32_t i) {
  return buffers[i].is_live && program->nodes[i].op && program->nodes[i].root == i;
}

static void close_fusion(const glk_program *program, glk_buffer *buffers, uint32_t first,
                         uint32_t last) {
  if (!buffers[first].fusion) return;
  for (uint32_t i = first; i <= last; i++) {
    const glk_node *node = &program->nodes[i];
    if (!buffers[i].fusion) continue;
    buffers[i].is_piece = buffers[i].last_use <= last;
    for (uint32_t k = 0; k < node->op->inputs; k++) {
      glk_buffer *in = &buffers[program->nodes[node->in[k]].root];
      if (in->until < last) in->until = last;
    }
  }
}

void glk_fusions_find(const glk_program *program, glk_buffer *buffers) {
  uint32_t first = 0, last = 0;
  for (uint32_t i = 0; i < program->node_count; i++) {
    buffers[i].until = buffers[i].last_use;
  }
  for (uint32_t i = 0; i < program->node_count; i++) {
    if (!is_computed(program, buffers, i)) continue;
    const int joins = can_join(program, &program->nodes[i]);
    if (!joins || !buffers[last].fusion ||
        program->nodes[last].shape->count != program->nodes[i].shape->count) {
      close_fusion(program, buffers, first, last);
      first = i;
    }
    if (joins) buffers[i].fusion = first + 1;
    last = i;
  }
  close_fusion(program, buffers, first, last);
}

size_t glk_fusion_plan(const glk_program *program, glk_buffer *buffers, uint32_t first,
                       glk_interval *busy, uint32_t *out_last) {
  uint32_t busy_count = 0;
  size_t total = 0;
  for (uint32_t i = first; i < program->node_count; i++) {
    if (!is_computed(program, buffers, i)) continue;
    if (buffers[i].fusion != buffers[first].fusion) break;
    *out_last = i;
    glk_interval_retire(busy, &busy_count, i);
    if (!buffers[i].is_piece) continue;
    buffers[i].offset = glk_interval_take(busy, &busy_count, PIECE, buffers[i].last_use);
    const size_t end = buffers[i].offset + PIECE;
    if (end > total) total = end;
  }
  return total;
}

void glk_fusion_move(glk_buffer *buffers, uint32_t first, uint32_t last, size_t offset,
                     size_t thread_stride) {
  for (uint32_t i = first; i <= last; i++) {
    if (!buffers[i].is_piece || buffers[i].fusion != buffers[first].fusion) continue;
    buffers[i].offset += offset;
    buffers[i].thread_stride = thread_stride;
  }
}

/* Where element `from` of a value is, as the nodes of a fusion see it. */
static glk_real *element(const glk_node *root, size_t from, uint32_t thread) {
  if (root->is_piece) return root->values + thread * root->thread_stride;
  return root->shape->count == 1 ? root->values : root->values + from;
}

static void run_piece(const glk_program *program, uint32_t index, uint32_t from, uint32_t count,
                      uint32_t thread) {
  static const glk_shape single = {.count = 1};
  const glk_node *node = &program->nodes[index];
  const glk_shape piece = {.rank = 1, .dims = {count}, .count = count};
  glk_call call = program->calls[index];
  call.threads = NULL; /* this is a part of a job already */
  call.out = element(node, from, thread);
  call.out_shape = &piece;
  for (uint32_t k = 0; k < node->op->inputs; k++) {
    const glk_node *root = &program->nodes[program->nodes[node->in[k]].root];
    call.in[k] = element(root, from, thread);
    call.in_shape[k] = root->shape->count == 1 ? &single : &piece;
  }
  node->op->forward(&call);
}

typedef struct span {
  const glk_program *program;
  uint32_t at, end; /* indices of the schedule */
} span;

static void run_pieces(const void *work, size_t from, size_t to, uint32_t thread) {
  const span *fusion = work;
  for (; from < to; from += PIECE) {
    const size_t rest = to - from, count = rest < PIECE ? rest : PIECE;
    for (uint32_t i = fusion->at; i < fusion->end; i++) {
      run_piece(fusion->program, fusion->program->schedule[i], (uint32_t)from, (uint32_t)count,
                thread);
    }
  }
}

uint32_t glk_fusion_execute(const glk_program *program, uint32_t at, glk_thread_pool *threads) {
  const glk_node *first = &program->nodes[program->schedule[at]];
  uint32_t end = at + 1;
  if (!first->fusion) return at;
  while (end < program->schedule_count &&
         program->nodes[program->schedule[end]].fusion == first->fusion) {
    end++;
  }
  if (end == at + 1) return at;
  const span fusion = {program, at, end};
  const double ns = GLK_ELEMENT_NS * first->shape->count * (end - at);
  glk_parallel_for(threads, ns, first->shape->count, PIECE, run_pieces, &fusion);
  return end;
}
