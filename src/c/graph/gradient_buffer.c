/* Rooms: memory for the gradient of a variable that only its update reads. If few rows of a matrix
 * are free, only these are computed, and only these have memory (docs/laws.md, law 23). */
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

/* --------------------------------------------------------------------------------------- memory */

/* Words of `bits` for a room with this number of rows; the kernel reads pairs of them. */
static size_t bit_words(uint32_t rows, const glk_shape *shape) {
  return (size_t)rows * shape->dims[1] / 32 + 2;
}

static void free_room(glk_context *context, glk_room *room) {
  const glk_shape *shape = room->shape;
  const uint32_t count = room->rows.count;
  glk_release_reals(context, GLK_PROGRAMS, room->values, room->count);
  if (room->list) {
    glk_release(context, room->list, count, sizeof *room->list);
    glk_release(context, room->bits, bit_words(count, shape), sizeof *room->bits);
    glk_release_reals(context, GLK_PROGRAMS, room->rows.gathered, room->gathered);
    glk_release(context, room->pieces, count, sizeof *room->pieces);
  }
  *room = (glk_room){.values = NULL};
}

void glk_program_free_rooms(glk_context *context, glk_program *program) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    if (program->derivatives[i].room.values) free_room(context, &program->derivatives[i].room);
  }
}

/* Zeros, since not all of them are computed. */
static glk_status allocate_values(glk_context *context, glk_room *room) {
  GLK_TRY(glk_allocate_reals(context, GLK_PROGRAMS, room->count, &room->values));
  memset(room->values, 0, room->count * sizeof *room->values);
  return GLK_OK;
}

static glk_status allocate_rows(glk_context *context, const glk_lockset *locks, uint32_t rows,
                                size_t gathered, glk_room *room) {
  const glk_shape *shape = room->shape;
  void *memory;
  room->rows.count = rows;
  room->count = (size_t)rows * shape->dims[1] + 32; /* padding of the last word is read, too */
  room->gathered = rows * gathered;
  GLK_TRY(glk_allocate(context, rows, sizeof *room->list, &memory));
  room->list = memory;
  GLK_TRY(allocate_values(context, room));
  GLK_TRY(glk_allocate(context, bit_words(rows, shape), sizeof *room->bits, &memory));
  room->bits = memory;
  GLK_TRY(glk_allocate_reals(context, GLK_PROGRAMS, room->gathered, &room->rows.gathered));
  GLK_TRY(glk_allocate(context, rows, sizeof *room->pieces, &memory));
  room->pieces = memory;
  list_rows(locks, shape, room->list);
  list_bits(locks, shape, room->list, rows, room->bits);
  room->piece_count = list_pieces(locks, shape, room->values, room->pieces);
  room->rows.list = room->list;
  room->rows.unread = room->bits;
  return GLK_OK;
}

/* A room for the rows that these locks leave to compute; NULL: for all elements. */
static glk_status make_room(glk_context *context, const glk_shape *shape, const glk_lockset *locks,
                            uint32_t rows, size_t gathered, glk_room *out) {
  glk_room room = {.shape = shape};
  if (!locks) {
    room.count = glk_padded_count(shape->count);
    GLK_TRY(allocate_values(context, &room));
  } else {
    const glk_status status = allocate_rows(context, locks, rows, gathered, &room);
    if (status != GLK_OK) {
      free_room(context, &room);
      return status;
    }
    room.version = locks->version;
  }
  *out = room;
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

/* Tell the plan where the room is. */
static void enter(glk_program *program, const glk_derivative *d, const glk_lockset *locks) {
  const uint32_t root = d->sparing;
  glk_call *call = &program->calls[root];
  const int has_rows = d->room.list != NULL;
  call->out = d->room.values;
  call->rows = has_rows ? &d->room.rows : NULL;
  call->unread = locks && locks->locked && !has_rows ? locks->words : NULL;
  for (uint32_t i = root; i <= d->value; i++) {
    if (program->nodes[i].root == root) program->nodes[i].values = d->room.values;
  }
}

glk_status glk_program_room(glk_context *context, glk_program *program, glk_derivative *d,
                            const glk_lockset *locks) {
  size_t gathered = 0;
  if (program->mode == GLK_TAPE || d->sparing == GLK_NO_REF) return GLK_OK;
  if (d->room.list && locks && d->room.version == locks->version) return GLK_OK;
  const uint32_t rows = count_rows(program, d->sparing, locks, &gathered);
  if (rows || d->room.list || !d->room.values) {
    glk_room room;
    const glk_shape *shape = program->nodes[d->sparing].shape;
    GLK_TRY(make_room(context, shape, rows ? locks : NULL, rows, gathered, &room));
    if (d->room.values) free_room(context, &d->room);
    d->room = room;
  }
  enter(program, d, locks);
  return GLK_OK;
}

glk_status glk_program_rooms(glk_context *context, glk_program *program) {
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    if (d->wanted) GLK_TRY(glk_program_room(context, program, d, NULL));
  }
  return GLK_OK;
}

uint32_t glk_program_pieces(const glk_program *program, const glk_derivative *d, glk_piece *whole,
                            const glk_piece **out) {
  const glk_node *node = &program->nodes[d->value];
  if (d->room.list) {
    *out = d->room.pieces;
    return d->room.piece_count;
  }
  *whole = (glk_piece){0, glk_padded_count(node->shape->count), node->values};
  *out = whole;
  return 1;
}
