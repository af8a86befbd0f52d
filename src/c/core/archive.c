/* Archives: writing and reading of named items, with frame and checksum (archive.h). */
#include "core/archive.h"

#include <string.h>

#include "core/memory.h"

enum { VERSION = 4, OLDEST = 1, HEADER_BYTES = 16, CHECKSUM_BYTES = 4 };

static const char magic[4] = {'G', 'L', 'K', 'S'};

static uint32_t checksum(const uint8_t *bytes, size_t count) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < count; i++) hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

static uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static void put(glk_archive *a, const void *data, size_t bytes) {
  if (a->out && bytes) memcpy(a->out + a->at, data, bytes);
  a->at += bytes;
}

static void write_all(glk_archive *a, glk_archive_walk *walk, void *subject, uint64_t total) {
  put(a, magic, sizeof magic);
  put(a, &a->version, sizeof a->version);
  put(a, &total, sizeof total);
  walk(a, subject);
  const uint32_t sum = a->out ? checksum(a->out, a->at) : 0;
  put(a, &sum, sizeof sum);
}

glk_status glk_archive_write(glk_context *context, glk_archive_walk *walk, void *subject,
                             uint8_t *out, size_t capacity, size_t *out_bytes) {
  glk_archive measured = {.context = context, .version = VERSION}, written = measured;
  written.out = out;
  write_all(&measured, walk, subject, 0);
  if (out && capacity < measured.at) {
    return glk_fail(context, GLK_ERROR_SHAPE, "the state takes %z bytes, there is room for %z",
                    measured.at, capacity);
  }
  if (out) write_all(&written, walk, subject, measured.at);
  *out_bytes = measured.at;
  return GLK_OK;
}

void glk_archive_refuse(glk_archive *a, const char *what) {
  if (a->status != GLK_OK) return;
  a->status = glk_fail(a->context, GLK_ERROR_FORMAT,
                       "cannot load this state: %s; nothing was changed", what);
}

static void check_frame(glk_archive *a, size_t count) {
  uint64_t total = 0;
  if (count >= HEADER_BYTES + CHECKSUM_BYTES) memcpy(&total, a->in + 8, sizeof total);
  if (count < 8 || memcmp(a->in, magic, sizeof magic)) {
    glk_archive_refuse(a, "it does not begin like a state");
  } else if (word_at(a->in + 4) < OLDEST || word_at(a->in + 4) > VERSION) {
    a->status = glk_fail(a->context, GLK_ERROR_FORMAT,
                         "the state has format version %u, this library reads versions %u to %u",
                         word_at(a->in + 4), (uint32_t)OLDEST, (uint32_t)VERSION);
  } else if (total != count) {
    glk_archive_refuse(a, "it is cut short or has too many bytes");
  } else if (word_at(a->in + count - CHECKSUM_BYTES) != checksum(a->in, count - CHECKSUM_BYTES)) {
    glk_archive_refuse(a, "its checksum is wrong");
  }
}

glk_status glk_archive_read(glk_context *context, glk_archive_walk *walk, void *subject,
                            const uint8_t *bytes, size_t count) {
  glk_archive a = {.context = context, .in = bytes, .at = HEADER_BYTES};
  check_frame(&a, count);
  if (a.status == GLK_OK) {
    a.end = count - CHECKSUM_BYTES;
    a.version = word_at(bytes + 4);
    walk(&a, subject);
    if (a.at != a.end) glk_archive_refuse(&a, "it has more data than expected");
  }
  return a.status;
}

static size_t size_of(char type) {
  switch (type) {
  case 't': return 1;
  case 'f':
  case 'u': return 4;
  case 'd':
  case 'n': return 8;
  default: return 0;
  }
}

/* The next `bytes` bytes of the input, or NULL. */
static const uint8_t *take(glk_archive *a, size_t bytes) {
  if (a->status != GLK_OK || bytes > a->end - a->at) return NULL;
  a->at += bytes;
  return a->in + a->at - bytes;
}

/* Refuse an item. */
static void miss(glk_archive *a, const char *name) {
  if (a->status != GLK_OK) return;
  a->status =
      glk_fail(a->context, GLK_ERROR_FORMAT,
               "cannot load this state: '%s' is missing or invalid; nothing was changed", name);
}

/* What reals are in the other precision. */
enum { OTHER_REALS = 'f' + 'd' - GLK_ITEM_REALS };

void glk_archive_open(glk_archive *a, const char *name, char type, uint32_t *count) {
  const size_t length = strlen(name);
  const uint8_t head[2] = {(uint8_t)type, (uint8_t)length};
  if (!a->in) {
    put(a, head, sizeof head);
    put(a, name, length);
    put(a, count, sizeof *count);
    return;
  }
  const uint8_t *p = take(a, sizeof head + length + sizeof *count);
  if (p && !memcmp(p, head, sizeof head) && !memcmp(p + sizeof head, name, length)) {
    *count = word_at(p + sizeof head + length);
    if ((uint64_t)*count * size_of(type) <= a->end - a->at) return;
  }
  *count = 0;
  if (p && type == GLK_ITEM_REALS && p[0] == OTHER_REALS && a->status == GLK_OK) {
    a->status = glk_fail(a->context, GLK_ERROR_FORMAT,
                         "the state has values in f%u, this library computes in f%u; nothing was "
                         "changed",
                         (uint32_t)(96 - 8 * sizeof(glk_real)), (uint32_t)(8 * sizeof(glk_real)));
  }
  miss(a, name);
}

void glk_archive_next(glk_archive *a, char type, void *data, uint32_t count) {
  const size_t bytes = count * size_of(type);
  if (!a->in) {
    put(a, data, bytes);
    return;
  }
  const uint8_t *p = take(a, bytes);
  if (p && bytes) memcpy(data, p, bytes);
}

const void *glk_archive_list(glk_archive *a, const char *name, char type, const void *data,
                             uint32_t *count) {
  glk_archive_open(a, name, type, count);
  if (!a->in) {
    put(a, data, *count * size_of(type));
    return data;
  }
  return take(a, *count * size_of(type));
}

void glk_archive_begin(glk_archive *a, const char *name, char type, uint32_t *count) {
  uint32_t none = 0;
  glk_archive_list(a, name, type, NULL, count ? count : &none);
}

void glk_archive_end(glk_archive *a) {
  if (!a->in) {
    put(a, "}", 1);
    return;
  }
  const uint8_t *p = take(a, 1);
  if (!p || *p != '}') glk_archive_refuse(a, "it has more data than expected");
}

const void *glk_archive_exactly(glk_archive *a, const char *name, char type, const void *data,
                                uint32_t count) {
  uint32_t found = count;
  const void *values = glk_archive_list(a, name, type, data, &found);
  if (found == count) return values;
  miss(a, name);
  return NULL;
}

void glk_archive_values(glk_archive *a, const char *name, char type, void *data, uint32_t count) {
  const void *found = glk_archive_exactly(a, name, type, data, count);
  if (a->in && found && count) memcpy(data, found, count * size_of(type));
}

void glk_archive_whole(glk_archive *a, const char *name, uint32_t most, uint32_t *number) {
  double value = *number;
  glk_archive_values(a, name, 'n', &value, 1);
  if (!a->in || a->status != GLK_OK) return;
  if (value >= 0 && value <= most && value == (uint32_t)value) {
    *number = (uint32_t)value;
  } else {
    miss(a, name);
  }
}

void glk_archive_text(glk_archive *a, const char *name, char *text, size_t capacity) {
  uint32_t count = a->in ? 0 : (uint32_t)strlen(text);
  const char *found = glk_archive_list(a, name, 't', text, &count);
  if (!a->in || !found) return;
  if (count >= capacity || memchr(found, 0, count)) {
    miss(a, name);
    return;
  }
  memcpy(text, found, count);
  text[count] = 0;
}

void glk_archive_array(glk_archive *a, const char *name, char type, void *data, uint32_t count,
                       uint32_t padded) {
  void *memory;
  memcpy(&memory, data, sizeof memory);
  uint32_t found = a->in || !memory ? 0 : count;
  const void *values = glk_archive_list(a, name, type, memory, &found);
  if (!a->in || !found) return;
  if (found != count) {
    miss(a, name);
    return;
  }
  a->status = glk_allocate(a->context, padded, size_of(type), &memory);
  if (a->status != GLK_OK) return;
  memcpy(memory, values, count * size_of(type));
  memcpy(data, &memory, sizeof memory);
}
