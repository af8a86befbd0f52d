/* Pages in memory (pages.h says what they are for), and lists of their elements, for pages.c. */
#ifndef GLK_OPTIM_PAGE_LISTS_H
#define GLK_OPTIM_PAGE_LISTS_H

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

/** Release what `extent` has and `other` does not have. */
void glk_extent_release_unshared(glk_context *context, glk_extent *extent, const glk_extent *other);

/** Make the lists of `out`, a copy of `old`, for these locks. If other elements have slots than in
 *  `old`, then new slots, too, with the same values. With `may_move` the lists have room for any
 *  locks, and all elements have slots. `old` is not changed; it has no slots if the extent is new.
 *  After a failure `out` may have a part. */
glk_status glk_extent_list(glk_context *context, const glk_pages *pages, const glk_lockset *locks,
                           int may_move, const glk_extent *old, glk_extent *out);
/** List anew what has room for any locks. */
void glk_extent_list_moving(const glk_pages *pages, const glk_lockset *locks, glk_extent *extent);

/** Copy one slot of a page's elements to out [elements of the page], from its start values where
 *  they have no memory. */
void glk_extent_read_slot(const glk_pages *pages, const glk_extent *extent, uint32_t slot,
                          uint32_t page, glk_real *out);

#endif
