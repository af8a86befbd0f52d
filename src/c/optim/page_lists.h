/* Lists of an extent's elements (page_lists.c), for pages.c. */
#ifndef GLK_OPTIM_PAGE_LISTS_H
#define GLK_OPTIM_PAGE_LISTS_H

#include "optim/pages.h"

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
