/* Bytes of a lock set: they are refused and nothing is left, or what they hold is packed into the same bytes, and is a lock
 * set like any other. */
#include "fuzz.h"

static glk_context *c;

#ifdef GLK_FUZZING
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Most inputs get a head and a checksum that are right, or nothing behind them would ever be reached. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (seed % 8 == 0 || size < 12 || most <= 12) return size;
  memcpy(data, "GLKL\1", 5);
  data[5] &= 1;
  data[6] %= GLK_MAX_RANK + 2;
  data[7] = 0;
  // Few sets are large: one of half a billion elements takes as long as a hundred thousand small ones.
  for (uint32_t a = 0; seed % 63 && a < data[6] && 8 + 4 * a + 4 < size; a++) {
    memset(data + 8 + 4 * a + 1, 0, 3);
    data[8 + 4 * a] %= 6;
  }
  const uint32_t hash = checksum(data, size - 4);
  memcpy(data + size - 4, &hash, sizeof hash);
  return size;
}
#endif

static void check_counts(glk_handle set, size_t elements) {
  uint32_t count = 0, first = 0;
  if (glk_locks_count(c, set, &count) || count > elements) BROKEN("%u of %zu", count, elements);
  if (glk_locks_next(c, set, 0, &first)) BROKEN("no next element");
  if (count ? first >= elements : first != elements) BROKEN("the first of %u is %u", count, first);
}

/* What was unpacked: set arithmetic with a copy that went through bytes again. */
static void check_arithmetic(glk_handle set, glk_handle again, size_t elements) {
  glk_handle inverse = 0;
  uint32_t count = 0, locked = 0, rest = 0;
  if (glk_locks_combine(c, again, GLK_LOCKS_XOR, set)) BROKEN("sets of one shape do not combine");
  if (glk_locks_count(c, again, &count) || count) BROKEN("a round trip differs in %u", count);
  if (glk_locks_copy(c, set, &inverse) || glk_locks_invert(c, inverse)) BROKEN("no inverse");
  glk_locks_count(c, set, &locked);
  glk_locks_count(c, inverse, &rest);
  if (locked + rest != elements) BROKEN("%u and %u are not %zu", locked, rest, elements);
  glk_dispose(c, inverse);
}

static void check_set(glk_handle set, const uint8_t *data, size_t size) {
  uint32_t rank = 0, dims[GLK_MAX_RANK];
  size_t told = 0, written = 0;
  glk_handle again = 0;
  if (glk_shape_of(c, set, &rank, dims)) BROKEN("a set without a shape");
  const size_t elements = product(rank, dims);
  check_counts(set, elements);
  if (glk_locks_pack(c, set, NULL, 0, &told)) BROKEN("it cannot be measured");
  uint8_t *out = malloc(told);
  if (glk_locks_pack(c, set, out, told, &written) || written != told) BROKEN("it cannot be packed");
  if (told != size || memcmp(out, data, size)) {
    BROKEN("%zu bytes were taken that pack does not give; it gives %zu", size, told);
  }
  if (glk_locks_unpack(c, out, told, &again)) BROKEN("own bytes: %s", glk_context_detail(c));
  if (elements < 4096) check_arithmetic(set, again, elements);
  free(out);
  glk_dispose(c, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  heap memory = {.most = (size_t)200 << 20, .countdown = -1};
  glk_memory held;
  glk_handle set = 0;
  c = context_on(&memory);
  const glk_status status = glk_locks_unpack(c, data, size, &set);
  if (status == GLK_OK) {
    check_set(set, data, size);
    glk_dispose(c, set);
  } else if (status != GLK_ERROR_FORMAT && status != GLK_ERROR_OUT_OF_MEMORY) {
    BROKEN("refused with %s", glk_status_name(status));
  }
  glk_context_memory(c, &held);
  if (held.objects) BROKEN("%zu objects are left", held.objects);
  dispose_all(c, &memory);
  return 0;
}
