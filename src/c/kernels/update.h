/* One step of an update rule over a variable; locked elements keep the bits of value and slots. The
 * loop is here, once for all rules. A rule is a few lines of arithmetic on four lanes and never
 * sees a lock, so no rule can get locking wrong.
 *
 * Locks come as words of 32 bits, 1 = locked. A word of ones is skipped, and a word of zeros is
 * plain vector code. Only a mixed word selects between old and new values by bits, four elements at
 * a time. Arrays are padded to whole words, and the padding is locked, so there is no tail.
 *
 * Where a page has many locked elements, a list of places comes instead of words. The listed
 * elements are loaded four at a time, and no other element is read. Lanes are independent, so the
 * bits are the same in every form (decision 61). */
#ifndef GLK_KERNELS_UPDATE_H
#define GLK_KERNELS_UPDATE_H

#include "kernels/vec.h"

enum { GLK_WORD = 32, GLK_MAX_COEFFICIENTS = 8, GLK_MAX_CLOCKED = 3 };

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

/** The cohorts of a page whose elements carry theirs. */
#define GLK_APART UINT32_MAX

/** The cohorts of a page's elements. A cohort's elements have taken the same number of steps. */
typedef struct glk_clock_page {
  /** That of its free elements, then of its locked ones; where there are none, 0. Both GLK_APART:
   *  see members. */
  uint32_t cohort[2];
  /** [elements of the page] The cohort of each; NULL: as above. */
  uint32_t *members;
} glk_clock_page;

/** How a page's elements are found, and where their slots are. */
typedef enum glk_page_form {
  /** By lock words. Every element has slots. */
  GLK_PAGE_WORDS = 0,
  /** By a list of the free elements. Every element has slots. */
  GLK_PAGE_LISTED,
  /** By a list. Only listed elements have slots, in the order of the list: those that are free, and
   *  those that trained before they were locked. */
  GLK_PAGE_PACKED
} glk_page_form;

/** A page's list, and its part of the slots. */
typedef struct glk_page_list {
  uint32_t form;
  /** Where its slots begin, in each slot's array. */
  uint32_t slot;
  /** Where its places begin, and how many it has, a multiple of 4. */
  uint32_t place, count;
  /** The first so many places have no flag. */
  uint32_t free;
  /** The lock words that the list is for. */
  uint32_t locks[GLK_PAGE / GLK_WORD];
} glk_page_list;

/** A place is an element's number within its page. The flag marks locked elements. Padding to whole
 *  vectors repeats the last element, its slots included: it computes and stores the same. */
#define GLK_PLACE_LOCKED ((uint16_t)0x8000)

/** What decides the form of a page: numbers of elements. */
typedef struct glk_page_census {
  /** All, padding included. */
  uint32_t all;
  uint32_t free;
  /** Elements that need slots: those that are free or have trained. */
  uint32_t kept;
  /** Elements in words without a locked element, and in words with locked and free ones. */
  uint32_t dense, mixed;
} glk_page_census;

/** The form of a page. A packed element takes up to twice as long as one of a dense word, a listed
 *  one seven times, and one of a mixed word 1.4 times (docs/speed.md). */
static inline glk_page_form glk_page_choose(const glk_page_census *n) {
  if (16 * n->kept <= 11 * n->all) return GLK_PAGE_PACKED;
  return 16 * n->free < 2 * n->dense + 3 * n->mixed ? GLK_PAGE_LISTED : GLK_PAGE_WORDS;
}

/** Operands of one step of a variable, or of some of its elements. */
typedef struct glk_update {
  size_t words;
  /** [words] */
  const uint32_t *locks;
  /** [words * 32] in/out: the variable. */
  glk_real *x;
  /** [words * 32] dL/dx; ignored at locked elements. */
  const glk_real *gradient;
  /** [words * 32] in/out, each; with lists, the whole array. */
  glk_real *slots[GLK_MAX_SLOTS];
  /** The lists of the page of x[0] and of those after it, none of form GLK_PAGE_WORDS. Locks are
   *  not read. NULL: all by words. */
  const glk_page_list *lists;
  const uint16_t *places;
  glk_clip clip_mode;
  glk_real clip;
  /** Weight decay: x -= (x * decay) * decay_rate, before the rule; 0 is none. */
  glk_real decay;
  glk_real decay_rate;
  /** [words * 32] Factors of decay_rate and coefficient[0]; NULL: 1 for all. */
  const glk_real *factor;
  /** The rule's coefficients. */
  glk_real coefficient[GLK_MAX_COEFFICIENTS];
  /** If elements have taken different numbers of steps, the first `clocked` coefficients are per
   *  cohort, cohort_coefficient [cohorts, clocked]. Pages are those of the variable; x[0] is its
   *  element `first`. NULL: one serves all. */
  const glk_clock_page *pages;
  size_t first;
  const glk_real *cohort_coefficient;
  /** At most GLK_MAX_CLOCKED. */
  uint32_t clocked;
} glk_update;

/** Four elements during a rule: x and its slots. */
typedef struct glk_lanes {
  vreal x;
  vreal slot[GLK_MAX_SLOTS];
} glk_lanes;

/** Advance four elements by their gradient. The first GLK_MAX_CLOCKED of c may differ by lane, the
 *  others are splats. */
typedef void glk_rule_lanes(glk_lanes *e, vreal gradient, const vreal *c);

/** Operands of one word of 32 elements. Clipping, decay and steps that differ are rare: they are
 *  applied a word at a time into buffers, so that one inner loop serves all. */
typedef struct glk_word {
  /** [GLK_WORD] */
  const glk_real *x, *gradient;
  /** Number of coefficients that differ by element. */
  uint32_t clocked;
  /** [clocked, GLK_WORD] */
  const glk_real *coefficient;
} glk_word;

typedef struct glk_word_buffers {
  glk_real x[GLK_WORD], gradient[GLK_WORD], coefficient[GLK_MAX_CLOCKED * GLK_WORD];
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
 *  rounded; with a decay of 0 value, with 1 x as it is. locks [words], x and value [words * 32] */
void glk_kernel_moving_average(size_t words, const uint32_t *locks, glk_real *x,
                               const glk_real *value, glk_real decay);

/** Apply clipping, decay, factors and per-cohort coefficients to the word at element i, where there
 *  are any: `word` then points into `buffers` (update.c, one copy for all rules). */
void glk_prepare_word(const glk_update *u, size_t i, glk_word_buffers *buffers, glk_word *word);

/** Lane masks of all values of four lock bits: loading one is faster than computing it. */
extern const vbits glk_lane_masks[16];

/* `locks` is the constant 0 for a dense word. Four locked neighbours are passed over like a locked
 * word: where most elements are locked at random, that is most of the time. */
GLK_INLINE void glk_update_word(const glk_update *u, size_t i, const glk_word *word, uint32_t locks,
                                int slots, vreal *c, glk_rule_lanes *rule) {
  GLK_NO_UNROLL
  for (size_t j = 0; j < GLK_WORD; j += GLK_LANES) {
    const uint32_t four = locks >> j & 15;
    if (locks && four == 15) continue;
    glk_lanes e;
    e.x = vload(word->x + j);
    for (int k = 0; k < slots; k++) e.slot[k] = vload(u->slots[k] + i + j);
    for (uint32_t k = 0; k < GLK_MAX_CLOCKED; k++) {
      if (k < word->clocked) c[k] = vload(word->coefficient + k * GLK_WORD + j);
    }
    rule(&e, vload(word->gradient + j), c);
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
                                 glk_rule_lanes *rule) {
  const glk_update copy = *given, *u = &copy; /* stores to x cannot change it, and compilers know */
  glk_word_buffers buffers;
  vreal c[GLK_MAX_COEFFICIENTS];
  for (int k = 0; k < GLK_MAX_COEFFICIENTS; k++) c[k] = vsplat(u->coefficient[k]);
  for (size_t w = 0; w < u->words; w++) {
    const uint32_t locks = u->locks[w];
    if (locks == ~(uint32_t)0) continue;
    const size_t i = w * GLK_WORD;
    glk_word word = {u->x + i, u->gradient + i, 0, NULL};
    if (!is_plain) glk_prepare_word(u, i, &buffers, &word);
    if (has_dense && locks == 0) {
      glk_update_word(u, i, &word, 0, slots, c, rule);
    } else {
      glk_update_word(u, i, &word, locks, slots, c, rule);
    }
  }
}

/** How many listed elements are prepared at once. */
enum { GLK_TURN = 256 };

/** A walk over lists. */
typedef struct glk_list_walk {
  /** The page, counted from that of x[0], and the first place that is not yet taken. */
  uint32_t page, next;
  /** [count] The places of this turn, a multiple of 4, and element 0 of their page, counted from
   *  x[0]. */
  const uint16_t *places;
  uint32_t count;
  ptrdiff_t base;
  /** Slots of the first place if they are packed, else of element 0 of the page. */
  size_t slot;
  int is_packed;
  /** 1: some of the places stay as they are, those with a bit of `locks`. */
  int is_partly_locked;
  uint32_t locks[GLK_TURN / GLK_WORD];
  uint16_t copy[GLK_TURN];
} glk_list_walk;

/** Elements of a turn side by side, where a step does more than apply the rule. */
typedef struct glk_list_buffers {
  glk_real x[GLK_TURN], gradient[GLK_TURN];
  /** If they are not packed or partly locked; else slots are used where they are. */
  glk_real slots[GLK_MAX_SLOTS][GLK_TURN];
  /** The number of coefficients that differ by element. */
  uint32_t clocked;
  glk_real coefficient[GLK_MAX_CLOCKED][GLK_TURN];
} glk_list_buffers;

/** Go on to the next places that a step changes; 0 if there are no more. */
int glk_list_next(const glk_update *u, glk_list_walk *walk);
/** Fill buffers, with clipping, decay and the like applied; and put what the rule made of them in
 *  its place (update.c, one copy for all rules). */
void glk_list_enter(const glk_update *u, int slots, const glk_list_walk *walk,
                    glk_list_buffers *buffers);
void glk_list_leave(const glk_update *u, int slots, const glk_list_walk *walk,
                    const glk_list_buffers *buffers);

/* Listed elements, four at a time. A call between the fours took longer than their arithmetic. */
GLK_INLINE void glk_update_lists(const glk_update *given, int slots, glk_rule_lanes *rule) {
  const glk_update copy = *given, *u = &copy;
  const int is_plain = glk_update_is_plain(u);
  glk_list_walk walk;
  glk_list_buffers buffers;
  vreal c[GLK_MAX_COEFFICIENTS];
  walk.page = walk.next = 0;
  for (int k = 0; k < GLK_MAX_COEFFICIENTS; k++) c[k] = vsplat(u->coefficient[k]);
  while (glk_list_next(u, &walk)) {
    glk_real *const x = u->x + walk.base, *slot[GLK_MAX_SLOTS + 1];
    const glk_real *const gradient = u->gradient + walk.base;
    const uint16_t *const places = walk.places;
    const uint32_t count = walk.count;
    const int is_direct = walk.is_packed && !walk.is_partly_locked;
    for (int k = 0; k < slots; k++) {
      slot[k] = is_direct ? u->slots[k] + walk.slot : buffers.slots[k];
    }
    if (is_plain && is_direct) {
      GLK_NO_UNROLL
      for (uint32_t j = 0; j < count; j += GLK_LANES) {
        const uint16_t *at = places + j;
        glk_lanes e;
        e.x = vgather(x, at);
        for (int k = 0; k < slots; k++) e.slot[k] = vload(slot[k] + j);
        rule(&e, vgather(gradient, at), c);
        vscatter(x, at, e.x);
        for (int k = 0; k < slots; k++) vstore(slot[k] + j, e.slot[k]);
      }
      continue;
    }
    glk_list_enter(u, slots, &walk, &buffers);
    const uint32_t clocked = buffers.clocked;
    GLK_NO_UNROLL
    for (uint32_t j = 0; j < count; j += GLK_LANES) {
      glk_lanes e;
      e.x = vload(buffers.x + j);
      for (int k = 0; k < slots; k++) e.slot[k] = vload(slot[k] + j);
      for (uint32_t k = 0; k < GLK_MAX_CLOCKED; k++) {
        if (k < clocked) c[k] = vload(buffers.coefficient[k] + j);
      }
      rule(&e, vload(buffers.gradient + j), c);
      vstore(buffers.x + j, e.x);
      for (int k = 0; k < slots; k++) vstore(slot[k] + j, e.slot[k]);
    }
    glk_list_leave(u, slots, &walk, &buffers);
  }
}

/** The walk for one rule: `slots` and `rule` are constants, so each rule gets loops of its own. */
GLK_INLINE void glk_update_run(const glk_update *u, int slots, glk_rule_lanes *rule) {
  if (u->lists) {
    glk_update_lists(u, slots, rule);
  } else if (glk_update_is_plain(u)) {
    glk_update_words(u, 1, 1, slots, rule);
  } else {
    glk_update_words(u, 0, 1, slots, rule);
  }
}

/** The same walk for rules and variants that few use: one loop that asks every time, a third of the
 *  code. */
GLK_INLINE void glk_update_run_small(const glk_update *u, int slots, glk_rule_lanes *rule) {
  if (u->lists) {
    glk_update_lists(u, slots, rule);
  } else {
    glk_update_words(u, glk_update_is_plain(u), 0, slots, rule);
  }
}

#endif
