/* The ground that all else stands on: status codes, contexts and their memory, handles, shapes,
 * tensors, and values on their way out. What is refused is refused whole.
 */
#include <limits.h>
#include <stdlib.h>

#include "core/context.h"
#include "harness.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

/* An allocator that counts, and checks what it is asked for. */
typedef struct source {
  size_t live, calls, room; /* for so many blocks; 0: any number */
} source;

static void *source_allocate(void *user, size_t bytes, size_t alignment) {
  source *s = user;
  if (s->room && s->live >= s->room) return NULL;
  CHECK(alignment && alignment <= 64 && (alignment & (alignment - 1)) == 0);
  CHECK(bytes && bytes % alignment == 0);
  s->live++, s->calls++;
  return memset(aligned_alloc(alignment, bytes), 0xa5, bytes); /* nobody may count on zeros */
}

static void source_release(void *user, void *memory) {
  CHECK(memory != NULL);
  ((source *)user)->live--;
  free(memory);
}

static glk_context *new_context(source *s) {
  const glk_allocator allocator = {source_allocate, source_release, s};
  glk_context *c = NULL;
  OK(glk_context_create(s ? &allocator : NULL, &c));
  return c;
}

static glk_memory memory_of(const glk_context *c) {
  glk_memory memory;
  OK(glk_context_memory(c, &memory));
  return memory;
}

static glk_handle new_vector(glk_context *c, uint32_t n) {
  glk_handle out = 0;
  OK(glk_tensor_create(c, 1, &n, NULL, n, &out));
  return out;
}

/* Slots rest before they are used again: the handle table grows for a while and then no more. */
static glk_memory settled_memory(glk_context *c) {
  glk_handle handles[500];
  for (int i = 0; i < 500; i++) handles[i] = new_vector(c, 1);
  for (int i = 0; i < 500; i++) glk_dispose(c, handles[i]);
  return memory_of(c);
}

static glk_handle make_one(glk_context *c, glk_kind kind) {
  const uint32_t dims[2] = {3, 50};
  glk_handle out = 0, x = 0;
  if (kind == GLK_KIND_TENSOR) OK(glk_tensor_create(c, 2, dims, NULL, 150, &out));
  if (kind == GLK_KIND_VARIABLE) OK(glk_variable_create(c, 2, dims, NULL, 150, "v", 1, &out));
  if (kind == GLK_KIND_LOCKS) OK(glk_locks_create(c, 2, dims, &out));
  if (kind == GLK_KIND_OPTIMIZER) OK(glk_optimizer_create(c, GLK_ADAM, &out));
  if (kind == GLK_KIND_PROGRAM) {
    OK(glk_tensor_create(c, 2, dims, NULL, 150, &x));
    OK(glk_program_begin(c, GLK_TRACE));
    OK(glk_program_end(c, &x, 1, &out));
    OK(glk_dispose(c, x));
  }
  return out;
}

/* --------------------------------------------------------------------------------------- status */

static void every_status_has_its_name_and_one_line_of_meaning(void) {
  char names[] =
      "GLK_OK GLK_ERROR_OUT_OF_MEMORY GLK_ERROR_ARGUMENT GLK_ERROR_SHAPE GLK_ERROR_INDEX "
      "GLK_ERROR_HANDLE GLK_ERROR_KIND GLK_ERROR_LOCKED GLK_ERROR_RECORDING "
      "GLK_ERROR_GRADIENT GLK_ERROR_OPTION GLK_ERROR_LIMIT GLK_ERROR_FORMAT "
      "GLK_ERROR_CONSTRAINT GLK_ERROR_HOOK";
  int i = 0;
  for (char *name = strtok(names, " "); name; name = strtok(NULL, " "), i++) {
    const char *given = glk_status_name((glk_status)i),
               *meaning = glk_status_meaning((glk_status)i);
    CHECK_MSG(given && !strcmp(given, name), "status %d is named %s", i, given ? given : "NULL");
    CHECK_MSG(meaning && strlen(meaning) > 5 && !strchr(meaning, '\n'), "meaning of %s", name);
  }
  CHECK_EQ(i, GLK_STATUS_COUNT);
  const int none[] = {-1, GLK_STATUS_COUNT, INT_MAX, INT_MIN};
  for (int k = 0; k < 4; k++) {
    CHECK(!glk_status_name((glk_status)none[k]) && !glk_status_meaning((glk_status)none[k]));
  }
}

/* -------------------------------------------------------------------------------------- context */

static void a_context_without_its_arguments_is_refused(void) {
  source s = {0};
  const glk_allocator broken[] = {{NULL, source_release, &s}, {source_allocate, NULL, &s}};
  glk_context *c = NULL;
  CHECK_STATUS(glk_context_create(NULL, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_context_create(&broken[0], &c), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_context_create(&broken[1], &c), GLK_ERROR_ARGUMENT);
  CHECK(!c && !s.calls);
  glk_context_dispose(NULL);
  CHECK(!strcmp(glk_context_detail(NULL), ""));
}

static void what_is_disposed_is_given_back_and_a_context_takes_the_rest_along(void) {
  source s = {0};
  glk_context *c = new_context(&s);
  const glk_memory before = settled_memory(c);
  glk_handle handles[100];
  for (int i = 0; i < 100; i++) {
    handles[i] = make_one(c, (glk_kind)(GLK_KIND_TENSOR + i % 5));
    CHECK_EQ(memory_of(c).objects, i + 1);
  }
  const glk_memory full = memory_of(c);
  CHECK_EQ(full.allocations, s.live);
  CHECK(full.bytes > before.bytes + 60 * 150 * sizeof(glk_real));
  for (uint32_t n = 100; n > 10; n--) { /* in random order */
    const uint32_t i = rng_below(n);
    OK(glk_dispose(c, handles[i]));
    handles[i] = handles[n - 1];
  }
  OK(glk_program_begin(c, GLK_TRACE));
  glk_program_cancel(c);
  for (int i = 0; i < 10; i++) OK(glk_dispose(c, handles[i]));
  const glk_memory after = memory_of(c);
  CHECK(after.bytes == before.bytes && after.allocations == before.allocations);
  CHECK(after.objects == 0 && after.peak_bytes >= full.bytes);
  for (int i = 0; i < 100; i++) make_one(c, (glk_kind)(GLK_KIND_TENSOR + i % 5));
  OK(glk_program_begin(c, GLK_TRACE)); /* left open on purpose */
  glk_context_dispose(c);
  CHECK_EQ(s.live, 0);
}

static void small_blocks_wait_for_the_next_that_asks_and_yield_where_memory_is_short(void) {
  source s = {0};
  glk_context *c = new_context(&s);
  const uint32_t large = 300; /* its values are more than a small block */
  glk_handle handles[10], big;
  settled_memory(c);
  c->most_spares = 4;
  const size_t before = s.live, bytes = memory_of(c).bytes;
  for (int i = 0; i < 10; i++) handles[i] = new_vector(c, 1);
  const size_t each = (s.live - before) / 10, full = s.live;
  for (int i = 0; i < 10; i++) OK(glk_dispose(c, handles[i]));
  CHECK_EQ(memory_of(c).bytes, bytes); /* what waits is nobody's */
  const size_t kept = s.live - before;
  CHECK(kept > 0 && kept <= 4 * each);
  const size_t calls = s.calls;
  for (int i = 0; i < 4; i++) handles[i] = new_vector(c, 1);
  CHECK_EQ(s.calls, calls);
  for (int i = 4; i < 10; i++) handles[i] = new_vector(c, 1);
  CHECK_EQ(s.live, full);
  for (int i = 0; i < 10; i++) OK(glk_dispose(c, handles[i]));
  s.room = s.live; /* no more but what waits */
  OK(glk_tensor_create(c, 1, &large, NULL, large, &big));
  CHECK(s.live < s.room);
  s.room = s.live;
  CHECK_STATUS(glk_tensor_create(c, 1, &large, NULL, large, &handles[0]), GLK_ERROR_OUT_OF_MEMORY);
  s.room = 0;
  OK(glk_dispose(c, big));
  CHECK_EQ(memory_of(c).bytes, bytes);
  glk_context_dispose(c);
  CHECK_EQ(s.live, 0);
}

/* -------------------------------------------------------------------------------------- handles */

static void a_disposed_handle_stays_dead_while_its_slot_lives_on(void) {
  glk_context *c = new_context(NULL);
  enum { KEPT = 300 };
  glk_handle stale[KEPT];
  CHECK_STATUS(glk_dispose(c, 0), GLK_ERROR_HANDLE);
  for (int i = 0; i < KEPT; i++) stale[i] = new_vector(c, 1);
  for (int i = 0; i < KEPT; i++) {
    CHECK_EQ(glk_handle_kind(c, stale[i]), GLK_KIND_TENSOR);
    OK(glk_dispose(c, stale[i]));
    CHECK_STATUS(glk_dispose(c, stale[i]), GLK_ERROR_HANDLE);
    CHECK_EQ(glk_handle_kind(c, stale[i]), GLK_KIND_NONE);
  }
  const size_t table = memory_of(c).bytes;
  for (int i = 0; i < 20000; i++) { /* every slot is reused some sixty times */
    const glk_handle handle = new_vector(c, 1);
    const int k = i % KEPT;
    CHECK_MSG(handle && handle != stale[k], "round %d", i);
    if (!CHECK_STATUS(glk_dispose(c, stale[k]), GLK_ERROR_HANDLE)) break;
    OK(glk_dispose(c, handle));
  }
  CHECK_EQ(memory_of(c).bytes, table); /* slots were reused indeed */
  CHECK_STATUS(glk_dispose(c, UINT32_MAX), GLK_ERROR_HANDLE);
  CHECK(strlen(glk_context_detail(c)) > 10);
  glk_context_dispose(c);
}

/* Salts come from addresses, so that two contexts may agree by chance: one pair in 4,095. */
static void a_handle_of_another_context_is_refused(void) {
  glk_context *contexts[5];
  glk_handle first[5];
  int refused = 0;
  for (int i = 0; i < 5; i++) {
    contexts[i] = new_context(NULL);
    first[i] = new_vector(contexts[i], 4);
    if (first[i] == first[0]) continue;
    CHECK_STATUS(glk_shape_of(contexts[i], first[0], NULL, NULL), GLK_ERROR_HANDLE);
    CHECK_STATUS(glk_dispose(contexts[i], first[0]), GLK_ERROR_HANDLE);
    refused++;
  }
  CHECK(refused > 0);
  for (int i = 0; i < 5; i++) glk_context_dispose(contexts[i]);
}

static void a_handle_of_the_wrong_kind_is_named_as_what_it_is(void) {
  static const char *const names[] = {"",           "a tensor",  "a variable",
                                      "a lock set", "a program", "an optimizer"};
  glk_context *c = new_context(NULL);
  for (int kind = GLK_KIND_TENSOR; kind <= GLK_KIND_OPTIMIZER; kind++) {
    const glk_handle h = make_one(c, (glk_kind)kind);
    uint32_t count;
    double number;
    glk_real values[150] = {0};
    CHECK_EQ(glk_handle_kind(c, h), kind);
    for (int call = 0; call < 5; call++) {
      const glk_status status = call == 0   ? glk_read(c, h, values, 150)
                                : call == 1 ? glk_variable_assign(c, h, values, 150, 0)
                                : call == 2 ? glk_locks_count(c, h, &count)
                                : call == 3 ? glk_program_run(c, h)
                                            : glk_optimizer_iterations(c, h, &number);
      const int fits = kind == call + 1 || (kind == GLK_KIND_VARIABLE && (call == 0 || call == 2));
      CHECK_MSG(status == (fits ? GLK_OK : GLK_ERROR_KIND), "kind %d, call %d: %s", kind, call,
                glk_status_name(status));
      const char *detail = glk_context_detail(c);
      if (!fits)
        CHECK_MSG(strstr(detail, names[kind]) && strstr(detail, names[call + 1]), "%s", detail);
    }
  }
  glk_context_dispose(c);
}

/* --------------------------------------------------------------------------- shapes and tensors */

static void shapes_are_taken_up_to_the_limits_and_not_beyond(void) {
  const uint32_t most = GLK_MAX_ELEMENTS, max = UINT32_MAX;
  /* clang-format off */
  const struct {
    uint32_t rank, dims[8], is_good;
    size_t count;
  } rows[] = {
      {0, {0}, 1, 1}, {1, {0}, 1, 0}, {2, {0, most}, 1, 0}, {6, {1, 2, 3, 1, 2, 1}, 1, 12},
      /* too high a rank, size, and product (2^30, 2^32, 2^64); a zero excuses none of them */
      {7, {1, 2, 3, 1, 2, 1, 1}, 1, 12}, {8, {1, 1, 1, 1, 1, 1, 1, 1}, 0, 1}, {max, {1}, 0, 1}, {1, {max}, 0, max},
      {1, {most + 1}, 0, (size_t)most + 1}, {2, {most, 2}, 0, (size_t)most * 2},
      {2, {1 << 16, 1 << 16}, 0, 0}, {3, {1 << 22, 1 << 21, 1 << 21}, 0, 0},
      {2, {0, 1u << 31}, 0, 0}, {2, {1u << 31, 0}, 0, 0}, {3, {0, most, 2}, 0, 0}};
  /* clang-format on */
  glk_context *c = new_context(NULL);
  const glk_memory before = settled_memory(c);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int is_set = 0; is_set < 2; is_set++) {
      glk_handle h = 77;
      const uint32_t rank = rows[i].rank, *dims = rows[i].dims;
      const glk_status status = is_set ? glk_locks_create(c, rank, dims, &h)
                                       : glk_tensor_create(c, rank, dims, NULL, rows[i].count, &h);
      CHECK_MSG(status == (rows[i].is_good ? GLK_OK : GLK_ERROR_SHAPE), "row %d: %s", (int)i,
                glk_status_name(status));
      if (status == GLK_OK) {
        uint32_t out_rank, out_dims[GLK_MAX_RANK];
        OK(glk_shape_of(c, h, &out_rank, out_dims));
        CHECK(out_rank == rank && !memcmp(out_dims, dims, rank * sizeof *dims));
        glk_dispose(c, h);
      } else {
        CHECK_EQ(h, 77);
        CHECK(strstr(glk_context_detail(c), rank > 6 ? "rank" : "shape [") != NULL);
      }
    }
  }
  const glk_memory after = memory_of(c);
  CHECK(after.bytes == before.bytes && after.objects == 0);
  glk_context_dispose(c);
}

static void wrong_counts_and_missing_arguments_are_refused(void) {
  glk_context *c = new_context(NULL);
  const uint32_t dims[2] = {2, 3};
  const glk_real values[7] = {0};
  char name[65];
  glk_handle h = 77;
  int flag = -1;
  memset(name, 'n', sizeof name);
  name[64] = 0;
  CHECK_STATUS(glk_tensor_create(c, 2, dims, values, 5, &h), GLK_ERROR_SHAPE);
  CHECK(strstr(glk_context_detail(c), "[2,3]") && strstr(glk_context_detail(c), "5"));
  CHECK_STATUS(glk_tensor_create(c, 2, dims, values, 7, &h), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_variable_create(c, 2, dims, values, 5, "v", 1, &h), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_variable_create(c, 2, dims, values, 6, name, 1, &h), GLK_ERROR_ARGUMENT);
  CHECK(strstr(glk_context_detail(c), "64 bytes is longer than 63"));
  CHECK_EQ(h, 77);
  OK(glk_variable_create(c, 2, dims, values, 6, NULL, 1, &h)); /* it needs no name */
  OK(glk_variable_create(c, 2, dims, values, 6, name + 1, 7, &h));
  OK(glk_variable_trainable(c, h, &flag));
  CHECK_EQ(flag, 1);
  glk_context_dispose(c);
}

/* -------------------------------------------------------------------------------------- reading */

static glk_real from_bits(uint64_t bits) {
  glk_real x;
  memcpy(&x, &bits, sizeof x); /* every target is little-endian */
  return x;
}

#ifdef GLK_DOUBLE
#define CANONICAL 0x7ff8000000000000u
#define INFINITE 0x7ff0000000000000u
#define SIGN 0x8000000000000000u
#else
#define CANONICAL 0x7fc00000u
#define INFINITE 0x7f800000u
#define SIGN 0x80000000u
#endif

static uint64_t fnv1a(const void *memory, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *)memory)[i]) * 0x100000001b3u;
  return hash;
}

static void reading_makes_free_nans_canonical_and_no_other_bit_changes(void) {
  const uint64_t bits[] = {0,         SIGN | 0,      1,        SIGN | 1,
                           CANONICAL, CANONICAL | 1, SIGN - 1, SIGN | CANONICAL,
                           123456,    INFINITE | 1,  INFINITE, SIGN | INFINITE};
  enum { N = sizeof bits / sizeof *bits };
  const uint32_t n = N;
  glk_real values[N], got[N];
  const glk_real *view;
  size_t count;
  for (int i = 0; i < N; i++) values[i] = from_bits(bits[i]);
  for (int way = 0; way < 5; way++) { /* read, view, both locked, and only the digest */
    const int is_kept = way >= 2;
    glk_context *c = new_context(NULL);
    glk_handle v, t;
    uint64_t digest;
    OK(glk_variable_create(c, 1, &n, values, N, "v", 1, &v));
    CHECK_STATUS(glk_read(c, v, got, N - 1), GLK_ERROR_SHAPE); /* changes nothing */
    if (way == 2 || way == 3) OK(glk_locks_add_all(c, v));
    OK(glk_digest(c, v, &digest)); /* writes nothing */
    if (way == 0 || way == 2) OK(glk_read(c, v, got, N));
    if (way == 1 || way == 3) OK(glk_view(c, v, &view, &count));
    OK(glk_tensor_create(c, 1, &n, values, N, &t));
    OK(glk_read(c, t, got, N));
    for (int i = 0; i < N; i++) {
      CHECK_BITS(got[i], from_bits(values[i] != values[i] ? CANONICAL : bits[i]));
    }
    OK(glk_locks_add_all(c, v)); /* what was seen stays */
    OK(glk_read(c, v, got, N));
    OK(glk_view(c, v, &view, &count));
    OK(glk_digest(c, v, &digest));
    CHECK_EQ(count, N);
    for (int i = 0; i < N; i++) {
      CHECK_BITS(got[i], from_bits(values[i] != values[i] && !is_kept ? CANONICAL : bits[i]));
      CHECK_BITS(view[i], got[i]);
    }
    for (int i = 0; i < N; i++) got[i] = values[i] != values[i] ? from_bits(CANONICAL) : got[i];
    CHECK_EQ(digest, fnv1a(got, sizeof got)); /* every NaN counts as the canonical one */
    glk_context_dispose(c);
  }
}

static void messages_print_numbers_as_people_write_them(void) {
  /* clang-format off */
  static const struct {
    double value;
    const char *text;
  } rows[] = {
      {0, "0"}, {-0.0, "-0"}, {1.5, "1.5"}, {-2.25, "-2.25"}, {0.001, "0.001"},
      {1e-4, "0.0001"}, {2.5e-7, "2.5e-7"}, {1e-40, "1e-40"}, {123456, "123456"},
      {1e6, "1000000"}, {4294967295.0, "4294967295"}, {4294967296.0, "4.294967e+9"},
      {1500000.5, "1.5e+6"}, {3.25e30, "3.25e+30"}, {__builtin_nan(""), "NaN"},
      {-__builtin_inf(), "-Infinity"}};
  /* clang-format on */
  glk_context *c = NULL;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    glk_fail(c, GLK_ERROR_ARGUMENT, "it is %g", rows[i].value);
    CHECK_MSG(!strcmp(glk_context_detail(c) + 6, rows[i].text), "%s, expected %s",
              glk_context_detail(c), rows[i].text);
  }
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(every_status_has_its_name_and_one_line_of_meaning);
  TEST(a_context_without_its_arguments_is_refused);
  TEST(what_is_disposed_is_given_back_and_a_context_takes_the_rest_along);
  TEST(small_blocks_wait_for_the_next_that_asks_and_yield_where_memory_is_short);
  TEST(a_disposed_handle_stays_dead_while_its_slot_lives_on);
  TEST(a_handle_of_another_context_is_refused);
  TEST(a_handle_of_the_wrong_kind_is_named_as_what_it_is);
  TEST(shapes_are_taken_up_to_the_limits_and_not_beyond);
  TEST(wrong_counts_and_missing_arguments_are_refused);
  TEST(reading_makes_free_nans_canonical_and_no_other_bit_changes);
  TEST(messages_print_numbers_as_people_write_them);
  return harness_report();
}
