/* One step of an update rule over a variable; locked elements keep the bits of value and slots. The
 * loop is here, once for all rules. A rule is a few lines of arithmetic on four lanes and never
 * sees a lock, so no rule can get locking wrong.
 *
 * Locks come as words of 32 bits, 1 = locked. A word of ones is skipped, and a word of zeros is
 * plain vector code. Only a mixed word selects between old and new values by bits, four elements at
 * a time. Arrays are padded to whole words, and the padding is locked, so there is no tail. */
#ifndef GLK_KERNELS_UPDATE_H
#define GLK_KERNELS_UPDATE_H

#include "kernels/vec.h"

enum { GLK_WORD = 32, GLK_MAX_COEFFICIENTS = 8, GLK_MAX_BY_COUNT = 3 };

/** Changes of the gradient before a rule sees it. */
typedef enum glk_clip {
  GLK_CLIP_NONE = 0,
  /** Multiply it by `clip`. */
  GLK_CLIP_SCALE,
  /** Limit it to -clip..clip; NaN stays. */
  GLK_CLIP_VALUE
} glk_clip;

/** Size of a page: the elements of a variable for which an optimizer allocates memory at a time. */
#ifdef GLK_DEBUG
enum { GLK_PAGE = 32 }; /* so that the tests' small variables have many */
#else
enum { GLK_PAGE = 1024 };
#endif

/** The groups of a page whose elements carry theirs. */
#define GLK_NO_GROUP UINT32_MAX

/** The groups of a page's elements. A group's elements have taken the same number of steps. */
typedef struct glk_count_page {
  /** That of its free elements, then of its locked ones; where there are none, 0. Both
   *  GLK_NO_GROUP: see members. */
  uint32_t group[2];
  /** [elements of the page] The group of each; NULL: as above. */
  uint32_t *members;
} glk_count_page;

/** Operands of one step of a variable, or of some of its elements. */
typedef struct glk_update {
  size_t words;
  /** [words] */
  const uint32_t *locks;
  /** [words * 32] in/out: the variable. */
  glk_real *x;
  /** [words * 32] dL/dx; ignored at locked elements. */
  const glk_real *gradient;
  /** [words * 32] in/out, each. */
  glk_real *slots[GLK_MAX_SLOTS];
  /** [index_count] Indices of the elements in x and gradient; their slots are contiguous. None is
   *  locked, their number is a multiple of 4, and `words` and `locks` are not read. NULL: x and
   *  gradient are contiguous, too. */
  const uint16_t *indices;
  uint32_t index_count;
  glk_clip clip_mode;
  glk_real clip;
  /** Weight decay: x -= (x * decay) * decay_rate, before the rule; 0 is none. */
  glk_real decay;
  glk_real decay_rate;
  /** [words * 32] Factors of decay_rate and coefficient[0]; NULL: 1 for all. */
  const glk_real *factor;
  /** The rule's coefficients. */
  glk_real coefficient[GLK_MAX_COEFFICIENTS];
  /** If elements have taken different numbers of steps, the first `by_count` coefficients are per
   *  group, group_coefficient [groups, by_count]. Pages are those of the variable; x[0] is its
   *  element `first`. NULL: one serves all. */
  const glk_count_page *pages;
  size_t first;
  const glk_real *group_coefficient;
  /** At most GLK_MAX_BY_COUNT. */
  uint32_t by_count;
} glk_update;

/** Four elements during a rule: x and its slots. */
typedef struct glk_lanes {
  vreal x;
  vreal slot[GLK_MAX_SLOTS];
} glk_lanes;

/** Advance four elements by their gradient. The first GLK_MAX_BY_COUNT of c may differ by lane, the
 *  others are splats. */
typedef void glk_rule_lanes(glk_lanes *e, vreal gradient, const vreal *c);

/** Operands of one word of 32 elements. Clipping, decay and steps that differ are rare: they are
 *  applied a word at a time into buffers, so that one inner loop serves all. */
typedef struct glk_word {
  /** [GLK_WORD] */
  const glk_real *x, *gradient;
  /** Number of coefficients that differ by element. */
  uint32_t by_count;
  /** [by_count, GLK_WORD] */
  const glk_real *coefficient;
} glk_word;

typedef struct glk_word_buffers {
  glk_real x[GLK_WORD], gradient[GLK_WORD], coefficient[GLK_MAX_BY_COUNT * GLK_WORD];
} glk_word_buffers;

/** Add squared gradients to sums, in the order of elements: to *free those of free ones, to *all
 *  all. Locked elements are masked by bits, NaN and infinity, too. So a variable with locks has the
 *  same sum as one without those elements.
 *  locks      [count] bits
 *  gradient   [count] real
 *  free, all  f64 in/out */
void glk_kernel_squares(size_t count, const uint32_t *locks, const glk_real *gradient, double *free,
                        double *all);

/** A moving average, except for locked elements: x = decay * x + (1 - decay) * value, both products
 *  rounded, and +0 where that is subnormal; with a decay of 0 value, with 1 x as it is.
 *  locks [words], x and value [words * 32] */
void glk_kernel_moving_average(size_t words, const uint32_t *locks, glk_real *x,
                               const glk_real *value, glk_real decay);

/** Apply clipping, decay, factors and per-group coefficients to the word at element i, where there
 *  are any: `word` then points into `buffers` (update.c, one copy for all rules). */
void glk_prepare_word(const glk_update *u, size_t i, glk_word_buffers *buffers, glk_word *word);

/** Lane masks of all values of four lock bits: loading one is faster than computing it. */
extern const vbits glk_lane_masks[16];
/** For vflush. V8 would build a constant in every turn of a loop. */
extern const vbits glk_exponents;

/* Advance four elements. A decaying slot would become subnormal and, rounded, never reach 0. Most
 * processors take many times longer for such numbers, so it becomes +0 (docs/laws.md, law 25). */
GLK_INLINE void glk_update_lanes(glk_lanes *e, vreal gradient, const vreal *c, vbits exponents,
                                 int slots, glk_rule_lanes *rule) {
  rule(e, gradient, c);
  for (int k = 0; k < slots; k++) e->slot[k] = vflush(e->slot[k], exponents);
}

/* `locks` is the constant 0 for a dense word. Four locked neighbours are passed over like a locked
 * word: where most elements are locked at random, that is most of the time. */
GLK_INLINE void glk_update_word(const glk_update *u, size_t i, const glk_word *word, uint32_t locks,
                                int slots, uint32_t by_count, vreal *c, vbits exponents,
                                glk_rule_lanes *rule) {
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const uint32_t four = locks >> j & 15;
    if (locks && four == 15) continue;
    glk_lanes e;
    e.x = vload(word->x + j);
    for (int k = 0; k < slots; k++) e.slot[k] = vload(u->slots[k] + i + j);
    for (uint32_t k = 0; k < by_count; k++) {
      if (k < word->by_count) c[k] = vload(word->coefficient + k * GLK_WORD + j);
    }
    glk_update_lanes(&e, vload(word->gradient + j), c, exponents, slots, rule);
    if (locks) {
      const vbits locked = glk_lane_masks[four];
      e.x = vselect(locked, vload(u->x + i + j), e.x);
      for (int k = 0; k < slots; k++) {
        e.slot[k] = vselect(locked, vload(u->slots[k] + i + j), e.slot[k]);
      }
    }
    vstore(u->x + i + j, e.x);
    for (int k = 0; k < slots; k++) vstore(u->slots[k] + i + j, e.slot[k]);
  }
}

static inline int glk_update_is_plain(const glk_update *u) {
  return u->clip_mode == GLK_CLIP_NONE && u->decay == 0 && !u->pages && !u->factor;
}

/* Without clipping, decay and differing counts the compiler removes the code that prepares for
 * them, if `is_plain` is a constant. `has_dense` is one: whether words without a lock get a loop of
 * their own. */
GLK_INLINE void glk_update_words(const glk_update *given, int is_plain, int has_dense, int slots,
                                 uint32_t by_count, glk_rule_lanes *rule) {
  const glk_update copy = *given, *u = &copy; /* stores to x cannot change it, and compilers know */
  glk_word_buffers buffers;
  vreal c[GLK_MAX_COEFFICIENTS];
  const vbits exponents = glk_exponents;
  for (int k = 0; k < GLK_MAX_COEFFICIENTS; k++) c[k] = vsplat(u->coefficient[k]);
  for (size_t w = 0; w < u->words; w++) {
    const uint32_t locks = u->locks[w];
    if (locks == ~(uint32_t)0) continue;
    const size_t i = w * GLK_WORD;
    glk_word word = {u->x + i, u->gradient + i, 0, NULL};
    if (!is_plain) glk_prepare_word(u, i, &buffers, &word);
    if (has_dense && locks == 0) {
      glk_update_word(u, i, &word, 0, slots, by_count, c, exponents, rule);
    } else {
      glk_update_word(u, i, &word, locks, slots, by_count, c, exponents, rule);
    }
  }
}

/* Elements by their indices, four at a time. */
GLK_INLINE void glk_update_gathered(const glk_update *u, int slots, glk_rule_lanes *rule) {
  glk_real *const x = u->x, *slot[GLK_MAX_SLOTS];
  const glk_real *const gradient = u->gradient;
  const uint16_t *at = u->indices, *const end = at + u->index_count;
  vreal c[GLK_MAX_COEFFICIENTS];
  const vbits exponents = glk_exponents;
  for (int k = 0; k < GLK_MAX_COEFFICIENTS; k++) c[k] = vsplat(u->coefficient[k]);
  for (int k = 0; k < slots; k++) slot[k] = u->slots[k];
  GLK_NO_UNROLL
  for (; at < end; at += GLK_LANES) {
    glk_lanes e;
    e.x = vgather(x, at);
    for (int k = 0; k < slots; k++) e.slot[k] = vload(slot[k]);
    glk_update_lanes(&e, vgather(gradient, at), c, exponents, slots, rule);
    vscatter(x, at, e.x);
    for (int k = 0; k < slots; k++) {
      vstore(slot[k], e.slot[k]);
      slot[k] += GLK_LANES;
    }
  }
}

/** The walk for one rule: `slots` and `rule` are constants, so each rule gets loops of its own.
 *  At most one coefficient differs by element. Returns 0 and changes nothing if it needs contiguous
 *  x and gradient. */
GLK_INLINE int glk_update_run(const glk_update *u, int slots, glk_rule_lanes *rule) {
  const int is_plain = glk_update_is_plain(u);
  if (u->indices && !is_plain) return 0;
  if (u->indices) {
    glk_update_gathered(u, slots, rule);
  } else if (is_plain) {
    glk_update_words(u, 1, 1, slots, 1, rule);
  } else {
    glk_update_words(u, 0, 1, slots, 1, rule);
  }
  return 1;
}

/** Generic version for rarely used rules: one loop that checks every flag, a third of the code
 *  size. The first `by_count` coefficients may differ by element. */
GLK_INLINE int glk_update_run_by_count(const glk_update *u, int slots, uint32_t by_count,
                                       glk_rule_lanes *rule) {
  if (u->indices) return 0;
  glk_update_words(u, glk_update_is_plain(u), 0, slots, by_count, rule);
  return 1;
}

/** The same where at most one coefficient differs. */
GLK_INLINE int glk_update_run_small(const glk_update *u, int slots, glk_rule_lanes *rule) {
  return glk_update_run_by_count(u, slots, 1, rule);
}

#endif
