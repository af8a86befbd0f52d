/* Lists of the elements that a step changes, for pages with many locked ones, and slots that only
 * listed elements have (docs/laws.md, law 23; page_lists.h has the forms). They are made when
 * locks have changed, before a step, so threads only read them. Pages whose locks are the same keep
 * their part.
 *
 * An element has slots if it is free, or has trained. One whose slots have their initial bits is
 * like one that never trained, so packing never loses what law 2 keeps. */
#include "slots/page_lists.h"

#include <string.h>

#include "core/memory.h"

enum { PAGE_WORDS = GLK_PAGE / GLK_WORD };

void glk_extent_release_unshared(glk_context *context, glk_extent *extent,
                                 const glk_extent *other) {
  for (uint32_t k = 0; k < GLK_KEPT; k++) {
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

static uint32_t element_of(uint16_t index) { return index & (uint32_t)~GLK_INDEX_LOCKED; }

static int is_packed(const glk_extent *extent, uint32_t page) {
  return extent->lists && extent->lists[page].form == GLK_PAGE_PACKED;
}

static uint32_t first_slot(const glk_extent *extent, uint32_t page) {
  return extent->lists ? extent->lists[page].slot : page * GLK_PAGE;
}

/* Set the bits of elements, of `count`, whose slots differ from their initial values. */
static void mark_changed(const glk_pages *pages, const glk_extent *extent, uint32_t page,
                         uint32_t count, uint32_t *words) {
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    if (!extent->arrays[k] || !(pages->kept >> k & 1)) continue;
    const glk_real *slot = extent->arrays[k] + first_slot(extent, page);
    const glk_bits start = load_bits(&pages->starts[k]);
    for (uint32_t i = 0; i < count; i++) {
      words[i / 32] |= (uint32_t)(load_bits(slot + i) != start) << i % 32;
    }
  }
}

/* Set the bits of elements that trained, as far as one can tell. */
static void mark_trained(const glk_pages *pages, const glk_lockset *locks, const glk_extent *extent,
                         uint32_t page, uint32_t *words) {
  if (!is_packed(extent, page)) {
    const uint32_t count = glk_extent_elements(extent, &locks->shape) - page * GLK_PAGE;
    mark_changed(pages, extent, page, count < GLK_PAGE ? count : GLK_PAGE, words);
    return;
  }
  const glk_page_list *list = &extent->lists[page];
  for (uint32_t j = 0; j < list->count; j++) {
    const uint32_t i = element_of(extent->indices[list->index + j]);
    words[i / 32] |= (uint32_t)1 << i % 32;
  }
}

/* How many indices come before the first flag. */
static uint32_t count_free(const uint16_t *indices, uint32_t count) {
  uint32_t free = 0;
  while (free < count && !(indices[free] & GLK_INDEX_LOCKED)) free++;
  return free;
}

static uint32_t count_bits(uint32_t word) { return (uint32_t)__builtin_popcount(word); }

/* Choose the form of a page, and set the bits of the elements that its list has. While locks may
 * move no page is packed. */
static glk_page_form survey(const glk_pages *pages, const glk_lockset *locks, int may_move,
                            const glk_extent *extent, uint32_t page, uint32_t *listed) {
  const uint32_t *words = locks->words + (extent->first + page * GLK_PAGE) / 32;
  glk_page_census n = {.all = glk_extent_page_elements(extent, page)};
  for (uint32_t w = 0; w < n.all / 32; w++) {
    listed[w] = ~words[w];
    n.free += count_bits(listed[w]);
    if (!words[w]) n.dense += 32;
    if (words[w] && listed[w]) n.mixed += 32;
  }
  n.kept = may_move ? n.all : n.free;
  if (glk_page_choose(&n) != GLK_PAGE_PACKED) return glk_page_choose(&n);
  uint32_t kept[PAGE_WORDS];
  memcpy(kept, listed, sizeof kept);
  mark_trained(pages, locks, extent, page, kept);
  n.kept = 0;
  for (uint32_t w = 0; w < n.all / 32; w++) n.kept += count_bits(kept[w]);
  const glk_page_form form = glk_page_choose(&n);
  if (form == GLK_PAGE_PACKED) memcpy(listed, kept, sizeof kept);
  return form;
}

/* Indices of the set bits, padded to whole vectors; `out` may be NULL. Returns how many. */
static uint32_t write_indices(const uint32_t *listed, const uint32_t *locks, uint32_t elements,
                              uint16_t *out) {
  uint32_t count = 0;
  uint16_t index = 0;
  for (uint32_t w = 0; w < elements / 32; w++) {
    if (!out) count += count_bits(listed[w]);
    for (uint32_t bits = out ? listed[w] : 0; bits; bits &= bits - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(bits);
      index = (uint16_t)(w * 32 + i) | (locks[w] >> i & 1 ? GLK_INDEX_LOCKED : 0);
      out[count++] = index;
    }
  }
  for (; count % GLK_LANES; count++) {
    if (out) out[count] = index;
  }
  return count;
}

/* The page's list in `old`, if `out` is for the same locks there; else NULL. Lists that were made
 * while locks may move are not kept: they have other forms. */
static const glk_page_list *kept_list(const glk_pages *pages, const glk_extent *old,
                                      const glk_extent *out, uint32_t page) {
  if (!old->lists || pages->may_move) return NULL;
  const uint32_t *a = old->lists[page].locks, *b = out->lists[page].locks;
  uint32_t differ = 0;
  for (uint32_t w = 0; w < PAGE_WORDS; w++) differ |= a[w] ^ b[w];
  return differ ? NULL : &old->lists[page];
}

/* Choose forms, and find where lists and slots begin. Returns 1 if all pages are words. */
static int measure(const glk_pages *pages, const glk_lockset *locks, const glk_extent *old,
                   glk_extent *out) {
  int is_plain = 1;
  uint32_t listed[PAGE_WORDS];
  out->slot_count = out->index_count = 0;
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    const uint32_t elements = glk_extent_page_elements(old, p);
    glk_page_list *list = &out->lists[p];
    memcpy(list->locks, locks->words + (old->first + p * GLK_PAGE) / 32, elements / 8);
    const glk_page_list *kept = kept_list(pages, old, out, p);
    list->form = kept ? kept->form : survey(pages, locks, 0, old, p, listed);
    list->slot = out->slot_count;
    list->index = out->index_count;
    if (kept) {
      list->count = kept->count;
    } else if (list->form) {
      list->count = write_indices(listed, NULL, elements, NULL);
    }
    out->slot_count += list->form == GLK_PAGE_PACKED ? list->count : elements;
    out->index_count += list->count;
    is_plain &= list->form == GLK_PAGE_WORDS;
  }
  return is_plain;
}

static void list_indices(const glk_pages *pages, const glk_lockset *locks, const glk_extent *old,
                         glk_extent *out) {
  uint32_t listed[PAGE_WORDS];
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    glk_page_list *list = &out->lists[p];
    if (!list->count) continue;
    uint16_t *indices = out->indices + list->index;
    const glk_page_list *kept = kept_list(pages, old, out, p);
    if (kept) {
      memcpy(indices, old->indices + kept->index, list->count * sizeof *indices);
      list->free = kept->free;
      continue;
    }
    survey(pages, locks, 0, old, p, listed);
    write_indices(listed, list->locks, glk_extent_page_elements(old, p), indices);
    list->free = count_free(indices, list->count);
  }
}

/* True if the same elements of a page have slots in both. */
static int has_same_page(const glk_extent *a, const glk_extent *b, uint32_t page) {
  if (!is_packed(a, page) || !is_packed(b, page)) return is_packed(a, page) == is_packed(b, page);
  const glk_page_list *x = &a->lists[page], *y = &b->lists[page];
  if (x->count != y->count) return 0;
  for (uint32_t j = 0; j < x->count; j++) {
    if (element_of(a->indices[x->index + j] ^ b->indices[y->index + j])) return 0;
  }
  return 1;
}

/* The same for all pages. */
static int has_same_slots(const glk_pages *pages, const glk_extent *old, const glk_extent *out) {
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    const int is_kept = out->lists && kept_list(pages, old, out, p);
    if (!is_kept && !has_same_page(old, out, p)) return 0;
  }
  return old->slot_count == out->slot_count;
}

void glk_extent_read_slot(const glk_pages *pages, const glk_extent *extent, uint32_t slot,
                          uint32_t page, glk_real *out) {
  const uint32_t elements = glk_extent_page_elements(extent, page);
  const glk_real *values = extent->arrays[slot];
  if (values && !is_packed(extent, page)) {
    memcpy(out, values + first_slot(extent, page), elements * sizeof *out);
    return;
  }
  for (uint32_t i = 0; i < elements; i++) out[i] = pages->starts[slot];
  if (!values) return;
  const glk_page_list *list = &extent->lists[page];
  for (uint32_t j = 0; j < list->count; j++) {
    store_bits(out + element_of(extent->indices[list->index + j]),
               load_bits(values + list->slot + j));
  }
}

static void copy_slot(const glk_pages *pages, const glk_extent *old, uint32_t slot,
                      const glk_extent *out) {
  glk_real values[GLK_PAGE];
  for (uint32_t p = 0; p < glk_extent_pages(old); p++) {
    glk_real *to = out->arrays[slot] + first_slot(out, p);
    if (!is_packed(out, p)) {
      glk_extent_read_slot(pages, old, slot, p, to);
      continue;
    }
    if (old->arrays[slot] && kept_list(pages, old, out, p)) {
      memcpy(to, old->arrays[slot] + first_slot(old, p), out->lists[p].count * sizeof *to);
      continue;
    }
    glk_extent_read_slot(pages, old, slot, p, values);
    const glk_page_list *list = &out->lists[p];
    for (uint32_t j = 0; j < list->count; j++) {
      store_bits(to + j, load_bits(values + element_of(out->indices[list->index + j])));
    }
  }
}

void glk_extent_list_moving(const glk_pages *pages, const glk_lockset *locks, glk_extent *extent) {
  uint32_t listed[PAGE_WORDS];
  for (uint32_t p = 0; p < glk_extent_pages(extent); p++) {
    const uint32_t first = p * GLK_PAGE, elements = glk_extent_page_elements(extent, p);
    const glk_page_form form = survey(pages, locks, 1, extent, p, listed);
    const uint32_t *words = locks->words + (extent->first + first) / 32;
    const uint32_t count =
        form ? write_indices(listed, words, elements, extent->indices + first) : 0;
    const uint32_t free = count_free(extent->indices + first, count);
    extent->lists[p] = (glk_page_list){form, first, first, count, free, {0}};
  }
}

/* Lists of an extent that have room for any locks. */
static glk_status make_room(glk_context *context, glk_extent *out) {
  GLK_TRY(glk_allocate(context, glk_extent_pages(out), sizeof *out->lists, &out->lists));
  GLK_TRY(glk_allocate_unset(context, out->count, sizeof *out->indices, &out->indices));
  out->slot_count = out->index_count = out->count;
  return GLK_OK;
}

/* Lists of an extent for these locks, as long as needed. */
static glk_status make_lists(glk_context *context, const glk_pages *pages, const glk_lockset *locks,
                             const glk_extent *old, glk_extent *out) {
  GLK_TRY(glk_allocate(context, glk_extent_pages(old), sizeof *out->lists, &out->lists));
  if (measure(pages, locks, old, out)) {
    glk_release(context, out->lists, glk_extent_pages(old), sizeof *out->lists);
    out->lists = NULL;
    return GLK_OK;
  }
  GLK_TRY(glk_allocate_unset(context, out->index_count, sizeof *out->indices, &out->indices));
  list_indices(pages, locks, old, out);
  return GLK_OK;
}

glk_status glk_extent_list(glk_context *context, const glk_pages *pages, const glk_lockset *locks,
                           int may_move, const glk_extent *old, glk_extent *out) {
  out->lists = NULL;
  out->indices = NULL;
  if (may_move) {
    GLK_TRY(make_room(context, out));
    glk_extent_list_moving(pages, locks, out);
  } else {
    GLK_TRY(make_lists(context, pages, locks, old, out));
  }
  const int is_same = has_same_slots(pages, old, out);
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    const int is_kept = pages->kept >> k & 1;
    if (is_kept && is_same && old->arrays[k]) continue;
    out->arrays[k] = NULL;
    if (!is_kept) continue;
    GLK_TRY(glk_allocate_reals(context, GLK_SLOTS, out->slot_count, &out->arrays[k]));
    copy_slot(pages, old, k, out);
  }
  return GLK_OK;
}
