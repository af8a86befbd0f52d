/* Memory of an optimizer by pages: made where elements come free, found, freed (pages.h). */
#include "slots/pages.h"

#include <string.h>

#include "core/memory.h"
#include "slots/page_lists.h"

static const glk_extent no_extent;

void glk_pages_free(glk_context *context, glk_pages *pages) {
  for (uint32_t i = 0; i < pages->count; i++) {
    glk_extent_release_unshared(context, &pages->extents[i], &no_extent);
  }
  glk_release(context, pages->extents, pages->count, sizeof *pages->extents);
  *pages = (glk_pages){.extents = NULL};
}

static void fill_array(const glk_extent *extent, uint32_t array, const glk_pages *pages,
                       const glk_pages_fill *fill) {
  glk_real *out = extent->arrays[array];
  if (array == GLK_AVERAGE) {
    memcpy(out, fill->values + extent->first, extent->count * sizeof *out);
    return;
  }
  const glk_real start = array < GLK_MAX_SLOTS ? pages->starts[array] : 0;
  for (size_t i = 0; i < glk_extent_reals(extent, array); i++) out[i] = start;
}

/* One more array of every extent. It is not used until all arrays have memory. */
static glk_status add_array(glk_context *context, glk_pages *pages, uint32_t array,
                            const glk_pages_fill *fill) {
  for (uint32_t i = 0; i < pages->count; i++) {
    glk_extent *extent = &pages->extents[i];
    glk_real **slot = &extent->arrays[array];
    if (*slot) continue; /* of an attempt that found too little */
    GLK_TRY(glk_allocate_reals(context, GLK_SLOTS, glk_extent_reals(extent, array), slot));
  }
  if (array < GLK_MAX_SLOTS) pages->starts[array] = fill->starts[array];
  for (uint32_t i = 0; i < pages->count; i++) fill_array(&pages->extents[i], array, pages, fill);
  pages->present |= 1u << array;
  return GLK_OK;
}

/* True if an element of the page that begins at `first` is free. */
static int has_free(const glk_lockset *locks, uint32_t first) {
  const uint32_t stop = (first + GLK_PAGE) / 32;
  for (uint32_t w = first / 32; w < stop && w < locks->word_count; w++) {
    if (locks->words[w] != ~(uint32_t)0) return 1;
  }
  return 0;
}

/* Extents as they are and, between them, runs of pages that have none and need memory, into `out`
 * unless it is NULL. Returns how many. */
static uint32_t list_extents(const glk_pages *pages, const glk_lockset *locks, int all,
                             glk_extent *out) {
  const uint32_t end = locks->word_count * 32;
  uint32_t count = 0, next = 0, run = 0; /* elements of the run that ends at `first` */
  for (uint32_t first = 0; first < end || run;) {
    const int is_old = next < pages->count && pages->extents[next].first == first;
    const int is_new = !is_old && first < end && (all || has_free(locks, first));
    if (!is_new && run) {
      if (out) out[count] = (glk_extent){.first = first - run, .count = run, .slot_count = run};
      count++;
      run = 0;
    }
    if (is_old) {
      if (out) out[count] = pages->extents[next];
      count++;
      first += pages->extents[next++].count;
    } else if (first < end) {
      const uint32_t page = end - first < GLK_PAGE ? end - first : GLK_PAGE;
      if (is_new) run += page;
      first += page;
    }
  }
  return count;
}

/* The lists of an extent, and all that a new one needs. */
static glk_status make_extent(glk_context *context, const glk_pages *pages,
                              const glk_lockset *locks, int may_move, const glk_pages_fill *fill,
                              const glk_extent *old, glk_extent *out) {
  GLK_TRY(glk_extent_list(context, pages, locks, may_move, old, out));
  for (uint32_t k = GLK_MAX_SLOTS; k < GLK_ARRAY_COUNT; k++) {
    if (!(pages->present >> k & 1) || out->arrays[k]) continue;
    GLK_TRY(glk_allocate_reals(context, GLK_SLOTS, out->count, &out->arrays[k]));
    fill_array(out, k, pages, fill);
  }
  return GLK_OK;
}

/* The extent of `pages` that begins where `extent` does, or `none`. `next` goes on through them. */
static const glk_extent *find_old(const glk_pages *pages, const glk_extent *extent,
                                  const glk_extent *none, uint32_t *next) {
  const int is_old = *next < pages->count && pages->extents[*next].first == extent->first;
  return is_old ? &pages->extents[(*next)++] : none;
}

/* Rebuild all extents, with what they have so far and need for these locks. */
static glk_status sync_extents(glk_context *context, glk_pages *pages, const glk_lockset *locks,
                               int all, int may_move, const glk_pages_fill *fill) {
  const uint32_t count = list_extents(pages, locks, all, NULL);
  uint32_t made = 0, next = 0;
  if (may_move && pages->may_move && count == pages->count) {
    for (uint32_t i = 0; i < count; i++) glk_extent_list_moving(pages, locks, &pages->extents[i]);
    return GLK_OK;
  }
  glk_extent *extents;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_extent), &extents));
  glk_status status = GLK_OK;
  list_extents(pages, locks, all, extents);
  for (; made < count && status == GLK_OK; made++) {
    const glk_extent fresh = extents[made];
    const glk_extent *old = find_old(pages, &fresh, &fresh, &next);
    status = make_extent(context, pages, locks, may_move, fill, old, &extents[made]);
  }
  next = 0;
  for (uint32_t i = 0; i < made; i++) {
    const glk_extent *old = find_old(pages, &extents[i], &no_extent, &next);
    if (status != GLK_OK) {
      glk_extent_release_unshared(context, &extents[i], old);
    } else if (old != &no_extent) {
      glk_extent_release_unshared(context, &pages->extents[next - 1], &extents[i]);
    }
  }
  if (status != GLK_OK) {
    glk_release(context, extents, count, sizeof *extents);
    return status;
  }
  glk_release(context, pages->extents, pages->count, sizeof *pages->extents);
  pages->extents = extents;
  pages->count = count;
  pages->may_move = may_move;
  return GLK_OK;
}

/* False if a slot that no step has used yet began elsewhere: its option has changed since. */
static int has_starts(const glk_pages *pages, uint32_t needed, const glk_pages_fill *fill) {
  if (pages->is_used) return 1;
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    if (needed >> k & 1 && pages->starts[k] != fill->starts[k]) return 0;
  }
  return 1;
}

glk_status glk_pages_reserve(glk_context *context, glk_pages *pages, const glk_lockset *locks,
                             uint32_t needed, int all, int may_move, const glk_pages_fill *fill) {
  const int is_current = pages->version == locks->version && pages->has_all_pages >= all &&
                         pages->may_move >= may_move && has_starts(pages, needed, fill);
  if (is_current && !(needed & ~pages->present)) return GLK_OK;
  if (!pages->is_used || !pages->present) { /* nothing is lost: these locks count */
    const int is_used = pages->is_used;
    glk_pages_free(context, pages);
    pages->is_used = is_used;
  }
  for (uint32_t k = 0; k < GLK_ARRAY_COUNT; k++) {
    if (needed & ~pages->present & 1u << k) GLK_TRY(add_array(context, pages, k, fill));
  }
  GLK_TRY(sync_extents(context, pages, locks, all || pages->has_all_pages, may_move, fill));
  pages->version = locks->version;
  pages->has_all_pages |= all;
  return GLK_OK;
}

/* True if an element of a page is free, and was not by the lock words `seen`. */
static int has_freed(const glk_extent *extent, uint32_t page, const uint32_t *seen,
                     const glk_lockset *locks) {
  const uint32_t first = (extent->first + page * GLK_PAGE) / 32;
  const uint32_t stop = first + glk_extent_page_elements(extent, page) / 32;
  uint32_t freed = 0;
  for (uint32_t w = first; w < stop; w++) freed |= seen[w] & ~locks->words[w];
  return freed != 0;
}

void glk_pages_reset(const glk_pages *pages, const uint32_t *seen, const glk_lockset *locks,
                     const glk_real *starts) {
  for (uint32_t n = 0; n < pages->count; n++) {
    const glk_extent *extent = &pages->extents[n];
    for (uint32_t p = 0; p < glk_extent_pages(extent); p++) {
      if (!has_freed(extent, p, seen, locks)) continue;
      const glk_page_list *list = extent->lists ? &extent->lists[p] : NULL;
      const int is_listed = list && list->is_listed;
      const uint32_t slot = list ? list->slot : p * GLK_PAGE;
      const uint32_t count = is_listed ? list->free : glk_extent_page_elements(extent, p);
      for (uint32_t j = 0; j < count; j++) {
        const uint32_t index = is_listed ? extent->indices[list->index + j] : j;
        const uint32_t i = extent->first + p * GLK_PAGE + index;
        if (!(seen[i / 32] >> (i % 32) & 1) || glk_lockset_has(locks, i)) continue;
        for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
          if (extent->arrays[k]) extent->arrays[k][slot + j] = starts[k];
        }
      }
    }
  }
}

glk_status glk_pages_restore(glk_context *context, const glk_shape *shape, const void *ranges,
                             uint32_t count, glk_pages *out) {
  const uint32_t end = shape->count;
  uint32_t next = 0;
  *out = (glk_pages){.extents = NULL};
  glk_extent *extents;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_extent), &extents));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t range[2];
    memcpy(range, (const uint8_t *)ranges + i * sizeof range, sizeof range);
    const uint32_t left = range[0] <= end ? end - range[0] : 0;
    if (range[0] % GLK_PAGE || range[0] < next || !range[1] || range[1] > left ||
        (range[1] % GLK_PAGE && range[1] != left)) {
      glk_release(context, extents, count, sizeof(glk_extent));
      return glk_fail(context, GLK_ERROR_FORMAT,
                      "cannot load this state: its pages are not in order; nothing was changed");
    }
    next = range[0] + range[1];
    extents[i].first = range[0];
    extents[i].count = extents[i].slot_count = (range[1] + 31) / 32 * 32;
  }
  out->extents = extents;
  out->count = count;
  return GLK_OK;
}

const glk_real *glk_extent_values(const glk_pages *pages, const glk_extent *extent, uint32_t array,
                                  uint32_t page, glk_real *buffer) {
  const int is_slot = array < GLK_MAX_SLOTS && extent->lists;
  if (!is_slot) return extent->arrays[array] + page * GLK_PAGE;
  glk_extent_read_slot(pages, extent, array, page, buffer);
  return buffer;
}

void glk_pages_read(const glk_pages *pages, uint32_t array, glk_real missing, glk_real *out,
                    size_t count) {
  const uint32_t extents = pages->is_used && pages->present >> array & 1 ? pages->count : 0;
  glk_real buffer[GLK_PAGE];
  size_t at = 0;
  for (uint32_t i = 0; i <= extents; i++) {
    const glk_extent *extent = i < extents ? &pages->extents[i] : NULL;
    const size_t first = extent && extent->first < count ? extent->first : count;
    for (; at < first; at++) out[at] = missing;
    if (!extent || at == count) continue;
    for (uint32_t p = 0; p < glk_extent_pages(extent) && at < count; p++) {
      const size_t all = glk_extent_page_elements(extent, p), left = count - at;
      const glk_real *values = glk_extent_values(pages, extent, array, p, buffer);
      memcpy(out + at, values, (left < all ? left : all) * sizeof *out);
      at += left < all ? left : all;
    }
  }
}
