/* One step of an update rule over a variable, skipping what is locked. The walk is here, once; a rule is a few lines
 * of lane arithmetic that never sees a lock, so no rule can get locking wrong.
 *
 * Locks come as words of 32 bits, 1 = locked. A word of ones is not touched at all, a word of zeros is plain vector
 * code, and only a mixed word pays for choosing, by bits, between old and new. Arrays are padded to whole words and the
 * padding is locked, so there is no tail. Nothing of a locked element is stored: not its value, not its slots.
 */
#ifndef GLK_KERNELS_UPDATE_H
#define GLK_KERNELS_UPDATE_H

#include "kernels/vec.h"

enum { GLK_WORD = 32, GLK_MAX_COEFFICIENTS = 8 };

typedef enum glk_clip {
  GLK_CLIP_NONE = 0,
  GLK_CLIP_SCALE, /* multiply the gradient by `clip` */
  GLK_CLIP_VALUE  /* limit it to -clip..clip; NaN stays */
} glk_clip;

typedef struct glk_update {
  size_t words;
  const uint32_t *locks;          /* [words] */
  glk_real *x;                    /* [words * 32] the variable */
  const glk_real *gradient;       /* [words * 32] dL/dx; anything at locked elements */
  glk_real *slots[GLK_MAX_SLOTS]; /* [words * 32] each */
  glk_clip clip_mode;
  glk_real clip;
  glk_real decay; /* x -= (x * decay) * rate comes before the rule; 0 is none at all */
  glk_real decay_rate;
  glk_real coefficient[GLK_MAX_COEFFICIENTS]; /* the rule's own */
  /* Where elements have stepped a different number of times, coefficient[0] is theirs: coefficient[0] of element i is
   * cohort_coefficient[cohort[i]]. NULL where one serves all. */
  const uint32_t *cohort;
  const glk_real *cohort_coefficient;
} glk_update;

/** Four elements on their way through a rule: x and its slots. */
typedef struct glk_lanes {
  vreal x;
  vreal slot[GLK_MAX_SLOTS];
} glk_lanes;

/** Advance four elements by their gradient. c[0] may differ by lane, the others are splats. */
typedef void glk_rule_lanes(glk_lanes *e, vreal gradient, const vreal *c);

/* All ones in the lanes whose bit is set among the lowest four. */
GLK_INLINE vbits glk_expand_locks(uint32_t bits) {
  const vbits lane = {1, 2, 4, 8};
  return (vsplat_bits((glk_bits)bits) & lane) == lane;
}

/* The gradient of one word after clipping; `buffer` holds it where it differs. */
GLK_INLINE const glk_real *glk_clip_word(const glk_update *u, size_t i, glk_real *buffer) {
  const glk_real *g = u->gradient + i;
  if (u->clip_mode == GLK_CLIP_NONE) return g;
  const vreal limit = vsplat(u->clip);
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const vreal v = vload(g + j);
    vstore(buffer + j,
           u->clip_mode == GLK_CLIP_SCALE ? v * limit : vmax(vmin(v, limit), vneg(limit)));
  }
  return buffer;
}

GLK_INLINE void glk_update_word(const glk_update *u, size_t i, uint32_t locks, int slots,
                                int has_decay, int has_cohorts, const vreal *coefficients,
                                glk_rule_lanes *rule) {
  glk_real buffer[GLK_WORD];
  const glk_real *g = glk_clip_word(u, i, buffer);
  vreal c[GLK_MAX_COEFFICIENTS];
  for (int k = 0; k < GLK_MAX_COEFFICIENTS; k++) c[k] = coefficients[k];
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    glk_real *x = u->x + i + j;
    glk_lanes e, old;
    old.x = vload(x);
    for (int k = 0; k < slots; k++) old.slot[k] = vload(u->slots[k] + i + j);
    e = old;
    if (has_cohorts) {
      const uint32_t *cohort = u->cohort + i + j;
      const glk_real *table = u->cohort_coefficient;
      c[0] = (vreal){table[cohort[0]], table[cohort[1]], table[cohort[2]], table[cohort[3]]};
    }
    if (has_decay) e.x -= (e.x * vsplat(u->decay)) * vsplat(u->decay_rate);
    rule(&e, vload(g + j), c);
    if (locks) {
      const vbits locked = glk_expand_locks(locks >> j);
      e.x = vselect(locked, old.x, e.x);
      for (int k = 0; k < slots; k++) e.slot[k] = vselect(locked, old.slot[k], e.slot[k]);
    }
    vstore(x, e.x);
    for (int k = 0; k < slots; k++) vstore(u->slots[k] + i + j, e.slot[k]);
  }
}

GLK_INLINE void glk_update_words(const glk_update *given, int slots, int has_decay, int has_cohorts,
                                 glk_rule_lanes *rule) {
  const glk_update copy = *given, *u = &copy; /* stores to x cannot change it, and compilers know */
  vreal c[GLK_MAX_COEFFICIENTS];
  for (int k = 0; k < GLK_MAX_COEFFICIENTS; k++) c[k] = vsplat(u->coefficient[k]);
  for (size_t w = 0; w < u->words; w++) {
    const uint32_t locks = u->locks[w];
    if (locks == ~(uint32_t)0) continue;
    if (locks == 0) {
      glk_update_word(u, w * GLK_WORD, 0, slots, has_decay, has_cohorts, c, rule);
    } else {
      glk_update_word(u, w * GLK_WORD, locks, slots, has_decay, has_cohorts, c, rule);
    }
  }
}

/** The walk for one rule. All but `u` are constants, so each rule gets loops of its own; `uses_clock` says whether its
 *  coefficient[0] may differ between elements. */
GLK_INLINE void glk_update_run(const glk_update *u, int slots, int uses_clock,
                               glk_rule_lanes *rule) {
  if (uses_clock && u->cohort) {
    if (u->decay != 0) {
      glk_update_words(u, slots, 1, 1, rule);
    } else {
      glk_update_words(u, slots, 0, 1, rule);
    }
  } else if (u->decay != 0) {
    glk_update_words(u, slots, 1, 0, rule);
  } else {
    glk_update_words(u, slots, 0, 0, rule);
  }
}

#endif
