/* Memory of an optimizer by pages: made where elements come free, found, freed (pages.h). */
#include "optim/pages.h"

#include <string.h>

#include "core/memory.h"

static void free_arrays(glk_context *context, glk_extent *extent) {
  for (uint32_t k = 0; k < GLK_KEPT; k++) {
    glk_release_reals(context, GLK_SLOTS, extent->arrays[k], extent->count);
  }
}

void glk_pages_free(glk_context *context, glk_pages *pages) {
  for (uint32_t i = 0; i < pages->count; i++) free_arrays(context, &pages->extents[i]);
  glk_release(context, pages->extents, pages->count, sizeof *pages->extents);
  *pages = (glk_pages){.extents = NULL};
}

/* ----------------------------------------------------------------------------------- new memory */

static void fill_array(const glk_extent *extent, uint32_t array, const glk_pages *pages,
                       const glk_pages_fill *fill) {
  glk_real *out = extent->arrays[array];
  if (array == GLK_AVERAGE) {
    memcpy(out, fill->values + extent->first, extent->count * sizeof *out);
    return;
  }
  const glk_real start = array < GLK_MAX_SLOTS ? pages->starts[array] : 0;
  for (size_t i = 0; i < extent->count; i++) out[i] = start;
}

/* One more array of every extent. It is not used until all arrays have memory. */
static glk_status add_array(glk_context *context, glk_pages *pages, uint32_t array,
                            const glk_pages_fill *fill) {
  for (uint32_t i = 0; i < pages->count; i++) {
    glk_extent *extent = &pages->extents[i];
    glk_real **slot = &extent->arrays[array];
    if (*slot) continue; /* of an attempt that found too little */
    GLK_TRY(glk_allocate_reals(context, GLK_SLOTS, extent->count, slot));
  }
  if (array < GLK_MAX_SLOTS) pages->starts[array] = fill->starts[array];
  for (uint32_t i = 0; i < pages->count; i++) fill_array(&pages->extents[i], array, pages, fill);
  pages->kept |= 1u << array;
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
static uint32_t list_extents(const glk_pages *pages, const glk_lockset *locks, int whole,
                             glk_extent *out) {
  const uint32_t end = locks->word_count * 32;
  uint32_t count = 0, next = 0, run = 0; /* elements of the run that ends at `first` */
  for (uint32_t first = 0; first < end || run;) {
    const int is_old = next < pages->count && pages->extents[next].first == first;
    const int is_new = !is_old && first < end && (whole || has_free(locks, first));
    if (!is_new && run) {
      if (out) out[count] = (glk_extent){.first = first - run, .count = run};
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

static glk_status allocate_arrays(glk_context *context, const glk_pages *pages, glk_extent *extent,
                                  const glk_pages_fill *fill) {
  for (uint32_t k = 0; k < GLK_KEPT; k++) {
    if (!(pages->kept >> k & 1) || extent->arrays[k]) continue;
    GLK_TRY(glk_allocate_reals(context, GLK_SLOTS, extent->count, &extent->arrays[k]));
    fill_array(extent, k, pages, fill);
  }
  return GLK_OK;
}

/* Free extents that `pages` does not contain. */
static void free_new(glk_context *context, const glk_pages *pages, glk_extent *extents,
                     uint32_t count) {
  for (uint32_t i = 0, old = 0; i < count; i++) {
    if (old < pages->count && pages->extents[old].first == extents[i].first) {
      old++;
    } else {
      free_arrays(context, &extents[i]);
    }
  }
}

static glk_status add_extents(glk_context *context, glk_pages *pages, const glk_lockset *locks,
                              int whole, const glk_pages_fill *fill) {
  const uint32_t count = list_extents(pages, locks, whole, NULL);
  void *memory;
  if (count == pages->count) return GLK_OK;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_extent), &memory));
  glk_extent *extents = memory;
  glk_status status = GLK_OK;
  list_extents(pages, locks, whole, extents);
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    status = allocate_arrays(context, pages, &extents[i], fill);
  }
  if (status != GLK_OK) {
    free_new(context, pages, extents, count);
    glk_release(context, extents, count, sizeof *extents);
    return status;
  }
  glk_release(context, pages->extents, pages->count, sizeof *pages->extents);
  pages->extents = extents;
  pages->count = count;
  return GLK_OK;
}

glk_status glk_pages_reserve(glk_context *context, glk_pages *pages, const glk_lockset *locks,
                             uint32_t needed, int whole, const glk_pages_fill *fill) {
  const int is_covered = pages->is_whole || (pages->version == locks->version && !whole);
  if (is_covered && !(needed & ~pages->kept)) return GLK_OK;
  if (!pages->kept) glk_pages_free(context, pages); /* nothing is lost: these locks count */
  for (uint32_t k = 0; k < GLK_KEPT; k++) {
    if (needed & ~pages->kept & 1u << k) GLK_TRY(add_array(context, pages, k, fill));
  }
  GLK_TRY(add_extents(context, pages, locks, whole, fill));
  pages->version = locks->version;
  pages->is_whole |= whole;
  return GLK_OK;
}

glk_status glk_pages_restore(glk_context *context, const glk_shape *shape, const void *places,
                             uint32_t count, glk_pages *out) {
  const uint32_t end = shape->count;
  uint32_t behind = 0;
  void *memory;
  *out = (glk_pages){.extents = NULL};
  GLK_TRY(glk_allocate(context, count, sizeof(glk_extent), &memory));
  glk_extent *extents = memory;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place[2];
    memcpy(place, (const uint8_t *)places + i * sizeof place, sizeof place);
    const uint32_t left = place[0] <= end ? end - place[0] : 0;
    if (place[0] % GLK_PAGE || place[0] < behind || !place[1] || place[1] > left ||
        (place[1] % GLK_PAGE && place[1] != left)) {
      glk_release(context, memory, count, sizeof(glk_extent));
      return glk_fail(context, GLK_ERROR_FORMAT,
                      "cannot load this state: its pages are not in order; nothing was changed");
    }
    behind = place[0] + place[1];
    extents[i].first = place[0];
    extents[i].count = (place[1] + 31) / 32 * 32;
  }
  out->extents = extents;
  out->count = count;
  return GLK_OK;
}

/* -------------------------------------------------------------------------------------- reading */

void glk_pages_read(const glk_pages *pages, uint32_t array, glk_real missing, glk_real *out,
                    size_t count) {
  const uint32_t extents = pages->kept >> array & 1 ? pages->count : 0;
  size_t at = 0;
  for (uint32_t i = 0; i <= extents; i++) {
    const glk_extent *extent = i < extents ? &pages->extents[i] : NULL;
    const size_t first = extent && extent->first < count ? extent->first : count;
    for (; at < first; at++) out[at] = missing;
    if (!extent || at == count) continue;
    const size_t behind = first + extent->count, stop = behind < count ? behind : count;
    memcpy(out + at, extent->arrays[array], (stop - at) * sizeof *out);
    at = stop;
  }
}
