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
 * Where much of a page is locked it has a list: slots of its free elements lie together, those of
 * elements that trained before they were locked lie behind them, and the others have none.
 * page_lists.h decides which pages; page_lists.c lists the elements whenever locks have changed. */
#ifndef GLK_SLOTS_PAGES_H
#define GLK_SLOTS_PAGES_H

#include "slots/page_lists.h"

/** Initial values of new memory. */
typedef struct glk_pages_fill {
  glk_real starts[GLK_MAX_SLOTS];
  /** [padded to whole lock words] The variable, where its average starts. */
  const glk_real *values;
} glk_pages_fill;

void glk_pages_free(glk_context *context, glk_pages *pages);

/** Get memory for the arrays of `needed`, a bit each, wherever these locks leave an element free;
 *  with `all`, everywhere. List what is free. With `may_move`, other locks in the same pages need
 *  no more memory: policies move them between the steps of a call. It is cheap if nothing is
 *  missing and locks are those of the last call. If it fails, no readable value changes. */
glk_status glk_pages_reserve(glk_context *context, glk_pages *pages, const glk_lockset *locks,
                             uint32_t needed, int all, int may_move, const glk_pages_fill *fill);
/** Create extents without arrays. `ranges` has the first element and the number of elements of
 *  each, at any alignment. GLK_ERROR_FORMAT if the pages are not in order. */
glk_status glk_pages_restore(glk_context *context, const glk_shape *shape, const void *ranges,
                             uint32_t count, glk_pages *out);

/** Set the slots of elements that are free now, and were not by the lock words `seen`. */
void glk_pages_reset(const glk_pages *pages, const uint32_t *seen, const glk_lockset *locks,
                     const glk_real *starts);
/** The values of one page in an array of an extent; where it has a list, in
 *  buffer [GLK_PAGE]. */
const glk_real *glk_extent_values(const glk_pages *pages, const glk_extent *extent, uint32_t array,
                                  uint32_t page, glk_real *buffer);
/** Copy an array's first `count` elements, each `missing` where it has no memory. */
void glk_pages_read(const glk_pages *pages, uint32_t array, glk_real missing, glk_real *out,
                    size_t count);

#endif
