/* Buffers of nodes in the arena: sizes, offsets, and live intervals. */
#ifndef GLK_GRAPH_BUFFER_H
#define GLK_GRAPH_BUFFER_H

#include "graph/program.h"

#define GLK_FOREVER UINT32_MAX
#define GLK_NO_OFFSET SIZE_MAX

/** The buffer of a root node in the arena. */
typedef struct glk_buffer {
  /** In reals; an offset of GLK_NO_OFFSET: it needs no memory. */
  size_t offset, count;
  /** Offset of scratch, used during the node only. */
  size_t scratch;
  /** Node that reads it last, GLK_FOREVER for results. */
  uint32_t last_use;
  /** End of its live interval: until this node nothing else may be written there. */
  uint32_t until;
  /** 1: some result depends on it. */
  uint32_t is_live;
  /** The fusion that it is part of; 0: none. */
  uint32_t fusion;
  /** 1: it is a piece in its fusion's own memory. */
  uint32_t is_piece;
  /** From a piece of one thread to that of the next, in reals. */
  size_t thread_stride;
  /** 1: it is a derivative that only its update reads, in a buffer of its own (gradient_buffer.c).
   */
  uint32_t has_own_buffer;
} glk_buffer;

/** Intervals of memory in use, sorted by offset. */
typedef struct glk_interval {
  size_t offset, count;
  uint32_t until;
} glk_interval;

/** The first gap of `count` reals, in use from now on. */
size_t glk_interval_take(glk_interval *busy, uint32_t *busy_count, size_t count, uint32_t until);
/** Remove the intervals that no node from `now` on needs. */
void glk_interval_retire(glk_interval *busy, uint32_t *busy_count, uint32_t now);

/* Fusion.c. */

/** Find the fusions. For each node, set its fusion, whether pieces of it are enough, and how
 *  long its inputs must stay. */
void glk_fusions_find(const glk_program *program, glk_buffer *buffers);
/** Lay out the pieces of the fusion that begins at node `first` in their own block. Returns the
 *  block's size in reals, and the fusion's last node. `busy` has room for an interval of each node.
 */
size_t glk_fusion_plan(const glk_program *program, glk_buffer *buffers, uint32_t first,
                       glk_interval *busy, uint32_t *out_last);
/** Move the buffers of a fusion's pieces, of nodes first..last, to the offset of its block. Each
 *  thread has a block of its own, `thread_stride` reals after the one before it. */
void glk_fusion_move(glk_buffer *buffers, uint32_t first, uint32_t last, size_t offset,
                     size_t thread_stride);

#endif
