/* Gather and scatter of blocks by lists of indices, marks of blocks, and a stable radix sort. */
#include "kernels/index.h"

#include "kernels/elementwise.h"

size_t glk_gather_index(const glk_gather_indices *p, size_t row) {
  size_t index = 0;
  for (uint32_t k = 0; k < p->depth; k++) {
    index = index * p->dims[k] + (size_t)p->indices[row * p->depth + k];
  }
  return index;
}

size_t glk_gather_block_count(const glk_gather_indices *p) {
  size_t blocks = 1;
  for (uint32_t k = 0; k < p->depth; k++) blocks *= p->dims[k];
  return blocks;
}

void glk_kernel_gather(const glk_gather_indices *p, const glk_real *x, glk_real *out) {
  /* out [count, block], x [blocks, block] */
  for (size_t row = 0; row < p->count; row++) {
    const glk_real *from = x + glk_gather_index(p, row) * p->block;
    if (p->block == 1) { /* calling for four bytes would cost more than they do */
      store_bits(out + row, load_bits(from));
    } else {
      memcpy(out + row * p->block, from, p->block * sizeof *out);
    }
  }
}

void glk_kernel_scatter(glk_scatter mode, const glk_gather_indices *p, const glk_real *updates,
                        glk_real *x) {
  /* x [blocks, block], updates [count, block] */
  static glk_binary_kernel *const combine[GLK_SCATTER_COUNT] = {
      [GLK_SCATTER_UPDATE_SUM] = glk_kernel_add, [GLK_SCATTER_ADD] = glk_kernel_add,
      [GLK_SCATTER_SUB] = glk_kernel_sub,        [GLK_SCATTER_MIN] = glk_kernel_minimum,
      [GLK_SCATTER_MAX] = glk_kernel_maximum,
  };
  if (mode == GLK_SCATTER_UPDATE_SUM) {
    for (size_t row = 0; row < p->count; row++) {
      memset(x + glk_gather_index(p, row) * p->block, 0, p->block * sizeof *x);
    }
  }
  for (size_t row = 0; row < p->count; row++) {
    glk_real *to = x + glk_gather_index(p, row) * p->block;
    const glk_real *from = updates + row * p->block;
    if (p->block == 1 && combine[mode] == glk_kernel_add) {
      *to += *from;
    } else if (combine[mode]) {
      combine[mode](p->block, to, 1, from, 1, to);
    } else {
      memcpy(to, from, p->block * sizeof *to);
    }
  }
}

size_t glk_mark_words(size_t blocks) { return (blocks + 31) / 32; }

int glk_mark(uint32_t *marks, size_t index) {
  const uint32_t bit = 1u << (index % 32), before = marks[index / 32];
  marks[index / 32] = before | bit;
  return (before & bit) != 0;
}

size_t glk_kernel_find_repeat(const glk_gather_indices *p, uint32_t *marks) {
  size_t row = 0;
  for (size_t w = glk_mark_words(glk_gather_block_count(p)); w-- > 0;) marks[w] = 0;
  while (row < p->count && !glk_mark(marks, glk_gather_index(p, row))) row++;
  return row;
}

/* By radix, from the lowest byte up: stable, and equally fast for every input.
 * Source: Knuth, TAOCP 3, section 5.2.5, algorithm R. */
enum { SHORT = 48 };

typedef struct item {
  glk_ubits key, index;
} item;

/* A key whose order as an integer is that of the reals: bits of negative ones are inverted. */
static glk_ubits key_of(glk_real x, int descending) {
  const glk_real value = x + 0; /* -0 becomes 0 */
  const glk_ubits sign = (glk_ubits)GLK_SIGN_BIT, bits = (glk_ubits)load_bits(&value);
  const glk_ubits key = bits & sign ? ~bits : bits | sign;
  if (x != x) return ~(glk_ubits)0;
  return descending ? ~key : key;
}

/* Faster for short rows. */
static void insertion_sort(size_t n, item *items) {
  for (size_t i = 1; i < n; i++) {
    const item moving = items[i];
    size_t at = i;
    for (; at && items[at - 1].key > moving.key; at--) items[at] = items[at - 1];
    items[at] = moving;
  }
}

size_t glk_sort_scratch(size_t n) { return 2 * n * sizeof(item) / sizeof(glk_real); }

void glk_kernel_arg_sort(size_t n, size_t stride, int descending, const glk_real *x,
                         glk_real *scratch, glk_real *out) {
  /* out [n, stride], x [n, stride], scratch 2 [n] items */
  item *from = (item *)scratch, *to = from + n;
  for (size_t i = 0; i < n; i++) from[i] = (item){key_of(x[i * stride], descending), (glk_ubits)i};
  if (n <= SHORT) insertion_sort(n, from);
  for (uint32_t shift = 0; shift < 8 * sizeof(glk_real) && n > SHORT; shift += 8) {
    uint32_t at[257] = {0}; /* where the next item with a byte goes */
    for (size_t i = 0; i < n; i++) at[(from[i].key >> shift & 255) + 1]++;
    for (uint32_t byte = 1; byte < 256; byte++) at[byte] += at[byte - 1];
    for (size_t i = 0; i < n; i++) to[at[from[i].key >> shift & 255]++] = from[i];
    item *other = from;
    from = to;
    to = other;
  }
  for (size_t k = 0; k < n; k++) out[k * stride] = (glk_real)from[k].index;
}
