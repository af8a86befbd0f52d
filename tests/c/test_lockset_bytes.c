/* Lock sets as bytes: every pattern of locks is written and read back. Other bytes are refused:
 * with each byte changed, cut off, or made up with a right checksum.
 */
#include "harness.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MOST = 5000, BYTES = 1024 };

static glk_context *c;
static uint8_t mask[MOST], got[MOST], bytes[BYTES];

static glk_handle new_set(uint32_t rank, const uint32_t *dims, uint32_t count, int kind) {
  glk_handle set = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t kinds[] = {
        0, 1, rng_below(2) != 0, i / 300 % 2 != 0, i == count - 1, i != 0, rng_below(200) == 0};
    mask[i] = kinds[kind];
  }
  OK(glk_locks_create(c, rank, dims, &set));
  OK(glk_locks_add_mask(c, set, mask, count));
  return set;
}

static void what_is_written_is_read_back_from_few_bytes(void) {
  static const struct {
    uint32_t rank, dims[4], count;
  } shapes[] = {{0, {0}, 1},           {1, {0}, 0},   {1, {1}, 1},          {1, {7}, 7},
                {1, {8}, 8},           {1, {9}, 9},   {1, {31}, 31},        {1, {32}, 32},
                {2, {3, 11}, 33},      {1, {64}, 64}, {2, {50, 100}, 5000}, {3, {2, 0, 5}, 0},
                {4, {2, 3, 4, 5}, 120}};
  OK(glk_context_create(NULL, &c));
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    for (int kind = 0; kind < 7; kind++) {
      const uint32_t count = shapes[s].count;
      const glk_handle set = new_set(shapes[s].rank, shapes[s].dims, count, kind);
      size_t size = 0, told = 0;
      glk_handle back = 0;
      uint32_t rank = 9, dims[GLK_MAX_RANK];
      OK(glk_locks_pack(c, set, NULL, 0, &told));
      OK(glk_locks_pack(c, set, bytes, BYTES, &size));
      CHECK(size == told && size <= 12 + 4 * shapes[s].rank + (count + 7) / 8);
      if (kind < 2) CHECK(size <= 12 + 4 * shapes[s].rank + 3); /* whatever its size */
      OK(glk_locks_unpack(c, bytes, size, &back));
      OK(glk_shape_of(c, back, &rank, dims));
      CHECK(rank == shapes[s].rank && !memcmp(dims, shapes[s].dims, rank * sizeof *dims));
      OK(glk_locks_to_mask(c, back, got, count));
      CHECK_MSG(!memcmp(mask, got, count), "shape %zu, kind %d", s, kind);
      if (size) CHECK_STATUS(glk_locks_pack(c, set, bytes, size - 1, &told), GLK_ERROR_SHAPE);
      glk_dispose(c, set);
      glk_dispose(c, back);
    }
  }
  glk_context_dispose(c);
}

static size_t objects(void) {
  glk_memory memory;
  glk_context_memory(c, &memory);
  return memory.objects;
}

static void refused(const uint8_t *from, size_t size, const char *what, size_t at) {
  glk_handle out = 77;
  const size_t before = objects();
  const glk_status status = glk_locks_unpack(c, from, size, &out);
  CHECK_MSG(status == GLK_ERROR_FORMAT && out == 77 && objects() == before, "%s, byte %zu: %s",
            what, at, glk_status_name(status));
}

static void every_changed_byte_and_every_cut_is_refused(void) {
  OK(glk_context_create(NULL, &c));
  for (int kind = 2; kind < 7; kind++) {
    size_t size;
    const uint32_t n = 500;
    const glk_handle set = new_set(1, &n, n, kind);
    OK(glk_locks_pack(c, set, bytes, BYTES, &size));
    for (size_t i = 0; i < size; i++) {
      const uint8_t was = bytes[i];
      for (int bit = 0; bit < 8; bit++) {
        bytes[i] = (uint8_t)(was ^ 1 << bit);
        refused(bytes, size, "a flipped bit", i);
      }
      bytes[i] = (uint8_t)~was;
      refused(bytes, size, "a changed byte", i);
      bytes[i] = was;
      refused(bytes, i, "cut", i);
    }
    bytes[size] = 0;
    refused(bytes, size + 1, "a byte more", size);
  }
  refused(NULL, 0, "nothing", 0);
  glk_context_dispose(c);
}

/* With a checksum that is right: nothing but the contents can be. */
static void made_up(const uint8_t *from, size_t size, const char *what) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++) {
    bytes[i] = from[i];
    hash = (hash ^ from[i]) * 16777619u;
  }
  for (int k = 0; k < 4; k++) bytes[size + (size_t)k] = (uint8_t)(hash >> 8 * k);
  refused(bytes, size + 4, what, 0);
}

static void bytes_that_were_made_up_are_refused(void) {
  OK(glk_context_create(NULL, &c));
#define MADE_UP(what, ...)                                    \
  made_up((const uint8_t[]){'G', 'L', 'K', 'L', __VA_ARGS__}, \
          sizeof((const uint8_t[]){'G', 'L', 'K', 'L', __VA_ARGS__}), what)
  MADE_UP("another version", 2, 0, 1, 0, 8, 0, 0, 0, 0);
  CHECK(strstr(glk_context_detail(c), "version 2") != NULL);
  MADE_UP("another encoding", 1, 2, 1, 0, 8, 0, 0, 0, 0);
  MADE_UP("too many axes", 1, 0, GLK_MAX_RANK + 1, 0);
  MADE_UP("axes that are not there", 1, 0, 2, 0, 8, 0, 0, 0);
  MADE_UP("a reserved byte", 1, 0, 1, 1, 8, 0, 0, 0, 0);
  MADE_UP("a shape too large", 1, 1, 2, 0, 0, 0, 0, 16, 0, 0, 0, 16, 0);
  MADE_UP("bits behind the end", 1, 0, 1, 0, 4, 0, 0, 0, 0x10);
  MADE_UP("too few bits", 1, 0, 1, 0, 9, 0, 0, 0, 1);
  MADE_UP("too many bits", 1, 0, 1, 0, 8, 0, 0, 0, 1, 0);
  MADE_UP("a run too long", 1, 1, 1, 0, 4, 0, 0, 0, 5);
  MADE_UP("runs too short", 1, 1, 1, 0, 4, 0, 0, 0, 3);
  MADE_UP("an empty run", 1, 1, 1, 0, 4, 0, 0, 0, 2, 0, 2);
  MADE_UP("a run that does not end", 1, 1, 1, 0, 4, 0, 0, 0, 0x80);
  MADE_UP("a run with a zero more", 1, 1, 1, 0, 4, 0, 0, 0, 0x84, 0);
  MADE_UP("a run of 40 bits", 1, 1, 1, 0, 4, 0, 0, 0, 0x84, 0x80, 0x80, 0x80, 0x80, 1);
  MADE_UP("something behind the runs", 1, 1, 1, 0, 4, 0, 0, 0, 4, 0);
  MADE_UP("runs where bits are as short", 1, 1, 1, 0, 8, 0, 0, 0, 8);
  MADE_UP("runs where bits are shorter", 1, 1, 1, 0, 8, 0, 0, 0, 4, 4);
  MADE_UP("bits where runs are shorter", 1, 0, 1, 0, 16, 0, 0, 0, 0, 0);
  MADE_UP("runs of no elements", 1, 1, 1, 0, 0, 0, 0, 0);
#undef MADE_UP
  glk_context_dispose(c);
}

/* A few bytes may stand for 2^29 elements: nothing looks at them one by one. */
static void sets_of_2_to_the_29_elements_are_walked_by_words(void) {
  const uint32_t n = (uint32_t)1 << 29, rows[2] = {n / 2, 2}, zeros[64] = {0};
  const uint32_t indices[] = {0, 31, 32, 12345678, n - 1};
  glk_handle set = 0, back = 0, axes = 0;
  size_t size = 0;
  uint32_t count = 0;
  OK(glk_context_create(NULL, &c));
  OK(glk_locks_create(c, 1, &n, &set));
  OK(glk_locks_add_indices(c, set, indices, 5));
  for (int round = 0; round < 2; round++) {
    OK(glk_locks_pack(c, set, bytes, BYTES, &size));
    CHECK(size <= 16 + 5 * 6);
    OK(glk_locks_unpack(c, bytes, size, &back));
    OK(glk_locks_count(c, back, &count));
    CHECK_EQ(count, round % 2 ? n - 5 : 5);
    OK(glk_locks_combine(c, back, GLK_LOCKS_XOR, set));
    OK(glk_locks_count(c, back, &count));
    CHECK_EQ(count, 0);
    OK(glk_locks_invert(c, set));
    OK(glk_dispose(c, back));
  }
  OK(glk_dispose(c, set));
  OK(glk_locks_create(c, 2, rows, &axes)); /* what is named 64 times is walked once */
  OK(glk_locks_add_axis(c, axes, 1, zeros, 64));
  OK(glk_locks_count(c, axes, &count));
  CHECK_EQ(count, n / 2);
  glk_context_dispose(c);
}

static void picking_keeps_the_bits_of_what_is_held_and_nothing_else(void) {
  const uint32_t n = 70, m = 3;
  glk_real values[70], read[70];
  glk_handle source, other, out = 77;
  OK(glk_context_create(NULL, &c));
  const glk_handle set = new_set(1, &n, n, 2);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = i % 3 ? rng_real(-1, 1) : i % 2 ? (glk_real)__builtin_inf() : -(glk_real)0;
    if (!mask[i]) values[i] = (glk_real)__builtin_nan("");
  }
  OK(glk_tensor_create(c, 1, &n, values, n, &source));
  OK(glk_tensor_create(c, 1, &m, NULL, m, &other));
  CHECK_STATUS(glk_locks_pick(c, set, other, &out), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_locks_pick(c, set, set, &out), GLK_ERROR_KIND);
  CHECK_STATUS(glk_locks_pick(c, source, source, &out), GLK_ERROR_KIND);
  CHECK_EQ(out, 77);
  OK(glk_locks_pick(c, set, source, &out));
  OK(glk_read(c, out, read, n));
  for (uint32_t i = 0; i < n; i++) CHECK_BITS(read[i], mask[i] ? values[i] : 0);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(what_is_written_is_read_back_from_few_bytes);
  TEST(every_changed_byte_and_every_cut_is_refused);
  TEST(bytes_that_were_made_up_are_refused);
  TEST(sets_of_2_to_the_29_elements_are_walked_by_words);
  TEST(picking_keeps_the_bits_of_what_is_held_and_nothing_else);
  return harness_report();
}
