/* Archives: named items as bytes. One walk over the items serves for measuring, writing and
 * reading, so reading and writing cannot differ. Numbers are little-endian, as every target is:
 *
 *     "GLKS", version, total bytes (64 bits), items, FNV-1a of 32 bits over all before it
 *     an item: type, bytes of its name, name, count (32 bits), count values
 *
 * Types are 'n' a number, 't' text, 'f' f32, 'd' f64, 'u' u32. '{' and '[' begin items that end
 * at '}'; items of '[' have no names. Every change of the format gets a new version: a reader
 * accepts its own version and earlier ones. It refuses any item that it does not expect, since
 * skipping it could matter. Version 2: the optimizer's state of variables is written by pages
 * (slots/pages.h). Version 3: so are clocks (slots/step_count.h), and the initial values of
 * slots are kept for variables that are locked as a whole. Version 4: states of solvers have
 * bounds (solve/bounds.h). Every change of a single byte changes the checksum.
 *
 * Errors stick: after the first, nothing more is read and lists are empty. */
#ifndef GLK_CORE_ARCHIVE_H
#define GLK_CORE_ARCHIVE_H

#include "core/context.h"

typedef struct glk_archive {
  glk_context *context;
  /** The bytes to read; NULL while writing. */
  const uint8_t *in;
  /** Where to write; NULL while measuring. */
  uint8_t *out;
  size_t at, end;
  /** Archive format version. */
  uint32_t version;
  glk_status status;
} glk_archive;

/** Bytes of an item without its name and values. */
enum { GLK_ITEM_BYTES = 6 };
enum { GLK_ITEM_REALS = sizeof(glk_real) == 4 ? 'f' : 'd' };

/** Reads or writes the whole state of `subject`. */
typedef void glk_archive_walk(glk_archive *archive, void *subject);

/** Measure, and write unless `out` is NULL. GLK_ERROR_SHAPE if there is too little room. */
glk_status glk_archive_write(glk_context *context, glk_archive_walk *walk, void *subject,
                             uint8_t *out, size_t capacity, size_t *out_bytes);
/** Check the frame, then read. */
glk_status glk_archive_read(glk_context *context, glk_archive_walk *walk, void *subject,
                            const uint8_t *bytes, size_t count);

/** Refuse the input. */
void glk_archive_refuse(glk_archive *archive, const char *what);

/** Begin items that belong together; '[' has a count, which reading changes. */
void glk_archive_begin(glk_archive *archive, const char *name, char type, uint32_t *count);
void glk_archive_end(glk_archive *archive);
/** A number that is an integer from 0 to `most`. */
void glk_archive_whole(glk_archive *archive, const char *name, uint32_t most, uint32_t *number);
/** Text in an array of `capacity`. */
void glk_archive_text(glk_archive *archive, const char *name, char *text, size_t capacity);
/** Begin a list of `count` values, which reading changes. They follow in pieces: all of them must.
 *  While reading, their bytes are known to exist. */
void glk_archive_open(glk_archive *archive, const char *name, char type, uint32_t *count);
/** The next values of the list that was opened, of its type: from `data`, or into it. */
void glk_archive_next(glk_archive *archive, char type, void *data, uint32_t count);
/** A list where it is: `data`, or while reading a pointer into the bytes, at any alignment. */
const void *glk_archive_list(glk_archive *archive, const char *name, char type, const void *data,
                             uint32_t *count);
/** The same for exactly `count` values. NULL if the number differs. */
const void *glk_archive_exactly(glk_archive *archive, const char *name, char type, const void *data,
                                uint32_t count);
/** So many values, 1 of type 'n', which reading changes. */
void glk_archive_values(glk_archive *archive, const char *name, char type, void *data,
                        uint32_t count);
/** The array that `data` points to the pointer of: `count` values of a type, or none (NULL); while
 *  reading, memory for `padded` is made for them. */
void glk_archive_array(glk_archive *archive, const char *name, char type, void *data,
                       uint32_t count, uint32_t padded);

#endif
