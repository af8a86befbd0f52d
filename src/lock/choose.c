/* Which elements a choice means. The k first in an order are found by radix: count the keys by their highest byte, go on
 * with the bucket that holds the k-th, and so on; no sorting, no memory. Exactly k are chosen, and of equal keys those
 * of lower index, so the answer is one on every machine. */
#include "lock/choose.h"

#include <string.h>

#include "core/context.h"
#include "core/random.h"

#ifdef GLK_DOUBLE
typedef uint64_t key;
#else
typedef uint32_t key;
#endif
#define TOP ((key)1 << (8 * sizeof(key) - 1))

/* An order of elements: greater keys come first. */
typedef struct order {
  const glk_choice *choice;
  const glk_chosen *parts;
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

static glk_real measure(const glk_choice *choice, glk_real value) {
  return choice->by != GLK_BY_VALUE && value < 0 ? -value : value + 0; /* -0 is 0 */
}

/* Of the i-th element of a part, which is the index-th of all. NaN is 0, behind everything: both infinities are above it
 * in either direction. */
static key key_of(order *o, const glk_chosen *part, uint32_t i, uint32_t index) {
  if (glk_choice_is_random(o->choice)) return random_key(o, index);
  const glk_real value = measure(o->choice, part->values[i]);
  if (value != value) return 0;
  key bits;
  memcpy(&bits, &value, sizeof bits);
  const key ascending = bits & TOP ? ~bits : bits | TOP;
  return o->choice->choose == GLK_CHOOSE_LARGEST ? ascending : ~ascending;
}

/* How many keys that begin with a prefix have each next byte. */
static void count_bytes(order *o, key prefix, key mask, int shift, uint32_t *histogram) {
  const glk_chosen *end = o->parts + o->part_count;
  uint32_t index = 0;
  memset(histogram, 0, 256 * sizeof *histogram);
  for (const glk_chosen *part = o->parts; part < end; part++) {
    for (uint32_t i = 0; i < part->count; i++) {
      const key k = key_of(o, part, i, index++);
      if ((k & mask) == prefix) histogram[k >> shift & 255]++;
    }
  }
}

static void add_first(order *o, uint32_t wanted) {
  key prefix = 0, mask = 0; /* the k-th key, as far as it is known */
  uint32_t rest = wanted;   /* how many of the keys that begin with it are among the first */
  for (int shift = 8 * (int)sizeof(key) - 8; shift >= 0; shift -= 8) {
    uint32_t histogram[256], byte = 255;
    count_bytes(o, prefix, mask, shift, histogram);
    while (histogram[byte] < rest) rest -= histogram[byte--];
    prefix |= (key)byte << shift;
    mask |= (key)255 << shift;
  }
  const glk_chosen *end = o->parts + o->part_count;
  uint32_t index = 0;
  for (const glk_chosen *part = o->parts; part < end; part++) {
    for (uint32_t i = 0; i < part->count; i++) {
      const key k = key_of(o, part, i, index++);
      if (k < prefix || (k == prefix && rest == 0)) continue;
      if (k == prefix) rest--;
      part->words[i / 32] |= 1u << (i % 32);
    }
  }
}

static void add_between(const glk_choice *choice, const glk_chosen *part) {
  const glk_real low = (glk_real)choice->low, high = (glk_real)choice->high;
  for (uint32_t i = 0; i < part->count; i++) {
    const glk_real value = measure(choice, part->values[i]);
    const int is_above = low < value || choice->low == -__builtin_inf();
    const int is_below = value < high || choice->high == __builtin_inf();
    if (value == value && is_above && is_below) part->words[i / 32] |= 1u << (i % 32);
  }
}

void glk_choice_add(const glk_choice *choice, const glk_chosen *parts, uint32_t part_count) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < part_count; i++) {
    if (choice->choose == GLK_CHOOSE_BETWEEN) add_between(choice, &parts[i]);
    count += parts[i].count;
  }
  if (choice->choose == GLK_CHOOSE_BETWEEN) return;
  const double wanted = choice->is_fraction ? choice->amount * count + 0.5 : choice->amount;
  order o = {choice, parts, part_count, {{0, 0}, 0, 0}, {0}, UINT64_MAX};
  if (glk_choice_is_random(choice)) o.stream = glk_stream_of(choice->seed, choice->draw, 0);
  if (wanted >= 1) add_first(&o, (uint32_t)wanted);
}

glk_status glk_choice_check(glk_context *context, const glk_choice *choice, uint32_t count) {
  const double amount = choice->amount;
  if (choice->choose >= GLK_CHOOSE_COUNT || choice->by >= GLK_BY_COUNT) {
    return glk_fail(context, GLK_ERROR_OPTION, "there is no choice %u by %u", choice->choose,
                    choice->by);
  }
  if (choice->choose == GLK_CHOOSE_BETWEEN) {
    if (choice->low < choice->high) return GLK_OK;
    return glk_fail(context, GLK_ERROR_OPTION,
                    "nothing is above %g and below %g: the limits are numbers, the first the lower",
                    choice->low, choice->high);
  }
  if (choice->is_fraction && !(amount >= 0 && amount <= 1)) {
    return glk_fail(context, GLK_ERROR_OPTION, "fraction is %g, expected 0 to 1", amount);
  }
  if (!choice->is_fraction && !(amount >= 0 && amount <= count && amount == (uint32_t)amount)) {
    return glk_fail(context, GLK_ERROR_OPTION,
                    "k is %g, expected a whole number from 0 to the %u elements there are", amount,
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
