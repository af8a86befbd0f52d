/* Pages in memory (pages.h says what they are for), and lists of their elements, for pages.c. */
#ifndef GLK_SLOTS_PAGE_LISTS_H
#define GLK_SLOTS_PAGE_LISTS_H

#include "kernels/update.h"
#include "lock/lockset.h"

/** How a page's elements are found, and where their slots are. */
typedef enum glk_page_form {
  /** By lock words. Every element has slots. */
  GLK_PAGE_WORDS = 0,
  /** By a list of the free elements. Every element has slots. */
  GLK_PAGE_LISTED,
  /** By a list. Only listed elements have slots, in the order of the list: those that are free, and
   *  those that trained before they were locked. */
  GLK_PAGE_PACKED
} glk_page_form;

/** A page's list, and its part of the slots. */
typedef struct glk_page_list {
  uint32_t form;
  /** Where its slots begin, in each slot's array. */
  uint32_t slot;
  /** Where its indices begin, and how many it has, a multiple of 4. */
  uint32_t index, count;
  /** How many indices, the first ones, have no flag. */
  uint32_t free;
  /** The lock words that the list is for. */
  uint32_t locks[GLK_PAGE / GLK_WORD];
} glk_page_list;

/** An index is an element's number within its page. The flag marks locked elements. Padding to
 *  whole vectors repeats the last element, its slots included: it computes and stores the same. */
#define GLK_INDEX_LOCKED ((uint16_t)0x8000)

/** What decides the form of a page: numbers of elements. */
typedef struct glk_page_census {
  /** All, padding included. */
  uint32_t all;
  uint32_t free;
  /** Elements that need slots: those that are free or have trained. */
  uint32_t kept;
  /** Elements in words without a locked element, and in words with locked and free ones. */
  uint32_t dense, mixed;
} glk_page_census;

/** The form of a page. A packed element takes up to twice as long as one of a dense word, a listed
 *  one seven times, and one of a mixed word 1.4 times (docs/speed.md). */
static inline glk_page_form glk_page_choose(const glk_page_census *n) {
  if (16 * n->kept <= 11 * n->all) return GLK_PAGE_PACKED;
  return 16 * n->free < 2 * n->dense + 3 * n->mixed ? GLK_PAGE_LISTED : GLK_PAGE_WORDS;
}

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
  /** [index_count] */
  uint16_t *indices;
  uint32_t index_count;
} glk_extent;

typedef struct glk_pages {
  /** In the order of elements. */
  glk_extent *extents;
  uint32_t count;
  /** A bit for each array that was needed so far. */
  uint32_t kept;
  /** 1: a step has used them. Before, they come from calls that took none or failed, and nothing
   *  may show that there were any. */
  int is_used;
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
/** Rebuild lists that have room for any locks. */
void glk_extent_list_moving(const glk_pages *pages, const glk_lockset *locks, glk_extent *extent);

/** Copy one slot of a page's elements to out [elements of the page], from its start values where
 *  they have no memory. */
void glk_extent_read_slot(const glk_pages *pages, const glk_extent *extent, uint32_t slot,
                          uint32_t page, glk_real *out);

#endif
