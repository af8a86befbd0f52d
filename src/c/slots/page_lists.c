/* Lists of the elements that a step changes, for pages with many locked ones, and slots that only
 * listed elements have (docs/laws.md, law 23). They are made when locks have changed, before a
 * step, so threads only read them. Pages whose locks are the same keep their part.
 *
 * An element has slots if it is free, or has trained. One whose slots have their initial bits is
 * like one that never trained, so packing never loses what law 2 keeps. */
#include "slots/page_lists.h"

#include <string.h>

#include "core/memory.h"

enum {
  PAGE_WORDS = GLK_PAGE / GLK_WORD,
  /* What a page takes at most: both parts of a list are padded. */
  ROOM = GLK_PAGE + 2 * GLK_LANES
};

void glk_extent_release_unshared(glk_context *context, glk_extent *extent,
                                 const glk_extent *other) {
  for (uint32_t k = 0; k < GLK_ARRAY_COUNT; k++) {
    if (extent->arrays[k] == other->arrays[k]) continue;
    glk_release_reals(context, GLK_SLOTS, extent->arrays[k], glk_extent_reals(extent, k));
  }
  if (extent->lists != other->lists) {
    glk_release(context, extent->lists, glk_extent_pages(extent), sizeof *extent->lists);
  }
  if (extent->indices != other->indices) {
    glk_release(context, extent->indices, extent->index_count, sizeof *extent->indices);
  }
}

static int is_listed(const glk_extent *extent, uint32_t page) {
  return extent->lists && extent->lists[page].is_listed;
}

static uint32_t first_slot(const glk_extent *extent, uint32_t page) {
  return extent->lists ? extent->lists[page].slot : page * GLK_PAGE;
}

static uint32_t count_indices(const glk_page_list *list) { return list->free + list->locked; }

/* Set the bits of elements that trained: whose slots differ from their initial values. */
static void mark_trained(const glk_pages *pages, const glk_lockset *locks, const glk_extent *extent,
                         uint32_t page, uint32_t *words) {
  const uint32_t left = glk_extent_elements(extent, &locks->shape) - page * GLK_PAGE;
  const uint32_t count = left < GLK_PAGE ? left : GLK_PAGE;
  glk_real slot[GLK_PAGE];
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    if (!extent->arrays[k] || !(pages->present >> k & 1)) continue;
    glk_extent_read_slot(pages, extent, k, page, slot);
    const glk_bits start = load_bits(&pages->starts[k]);
    for (uint32_t i = 0; i < count; i++) {
      words[i / 32] |= (uint32_t)(load_bits(slot + i) != start) << i % 32;
    }
  }
}

static uint32_t count_bits(uint32_t word) { return (uint32_t)__builtin_popcount(word); }

/* Whether a page gets a list, and the bits of the elements that it then has. `has_all`: all
 * elements have slots, whatever they need. */
static int find_listed(const glk_pages *pages, const glk_lockset *locks, int has_all,
                       const glk_extent *extent, uint32_t page, uint32_t *listed) {
  const uint32_t *words = locks->words + (extent->first + page * GLK_PAGE) / 32;
  glk_page_census n = {.all = glk_extent_page_elements(extent, page)};
  for (uint32_t w = 0; w < n.all / 32; w++) {
    listed[w] = has_all ? ~(uint32_t)0 : ~words[w];
    n.free += count_bits(~words[w]);
    if (!words[w]) n.dense += 32;
    if (words[w] && ~words[w]) n.mixed += 32;
  }
  n.with_slots = has_all ? n.all : n.free;
  if (has_all || !glk_page_needs_list(&n)) return glk_page_needs_list(&n);
  mark_trained(pages, locks, extent, page, listed);
  n.with_slots = 0;
  for (uint32_t w = 0; w < n.all / 32; w++) n.with_slots += count_bits(listed[w]);
  return glk_page_needs_list(&n);
}

/* Indices of the set bits of `words`, less those of `without`, padded to whole vectors. */
static uint32_t write_part(const uint32_t *words, const uint32_t *without, uint32_t elements,
                           uint16_t *out) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < elements / 32; w++) {
    for (uint32_t bits = words[w] & ~without[w]; bits; bits &= bits - 1) {
      out[count++] = (uint16_t)(w * 32 + (uint32_t)__builtin_ctz(bits));
    }
  }
  for (; count % GLK_LANES; count++) out[count] = out[count - 1];
  return count;
}

/* The list of a page for list->locks, into `indices` [ROOM]. */
static void write_list(const uint32_t *listed, uint32_t elements, glk_page_list *list,
                       uint16_t *indices) {
  uint32_t free[PAGE_WORDS];
  for (uint32_t w = 0; w < elements / 32; w++) free[w] = ~list->locks[w];
  list->free = write_part(listed, list->locks, elements, indices);
  list->locked = write_part(listed, free, elements, indices + list->free);
}

/* The page's list in `old`, if `out` is for the same locks there; else NULL. Lists that were made
 * while locks may move are not kept: they have all elements. */
static const glk_page_list *reusable_list(const glk_pages *pages, const glk_extent *old,
                                          const glk_extent *out, uint32_t page) {
  if (!old->lists || pages->may_move) return NULL;
  const uint32_t *a = old->lists[page].locks, *b = out->lists[page].locks;
  uint32_t differ = 0;
  for (uint32_t w = 0; w < PAGE_WORDS; w++) differ |= a[w] ^ b[w];
  return differ ? NULL : &old->lists[page];
}

/* Choose which pages have lists, and find where lists and slots begin. Returns 1 if none has. */
static int lay_out(const glk_pages *pages, const glk_lockset *locks, const glk_extent *old,
                   glk_extent *out) {
  int is_plain = 1;
  uint32_t listed[PAGE_WORDS];
  uint16_t indices[ROOM];
  out->slot_count = out->index_count = 0;
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    const uint32_t elements = glk_extent_page_elements(old, p);
    glk_page_list *list = &out->lists[p];
    memcpy(list->locks, locks->words + (old->first + p * GLK_PAGE) / 32, elements / 8);
    const glk_page_list *reused = reusable_list(pages, old, out, p);
    if (reused) {
      *list = *reused;
    } else {
      list->is_listed = find_listed(pages, locks, 0, old, p, listed);
      if (list->is_listed) write_list(listed, elements, list, indices);
    }
    list->slot = out->slot_count;
    list->index = out->index_count;
    out->slot_count += list->is_listed ? list->free : elements;
    out->index_count += count_indices(list);
    is_plain &= !list->is_listed;
  }
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    out->lists[p].locked_slot = out->slot_count;
    out->slot_count += out->lists[p].locked;
  }
  return is_plain;
}

static void list_indices(const glk_pages *pages, const glk_lockset *locks, const glk_extent *old,
                         glk_extent *out) {
  uint32_t listed[PAGE_WORDS];
  uint16_t buffer[ROOM];
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    glk_page_list *list = &out->lists[p];
    if (!list->is_listed) continue;
    const glk_page_list *reused = reusable_list(pages, old, out, p);
    const uint16_t *indices = reused ? old->indices + reused->index : buffer;
    if (!reused) {
      find_listed(pages, locks, 0, old, p, listed);
      write_list(listed, glk_extent_page_elements(old, p), list, buffer);
    }
    memcpy(out->indices + list->index, indices, count_indices(list) * sizeof *indices);
  }
}

/* True if a page's slots are of the same elements, in the same order. */
static int has_same_page(const glk_extent *a, const glk_extent *b, uint32_t page) {
  if (!is_listed(a, page) || !is_listed(b, page)) return is_listed(a, page) == is_listed(b, page);
  const glk_page_list *x = &a->lists[page], *y = &b->lists[page];
  return x->free == y->free && x->locked == y->locked &&
         !memcmp(a->indices + x->index, b->indices + y->index,
                 count_indices(x) * sizeof *a->indices);
}

/* The same for all pages. */
static int has_same_slots(const glk_extent *old, const glk_extent *out) {
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    if (!has_same_page(old, out, p)) return 0;
  }
  return old->slot_count == out->slot_count;
}

/* Copy a slot of a page's listed elements to where they are in the page. */
static void unpack_slots(const glk_page_list *list, const uint16_t *indices, const glk_real *slots,
                         glk_real *out) {
  const uint16_t *locked = indices + list->free;
  for (uint32_t j = 0; j < list->free; j++) {
    store_bits(out + indices[j], load_bits(slots + list->slot + j));
  }
  for (uint32_t j = 0; j < list->locked; j++) {
    store_bits(out + locked[j], load_bits(slots + list->locked_slot + j));
  }
}

/* The opposite. */
static void pack_slots(const glk_page_list *list, const uint16_t *indices, const glk_real *values,
                       glk_real *slots) {
  const uint16_t *locked = indices + list->free;
  for (uint32_t j = 0; j < list->free; j++) {
    store_bits(slots + list->slot + j, load_bits(values + indices[j]));
  }
  for (uint32_t j = 0; j < list->locked; j++) {
    store_bits(slots + list->locked_slot + j, load_bits(values + locked[j]));
  }
}

void glk_extent_read_slot(const glk_pages *pages, const glk_extent *extent, uint32_t slot,
                          uint32_t page, glk_real *out) {
  const uint32_t elements = glk_extent_page_elements(extent, page);
  const glk_real *values = extent->arrays[slot];
  if (values && !is_listed(extent, page)) {
    memcpy(out, values + first_slot(extent, page), elements * sizeof *out);
    return;
  }
  for (uint32_t i = 0; i < elements; i++) out[i] = pages->starts[slot];
  if (!values) return;
  const glk_page_list *list = &extent->lists[page];
  unpack_slots(list, extent->indices + list->index, values, out);
}

static void copy_slot(const glk_pages *pages, const glk_extent *old, uint32_t slot,
                      const glk_extent *out) {
  glk_real values[GLK_PAGE];
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    glk_real *to = out->arrays[slot] + first_slot(out, p);
    if (!is_listed(out, p)) {
      glk_extent_read_slot(pages, old, slot, p, to);
      continue;
    }
    const glk_page_list *list = &out->lists[p];
    if (old->arrays[slot] && has_same_page(old, out, p)) {
      const glk_page_list *from = &old->lists[p];
      const glk_real *slots = old->arrays[slot];
      memcpy(to, slots + from->slot, list->free * sizeof *to);
      memcpy(out->arrays[slot] + list->locked_slot, slots + from->locked_slot,
             list->locked * sizeof *to);
      continue;
    }
    glk_extent_read_slot(pages, old, slot, p, values);
    pack_slots(list, out->indices + list->index, values, out->arrays[slot]);
  }
}

/* The list of a page that has room for any. */
static void list_page_moving(const glk_pages *pages, const glk_lockset *locks, uint32_t page,
                             glk_extent *extent) {
  uint32_t listed[PAGE_WORDS];
  const uint32_t elements = glk_extent_page_elements(extent, page);
  glk_page_list *list = &extent->lists[page];
  *list = (glk_page_list){.slot = page * ROOM, .index = page * ROOM};
  memcpy(list->locks, locks->words + (extent->first + page * GLK_PAGE) / 32, elements / 8);
  list->is_listed = find_listed(pages, locks, 1, extent, page, listed);
  if (list->is_listed) write_list(listed, elements, list, extent->indices + list->index);
  list->locked_slot = list->slot + list->free;
}

/* The same for other locks: slots move within the page. */
static void move_page(const glk_pages *pages, const glk_lockset *locks, uint32_t page,
                      glk_extent *extent) {
  const glk_page_list old = extent->lists[page];
  const uint32_t elements = glk_extent_page_elements(extent, page);
  if (!memcmp(old.locks, locks->words + (extent->first + page * GLK_PAGE) / 32, elements / 8))
    return;
  uint16_t indices[ROOM];
  glk_real values[GLK_PAGE];
  memcpy(indices, extent->indices + old.index, count_indices(&old) * sizeof *indices);
  list_page_moving(pages, locks, page, extent);
  const glk_page_list *list = &extent->lists[page];
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    glk_real *slots = extent->arrays[k];
    if (!slots) continue;
    if (old.is_listed) {
      unpack_slots(&old, indices, slots, values);
    } else {
      memcpy(values, slots + old.slot, elements * sizeof *values);
    }
    if (list->is_listed) {
      pack_slots(list, extent->indices + list->index, values, slots);
    } else {
      memcpy(slots + list->slot, values, elements * sizeof *values);
    }
  }
}

void glk_extent_list_moving(const glk_pages *pages, const glk_lockset *locks, glk_extent *extent) {
  for (uint32_t p = 0; p < glk_extent_pages(extent); p++) move_page(pages, locks, p, extent);
}

/* Lists of an extent that have room for any locks. */
static glk_status make_room(glk_context *context, const glk_pages *pages, const glk_lockset *locks,
                            glk_extent *out) {
  const uint32_t count = glk_extent_pages(out);
  GLK_TRY(glk_allocate(context, count, sizeof *out->lists, &out->lists));
  out->slot_count = out->index_count = count * ROOM;
  GLK_TRY(
      glk_allocate_uninitialized(context, out->index_count, sizeof *out->indices, &out->indices));
  for (uint32_t p = 0; p < count; p++) list_page_moving(pages, locks, p, out);
  return GLK_OK;
}

/* Lists of an extent for these locks, as long as needed. */
static glk_status make_lists(glk_context *context, const glk_pages *pages, const glk_lockset *locks,
                             const glk_extent *old, glk_extent *out) {
  GLK_TRY(glk_allocate(context, glk_extent_pages(old), sizeof *out->lists, &out->lists));
  if (lay_out(pages, locks, old, out)) {
    glk_release(context, out->lists, glk_extent_pages(old), sizeof *out->lists);
    out->lists = NULL;
    return GLK_OK;
  }
  GLK_TRY(
      glk_allocate_uninitialized(context, out->index_count, sizeof *out->indices, &out->indices));
  list_indices(pages, locks, old, out);
  return GLK_OK;
}

glk_status glk_extent_list(glk_context *context, const glk_pages *pages, const glk_lockset *locks,
                           int may_move, const glk_extent *old, glk_extent *out) {
  out->lists = NULL;
  out->indices = NULL;
  if (may_move) {
    GLK_TRY(make_room(context, pages, locks, out));
  } else {
    GLK_TRY(make_lists(context, pages, locks, old, out));
  }
  const int is_same = has_same_slots(old, out);
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    const int is_present = pages->present >> k & 1;
    if (is_present && is_same && old->arrays[k]) continue;
    out->arrays[k] = NULL;
    if (!is_present) continue;
    GLK_TRY(glk_allocate_reals(context, GLK_SLOTS, out->slot_count, &out->arrays[k]));
    copy_slot(pages, old, k, out);
  }
  return GLK_OK;
}
