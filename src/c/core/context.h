/* The context: its allocator, its table of handles, and its last error. There are no globals. Its
 * parts are declared here, below all else; memory.h and handle.h have the functions. */
#ifndef GLK_CORE_CONTEXT_H
#define GLK_CORE_CONTEXT_H

#include "core/exact.h"
#include "gradlock.h"

#ifdef GLK_DEBUG
#define GLK_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define GLK_ASSERT(condition) ((void)0)
#endif

/* Text for people who program in C, left out of the build that is embedded in JavaScript. */
#ifdef GLK_TINY
#define GLK_DOC(text) ""
#else
#define GLK_DOC(text) text
#endif

#define GLK_DETAIL_BYTES 400

typedef struct glk_shape {
  uint32_t rank;
  uint32_t dims[GLK_MAX_RANK];
  /** Product of dims; 1 for rank 0. */
  uint32_t count;
} glk_shape;

typedef struct glk_object glk_object;
typedef struct glk_thread_pool glk_thread_pool;

/** First member of everything a handle can name. Freed by `destroy` when the last reference goes;
 *  the handle holds one, programs and optimizers hold others. */
struct glk_object {
  glk_kind kind;
  uint32_t references;
  /** 0 before the object is published and after it is disposed. */
  glk_handle handle;
  void (*destroy)(glk_context *context, glk_object *object);
};

typedef struct glk_handle_slot {
  /** NULL when free. */
  glk_object *object;
  uint32_t generation;
  /** Next free slot. */
  uint32_t next;
} glk_handle_slot;

typedef struct glk_handle_table {
  glk_handle_slot *slots;
  uint32_t count, capacity, live;
  /** GLK_NO_SLOT when empty. */
  uint32_t first_free, last_free;
} glk_handle_table;

#define GLK_NO_SLOT UINT32_MAX

/** Freed blocks of one size, ready for reuse; each contains the address of the next. */
typedef struct glk_spares {
  void *first;
  uint32_t count;
} glk_spares;

/* Number of block sizes, in steps of 16 bytes, below 1 kB. */
#define GLK_SPARE_SIZES 64

/* Most spare blocks of each size. Without spares, malloc would take half the time of a small op.
 * All sizes together hold 4 MB at most. Builds for tests keep none: there any request can fail, and
 * a use after release is found. */
#ifdef GLK_DEBUG
#define GLK_MOST_SPARES 0
#else
#define GLK_MOST_SPARES 128
#endif

/** Uses of memory that are counted separately. */
typedef enum glk_part { GLK_VALUES, GLK_SLOTS, GLK_PROGRAMS, GLK_PARTS } glk_part;

struct glk_context {
  glk_allocator allocator;
  size_t bytes, peak_bytes, allocations;
  size_t part_bytes[GLK_PARTS];
  glk_spares spares[GLK_SPARE_SIZES];
  uint32_t most_spares;
  glk_handle_table handles;
  /** Its threads; NULL: the caller's alone. */
  glk_thread_pool *threads;
  /** The program being recorded; NULL when there is none. */
  glk_object *recording;
  /** Differs for every recording, never 0 while one is on. */
  uint32_t recording_serial;
  /** 1: a gradient hook is running. */
  int is_in_hook;
  /** Version of the last change to any lock set. */
  uint32_t lock_version;
  /** The last visit of a list of tensors, see glk_visit_new. */
  uint64_t visit;
  uint32_t conflict_first, conflict_count;
  char detail[GLK_DETAIL_BYTES];
};

/** Store an error message and return `status`. The format knows %s, %u (uint32_t), %z (size_t), %g
 *  (double), %S (const glk_shape *) and %%; longer text is cut. */
glk_status glk_fail(const glk_context *context, glk_status status, const char *format, ...);

/** GLK_ERROR_RECORDING if a recording is on or a hook runs; `what` names the refused action.
 *  GLK_ERROR_ARGUMENT without a context. */
glk_status glk_require_idle(glk_context *context, const char *what);
/** GLK_ERROR_RECORDING if a gradient hook runs. */
#ifdef GLK_TINY
static inline glk_status glk_check_not_in_hook(const glk_context *context, const char *what) {
  return (void)context, (void)what, GLK_OK;
}
#else
glk_status glk_check_not_in_hook(const glk_context *context, const char *what);
#endif

/** Leave a public function whose caller left something out. */
#define GLK_REFUSE_IF(context, is_missing)              \
  do {                                                  \
    if (!(context)) return GLK_ERROR_ARGUMENT;          \
    if (is_missing) return glk_refuse_missing(context); \
  } while (0)

glk_status glk_refuse_missing(const glk_context *context);

#define GLK_TRY(call)                            \
  do {                                           \
    const glk_status try_status = (call);        \
    if (try_status != GLK_OK) return try_status; \
  } while (0)

#endif
