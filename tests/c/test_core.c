/* The ground that all else stands on: status codes, contexts and their memory, handles, shapes,
 * tensors, and values on their way out. What is refused is refused whole.
 */
#include <limits.h>
#include <stdlib.h>

#include "harness.h"

/* An allocator that counts, checks what it is asked for, and can fail from its n-th call on. */
typedef struct source {
  size_t live, calls, fail_from; /* fail_from 0: never */
} source;

static void *source_allocate(void *user, size_t bytes, size_t alignment) {
  source *s = user;
  CHECK(alignment && alignment <= 64 && (alignment & (alignment - 1)) == 0);
  CHECK(bytes && bytes % alignment == 0);
  if (++s->calls >= s->fail_from && s->fail_from) return NULL;
  s->live++;
  void *memory = aligned_alloc(alignment, bytes);
  if (memory) memset(memory, 0xa5, bytes); /* nobody may count on zeros */
  return memory;
}

static void source_release(void *user, void *memory) {
  CHECK(memory != NULL);
  ((source *)user)->live--;
  free(memory);
}

static glk_context *new_context(source *s) {
  const glk_allocator allocator = {source_allocate, source_release, s};
  glk_context *context = NULL;
  CHECK_STATUS(glk_context_create(s ? &allocator : NULL, &context), GLK_OK);
  return context;
}

static glk_memory memory_of(const glk_context *context) {
  glk_memory memory;
  CHECK_STATUS(glk_context_memory(context, &memory), GLK_OK);
  return memory;
}

static glk_handle new_vector(glk_context *context, uint32_t n) {
  glk_handle out = 0;
  CHECK_STATUS(glk_tensor_create(context, 1, &n, NULL, n, &out), GLK_OK);
  return out;
}

/* Slots rest before they are used again: the handle table grows for a while and then no more. */
static glk_memory settled_memory(glk_context *context) {
  glk_handle handles[500];
  for (int i = 0; i < 500; i++) handles[i] = new_vector(context, 1);
  for (int i = 0; i < 500; i++) glk_dispose(context, handles[i]);
  return memory_of(context);
}

/* An object of any kind, made one after the other; those made before a failure are disposed. */
static glk_status make_one(glk_context *context, glk_kind kind, glk_handle *out) {
  const uint32_t dims[2] = {3, 50};
  uint32_t square;
  switch (kind) {
  case GLK_KIND_TENSOR: return glk_tensor_create(context, 2, dims, NULL, 150, out);
  case GLK_KIND_VARIABLE: return glk_variable_create(context, 2, dims, NULL, 150, "v", 1, out);
  case GLK_KIND_LOCKS: return glk_locks_create(context, 2, dims, out);
  case GLK_KIND_OPTIMIZER: return glk_optimizer_create(context, GLK_ADAM, out);
  default: break;
  }
  glk_handle x = 0, y = 0;
  glk_op_find("square", &square);
  glk_status status = glk_tensor_create(context, 2, dims, NULL, 150, &x);
  if (status == GLK_OK) status = glk_program_begin(context, GLK_TRACE);
  if (status == GLK_OK) status = glk_apply(context, square, &x, 1, NULL, 0, &y);
  if (status == GLK_OK) status = glk_program_end(context, &y, 1, out);
  glk_program_cancel(context);
  if (x) glk_dispose(context, x);
  if (y) glk_dispose(context, y);
  return status;
}

/* ------------------------------------------------------------------------------------------ status */

static void every_status_has_its_name_and_one_line_of_meaning(void) {
  char names[] =
      "GLK_OK GLK_ERROR_OUT_OF_MEMORY GLK_ERROR_ARGUMENT GLK_ERROR_SHAPE GLK_ERROR_INDEX "
      "GLK_ERROR_HANDLE GLK_ERROR_KIND GLK_ERROR_LOCKED GLK_ERROR_RECORDING "
      "GLK_ERROR_GRADIENT GLK_ERROR_OPTION GLK_ERROR_LIMIT";
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

/* ----------------------------------------------------------------------------------------- context */

static void a_context_without_its_arguments_is_refused(void) {
  source s = {0};
  const glk_allocator broken[] = {{NULL, source_release, &s}, {source_allocate, NULL, &s}};
  glk_context *context = NULL;
  glk_memory memory;
  CHECK_STATUS(glk_context_create(NULL, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_context_create(&broken[0], &context), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_context_create(&broken[1], &context), GLK_ERROR_ARGUMENT);
  CHECK(!context && !s.calls);
  glk_context_dispose(NULL);
  CHECK(!strcmp(glk_context_detail(NULL), ""));
  CHECK_STATUS(glk_context_memory(NULL, &memory), GLK_ERROR_ARGUMENT);
  CHECK_EQ(glk_handle_kind(NULL, 1), GLK_KIND_NONE);
  CHECK_STATUS(glk_dispose(NULL, 1), GLK_ERROR_ARGUMENT);
}

static void what_is_disposed_is_given_back_and_a_context_takes_the_rest_along(void) {
  source s = {0};
  glk_context *context = new_context(&s);
  const glk_memory before = settled_memory(context);
  glk_handle handles[100];
  for (int i = 0; i < 100; i++) {
    CHECK_STATUS(make_one(context, (glk_kind)(GLK_KIND_TENSOR + i % 5), &handles[i]), GLK_OK);
    CHECK_EQ(memory_of(context).objects, i + 1);
  }
  const glk_memory full = memory_of(context);
  CHECK_EQ(full.allocations, s.live);
  CHECK(full.bytes > before.bytes + 60 * 150 * sizeof(glk_real));
  for (uint32_t n = 100; n > 10; n--) { /* in random order */
    const uint32_t i = rng_below(n);
    CHECK_STATUS(glk_dispose(context, handles[i]), GLK_OK);
    handles[i] = handles[n - 1];
  }
  CHECK_STATUS(glk_program_begin(context, GLK_TRACE), GLK_OK);
  glk_program_cancel(context);
  for (int i = 0; i < 10; i++) CHECK_STATUS(glk_dispose(context, handles[i]), GLK_OK);
  const glk_memory after = memory_of(context);
  CHECK(after.bytes == before.bytes && after.allocations == before.allocations);
  CHECK(after.objects == 0 && after.peak_bytes >= full.bytes);
  for (int i = 0; i < 100; i++) make_one(context, (glk_kind)(GLK_KIND_TENSOR + i % 5), &handles[i]);
  CHECK_STATUS(glk_program_begin(context, GLK_TRACE), GLK_OK); /* left open on purpose */
  glk_context_dispose(context);
  CHECK_EQ(s.live, 0);
}

static void an_allocation_that_fails_leaves_everything_as_it_was(void) {
  source s = {0, 0, 1};
  const glk_allocator allocator = {source_allocate, source_release, &s};
  glk_context *context = NULL;
  CHECK_STATUS(glk_context_create(&allocator, &context), GLK_ERROR_OUT_OF_MEMORY);
  CHECK(!context && !s.live);
  for (int kind = GLK_KIND_TENSOR; kind <= GLK_KIND_OPTIMIZER; kind++) {
    int failures = 0;
    s.fail_from = 0;
    context = new_context(&s);
    glk_handle handle = 77;
    for (; failures < 50; failures++) {
      const size_t live = s.live;
      s.fail_from = s.calls + 1 + (size_t)failures;
      const glk_status status = make_one(context, (glk_kind)kind, &handle);
      s.fail_from = 0;
      if (status == GLK_OK) break;
      CHECK_STATUS(status, GLK_ERROR_OUT_OF_MEMORY);
      CHECK(handle == 77 && memory_of(context).objects == 0);
      CHECK(s.live <= live + 1); /* the handle table may have grown, once */
      CHECK(strstr(glk_context_detail(context), "bytes") != NULL);
    }
    CHECK_MSG(failures >= 2 && failures < 50, "kind %d: %d failures", kind, failures);
    glk_context_dispose(context);
    CHECK_EQ(s.live, 0);
  }
}

/* ----------------------------------------------------------------------------------------- handles */

static void a_disposed_handle_stays_dead_while_its_slot_lives_on(void) {
  glk_context *context = new_context(NULL);
  enum { KEPT = 300 };
  glk_handle stale[KEPT];
  CHECK_STATUS(glk_dispose(context, 0), GLK_ERROR_HANDLE);
  for (int i = 0; i < KEPT; i++) stale[i] = new_vector(context, 1);
  for (int i = 0; i < KEPT; i++) {
    CHECK_EQ(glk_handle_kind(context, stale[i]), GLK_KIND_TENSOR);
    CHECK_STATUS(glk_dispose(context, stale[i]), GLK_OK);
    CHECK_STATUS(glk_dispose(context, stale[i]), GLK_ERROR_HANDLE);
    CHECK_EQ(glk_handle_kind(context, stale[i]), GLK_KIND_NONE);
  }
  const size_t table = memory_of(context).bytes;
  for (int i = 0; i < 20000; i++) { /* every slot is reused some sixty times */
    const glk_handle handle = new_vector(context, 1);
    const int k = i % KEPT;
    CHECK_MSG(handle && handle != stale[k], "round %d", i);
    if (!CHECK_STATUS(glk_dispose(context, stale[k]), GLK_ERROR_HANDLE)) break;
    CHECK_STATUS(glk_dispose(context, handle), GLK_OK);
  }
  CHECK_EQ(memory_of(context).bytes, table); /* slots were reused indeed */
  CHECK_STATUS(glk_dispose(context, UINT32_MAX), GLK_ERROR_HANDLE);
  CHECK(strlen(glk_context_detail(context)) > 10);
  glk_context_dispose(context);
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
  glk_context *context = new_context(NULL);
  for (int kind = GLK_KIND_TENSOR; kind <= GLK_KIND_OPTIMIZER; kind++) {
    glk_handle h;
    uint32_t count;
    double number;
    glk_real values[150] = {0};
    CHECK_STATUS(make_one(context, (glk_kind)kind, &h), GLK_OK);
    CHECK_EQ(glk_handle_kind(context, h), kind);
    for (int call = 0; call < 5; call++) {
      const glk_status status = call == 0   ? glk_read(context, h, values, 150)
                                : call == 1 ? glk_variable_assign(context, h, values, 150, 0)
                                : call == 2 ? glk_locks_count(context, h, &count)
                                : call == 3 ? glk_program_run(context, h)
                                            : glk_optimizer_iterations(context, h, &number);
      const int fits = kind == call + 1 || (kind == GLK_KIND_VARIABLE && (call == 0 || call == 2));
      CHECK_MSG(status == (fits ? GLK_OK : GLK_ERROR_KIND), "kind %d, call %d: %s", kind, call,
                glk_status_name(status));
      const char *detail = glk_context_detail(context);
      if (!fits)
        CHECK_MSG(strstr(detail, names[kind]) && strstr(detail, names[call + 1]), "%s", detail);
    }
  }
  glk_context_dispose(context);
}

/* -------------------------------------------------------------------------------- shapes and tensors */

static void shapes_are_taken_up_to_the_limits_and_not_beyond(void) {
  const uint32_t most = GLK_MAX_ELEMENTS, max = UINT32_MAX;
  const struct {
    uint32_t rank, dims[8], is_good;
    size_t count;
  } rows[] = {
      {0, {0}, 1, 1},
      {1, {0}, 1, 0},
      {1, {1}, 1, 1},
      {2, {0, most}, 1, 0},
      {6, {1, 2, 3, 1, 2, 1}, 1, 12},
      {6, {2, 0, 2, 0, 2, 2}, 1, 0},
      /* too high a rank, size, and product (2^30, 2^32, 2^64); a zero excuses none of them */
      {7, {1, 1, 1, 1, 1, 1, 1}, 0, 1},
      {max, {1}, 0, 1},
      {1, {most + 1}, 0, (size_t)most + 1},
      {1, {max}, 0, max},
      {2, {most, 2}, 0, (size_t)most * 2},
      {2, {1 << 16, 1 << 16}, 0, 0},
      {3, {1 << 22, 1 << 21, 1 << 21}, 0, 0},
      {2, {0, 1u << 31}, 0, 0},
      {2, {1u << 31, 0}, 0, 0},
      {3, {0, most, 2}, 0, 0}};
  glk_context *context = new_context(NULL);
  const glk_memory before = settled_memory(context);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int is_set = 0; is_set < 2; is_set++) {
      glk_handle h = 77;
      const uint32_t rank = rows[i].rank, *dims = rows[i].dims;
      const glk_status status =
          is_set ? glk_locks_create(context, rank, dims, &h)
                 : glk_tensor_create(context, rank, dims, NULL, rows[i].count, &h);
      CHECK_MSG(status == (rows[i].is_good ? GLK_OK : GLK_ERROR_SHAPE), "row %d: %s", (int)i,
                glk_status_name(status));
      if (status == GLK_OK) {
        uint32_t out_rank, out_dims[GLK_MAX_RANK];
        CHECK_STATUS(glk_shape_of(context, h, &out_rank, out_dims), GLK_OK);
        CHECK(out_rank == rank && !memcmp(out_dims, dims, rank * sizeof *dims));
        glk_dispose(context, h);
      } else {
        CHECK_EQ(h, 77);
        CHECK(strstr(glk_context_detail(context), rank > 6 ? "rank" : "shape [") != NULL);
      }
    }
  }
  const glk_memory after = memory_of(context);
  CHECK(after.bytes == before.bytes && after.objects == 0);
  glk_context_dispose(context);
}

static void wrong_counts_and_missing_arguments_are_refused(void) {
  glk_context *context = new_context(NULL);
  const uint32_t dims[2] = {2, 3};
  const glk_real values[7] = {0};
  char name[65];
  glk_handle h = 77;
  int flag = -1;
  memset(name, 'n', sizeof name);
  name[64] = 0;
  CHECK_STATUS(glk_tensor_create(context, 2, dims, values, 5, &h), GLK_ERROR_SHAPE);
  CHECK(strstr(glk_context_detail(context), "[2,3]") && strstr(glk_context_detail(context), "5"));
  CHECK_STATUS(glk_tensor_create(context, 2, dims, values, 7, &h), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_tensor_create(context, 2, NULL, values, 6, &h), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_tensor_create(context, 2, dims, values, 6, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_tensor_create(NULL, 2, dims, values, 6, &h), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_variable_create(context, 2, dims, values, 5, "v", 1, &h), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_variable_create(context, 2, dims, values, 6, name, 1, &h), GLK_ERROR_ARGUMENT);
  CHECK_EQ(h, 77);
  CHECK_STATUS(glk_variable_create(context, 2, dims, values, 6, name + 1, 7, &h), GLK_OK);
  CHECK_STATUS(glk_variable_trainable(context, h, &flag), GLK_OK);
  CHECK_EQ(flag, 1);
  glk_context_dispose(context);
}

/* ------------------------------------------------------------------------------------------ reading */

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
  for (int way = 0; way < 6; way++) { /* whichever call shows the values first does it */
    const int is_locked = way >= 3;
    glk_context *context = new_context(NULL);
    glk_handle v;
    uint64_t digest;
    CHECK_STATUS(glk_variable_create(context, 1, &n, values, N, "v", 1, &v), GLK_OK);
    CHECK_STATUS(glk_read(context, v, got, N - 1), GLK_ERROR_SHAPE); /* changes nothing */
    if (is_locked) CHECK_STATUS(glk_locks_add_all(context, v), GLK_OK);
    if (way % 3 == 0) CHECK_STATUS(glk_read(context, v, got, N), GLK_OK);
    if (way % 3 == 1) CHECK_STATUS(glk_digest(context, v, &digest), GLK_OK);
    if (way % 3 == 2) CHECK_STATUS(glk_view(context, v, &view, &count), GLK_OK);
    CHECK_STATUS(glk_locks_add_all(context, v), GLK_OK); /* what was seen stays */
    CHECK_STATUS(glk_read(context, v, got, N), GLK_OK);
    CHECK_STATUS(glk_view(context, v, &view, &count), GLK_OK);
    CHECK_STATUS(glk_digest(context, v, &digest), GLK_OK);
    CHECK_EQ(count, N);
    for (int i = 0; i < N; i++) {
      CHECK_BITS(got[i], from_bits(values[i] != values[i] && !is_locked ? CANONICAL : bits[i]));
      CHECK_BITS(view[i], got[i]);
    }
    CHECK_EQ(digest, fnv1a(got, sizeof got));
    glk_context_dispose(context);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(every_status_has_its_name_and_one_line_of_meaning);
  TEST(a_context_without_its_arguments_is_refused);
  TEST(what_is_disposed_is_given_back_and_a_context_takes_the_rest_along);
  TEST(an_allocation_that_fails_leaves_everything_as_it_was);
  TEST(a_disposed_handle_stays_dead_while_its_slot_lives_on);
  TEST(a_handle_of_another_context_is_refused);
  TEST(a_handle_of_the_wrong_kind_is_named_as_what_it_is);
  TEST(shapes_are_taken_up_to_the_limits_and_not_beyond);
  TEST(wrong_counts_and_missing_arguments_are_refused);
  TEST(reading_makes_free_nans_canonical_and_no_other_bit_changes);
  return harness_report();
}
