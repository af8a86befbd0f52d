/* Constraints: projections of free elements after an update (docs/laws.md, law 10). Locked elements
 * are never written. If they alone break a bound on a norm, free ones cannot repair it, and the
 * step is refused before anything changes. A group without a free element is left alone: nothing of
 * it trains.
 *
 * Source: keras/src/constraints/constraints.py of Keras 3, whose forms these are when all is free:
 *     nonNegative  max(x, 0)                          maxNorm  x min(norm, limit) / (1e-7 + norm)
 *     box          min(max(x, low), high)             unitNorm x / (1e-7 + norm)
 * with a norm over some axes. With locks of norm l in a group, free elements of norm f get what is
 * left:
 *     maxNorm   x min(f, r) / (1e-7 + f),  r^2 = limit^2 - l^2
 *               x max(f, s) / (1e-7 + f) where f < s, s^2 = least^2 - l^2: Keras's MinMaxNorm
 *     unitNorm  x r / (1e-7 + f),          r^2 = 1 - l^2
 * Refuses to invent a direction: free elements that are all 0 stay 0, as in Keras. */
#include "slots/constraint.h"

#include "kernels/vec.h"

#define EPSILON 1e-7

/* The rounding error of a projection: a norm may exceed its bound by 2^-22 of it. */
#define SLACK (1 + 0x1p-21)

/** The groups over which norms are taken: indices are decoded over the axes kept and the axes
 *  summed. */
typedef struct grouping {
  const glk_shape *shape;
  size_t strides[GLK_MAX_RANK];
  uint32_t axes; /* a bit for each that is summed */
  uint32_t groups, size;
} grouping;

static grouping group_by(const glk_shape *shape, uint32_t axes) {
  grouping g = {.shape = shape, .axes = axes, .groups = 1, .size = 1};
  glk_shape_strides(shape, g.strides);
  for (uint32_t k = 0; k < shape->rank; k++) {
    *(axes >> k & 1 ? &g.size : &g.groups) *= shape->dims[k];
  }
  return g;
}

/* Offset of the index-th position along the axes of `mask`. */
static size_t offset_of(const grouping *g, uint32_t mask, uint32_t index) {
  size_t at = 0;
  for (uint32_t k = g->shape->rank; k-- > 0;) {
    if (!(mask >> k & 1)) continue;
    at += index % g->shape->dims[k] * g->strides[k];
    index /= g->shape->dims[k];
  }
  return at;
}

typedef struct squares {
  double free, locked;
  uint32_t free_count;
} squares;

static squares sum_group(const grouping *g, size_t start, const glk_lockset *locks,
                         const glk_real *x) {
  squares s = {0, 0, 0};
  for (uint32_t i = 0; i < g->size; i++) {
    const size_t at = start + offset_of(g, g->axes, i);
    const double square = (double)x[at] * (double)x[at];
    if (glk_lockset_has(locks, (uint32_t)at)) {
      s.locked += square;
    } else {
      s.free += square;
      s.free_count++;
    }
  }
  return s;
}

static int is_norm(const glk_constraint *c) {
  return c->kind == GLK_MAX_NORM || c->kind == GLK_UNIT_NORM;
}

glk_status glk_constraint_check(glk_context *context, const glk_constraint *c,
                                const glk_variable *variable, const glk_lockset *locks) {
  if (!is_norm(c) || !locks->locked || glk_lockset_is_full(locks)) return GLK_OK;
  const grouping g = group_by(&locks->shape, c->axes);
  for (uint32_t i = 0; i < g.groups; i++) {
    const size_t start = offset_of(&g, ~c->axes, i);
    const squares s = sum_group(&g, start, locks, variable->tensor.storage->values);
    if (!s.free_count || s.locked <= c->high * c->high * SLACK) continue;
    return glk_fail(context, GLK_ERROR_CONSTRAINT,
                    "variable '%s' %S: the locked elements of the group at flat index %u have norm "
                    "%g, so the free ones cannot bring it %s %g; nothing was changed",
                    variable->name, &locks->shape, (uint32_t)start, glk_sqrt(s.locked),
                    c->kind == GLK_MAX_NORM ? "within" : "to", c->high);
  }
  return GLK_OK;
}

static void project_group(const glk_constraint *c, const grouping *g, size_t start,
                          const glk_lockset *locks, glk_real *x) {
  const squares s = sum_group(g, start, locks, x);
  if (!s.free_count) return;
  const double norm = glk_sqrt(s.free), left = c->high * c->high - s.locked;
  const double limit = s.locked == 0 ? c->high : left > 0 ? glk_sqrt(left) : 0;
  const double missing = c->low * c->low - s.locked;
  const double least = s.locked == 0 ? c->low : missing > 0 ? glk_sqrt(missing) : 0;
  const double inside = norm < least ? least : norm;
  const double target = c->kind == GLK_MAX_NORM && inside < limit ? inside : limit;
  const glk_real factor = (glk_real)(target / (EPSILON + norm));
  for (uint32_t i = 0; i < g->size; i++) {
    const size_t at = start + offset_of(g, g->axes, i);
    if (!glk_lockset_has(locks, (uint32_t)at)) x[at] *= factor;
  }
}

/* Four at a time, with the words' locks: vmin and vmax keep NaN. */
static void project_box(const glk_constraint *c, const glk_lockset *locks, glk_real *x) {
  const vreal low = vsplat((glk_real)c->low), high = vsplat((glk_real)c->high);
  for (size_t w = 0; w < locks->word_count; w++) {
    const vubits word = {locks->words[w], locks->words[w], locks->words[w], locks->words[w]};
    vubits lane = {1, 2, 4, 8};
    GLK_NO_UNROLL
    for (size_t i = 32 * w; i < 32 * (w + 1); i += GLK_LANES, lane <<= GLK_LANES) {
      const vreal value = vload(x + i), inside = vmin(vmax(value, low), high);
      vstore(x + i, vselect((vbits)((word & lane) == lane), value, inside));
    }
  }
}

void glk_constraint_project(const glk_constraint *c, const glk_lockset *locks,
                            glk_variable *variable) {
  if (c->kind == GLK_UNCONSTRAINED || glk_lockset_is_full(locks)) return;
  glk_real *x = variable->tensor.storage->values;
  if (is_norm(c)) {
    const grouping g = group_by(&locks->shape, c->axes);
    for (uint32_t i = 0; i < g.groups; i++) {
      project_group(c, &g, offset_of(&g, ~c->axes, i), locks, x);
    }
  } else {
    project_box(c, locks, x);
  }
  variable->writes++;
}

glk_status glk_constraint_axes(glk_context *context, const glk_shape *shape, const uint32_t *axes,
                               uint32_t count, uint32_t *out) {
  *out = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (axes[i] >= shape->rank) {
      return glk_fail(context, GLK_ERROR_INDEX, "constraint: axis %u, but shape %S has %u", axes[i],
                      shape, shape->rank);
    }
    if (*out >> axes[i] & 1) {
      return glk_fail(context, GLK_ERROR_ARGUMENT, "constraint: axis %u is named twice", axes[i]);
    }
    *out |= 1u << axes[i];
  }
  return GLK_OK;
}

glk_status glk_constraint_make(glk_context *context, glk_constraint_kind kind, double low,
                               double high, glk_constraint *out) {
  const double infinity = __builtin_inf();
  *out = (glk_constraint){.kind = kind, .low = low, .high = high};
  switch (kind) {
  case GLK_UNCONSTRAINED: return GLK_OK;
  case GLK_NON_NEGATIVE:
    out->low = 0;
    out->high = infinity;
    return GLK_OK;
  case GLK_UNIT_NORM: out->high = 1; return GLK_OK;
  case GLK_BOX:
    if ((glk_real)low <= (glk_real)high) return GLK_OK;
    return glk_fail(context, GLK_ERROR_OPTION,
                    "box: low is %g and high is %g, expected low <= high", low, high);
  case GLK_MAX_NORM:
    if (!(high >= 0 && high <= 1e30)) {
      return glk_fail(context, GLK_ERROR_OPTION,
                      "maxNorm is %g, expected at least 0 and at most 1e+30", high);
    }
    if (low >= 0 && low <= high) return GLK_OK;
    return glk_fail(context, GLK_ERROR_OPTION, "minNorm is %g, expected at least 0 and at most %g",
                    low, high);
  }
  return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no constraint %u", (uint32_t)kind);
}
