/* Lists of an extent's elements (page_lists.c), for pages.c. */
#ifndef GLK_OPTIM_PAGE_LISTS_H
#define GLK_OPTIM_PAGE_LISTS_H

#include "optim/pages.h"

/** Release what `extent` has and `other` does not have. */
void glk_extent_release_unshared(glk_context *context, glk_extent *extent, const glk_extent *other);

/** Make the lists of `out` for these locks. If other elements have slots than in `old`, whose copy
 *  `out` is, also new slots, with the same values. `old` is not changed, and after a failure `out`
 *  may have a part. An extent without slots is `old` of a new one. */
glk_status glk_extent_list(glk_context *context, const glk_pages *pages, const glk_lockset *locks,
                           const glk_extent *old, glk_extent *out);

/** Copy one slot of a page's elements to out [elements of the page], from its start values where
 *  they have no memory. */
void glk_extent_read_slot(const glk_pages *pages, const glk_extent *extent, uint32_t slot,
                          uint32_t page, glk_real *out);

#endif
