/* Selections by value and by chance. The first k in an order are found by radix select: count the
 * keys by their highest byte, continue with the bucket that contains the k-th, and so on. It needs
 * no sorting and no memory. Exactly k are selected, and of equal keys those of lower index, so the
 * result is the same on every machine. */
#include "lock/select_by_value.h"

#include <string.h>

#include "core/context.h"
#include "core/random.h"

#ifdef GLK_DOUBLE
typedef uint64_t key;
#else
typedef uint32_t key;
#endif
#define TOP ((key)1 << (8 * sizeof(key) - 1))

/* An order of elements; larger keys come first. */
typedef struct order {
  const glk_choice *choice;
  const glk_candidates *parts;
  uint32_t part_count;
  glk_stream stream;
  uint32_t block[4];
  uint64_t block_index; /* of the block in hand; UINT64_MAX for none */
} order;

/* Random keys are the words of the stream in the order of the elements. */
static key random_key(order *o, uint32_t index) {
  if (o->block_index != index / 4) {
    o->block_index = index / 4;
    glk_stream_block(&o->stream, o->block_index, o->block);
  }
  return o->block[index % 4];
}

static glk_real measure(int is_signed, glk_real value) {
  return !is_signed && value < 0 ? -value : value + 0; /* -0 is 0 */
}

/* Compute the keys of elements from..from + count of a part; the first is the index-th of all. The
 * key of NaN is 0, after everything: both infinities are above it in either direction. */
static void read_keys(order *o, const glk_candidates *part, uint32_t from, uint32_t count,
                      uint32_t index, key *out) {
  if (glk_choice_is_random(o->choice)) {
    for (uint32_t i = 0; i < count; i++) out[i] = random_key(o, index + i);
    return;
  }
  const int is_signed = o->choice->by == GLK_BY_VALUE;
  const key flip = o->choice->kind == GLK_CHOICE_LARGEST ? 0 : ~(key)0;
  for (uint32_t i = 0; i < count; i++) {
    const glk_real value = measure(is_signed, part->values[from + i]);
    key bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits & TOP ? ~bits : bits | TOP) ^ flip;
    out[i] = value == value ? bits : 0;
  }
}

/* A function that receives the keys of `count` elements of a part, beginning at `from`. */
typedef void visit(void *user, const key *keys, const glk_candidates *part, uint32_t from,
                   uint32_t count);

static void visit_keys(order *o, visit *each, void *user) {
  enum { BLOCK = 256 };
  const glk_candidates *end = o->parts + o->part_count;
  uint32_t index = 0;
  for (const glk_candidates *part = o->parts; part < end; part++) {
    for (uint32_t from = 0; from < part->count; from += BLOCK) {
      key keys[BLOCK];
      const uint32_t rest = part->count - from, count = rest < BLOCK ? rest : BLOCK;
      read_keys(o, part, from, count, index, keys);
      each(user, keys, part, from, count);
      index += count;
    }
  }
}

/* The k-th key, as far as it is known, and how many keys that begin like it have each next byte. */
typedef struct search {
  key prefix, mask;
  int shift;
  uint32_t rest; /* how many of the keys that begin with the prefix are among the first */
  uint32_t histogram[256];
} search;

static void count_bytes(void *user, const key *keys, const glk_candidates *part, uint32_t from,
                        uint32_t count) {
  search *s = user;
  (void)part, (void)from;
  for (uint32_t i = 0; i < count; i++) {
    if ((keys[i] & s->mask) == s->prefix) s->histogram[keys[i] >> s->shift & 255]++;
  }
}

static void take_first(void *user, const key *keys, const glk_candidates *part, uint32_t from,
                       uint32_t count) {
  search *s = user;
  for (uint32_t i = 0; i < count; i++) {
    if (keys[i] < s->prefix || (keys[i] == s->prefix && s->rest == 0)) continue;
    if (keys[i] == s->prefix) s->rest--;
    part->words[(from + i) / 32] |= 1u << ((from + i) % 32);
  }
}

static void add_first(order *o, uint32_t wanted) {
  search s = {.rest = wanted};
  for (s.shift = 8 * (int)sizeof(key) - 8; s.shift >= 0; s.shift -= 8) {
    uint32_t byte = 255;
    memset(s.histogram, 0, sizeof s.histogram);
    visit_keys(o, count_bytes, &s);
    while (s.histogram[byte] < s.rest) s.rest -= s.histogram[byte--];
    s.prefix |= (key)byte << s.shift;
    s.mask |= (key)255 << s.shift;
  }
  visit_keys(o, take_first, &s);
}

static void add_between(const glk_choice *choice, const glk_candidates *part) {
  const glk_real low = (glk_real)choice->low, high = (glk_real)choice->high;
  for (uint32_t i = 0; i < part->count; i++) {
    const glk_real value = measure(choice->by == GLK_BY_VALUE, part->values[i]);
    const int is_above = low < value || choice->low == -__builtin_inf();
    const int is_below = value < high || choice->high == __builtin_inf();
    if (value == value && is_above && is_below) part->words[i / 32] |= 1u << (i % 32);
  }
}

void glk_choice_add(const glk_choice *choice, const glk_candidates *parts, uint32_t part_count) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < part_count; i++) {
    if (choice->kind == GLK_CHOICE_BETWEEN) add_between(choice, &parts[i]);
    count += parts[i].count;
  }
  if (choice->kind == GLK_CHOICE_BETWEEN) return;
  const double wanted = choice->is_fraction ? choice->amount * count + 0.5 : choice->amount;
  order o = {choice, parts, part_count, {{0, 0}, 0, 0}, {0}, UINT64_MAX};
  if (glk_choice_is_random(choice)) o.stream = glk_stream_of(choice->seed, choice->draw, 0);
  if (wanted >= 1) add_first(&o, (uint32_t)wanted);
}

glk_status glk_choice_check(glk_context *context, const glk_choice *choice, uint32_t count) {
  const double amount = choice->amount;
  if (choice->kind >= GLK_CHOICE_COUNT || choice->by >= GLK_BY_COUNT) {
    return glk_fail(context, GLK_ERROR_OPTION, "there is no choice %u by %u", choice->kind,
                    choice->by);
  }
  if (choice->kind == GLK_CHOICE_BETWEEN) {
    /* If low is not below high, nothing is selected: a computed threshold may give such limits. */
    if (choice->low == choice->low && choice->high == choice->high) return GLK_OK;
    return glk_fail(context, GLK_ERROR_OPTION, "the limits must be numbers, got above %g, below %g",
                    choice->low, choice->high);
  }
  if (choice->is_fraction && !(amount >= 0 && amount <= 1)) {
    return glk_fail(context, GLK_ERROR_OPTION, "fraction is %g, expected 0 to 1", amount);
  }
  if (!choice->is_fraction && !(amount >= 0 && amount <= count && amount == (uint32_t)amount)) {
    return glk_fail(context, GLK_ERROR_OPTION,
                    "k is %g, expected a whole number from 0 to %u, the number of elements", amount,
                    count);
  }
  const double seed = choice->seed;
  if (glk_choice_is_random(choice) &&
      !(seed >= 0 && seed <= 0x1p53 - 1 && seed == (double)(uint64_t)seed)) {
    return glk_fail(context, GLK_ERROR_OPTION, "seed is %g, expected an integer from 0 to 2^53 - 1",
                    seed);
  }
  return GLK_OK;
}
