/* Bounds of a least-squares problem: an active set and bent steps.
 *
 * Sources: projection of damped steps, Kanzow, Yamashita & Fukushima 2004, J. Comput. Appl. Math.
 * 172. The active set by the sign of the gradient: Bertsekas 1982, SIAM J. Control Optim. 20.
 *
 * A step that leaves the box is bent: the elements that leave it are put on their bounds, and the
 * others get the best step that goes with that. */
#include "solve/projection.h"

#include <string.h>

#include "core/memory.h"

/* Doubles for `count` elements; two flags for each of them come last. */
static size_t memory_count(size_t count) { return (4 + count) * count + (2 * count + 7) / 8; }

glk_status glk_box_reserve(glk_context *context, glk_box *box, uint32_t count) {
  const size_t n = count;
  void *memory;
  if (box->memory && box->count == count) return GLK_OK;
  GLK_TRY(glk_allocate(context, memory_count(n), sizeof(double), &memory));
  glk_box_free(context, box);
  double *at = memory;
  uint8_t *flags = (uint8_t *)(at + (4 + n) * n);
  *box = (glk_box){.count = count,
                   .memory = at,
                   .lower = at,
                   .upper = at + n,
                   .target = at + 2 * n,
                   .gradient = at + 3 * n,
                   .normal = at + 4 * n,
                   .is_held = flags,
                   .is_bent = flags + n};
  return GLK_OK;
}

void glk_box_free(glk_context *context, glk_box *box) {
  glk_release(context, box->memory, memory_count(box->count), sizeof *box->memory);
  *box = (glk_box){.memory = NULL};
}

/* Element (i, j) of a symmetric matrix. */
static double *at(double *matrix, uint32_t n, uint32_t i, uint32_t j) {
  return matrix + (i < j ? (size_t)j * n + i : (size_t)i * n + j);
}

static void take_out(uint32_t n, uint32_t j, double *gradient, double *normal) {
  gradient[j] = 0;
  for (uint32_t i = 0; i < n; i++) *at(normal, n, i, j) = 0;
}

void glk_box_hold(glk_box *box, const double *x, double *gradient, double *normal) {
  for (uint32_t j = 0; j < box->count; j++) {
    const double low = box->lower[j], high = box->upper[j], g = gradient[j];
    box->is_held[j] = (x[j] <= low && g > 0) || (x[j] >= high && g < 0) || low == high;
    if (box->is_held[j]) take_out(box->count, j, gradient, normal);
  }
}

void glk_box_take_out(const glk_box *box, double *gradient, double *normal) {
  for (uint32_t j = 0; j < box->count; j++) {
    if (box->is_held[j]) take_out(box->count, j, gradient, normal);
  }
}

void glk_box_straighten(glk_box *box) { memset(box->is_bent, 0, box->count); }

enum { IS_BENT = 1, IS_NEW };

/* Mark the elements that the step leads out of the box, and set their targets; returns their
 * number. A step that is not a number leads nowhere. */
static uint32_t mark_new(glk_box *box, const double *x, const double *step) {
  uint32_t count = 0;
  for (uint32_t j = 0; j < box->count; j++) {
    const double place = x[j] + step[j];
    const int is_below = place<box->lower[j], is_above = place> box->upper[j];
    if (box->is_held[j] || box->is_bent[j] || !(is_below || is_above)) continue;
    box->is_bent[j] = IS_NEW;
    box->target[j] = is_below ? box->lower[j] : box->upper[j];
    count++;
  }
  return count;
}

uint32_t glk_box_bend(glk_box *box, const double *x, const double *step, const double *gradient,
                      const double *normal) {
  const uint32_t n = box->count;
  const int is_first = !memchr(box->is_bent, IS_BENT, n);
  const uint32_t count = mark_new(box, x, step);
  if (count && is_first) {
    memcpy(box->gradient, gradient, n * sizeof *gradient);
    memcpy(box->normal, normal, (size_t)n * n * sizeof *normal);
  }
  for (uint32_t j = 0; j < n && count; j++) {
    if (box->is_bent[j] != IS_NEW) continue;
    const double way = box->target[j] - x[j];
    for (uint32_t i = 0; i < n; i++) box->gradient[i] += way * *at(box->normal, n, i, j);
    take_out(n, j, box->gradient, box->normal);
    box->is_bent[j] = IS_BENT;
  }
  return count;
}

int glk_box_move(const glk_box *box, const double *x, const double *step, double *moved) {
  int is_bent = 0;
  for (uint32_t j = 0; j < box->count; j++) {
    moved[j] = box->is_held[j] ? x[j] : box->is_bent[j] ? box->target[j] : x[j] + step[j];
    is_bent |= box->is_bent[j];
  }
  return is_bent;
}

void glk_box_mute(const glk_box *box, double *list) {
  for (uint32_t j = 0; j < box->count; j++) {
    if (box->is_held[j]) list[j] = 0;
  }
}

double glk_box_promise(const glk_box *box, const double *x, const double *moved,
                       const double *gradient, const double *normal) {
  double sum = 0;
  for (uint32_t i = 0; i < box->count; i++) {
    const double *row = normal + (size_t)i * box->count, h = moved[i] - x[i];
    double curved = row[i] * h / 2;
    for (uint32_t j = 0; j < i; j++) curved += row[j] * (moved[j] - x[j]);
    sum -= h * (gradient[i] + curved);
  }
  return sum;
}
