/* Sizes and lifetimes of nodes, and the places that planning gives them in memory. */
#ifndef GLK_GRAPH_BUFFER_H
#define GLK_GRAPH_BUFFER_H

#include "graph/program.h"

#define GLK_FOREVER UINT32_MAX
#define GLK_NO_PLACE SIZE_MAX

/** A stretch of the arena, for one root node. */
typedef struct glk_gather_index {
  /** In reals; an offset of GLK_NO_PLACE: it needs no memory. */
  size_t offset, count;
  /** Offset of scratch, used during the node only. */
  size_t scratch;
  /** Node that reads it last, GLK_FOREVER for results. */
  uint32_t last_use;
  /** Node before which nothing else may be written there. */
  uint32_t until;
  /** 1: some result depends on it. */
  uint32_t is_live;
  /** The chain that it is part of; 0: none. */
  uint32_t chain;
  /** 1: it is a piece in its chain's own memory. */
  uint32_t is_piece;
  /** From a piece of one thread to that of the next, in reals. */
  size_t thread_stride;
  /** 1: it is a derivative that only its update reads, in a room of its own (room.c). */
  uint32_t is_apart;
} glk_gather_index;

/** Stretches of memory in use, sorted by offset. */
typedef struct glk_stretch {
  size_t offset, count;
  uint32_t until;
} glk_stretch;

/** The first gap of `count` reals, in use from now on. */
size_t glk_stretch_take(glk_stretch *busy, uint32_t *busy_count, size_t count, uint32_t until);
/** Remove the stretches that no node from `now` on needs. */
void glk_stretch_retire(glk_stretch *busy, uint32_t *busy_count, uint32_t now);

/* ------------------------------------------------------------------------------------- chains.c */

/** Find the chains. For each node, set its chain, whether pieces of it are enough, and how long its
 *  inputs must stay. */
void glk_chains_find(const glk_program *program, glk_gather_index *places);
/** Place the pieces of the chain that begins at node `first` in their own block. Returns the
 *  block's size in reals, and the chain's last node. `busy` has room for a stretch of each node. */
size_t glk_chain_place(const glk_program *program, glk_gather_index *places, uint32_t first,
                       glk_stretch *busy, uint32_t *out_last);
/** Move the places of a chain's pieces, of nodes first..last, to the offset of its block. Each
 *  thread has a block of its own, `thread_stride` reals after the one before it. */
void glk_chain_move(glk_gather_index *places, uint32_t first, uint32_t last, size_t offset,
                    size_t thread_stride);

#endif
