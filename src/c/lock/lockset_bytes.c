/* Lock sets as bytes, for files and wires:
 *
 *   "GLKL", version 1, encoding, rank, 0, then sizes along the axes, payload and checksum; numbers
 *     are little-endian.
 *   encoding 0: one bit an element, the lowest of a byte first, the last byte filled up with 0
 *   encoding 1: how many elements are free, then locked, then free, ..., in LEB128; only the first
 *     may be 0
 *   checksum: FNV-1a of 32 bits over all bytes before it; a change of one byte always changes it
 *
 * The writer uses the shorter encoding, or bits if both are equally long. So equal sets have equal
 * bytes, and the reader refuses all others. It treats its input as untrusted. Runs are walked by
 * words, since a few bytes may represent 2^29 elements. */
#include <string.h>

#include "lock/locks.h"

enum { VERSION = 1, BITS = 0, RUNS = 1, HEAD_BYTES = 8, CHECKSUM_BYTES = 4 };

typedef struct writer {
  uint8_t *out;
  size_t size;
  uint32_t hash;
} writer;

static const uint32_t hash_start = 2166136261u;

static uint32_t hash_byte(uint32_t hash, uint8_t byte) { return (hash ^ byte) * 16777619u; }

static void put(writer *w, uint32_t byte) {
  w->out[w->size] = (uint8_t)byte;
  w->hash = hash_byte(w->hash, (uint8_t)byte);
  w->size++;
}

static void put_word(writer *w, uint32_t word) {
  for (int k = 0; k < 32; k += 8) put(w, word >> k & 255);
}

static void put_head(writer *w, const glk_shape *shape, uint32_t encoding) {
  const char *magic = "GLKL";
  for (int k = 0; k < 4; k++) put(w, (uint8_t)magic[k]);
  put(w, VERSION);
  put(w, encoding);
  put(w, shape->rank);
  put(w, 0);
  for (uint32_t a = 0; a < shape->rank; a++) put_word(w, shape->dims[a]);
}

static void put_bits(writer *w, const glk_lockset *set) {
  for (uint32_t i = 0; i < set->shape.count; i += 8) {
    const uint32_t rest = set->shape.count - i, bits = set->words[i / 32] >> (i % 32) & 255;
    put(w, rest < 8 ? bits & ((1u << rest) - 1) : bits);
  }
}

/* The end of the run of locked elements, or of free ones, that begins at `from`. */
static uint32_t end_of_run(const glk_lockset *set, uint32_t from, int is_locked) {
  const uint32_t count = set->shape.count;
  for (uint32_t i = from; i < count; i = (i | 31) + 1) {
    const uint32_t word = is_locked ? ~set->words[i / 32] : set->words[i / 32];
    const uint32_t others = word & ~(uint32_t)0 << (i % 32);
    if (!others) continue;
    const uint32_t end = (i & ~31u) + (uint32_t)__builtin_ctz(others);
    return end < count ? end : count;
  }
  return count;
}

static uint32_t run_bytes(uint32_t run) {
  uint32_t bytes = 1;
  for (; run > 127; run >>= 7) bytes++;
  return bytes;
}

/* Bytes of the runs, or more than `most`. */
static size_t measure_runs(const glk_lockset *set, size_t most) {
  size_t bytes = 0;
  uint32_t i = 0;
  for (int is_locked = 0; i < set->shape.count && bytes <= most; is_locked ^= 1) {
    const uint32_t end = end_of_run(set, i, is_locked);
    bytes += run_bytes(end - i);
    i = end;
  }
  return bytes;
}

/* The encoding that a set is written in, and its payload's bytes. */
static uint32_t shorter_encoding(const glk_lockset *set, size_t *out_bytes) {
  const size_t bits = ((size_t)set->shape.count + 7) / 8, runs = measure_runs(set, bits);
  *out_bytes = runs < bits ? runs : bits;
  return runs < bits ? RUNS : BITS;
}

static void put_runs(writer *w, const glk_lockset *set) {
  uint32_t i = 0;
  for (int is_locked = 0; i < set->shape.count; is_locked ^= 1) {
    const uint32_t end = end_of_run(set, i, is_locked);
    uint32_t run = end - i;
    for (; run > 127; run >>= 7) put(w, (run & 127) | 128);
    put(w, run);
    i = end;
  }
}

static void put_set(writer *w, const glk_lockset *set, uint32_t encoding) {
  put_head(w, &set->shape, encoding);
  if (encoding == BITS) {
    put_bits(w, set);
  } else {
    put_runs(w, set);
  }
  put_word(w, w->hash);
}

glk_status glk_locks_pack(glk_context *context, glk_handle locks, uint8_t *out, size_t capacity,
                          size_t *out_size) {
  GLK_REFUSE_IF(context, !out_size);
  glk_lockset *set;
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  size_t payload;
  const uint32_t encoding = shorter_encoding(set, &payload);
  const size_t size = HEAD_BYTES + (size_t)4 * set->shape.rank + payload + CHECKSUM_BYTES;
  if (out) {
    if (capacity < size) {
      return glk_fail(context, GLK_ERROR_SHAPE, "the lock set takes %z bytes, there is room for %z",
                      size, capacity);
    }
    writer w = {out, 0, hash_start};
    put_set(&w, set, encoding);
  }
  *out_size = size;
  return GLK_OK;
}

static uint32_t get_word(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static glk_status corrupt(glk_context *context, const char *how) {
  return glk_fail(context, GLK_ERROR_FORMAT, "cannot load this lock set: %s", how);
}

static glk_status read_head(glk_context *context, const uint8_t *bytes, size_t size,
                            glk_shape *shape) {
  if (size < HEAD_BYTES + CHECKSUM_BYTES || memcmp(bytes, "GLKL", 4)) {
    return corrupt(context, "it does not begin with GLKL");
  }
  if (bytes[4] != VERSION) {
    return glk_fail(context, GLK_ERROR_FORMAT,
                    "the lock set has format version %u, this library reads version %u",
                    (uint32_t)bytes[4], (uint32_t)VERSION);
  }
  uint32_t hash = hash_start, dims[GLK_MAX_RANK];
  const size_t end = size - CHECKSUM_BYTES;
  for (size_t i = 0; i < end; i++) hash = hash_byte(hash, bytes[i]);
  if (hash != get_word(bytes + end)) return corrupt(context, "its checksum is wrong");
  const uint32_t rank = bytes[6];
  if (bytes[5] > RUNS || rank > GLK_MAX_RANK || bytes[7] || end < HEAD_BYTES + (size_t)4 * rank) {
    return corrupt(context, "its header is not valid");
  }
  for (uint32_t a = 0; a < rank; a++) dims[a] = get_word(bytes + HEAD_BYTES + 4 * a);
  if (glk_shape_make(context, "a lock set", rank, dims, shape) != GLK_OK) {
    return corrupt(context, "its shape is too large");
  }
  return GLK_OK;
}

/* Returns 0 if the bytes do not fit the set. */
static int read_bits(glk_lockset *set, const uint8_t *bytes, size_t size) {
  const uint32_t count = set->shape.count;
  if (size != ((size_t)count + 7) / 8) return 0;
  if (count % 8 && bytes[size - 1] >> (count % 8)) return 0;
  for (size_t i = 0; i < size; i++) set->words[i / 4] |= (uint32_t)bytes[i] << (i % 4 * 8);
  return 1;
}

static int read_runs(glk_lockset *set, const uint8_t *bytes, size_t size) {
  size_t at = 0;
  uint32_t i = 0;
  for (int is_locked = 0; i < set->shape.count; is_locked ^= 1) {
    uint64_t run = 0;
    int shift = 0;
    const size_t start = at;
    do {
      if (at == size || shift > 28) return 0;
      run |= (uint64_t)(bytes[at] & 127) << shift;
      shift += 7;
    } while (bytes[at++] & 128);
    const int is_padded = at - start > 1 && !bytes[at - 1];
    if (is_padded || run > set->shape.count - i || (!run && start)) return 0;
    if (is_locked) glk_lockset_add_range(set, i, i + (uint32_t)run);
    i += (uint32_t)run;
  }
  return at == size;
}

glk_status glk_locks_unpack(glk_context *context, const uint8_t *bytes, size_t size,
                            glk_handle *out) {
  GLK_REFUSE_IF(context, !out || (size && !bytes));
  glk_shape shape;
  glk_handle made;
  glk_lockset *set;
  GLK_TRY(read_head(context, bytes, size, &shape));
  GLK_TRY(glk_locks_make(context, &shape, NULL, &made));
  GLK_TRY(glk_expect_locks(context, made, "the lock set", &set));
  const size_t head = HEAD_BYTES + (size_t)4 * shape.rank;
  const uint8_t *payload = bytes + head;
  const size_t payload_size = size - head - CHECKSUM_BYTES;
  const int is_read = bytes[5] == BITS ? read_bits(set, payload, payload_size)
                                       : read_runs(set, payload, payload_size);
  size_t shortest;
  glk_lockset_changed(context, set);
  if (!is_read || shorter_encoding(set, &shortest) != bytes[5]) {
    glk_dispose(context, made);
    return corrupt(context, is_read ? "its encoding is not the shortest"
                                    : "its payload does not fit its shape");
  }
  *out = made;
  return GLK_OK;
}
