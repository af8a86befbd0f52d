/* Positions of windows that slide over images [images, height, width, depth]. Where a window
 * overhangs its image there is padding. */
#ifndef GLK_KERNELS_WINDOW_H
#define GLK_KERNELS_WINDOW_H

#include "kernels/vec.h"

/** Windows along one axis: tap t of window i is at i stride + t dilation - before. All sizes are
 *  below 2^30. */
typedef struct glk_window_axis {
  /** Size of an image, taps of a window, number of windows. */
  size_t size, taps, count;
  size_t stride, dilation, before;
} glk_window_axis;

/** Windows are numbered image by image, row by row, and so are the taps of each. */
typedef struct glk_windows {
  glk_window_axis y, x;
  size_t depth, images;
} glk_windows;

/** Taps of a window that are inside of its image, from..to - 1; tap 0 is at `at`, which may be
 *  outside. */
typedef struct glk_span {
  ptrdiff_t at;
  size_t from, to;
} glk_span;

GLK_INLINE glk_span glk_span_of(const glk_window_axis *axis, size_t i) {
  const ptrdiff_t step = (ptrdiff_t)axis->dilation, size = (ptrdiff_t)axis->size;
  glk_span s = {(ptrdiff_t)(i * axis->stride) - (ptrdiff_t)axis->before, 0, axis->taps};
  if (s.at < 0) s.from = (size_t)((step - 1 - s.at) / step);
  if (s.at + (ptrdiff_t)(axis->taps - 1) * step >= size) {
    s.to = s.at < size ? (size_t)((size - s.at + step - 1) / step) : 0;
  }
  if (s.from > s.to) s.from = s.to;
  return s;
}

/** A window: its row and column, and where its image begins. Windows are walked by counting, since
 *  a division costs more than a small window. */
typedef struct glk_window {
  size_t y, x, image;
} glk_window;

GLK_INLINE glk_window glk_window_at(const glk_windows *w, size_t i) {
  const size_t row = i / w->x.count;
  return (glk_window){row % w->y.count, i % w->x.count,
                      row / w->y.count * w->y.size * w->x.size * w->depth};
}

GLK_INLINE void glk_window_advance(const glk_windows *w, glk_window *c) {
  if (++c->x < w->x.count) return;
  c->x = 0;
  if (++c->y < w->y.count) return;
  c->y = 0;
  c->image += w->y.size * w->x.size * w->depth;
}

#endif
