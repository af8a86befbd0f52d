/* Line search for the strong Wolfe conditions,
 *     loss(t) <= loss(0) + c1 t slope(0)   and   |slope(t)| <= c2 |slope(0)|,
 * by bracketing and zooming with cubic interpolation. Refuses points where the loss is not finite.
 *
 * Source: Nocedal & Wright 2006, Numerical Optimization, 2nd ed., eq. 3.7, Algorithms 3.5 and 3.6,
 * eq. 3.59. Constants and safeguards are those of torch.optim.LBFGS, which has them from minFunc
 * (Schmidt 2005): a step grows 1.01- to 10-fold, and a trial that is twice in a row within a tenth
 * of the interval's ends is moved inside. */
#include "solve/line_search.h"

#define SUFFICIENT_DECREASE 1e-4
#define CURVATURE 0.9
#define GROWTH_LEAST 0.01
#define GROWTH_MOST 10
#define MARGIN 0.1
#define LEAST_LOSS -0x1p60

typedef glk_line_point point;

static glk_status try_at(glk_line *line, double t, point *out) {
  glk_objective *objective = line->objective;
  const glk_program *program = objective->program;
  glk_objective_move(objective, line->x, t, line->direction);
  line->evaluations--;
  GLK_TRY(glk_objective_run(objective));
  glk_objective_gradient(objective, line->gradient);
  out->t = t;
  out->loss = (double)glk_program_values(program, program->outputs[0])[0];
  out->slope = glk_list_dot(line->gradient, line->direction, objective->free_count);
  if (out->loss == -__builtin_inf()) line->met_infinity = 1;
  return GLK_OK;
}

static void keep_lowest(glk_line *line, const point *p) {
  double *other = line->lowest_gradient;
  line->lowest_gradient = line->gradient;
  line->gradient = other;
  line->lowest = *p;
}

static int is_finite(const point *p) { return glk_is_finite(p->loss) && glk_is_finite(p->slope); }

static int is_lower(const glk_line *line, const point *p) {
  const point *start = &line->start;
  return p->loss <= start->loss + SUFFICIENT_DECREASE * p->t * start->slope &&
         (line->lowest.t == 0 || p->loss < line->lowest.loss);
}

static int is_flat(const glk_line *line, const point *p) {
  return glk_magnitude(p->slope) <= -CURVATURE * line->start.slope;
}

static double within(double t, double low, double high) {
  return t < low ? low : t > high ? high : t;
}

/* Minimiser of the cubic through two points and their slopes, kept within bounds; the middle of the
 * bounds where the cubic has none. Eq. 3.59. */
static double interpolate(point a, point b, double low, double high) {
  if (a.t > b.t) {
    const point swapped = a;
    a = b;
    b = swapped;
  }
  const double d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t);
  const double square = d1 * d1 - a.slope * b.slope;
  const double d2 = glk_sqrt(square);
  const double t = b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2));
  return square >= 0 && t == t ? within(t, low, high) : (low + high) / 2;
}

/* Algorithm 3.6: shrink the interval between line->lowest and `high`. `longest` is the largest
 * magnitude of the direction. */
static glk_status zoom(glk_line *line, point high, double longest) {
  int was_near_end = 0;
  while (line->evaluations) {
    const point low = line->lowest;
    const double from = low.t < high.t ? low.t : high.t, to = low.t < high.t ? high.t : low.t;
    if ((to - from) * longest < line->tolerance) break;
    double t = low.t + (high.t - low.t) * MARGIN;
    if (is_finite(&high)) {
      const double margin = MARGIN * (to - from);
      t = interpolate(low, high, from, to);
      const int is_near_end = to - t < margin || t - from < margin;
      const int is_moved = is_near_end && (was_near_end || t >= to || t <= from);
      if (is_moved) t = to - t < t - from ? to - margin : from + margin;
      was_near_end = is_near_end && !is_moved;
    }
    point p;
    GLK_TRY(try_at(line, t, &p));
    if (!is_finite(&p) || !is_lower(line, &p)) {
      high = p;
      continue;
    }
    if (p.slope * (high.t - low.t) >= 0) high = low;
    keep_lowest(line, &p);
    if (is_flat(line, &p)) break;
  }
  return GLK_OK;
}

/* Algorithm 3.5: lengthen the step until an interval holds a suitable point. */
glk_status glk_line_search(glk_line *line, double t) {
  const double longest = glk_list_largest(line->direction, line->objective->free_count);
  line->lowest = line->start;
  while (line->evaluations) {
    const point before = line->lowest;
    point p;
    GLK_TRY(try_at(line, t, &p));
    if (!is_finite(&p) || !is_lower(line, &p)) return zoom(line, p, longest);
    keep_lowest(line, &p);
    if (is_flat(line, &p)) break;
    if (p.slope >= 0) return zoom(line, before, longest);
    const double least = t + GROWTH_LEAST * (t - before.t);
    t = interpolate(before, p, least, t * GROWTH_MOST);
  }
  return GLK_OK;
}

int glk_line_is_endless(const glk_line *line) {
  const point *p = &line->lowest;
  const int falls = p->slope < 0 && !is_flat(line, p);
  return line->met_infinity || (p->t != 0 && p->loss < LEAST_LOSS && falls);
}
