/* Gradient buffers: memory for the gradient of a variable that only its update reads. If few
 * rows of a matrix are free, only these are computed, and only these have memory (docs/laws.md,
 * law 23). */
#include <string.h>

#include "core/memory.h"
#include "graph/program.h"

/* The rows with elements in a word of 32 that is not fully locked. */
typedef struct word_rows {
  uint32_t first, last;
} word_rows;

static word_rows rows_of_word(uint32_t w, const glk_shape *shape) {
  const uint32_t columns = shape->dims[1], last = (w * 32 + 31) / columns;
  return (word_rows){w * 32 / columns, last < shape->dims[0] ? last : shape->dims[0] - 1};
}

/* List the rows that hold a free element or share a word with one, ascending; unless `list` is
 * NULL. Returns their number. */
static uint32_t list_rows(const glk_lockset *locks, const glk_shape *shape, uint32_t *list) {
  uint32_t count = 0, next = 0;
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (locks->words[w] == ~(uint32_t)0) continue;
    const word_rows rows = rows_of_word(w, shape);
    for (uint32_t row = rows.first > next ? rows.first : next; row <= rows.last; row++) {
      if (list) list[count] = row;
      count++;
    }
    if (rows.last + 1 > next) next = rows.last + 1;
  }
  return count;
}

/* The words of neighbouring rows, as pieces of the gradient; there are at most as many pieces as
 * rows. */
static uint32_t list_pieces(const glk_lockset *locks, const glk_shape *shape,
                            const glk_real *values, glk_piece *pieces) {
  uint32_t count = 0, listed = 0, next = 0;
  for (uint32_t w = 0; w < locks->word_count; w++) {
    if (locks->words[w] == ~(uint32_t)0) continue;
    const word_rows rows = rows_of_word(w, shape);
    if (!count || rows.first > next) {
      const size_t skew = 32 * w - rows.first * shape->dims[1];
      const size_t at = (size_t)listed * shape->dims[1];
      pieces[count++] = (glk_piece){.first = 32 * w, .values = values + at + skew};
      next = rows.first;
    }
    pieces[count - 1].count = 32 * (w + 1) - pieces[count - 1].first;
    listed += rows.last + 1 - next;
    next = rows.last + 1;
  }
  return count;
}

/* The lock bits of the listed rows, one after the other. */
static void list_bits(const glk_lockset *locks, const glk_shape *shape, const uint32_t *list,
                      uint32_t count, uint32_t *bits) {
  const uint32_t columns = shape->dims[1];
  size_t to = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t from = list[i] * columns;
    for (uint32_t j = 0; j < columns; j++, to++) {
      bits[to / 32] |= (uint32_t)glk_lockset_has(locks, from + j) << (to % 32);
    }
  }
}

/* Words of `bits` for a buffer with this number of rows; the kernel reads pairs of them. */
static size_t bit_words(uint32_t rows, const glk_shape *shape) {
  return (size_t)rows * shape->dims[1] / 32 + 2;
}

static void free_buffer(glk_context *context, glk_gradient_buffer *buffer) {
  const glk_shape *shape = buffer->shape;
  const uint32_t count = buffer->rows.count;
  glk_release_reals(context, GLK_PROGRAMS, buffer->values, buffer->count);
  if (buffer->list) {
    glk_release(context, buffer->list, count, sizeof *buffer->list);
    glk_release(context, buffer->bits, bit_words(count, shape), sizeof *buffer->bits);
    glk_release_reals(context, GLK_PROGRAMS, buffer->rows.gathered, buffer->gathered);
    glk_release(context, buffer->pieces, count, sizeof *buffer->pieces);
  }
  *buffer = (glk_gradient_buffer){.values = NULL};
}

void glk_program_free_gradient_buffers(glk_context *context, glk_program *program) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    if (program->derivatives[i].buffer.values)
      free_buffer(context, &program->derivatives[i].buffer);
  }
}

/* Zeros, since not all of them are computed. */
static glk_status allocate_values(glk_context *context, glk_gradient_buffer *buffer) {
  GLK_TRY(glk_allocate_reals(context, GLK_PROGRAMS, buffer->count, &buffer->values));
  memset(buffer->values, 0, buffer->count * sizeof *buffer->values);
  return GLK_OK;
}

static glk_status allocate_rows(glk_context *context, const glk_lockset *locks, uint32_t rows,
                                size_t gathered, glk_gradient_buffer *buffer) {
  const glk_shape *shape = buffer->shape;
  buffer->rows.count = rows;
  buffer->count = (size_t)rows * shape->dims[1] + 32; /* padding of the last word is read, too */
  buffer->gathered = rows * gathered;
  GLK_TRY(glk_allocate(context, rows, sizeof *buffer->list, &buffer->list));
  GLK_TRY(allocate_values(context, buffer));
  GLK_TRY(glk_allocate(context, bit_words(rows, shape), sizeof *buffer->bits, &buffer->bits));
  GLK_TRY(glk_allocate_reals(context, GLK_PROGRAMS, buffer->gathered, &buffer->rows.gathered));
  GLK_TRY(glk_allocate(context, rows, sizeof *buffer->pieces, &buffer->pieces));
  list_rows(locks, shape, buffer->list);
  list_bits(locks, shape, buffer->list, rows, buffer->bits);
  buffer->piece_count = list_pieces(locks, shape, buffer->values, buffer->pieces);
  buffer->rows.list = buffer->list;
  buffer->rows.unread = buffer->bits;
  return GLK_OK;
}

/* A buffer for the rows that these locks leave to compute; NULL: for all elements. */
static glk_status make_buffer(glk_context *context, const glk_shape *shape,
                              const glk_lockset *locks, uint32_t rows, size_t gathered,
                              glk_gradient_buffer *out) {
  glk_gradient_buffer buffer = {.shape = shape};
  if (!locks) {
    buffer.count = glk_padded_count(shape->count);
    GLK_TRY(allocate_values(context, &buffer));
  } else {
    const glk_status status = allocate_rows(context, locks, rows, gathered, &buffer);
    if (status != GLK_OK) {
      free_buffer(context, &buffer);
      return status;
    }
    buffer.version = locks->version;
  }
  *out = buffer;
  return GLK_OK;
}

/* How many rows to compute alone; 0: all elements are to have memory, since the op cannot choose,
 * or would not save half of them. */
static uint32_t count_rows(const glk_program *program, uint32_t root, const glk_lockset *locks,
                           size_t *out_gathered) {
  const glk_node *node = &program->nodes[root];
  const glk_call *call = &program->calls[root];
  if (!locks || !locks->locked || !node->op->gathered || node->shape->rank != 2) return 0;
  *out_gathered = node->op->gathered(call->in_shape, call->attributes);
  if (*out_gathered == GLK_NO_ROWS) return 0;
  const uint32_t rows = list_rows(locks, node->shape, NULL);
  return 2 * (uint64_t)rows <= node->shape->dims[0] ? rows : 0;
}

/* Store the buffer in the plan. */
static void enter(glk_program *program, const glk_derivative *d, const glk_lockset *locks) {
  const uint32_t root = d->masked;
  glk_call *call = &program->calls[root];
  const int has_rows = d->buffer.list != NULL;
  call->out = d->buffer.values;
  call->rows = has_rows ? &d->buffer.rows : NULL;
  call->unread = locks && locks->locked && !has_rows ? locks->words : NULL;
  for (uint32_t i = root; i <= d->value; i++) {
    if (program->nodes[i].root == root) program->nodes[i].values = d->buffer.values;
  }
}

glk_status glk_program_gradient_buffer(glk_context *context, glk_program *program,
                                       glk_derivative *d, const glk_lockset *locks) {
  size_t gathered = 0;
  if (program->mode == GLK_TAPE || d->masked == GLK_NO_REF) return GLK_OK;
  if (d->buffer.list && locks && d->buffer.version == locks->version) return GLK_OK;
  const uint32_t rows = count_rows(program, d->masked, locks, &gathered);
  if (rows || d->buffer.list || !d->buffer.values) {
    glk_gradient_buffer buffer;
    const glk_shape *shape = program->nodes[d->masked].shape;
    GLK_TRY(make_buffer(context, shape, rows ? locks : NULL, rows, gathered, &buffer));
    if (d->buffer.values) free_buffer(context, &d->buffer);
    d->buffer = buffer;
  }
  enter(program, d, locks);
  return GLK_OK;
}

glk_status glk_program_gradient_buffers(glk_context *context, glk_program *program) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    if (d->is_needed) GLK_TRY(glk_program_gradient_buffer(context, program, d, NULL));
  }
  return GLK_OK;
}

uint32_t glk_program_pieces(const glk_program *program, const glk_derivative *d, glk_piece *single,
                            const glk_piece **out) {
  const glk_node *node = &program->nodes[d->value];
  if (d->buffer.list) {
    *out = d->buffer.pieces;
    return d->buffer.piece_count;
  }
  *single = (glk_piece){0, glk_padded_count(node->shape->count), node->values};
  *out = single;
  return 1;
}
