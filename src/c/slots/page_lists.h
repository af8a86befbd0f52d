/* Pages in memory (pages.h says what they are for), and lists of their elements, for pages.c. */
#ifndef GLK_SLOTS_PAGE_LISTS_H
#define GLK_SLOTS_PAGE_LISTS_H

#include "kernels/update.h"
#include "lock/lockset.h"

/** A page's list, and its part of the slots. A page without a list goes by its lock words, and
 *  every element of it has slots. */
typedef struct glk_page_list {
  int is_listed;
  /** Where its slots begin, in each slot's array; of a listed page those of its free elements. */
  uint32_t slot;
  /** Where the slots of its other elements begin: behind those of all pages, so that a step passes
   *  over none of them. */
  uint32_t locked_slot;
  /** Where its indices begin. Slots are in the order of the indices: elements that are free, and
   *  then those that trained before they were locked, which no step visits. */
  uint32_t index;
  /** How many indices of each kind, multiples of 4. */
  uint32_t free, locked;
  /** The lock words that the list is for. */
  uint32_t locks[GLK_PAGE / GLK_WORD];
} glk_page_list;

/* An index is an element's number within its page. Padding to whole vectors repeats the last
 * element, its slots included: it computes and stores the same. */

/** What decides whether a page has a list: numbers of elements. */
typedef struct glk_page_census {
  /** All, padding included. */
  uint32_t all;
  uint32_t free;
  /** Elements that need slots: those that are free or have trained. */
  uint32_t with_slots;
  /** Elements in words without a locked element, and in words with locked and free ones. */
  uint32_t dense, mixed;
} glk_page_census;

/** Whether a page gets a list: if it saves slots, or time. A listed element takes up to twice as
 *  long as one of a dense word, and one of a mixed word 1.4 times (docs/speed.md). */
static inline int glk_page_needs_list(const glk_page_census *n) {
  return 16 * n->with_slots <= 11 * n->all || 20 * n->free < 10 * n->dense + 14 * n->mixed;
}

/** Arrays of an extent: the slots, and then these. */
enum { GLK_AVERAGE = GLK_MAX_SLOTS, GLK_PENDING, GLK_ARRAY_COUNT };

typedef struct glk_extent {
  /** Its first element, a multiple of GLK_PAGE, and the number of elements, a multiple of 32. */
  uint32_t first, count;
  /** Of each slot: `count`, less what listed pages leave out, plus their padding. */
  uint32_t slot_count;
  /** Slots [slot_count], others [count]; NULL: not needed so far. */
  glk_real *arrays[GLK_ARRAY_COUNT];
  /** [pages of the extent] for the locks of glk_pages.version; NULL: no page has a list. */
  glk_page_list *lists;
  /** [index_count] */
  uint16_t *indices;
  uint32_t index_count;
} glk_extent;

typedef struct glk_pages {
  /** In the order of elements. */
  glk_extent *extents;
  uint32_t count;
  /** A bit for each array that the extents have. */
  uint32_t present;
  /** 1: a step has used them. Before, they come from calls that took none or failed, and nothing
   *  may show that there were any. */
  int is_used;
  /** Initial value of each slot's elements, from when it was first needed. */
  glk_real starts[GLK_MAX_SLOTS];
  /** The version of the locks that memory and lists are for; 0: none. */
  uint32_t version;
  /** 1: all pages have memory, locked ones, too. */
  int has_all_pages;
  /** 1: slots and lists have room for any locks, and every element has slots. */
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
/** Rebuild lists that have room for any locks, and move the slots of pages whose locks differ. */
void glk_extent_list_moving(const glk_pages *pages, const glk_lockset *locks, glk_extent *extent);

/** Copy one slot of a page's elements to out [elements of the page], from its start values where
 *  they have no memory. */
void glk_extent_read_slot(const glk_pages *pages, const glk_extent *extent, uint32_t slot,
                          uint32_t page, glk_real *out);

#endif
