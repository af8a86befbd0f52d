/* Pages: an optimizer's state of a variable's elements between steps (slots, a moving average,
 * pending gradients), where an element is or was free (docs/laws.md, law 23). Elements that were
 * always locked have no memory: their slots have initial values, their average is their value, and
 * nothing is pending.
 *
 * Memory is allocated in pages of GLK_PAGE elements when one of them becomes free. Neighbouring
 * pages that are allocated together are one extent with one block for each array, so a variable
 * without locks has a single extent. Pages are freed only all at once: elements that are locked
 * later keep their slots (law 2).
 *
 * Where a page has many elements that are locked and never trained, its slots are packed: only the
 * other elements have some. kernels/update.h decides which pages; page_lists.c lists the elements
 * whenever locks have changed. */
#ifndef GLK_OPTIM_PAGES_H
#define GLK_OPTIM_PAGES_H

#include "kernels/update.h"
#include "lock/lockset.h"

/** Arrays of an extent: the slots, and then these. */
enum { GLK_AVERAGE = GLK_MAX_SLOTS, GLK_PENDING, GLK_KEPT };

typedef struct glk_extent {
  /** Its first element, a multiple of GLK_PAGE, and the number of elements, a multiple of 32. */
  uint32_t first, count;
  /** Of each slot: `count`, less what packed pages leave out. */
  uint32_t slot_count;
  /** Slots [slot_count], others [count]; NULL: not needed so far. */
  glk_real *arrays[GLK_KEPT];
  /** [pages of the extent] for the locks of glk_pages.version; NULL: all have GLK_PAGE_WORDS. */
  glk_page_list *lists;
  /** [place_count] */
  uint16_t *places;
  uint32_t place_count;
} glk_extent;

typedef struct glk_pages {
  /** In the order of elements. */
  glk_extent *extents;
  uint32_t count;
  /** A bit for each array that was needed so far. */
  uint32_t kept;
  /** Initial value of each slot's elements, from when it was first needed. */
  glk_real starts[GLK_MAX_SLOTS];
  /** The version of the locks that memory and lists are for; 0: none. */
  uint32_t version;
  /** 1: all elements have memory, locked ones, too. */
  int is_whole;
  /** 1: the lists have room for any locks, and no page is packed. */
  int may_move;
} glk_pages;

/** Initial values of new memory. */
typedef struct glk_pages_fill {
  glk_real starts[GLK_MAX_SLOTS];
  /** [padded to whole lock words] The variable, where its average starts. */
  const glk_real *values;
} glk_pages_fill;

/** The number of its elements, without padding. */
static inline uint32_t glk_extent_elements(const glk_extent *extent, const glk_shape *shape) {
  const uint32_t left = shape->count - extent->first;
  return left < extent->count ? left : extent->count;
}

/** How many pages it has. */
static inline uint32_t glk_extent_pages(const glk_extent *extent) {
  return (extent->count + GLK_PAGE - 1) / GLK_PAGE;
}

/** The number of a page's elements, padding to whole words included. */
static inline uint32_t glk_extent_page_elements(const glk_extent *extent, uint32_t page) {
  const uint32_t left = extent->count - page * GLK_PAGE;
  return left < GLK_PAGE ? left : GLK_PAGE;
}

/** How many reals an array of an extent has. */
static inline uint32_t glk_extent_reals(const glk_extent *extent, uint32_t array) {
  return array < GLK_MAX_SLOTS ? extent->slot_count : extent->count;
}

void glk_pages_free(glk_context *context, glk_pages *pages);

/** Get memory for the arrays of `needed`, a bit each, wherever these locks leave an element free;
 *  with `whole`, everywhere. List what is free. With `may_move`, other locks in the same pages need
 *  no more memory: policies move them between the steps of a call. It is cheap if nothing is
 *  missing and locks are those of the last call. If it fails, no readable value changes. */
glk_status glk_pages_reserve(glk_context *context, glk_pages *pages, const glk_lockset *locks,
                             uint32_t needed, int whole, int may_move, const glk_pages_fill *fill);
/** Create extents without arrays. `places` has the first element and the number of elements of
 *  each, at any alignment. GLK_ERROR_FORMAT if the pages are not in order. */
glk_status glk_pages_restore(glk_context *context, const glk_shape *shape, const void *places,
                             uint32_t count, glk_pages *out);

/** Set the slots of elements that are free now, and were not by the lock words `seen`. */
void glk_pages_reset(const glk_pages *pages, const uint32_t *seen, const glk_lockset *locks,
                     const glk_real *starts);
/** The values of one page in an array of an extent; where its slots are packed, in
 *  buffer [GLK_PAGE]. */
const glk_real *glk_extent_values(const glk_pages *pages, const glk_extent *extent, uint32_t array,
                                  uint32_t page, glk_real *buffer);
/** Copy an array's first `count` elements, each `missing` where it has no memory. */
void glk_pages_read(const glk_pages *pages, uint32_t array, glk_real missing, glk_real *out,
                    size_t count);

#endif
