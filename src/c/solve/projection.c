/* Bounds of a least-squares problem: an active set and projected steps.
 *
 * Sources: projection of damped steps, Kanzow, Yamashita & Fukushima 2004, J. Comput. Appl. Math.
 * 172. The active set by the sign of the gradient: Bertsekas 1982, SIAM J. Control Optim. 20.
 *
 * A step that leaves the bounds is projected: the elements that leave it are put on their bounds,
 * and the others get the best step that goes with that. */
#include "solve/projection.h"

#include <string.h>

#include "core/memory.h"

/* Doubles for `count` elements; two flags for each of them come last. */
static size_t memory_count(size_t count) { return (4 + count) * count + (2 * count + 7) / 8; }

glk_status glk_projection_reserve(glk_context *context, glk_projection *projection,
                                  uint32_t count) {
  const size_t n = count;
  double *at;
  if (projection->memory && projection->count == count) return GLK_OK;
  GLK_TRY(glk_allocate(context, memory_count(n), sizeof(double), &at));
  glk_projection_free(context, projection);
  uint8_t *flags = (uint8_t *)(at + (4 + n) * n);
  *projection = (glk_projection){.count = count,
                                 .memory = at,
                                 .lower = at,
                                 .upper = at + n,
                                 .target = at + 2 * n,
                                 .gradient = at + 3 * n,
                                 .normal = at + 4 * n,
                                 .is_active = flags,
                                 .is_projected = flags + n};
  return GLK_OK;
}

void glk_projection_free(glk_context *context, glk_projection *projection) {
  glk_release(context, projection->memory, memory_count(projection->count),
              sizeof *projection->memory);
  *projection = (glk_projection){.memory = NULL};
}

/* Element (i, j) of a symmetric matrix. */
static double *at(double *matrix, uint32_t n, uint32_t i, uint32_t j) {
  return matrix + (i < j ? (size_t)j * n + i : (size_t)i * n + j);
}

static void remove(uint32_t n, uint32_t j, double *gradient, double *normal) {
  gradient[j] = 0;
  for (uint32_t i = 0; i < n; i++) *at(normal, n, i, j) = 0;
}

void glk_projection_find_active(glk_projection *projection, const double *x, double *gradient,
                                double *normal) {
  for (uint32_t j = 0; j < projection->count; j++) {
    const double low = projection->lower[j], high = projection->upper[j], g = gradient[j];
    projection->is_active[j] = (x[j] <= low && g > 0) || (x[j] >= high && g < 0) || low == high;
    if (projection->is_active[j]) remove(projection->count, j, gradient, normal);
  }
}

void glk_projection_remove_active(const glk_projection *projection, double *gradient,
                                  double *normal) {
  for (uint32_t j = 0; j < projection->count; j++) {
    if (projection->is_active[j]) remove(projection->count, j, gradient, normal);
  }
}

void glk_projection_begin(glk_projection *projection) {
  memset(projection->is_projected, 0, projection->count);
}

enum { IS_PROJECTED = 1, IS_NEW };

/* Mark the elements that the step leads out of the bounds, and set their targets; returns their
 * number. A step that is not a number leads nowhere. */
static uint32_t mark_new(glk_projection *projection, const double *x, const double *step) {
  uint32_t count = 0;
  for (uint32_t j = 0; j < projection->count; j++) {
    const double value = x[j] + step[j];
    const int is_below = value<projection->lower[j], is_above = value> projection->upper[j];
    if (projection->is_active[j] || projection->is_projected[j] || !(is_below || is_above))
      continue;
    projection->is_projected[j] = IS_NEW;
    projection->target[j] = is_below ? projection->lower[j] : projection->upper[j];
    count++;
  }
  return count;
}

uint32_t glk_projection_project(glk_projection *projection, const double *x, const double *step,
                                const double *gradient, const double *normal) {
  const uint32_t n = projection->count;
  const int is_first = !memchr(projection->is_projected, IS_PROJECTED, n);
  const uint32_t count = mark_new(projection, x, step);
  if (count && is_first) {
    memcpy(projection->gradient, gradient, n * sizeof *gradient);
    memcpy(projection->normal, normal, (size_t)n * n * sizeof *normal);
  }
  for (uint32_t j = 0; j < n && count; j++) {
    if (projection->is_projected[j] != IS_NEW) continue;
    const double way = projection->target[j] - x[j];
    for (uint32_t i = 0; i < n; i++)
      projection->gradient[i] += way * *at(projection->normal, n, i, j);
    remove(n, j, projection->gradient, projection->normal);
    projection->is_projected[j] = IS_PROJECTED;
  }
  return count;
}

int glk_projection_move(const glk_projection *projection, const double *x, const double *step,
                        double *moved) {
  int is_projected = 0;
  for (uint32_t j = 0; j < projection->count; j++) {
    moved[j] = projection->is_active[j]      ? x[j]
               : projection->is_projected[j] ? projection->target[j]
                                             : x[j] + step[j];
    is_projected |= projection->is_projected[j];
  }
  return is_projected;
}

void glk_projection_zero_active(const glk_projection *projection, double *list) {
  for (uint32_t j = 0; j < projection->count; j++) {
    if (projection->is_active[j]) list[j] = 0;
  }
}

double glk_projection_predict(const glk_projection *projection, const double *x,
                              const double *moved, const double *gradient, const double *normal) {
  double sum = 0;
  for (uint32_t i = 0; i < projection->count; i++) {
    const double *row = normal + (size_t)i * projection->count, h = moved[i] - x[i];
    double curved = row[i] * h / 2;
    for (uint32_t j = 0; j < i; j++) curved += row[j] * (moved[j] - x[j]);
    sum -= h * (gradient[i] + curved);
  }
  return sum;
}
