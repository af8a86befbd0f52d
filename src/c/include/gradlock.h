/* gradlock: lock any element of any variable, train the rest, exactly.
 *
 * The whole public C interface. These rules hold for all of it:
 * - Every function returns a status: GLK_OK (0) or one of the errors below. A call that fails
 *   changes nothing. Results come through trailing out-parameters, written only on success.
 * - All state belongs to a context; there are no globals. A context is not thread-safe: use one per
 *   thread of yours. It may have threads of its own (glk_context_threads).
 * - Objects are named by handles (slot and generation). A handle that is disposed, stale or of
 *   another context is GLK_ERROR_HANDLE.
 * - Values are dense, row-major `glk_real` (f32; f64 when built with GLK_DOUBLE). Counts are
 *   elements unless the name ends in `_bytes`. Ranks are 0..GLK_MAX_RANK. Sizes along an axis and
 *   their product are 0..GLK_MAX_ELEMENTS.
 * - Where an array [count] has an item for each element of a tensor, variable, lock set or output,
 *   count is its element count.
 * - Arguments are read during the call and never kept. Results are copies, unless the function says
 *   for how long they are valid. Arrays of one call must not overlap unless it says so.
 * - The functions that only read a table of numbers and names (glk_op_describe, glk_rule_option and
 *   their like) take no context. They leave the text of glk_context_detail as it is.
 * - The library never prints, exits or aborts, and calls no libm: the same inputs give the same
 *   bits everywhere.
 *
 * Errors that any function may return, and that are not repeated below:
 *   GLK_ERROR_ARGUMENT       a pointer that is needed is NULL; an enumerator that does not exist
 *   GLK_ERROR_HANDLE, _KIND  a handle names nothing, or an object of another kind
 *   GLK_ERROR_OUT_OF_MEMORY  an object is created or memory is needed
 *   GLK_ERROR_SHAPE          a count, rank or shape does not fit
 *   GLK_ERROR_INDEX          an index or axis is out of range
 *   GLK_ERROR_RECORDING      not possible while recording, or in a gradient hook: writing values,
 *                            changing locks, training, running
 *
 * Parameters are listed as: name, [shape], type, in or out, meaning. The direction is in, unless
 * given. */
#ifndef GRADLOCK_H
#define GRADLOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shared library exports only what this file declares. */
#ifdef GLK_EXPORT
#pragma GCC visibility push(default)
#endif

#ifdef GLK_DOUBLE
typedef double glk_real;
#else
typedef float glk_real;
#endif

/** Version of this header, the same as in package.json. */
#define GLK_VERSION_MAJOR 0
#define GLK_VERSION_MINOR 1
#define GLK_VERSION_PATCH 0
/** Version as text. */
#define GLK_VERSION "0.1.0"

/** Version of the compiled library, as text that stays valid. Compare it with GLK_VERSION to detect
 *  a shared library of another version. */
const char *glk_version(void);

/** Highest rank. TensorFlow.js has 6; indices of its tensors need one axis more. */
#define GLK_MAX_RANK 7
/** Most elements of a shape. */
#define GLK_MAX_ELEMENTS ((uint32_t)1 << 29)
/** Most input tensors of an op. */
#define GLK_MAX_INPUTS 4
/** Most attributes of an op. */
#define GLK_MAX_ATTRIBUTES 24
/** Most slots of an update rule. */
#define GLK_MAX_SLOTS 3
/** Most threads of a context. */
#define GLK_MAX_THREADS 64

/* --------------------------------------------------------------------------------------- status */

/** Status of a call. Each code has a name and a one-line meaning at run time: see
 *  glk_status_name. */
typedef enum glk_status {
  GLK_OK = 0,
  /** Memory could not be allocated; nothing was changed. */
  GLK_ERROR_OUT_OF_MEMORY,
  /** An argument does not have the documented form. */
  GLK_ERROR_ARGUMENT,
  /** Shapes, ranks or counts do not fit each other. */
  GLK_ERROR_SHAPE,
  /** An index or axis is outside of its range. */
  GLK_ERROR_INDEX,
  /** The handle names no live object of this context: disposed or foreign. */
  GLK_ERROR_HANDLE,
  /** The handle names an object of another kind. */
  GLK_ERROR_KIND,
  /** The write would change a locked element. */
  GLK_ERROR_LOCKED,
  /** Not possible while recording, or only while recording. */
  GLK_ERROR_RECORDING,
  /** The gradient does not exist: the loss is not a scalar, or does not use the variable. */
  GLK_ERROR_GRADIENT,
  /** An option is unknown or outside of its range. */
  GLK_ERROR_OPTION,
  /** A limit of the library is reached. */
  GLK_ERROR_LIMIT,
  /** Saved bytes are corrupt, cut short, or of another version. */
  GLK_ERROR_FORMAT,
  /** Locked elements break a constraint, and free elements cannot repair it. */
  GLK_ERROR_CONSTRAINT,
  /** A gradient hook ended the step. */
  GLK_ERROR_HOOK,
  GLK_STATUS_COUNT
} glk_status;

/** Name of a status, such as "GLK_ERROR_SHAPE"; NULL if there is no such status. */
const char *glk_status_name(glk_status status);
/** One-line meaning of a status ("" when built with GLK_TINY); NULL if there is no such status. */
const char *glk_status_meaning(glk_status status);

/* -------------------------------------------------------------------------------------- context */

typedef struct glk_context glk_context;

/** Identifier of an object within its context; 0 means no object. */
typedef uint32_t glk_handle;

/** Kinds of objects that a handle can name. */
typedef enum glk_kind {
  GLK_KIND_NONE = 0,
  /** Immutable values. */
  GLK_KIND_TENSOR,
  /** Values that train, with a lock set. */
  GLK_KIND_VARIABLE,
  /** A lock set that belongs to no variable. */
  GLK_KIND_LOCKS,
  /** A recorded computation. */
  GLK_KIND_PROGRAM,
  /** An update rule, its options and its slots. */
  GLK_KIND_OPTIMIZER,
  /** A second-order method, its options and its estimate of the curvature. */
  GLK_KIND_SOLVER
} glk_kind;

/** Source of a context's memory. */
typedef struct glk_allocator {
  /** Return `bytes` bytes at a multiple of `alignment`, a power of two up to 64; NULL if there are
   *  none. */
  void *(*allocate)(void *user, size_t bytes, size_t alignment);
  /** Free memory that `allocate` returned. */
  void (*release)(void *user, void *memory);
  /** Argument for both functions. */
  void *user;
} glk_allocator;

/** Memory of a context. */
typedef struct glk_memory {
  /** Bytes held now. */
  size_t bytes;
  /** Most bytes ever held at once. */
  size_t peak_bytes;
  /** Blocks held now. */
  size_t allocations;
  /** Live handles. */
  size_t objects;
  /** The part of `bytes` for values of tensors and variables. */
  size_t value_bytes;
  /** The part of `bytes` for slots, averages and pending gradients of optimizers. Only pages of
   *  1,024 elements in which an element is or was free have them. */
  size_t slot_bytes;
  /** The part of `bytes` for intermediate values and gradients of programs. */
  size_t program_bytes;
} glk_memory;

/** Create a context.
 *  allocator  copied; NULL: the C library's. `user` must outlive the context
 *  out        glk_context * out */
glk_status glk_context_create(const glk_allocator *allocator, glk_context **out);
/** Dispose a context and everything in it. NULL is allowed. */
void glk_context_dispose(glk_context *context);
/** Share long computations among threads. The bits of every result are the same for any number.
 *  threads   1 to GLK_MAX_THREADS, with the caller's; 1 at first. More than the processors there
 *            are make it slower
 *  share_ns  the shortest computation that is shared, by an estimate in nanoseconds: 8000 suits
 *            most machines, 0 shares all
 *  GLK_ERROR_ARGUMENT  one of them is out of range
 *  GLK_ERROR_LIMIT     the context has objects already; the build (WASI) or the system has no room
 *                      for threads
 *  In WebAssembly the host starts the threads: until then the caller computes alone. */
glk_status glk_context_threads(glk_context *context, uint32_t threads, double share_ns);
/** The reason why the last failed call failed: one sentence with the given and the expected value.
 *  Valid until the next failed call; never NULL. */
const char *glk_context_detail(const glk_context *context);
/** The locked elements that the last write refused with GLK_ERROR_LOCKED would have changed.
 *  out_first  u32 out  flat index of the first; may be NULL
 *  out_count  u32 out  how many; may be NULL */
void glk_context_conflict(const glk_context *context, uint32_t *out_first, uint32_t *out_count);
/** The memory that the context holds now, and the most it ever held. */
glk_status glk_context_memory(const glk_context *context, glk_memory *out);

/** Return the kind of a live handle; GLK_KIND_NONE for any other number. */
glk_kind glk_handle_kind(const glk_context *context, glk_handle handle);
/** Give up a handle of any kind. Parts of the object that a program or an optimizer still needs
 *  live on without a handle. */
glk_status glk_dispose(glk_context *context, glk_handle handle);

/* ------------------------------------------------------------------------ tensors and variables */

/** Create a tensor: immutable values.
 *  dims    [rank] u32  sizes along the axes; may be NULL for rank 0
 *  values  [count] real; NULL is zeros
 *  count   the product of dims, also where values is NULL */
glk_status glk_tensor_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                             const glk_real *values, size_t count, glk_handle *out);
/** Create a variable with nothing locked; dims, values and count as for glk_tensor_create.
 *  name       UTF-8, for messages and states; at most 63 bytes, NULL is ""
 *  trainable  0: glk_program_trainable leaves it out; optimizers train whatever they are given */
glk_status glk_variable_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                               const glk_real *values, size_t count, const char *name,
                               int trainable, glk_handle *out);

/** Shape of a tensor, variable or lock set.
 *  out_rank  u32 out                 may be NULL
 *  out_dims  [GLK_MAX_RANK] u32 out  sizes along the first `rank` axes; may be NULL */
glk_status glk_shape_of(const glk_context *context, glk_handle handle, uint32_t *out_rank,
                        uint32_t *out_dims);
/** Copy the values of a tensor or variable. The bits of a computed NaN depend on the machine, so
 *  NaNs are first made canonical (0x7fc00000), in place. NaNs of locked elements keep their bits.
 *  out    [count] real out
 *  GLK_ERROR_RECORDING: the value is recorded in a program and not computed. */
glk_status glk_read(glk_context *context, glk_handle handle, glk_real *out, size_t count);
/** Return a pointer to the values of a tensor or variable; NaNs and errors as for glk_read.
 *  out        [*out_count] real out  valid until the next call with this context; read only:
 *                                    writing through it would bypass the locks */
glk_status glk_view(glk_context *context, glk_handle handle, const glk_real **out,
                    size_t *out_count);
/** Digest of the values of a tensor or variable: 64-bit FNV-1a over their little-endian bytes.
 *  Every NaN, locked ones too, counts as the canonical one, so that all hosts agree.
 *  Source: Fowler, Noll & Vo, draft-eastlake-fnv. */
glk_status glk_digest(glk_context *context, glk_handle handle, uint64_t *out);

/** Write all values of a variable.
 *  values  [count] real  may be its own values, from glk_view
 *  force   1: write locked elements too
 *  GLK_ERROR_LOCKED: a bit of a locked element would change, and force is 0. */
glk_status glk_variable_assign(glk_context *context, glk_handle variable, const glk_real *values,
                               size_t count, int force);

/** Read the version of a variable's values: a number that differs whenever they may have been
 *  written. */
glk_status glk_variable_version(const glk_context *context, glk_handle variable, uint32_t *out);

/** Ways in which a scatter combines updates with values. Updates apply in the order of their
 *  list. */
typedef enum glk_scatter {
  /** Replace; an index that is listed twice is GLK_ERROR_ARGUMENT. */
  GLK_SCATTER_UPDATE = 0,
  /** Replace; if an index is listed twice, the last update counts. */
  GLK_SCATTER_UPDATE_LAST,
  /** Replace by the sum of all updates of the same index. */
  GLK_SCATTER_UPDATE_SUM,
  GLK_SCATTER_ADD,
  GLK_SCATTER_SUB,
  /** The smaller of value and update; NaN if either is. */
  GLK_SCATTER_MIN,
  /** The larger; NaN if either is. */
  GLK_SCATTER_MAX,
  GLK_SCATTER_COUNT
} glk_scatter;

/** Write updates into listed elements of a variable.
 *  indices  [..., depth] tensor  the last axis indexes the variable's first `depth` axes; whole
 *                                numbers, 0 to size - 1
 *  updates  [..., rest] tensor   shape indices.shape[:-1] + variable.shape[depth:]
 *  force    1: write locked elements too
 *  Neither may be the variable itself (GLK_ERROR_ARGUMENT).
 *  GLK_ERROR_LOCKED: a bit of a locked element would change, and force is 0.
 *  Source: TensorFlow's tf.scatter_nd_update and related ops. */
glk_status glk_variable_scatter(glk_context *context, glk_handle variable, glk_scatter mode,
                                glk_handle indices, glk_handle updates, int force);
/** Set one element, locked or not, and lock it.
 *  index  flat (row-major) index */
glk_status glk_variable_fix(glk_context *context, glk_handle variable, uint32_t index,
                            glk_real value);
/** 1 if the variable was created as trainable, else 0. */
glk_status glk_variable_trainable(const glk_context *context, glk_handle variable, int *out);

/* ---------------------------------------------------------------------------------------- locks */

/* A lock set has a shape and one bit per element, 1 = locked. Bits are stored in words of 32,
 * lowest bit first; the bits after the last element are always 1. Where a function takes `locks`, a
 * variable may be given. Reading it returns the elements that any holder locks; changing it changes
 * its default holder (see holders, below). Functions named add lock more elements and unlock
 * none. */

/** Ways to combine a lock set, the target, with another of its shape, the source. */
typedef enum glk_locks_op {
  /** Lock exactly the elements of the source. */
  GLK_LOCKS_SET = 0,
  /** Lock the elements of the source, too. */
  GLK_LOCKS_OR,
  /** Keep only elements that are in the source, too. */
  GLK_LOCKS_AND,
  /** Unlock the elements of the source. */
  GLK_LOCKS_AND_NOT,
  /** Toggle the elements of the source. */
  GLK_LOCKS_XOR
} glk_locks_op;

/** Create a lock set of shape dims[rank] with nothing locked. */
glk_status glk_locks_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                            glk_handle *out);
/** Copy the elements that are locked now into a new lock set. */
glk_status glk_locks_copy(glk_context *context, glk_handle locks, glk_handle *out);

/** Lock every element. */
glk_status glk_locks_add_all(glk_context *context, glk_handle locks);
/** Lock where a mask is not 0.
 *  mask   [count] u8 */
glk_status glk_locks_add_mask(glk_context *context, glk_handle locks, const uint8_t *mask,
                              size_t count);
/** Lock listed elements.
 *  indices  [count] u32  flat (row-major) indices, in any order, duplicates allowed */
glk_status glk_locks_add_indices(glk_context *context, glk_handle locks, const uint32_t *indices,
                                 size_t count);
/** Lock every element whose index along an axis is listed. In a matrix axis 0 selects rows, axis 1
 *  columns.
 *  indices  [count] u32  0 to the axis's size - 1, in any order, duplicates allowed */
glk_status glk_locks_add_axis(glk_context *context, glk_handle locks, uint32_t axis,
                              const uint32_t *indices, size_t count);
/** Lock the box start[a] <= index[a] < stop[a].
 *  rank         the set's
 *  start, stop  [rank] u32  start <= stop <= size along each axis; an empty range locks nothing */
glk_status glk_locks_add_slice(glk_context *context, glk_handle locks, uint32_t rank,
                               const uint32_t *start, const uint32_t *stop);
/** Lock where a predicate of the values is not 0.
 *  source     tensor or variable of the set's shape
 *  predicate  called once per element, in row-major order; must not call the library
 *  user       passed to it */
glk_status glk_locks_add_where(glk_context *context, glk_handle locks, glk_handle source,
                               int (*predicate)(glk_real value, uint32_t index, void *user),
                               void *user);

/** Measures by which elements are selected. */
typedef enum glk_measure {
  GLK_BY_VALUE = 0,
  /** |value| */
  GLK_BY_MAGNITUDE,
  /** |gradient|: the source holds a gradient, not values. */
  GLK_BY_GRADIENT,
  GLK_BY_COUNT
} glk_measure;

/** Ways to select elements by value or by chance. */
typedef enum glk_choice_kind {
  /** The `amount` elements of largest measure; among equal ones, those of lower index. NaN comes
   *  last, and -0 equals 0. */
  GLK_CHOICE_LARGEST = 0,
  /** The `amount` elements of smallest measure; otherwise as above, NaN last too. */
  GLK_CHOICE_SMALLEST,
  /** low < measure < high, with limits rounded to glk_real; -inf and inf mean no limit; NaN is
   *  never selected. */
  GLK_CHOICE_BETWEEN,
  /** `amount` random elements; every set of this size is equally likely. Philox 4x32-10, see
   *  src/c/core/random.h. */
  GLK_CHOICE_RANDOM,
  GLK_CHOICE_COUNT
} glk_choice_kind;

/** A selection by value or by chance. Fields that its kind does not use are ignored. */
typedef struct glk_choice {
  /** Number of elements, from 0 to the element count. With is_fraction it is a fraction of them,
   *  0..1, rounded to whole elements, halves up. */
  double amount;
  /** Limits of GLK_CHOICE_BETWEEN; not NaN. */
  double low, high;
  /** Seed of GLK_CHOICE_RANDOM, a whole number, 0 .. 2^53 - 1. The same seed and draw select the
   *  same elements on every machine. */
  double seed;
  /** Number of the selection of GLK_CHOICE_RANDOM within its seed. */
  uint32_t draw;
  /** 1: amount is a fraction. */
  uint32_t is_fraction;
  /** A glk_choice_kind. */
  uint32_t kind;
  /** A glk_measure. */
  uint32_t by;
} glk_choice;

/** Lock elements selected from several lock sets together. Their elements form one list in the
 *  order of the sets; amounts are of the whole list.
 *  locks    [count] lock sets
 *  choice   the selection
 *  sources  [count] tensors or variables, sources[i] of the shape of locks[i]; ignored, and may be
 *           NULL, for GLK_CHOICE_RANDOM
 *  GLK_ERROR_OPTION: a field of the choice is out of its range.
 *  GLK_ERROR_LIMIT: there are 2^32 - 1 elements or more. */
glk_status glk_locks_add_choice(glk_context *context, const glk_handle *locks,
                                const glk_choice *choice, const glk_handle *sources,
                                uint32_t count);

/** target = target op source; the shapes must be equal. Both may be the same set. */
glk_status glk_locks_combine(glk_context *context, glk_handle target, glk_locks_op op,
                             glk_handle source);
/** Lock all free elements and unlock all locked ones. */
glk_status glk_locks_invert(glk_context *context, glk_handle locks);

/** Number of locked elements. */
glk_status glk_locks_count(const glk_context *context, glk_handle locks, uint32_t *out);
/** 1 if the element at a flat index is locked, else 0. */
glk_status glk_locks_test(const glk_context *context, glk_handle locks, uint32_t index, int *out);
/** First locked flat index at or after `from`; the element count if there is none. */
glk_status glk_locks_next(const glk_context *context, glk_handle locks, uint32_t from,
                          uint32_t *out);
/** Write the set as a mask.
 *  out    [count] u8 out  1 = locked, 0 = free */
glk_status glk_locks_to_mask(const glk_context *context, glk_handle locks, uint8_t *out,
                             size_t count);
/** Return a pointer to the set's words.
 *  out  [*out_count] u32 out  valid until the set changes; read only */
glk_status glk_locks_words(const glk_context *context, glk_handle locks, const uint32_t **out,
                           size_t *out_count);
/** Version of the set: a number that differs whenever the set or a policy of its variable may have
 *  changed. */
glk_status glk_locks_version(const glk_context *context, glk_handle locks, uint32_t *out);

/** Copy the values of locked elements, and 0 for others, into a new tensor. Of a gradient this is
 *  the part that acts on locked elements.
 *  source  tensor or variable of the set's shape */
glk_status glk_locks_pick(glk_context *context, glk_handle locks, glk_handle source,
                          glk_handle *out);

/** Write a set as bytes: packed bits, or run lengths where those are shorter. Equal sets have equal
 *  bytes. The format is described in src/c/lock/lockset_bytes.c.
 *  out       [capacity] u8 out  NULL: only the size is asked for
 *  out_size  bytes needed
 *  GLK_ERROR_SHAPE: capacity is below that. */
glk_status glk_locks_pack(glk_context *context, glk_handle locks, uint8_t *out, size_t capacity,
                          size_t *out_size);
/** Create a lock set, with its shape, from bytes of glk_locks_pack.
 *  bytes  [size] u8
 *  GLK_ERROR_FORMAT: glk_locks_pack did not write these bytes. */
glk_status glk_locks_unpack(glk_context *context, const uint8_t *bytes, size_t size,
                            glk_handle *out);

/** Begin, restart or end an audit of a variable's locked elements. During the audit, the value of
 *  each element is saved when it is locked, and when it is written by force or by glk_variable_fix.
 *  This takes memory for a copy of the values.
 *  is_watched  1: begin or restart; 0: end */
glk_status glk_locks_watch(glk_context *context, glk_handle variable, int is_watched);
/** Compare the values of locked elements with those that the audit saved. Any out-parameter may be
 *  NULL.
 *  out_changed  u32 out  how many differ in a bit
 *  out_first    u32 out  flat index of the first of them; the element count if there is none
 *  out_digest   u64 out  FNV-1a of 64 bits over index and saved value of each locked element,
 *                        little-endian
 *  GLK_ERROR_ARGUMENT: there is no audit of this variable. */
glk_status glk_locks_audit(glk_context *context, glk_handle variable, uint32_t *out_changed,
                           uint32_t *out_first, uint64_t *out_digest);

/* -------------------------------------------------------------------------------------- holders */

/* A variable's locks may have several owners. Each owner has a holder: its own named lock set. An
 * element is locked if any holder locks it. All functions above change the default holder, which
 * has no name and always exists. A named holder exists while it locks an element or has a policy.
 * Names have 1 to 63 bytes; others are GLK_ERROR_ARGUMENT. */

/** holder = holder op source; a holder that does not exist is empty.
 *  source  lock set or variable of the variable's shape */
glk_status glk_holder_combine(glk_context *context, glk_handle variable, const char *name,
                              glk_locks_op op, glk_handle source);
/** Copy a holder's locks into a new lock set, which is empty if the holder does not exist.
 *  name  "" is the default holder */
glk_status glk_holder_copy(glk_context *context, glk_handle variable, const char *name,
                           glk_handle *out);
/** Name of the index-th named holder.
 *  out  valid until the variable's holders change
 *  GLK_ERROR_INDEX: there are no more than `index`. */
glk_status glk_holder_name(const glk_context *context, glk_handle variable, uint32_t index,
                           const char **out);

/** A rule that changes a holder's locks during training. The selection is made again before every
 *  `every`-th step, from the values at that time or the gradient of that step. The selection of
 *  step t has draw choice.draw + t / every. */
typedef struct glk_policy {
  glk_choice choice;
  /** choice.amount changes linearly to this ... */
  double to;
  /** ... over this number of steps, and then stays there; 0: it does not change. */
  uint32_t over;
  /** Steps between two selections, from 1. */
  uint32_t every;
  /** Steps taken before; 0 unless training is resumed. */
  uint32_t step;
  /** 1: the holder locks the elements that are not selected. */
  uint32_t is_inverted;
} glk_policy;

/** Give a holder a policy, which counts the steps of every optimizer that trains the variable. A
 *  step that fails changes no lock. Solvers refuse a variable with a policy.
 *  policy  NULL: remove the policy; the holder keeps its current locks
 *  GLK_ERROR_OPTION: a field of the policy is out of its range. */
glk_status glk_holder_policy(glk_context *context, glk_handle variable, const char *name,
                             const glk_policy *policy);
/** Give a holder a timetable, a policy of fixed lock sets: from step steps[i] on it locks sets[i].
 *  steps  [count] u32       ascending
 *  sets   [count] lock sets of the variable's shape; copied
 *  step   steps taken before; 0 unless training is resumed
 *  GLK_ERROR_OPTION: the steps do not ascend. */
glk_status glk_holder_schedule(glk_context *context, glk_handle variable, const char *name,
                               const uint32_t *steps, const glk_handle *sets, uint32_t count,
                               uint32_t step);
/** Steps that a holder's policy has counted; 0 without a policy. */
glk_status glk_holder_steps(const glk_context *context, glk_handle variable, const char *name,
                            uint32_t *out);

/* ------------------------------------------------------------------------------------------ ops */

/** A row of the op table, for bindings, tests and documentation. */
typedef struct glk_op_info {
  /** Name, the same as in TensorFlow.js if it has the op. */
  const char *name;
  /** Inputs and attributes, such as "sum(x; keepDims, axis...)"; "" when built with GLK_TINY. */
  const char *signature;
  /** The computation, and conventions of its gradient; "" when built with GLK_TINY. */
  const char *doc;
  /** Number of input tensors. */
  uint32_t inputs;
  /** 1 if callers can apply it; 0 if it exists only inside gradients. */
  uint32_t is_public;
  /** 1: has a gradient. */
  uint32_t is_differentiable;
} glk_op_info;

/** Number of ops. */
uint32_t glk_op_count(void);
/** Describe op 0 <= op < glk_op_count(). */
glk_status glk_op_describe(uint32_t op, glk_op_info *out);
/** Find the number of an op by its name; GLK_ERROR_ARGUMENT if there is none. */
glk_status glk_op_find(glk_context *context, const char *name, uint32_t *out);

/** Apply an op. It is computed at once; during a recording it is appended to the program instead
 *  (GLK_TRACE), or both (GLK_TAPE).
 *  op          0 to glk_op_count() - 1
 *  inputs      [input_count] tensors or variables; shapes are the op's to check
 *  attributes  [attribute_count] double, as the op's signature lists them; at most
 *              GLK_MAX_ATTRIBUTES
 *  out         a new tensor
 *  GLK_ERROR_ARGUMENT: not the op's number of inputs or attributes, or values it refuses. */
glk_status glk_apply(glk_context *context, uint32_t op, const glk_handle *inputs,
                     uint32_t input_count, const double *attributes, uint32_t attribute_count,
                     glk_handle *out);

/* ------------------------------------------------------------------------------------- programs */

/** Purposes of a recording. */
typedef enum glk_record_mode {
  /** Record a program to run many times. Nothing is computed, and reading a recorded value is an
   *  error. */
  GLK_TRACE = 0,
  /** Record a program to differentiate once. Everything is computed while it is recorded. */
  GLK_TAPE
} glk_record_mode;

/** Sizes of a program. */
typedef struct glk_program_info {
  /** Nodes, recorded and generated by differentiation. */
  uint32_t nodes;
  /** Nodes that the last run computed; locks make them fewer. */
  uint32_t active_nodes;
  /** Bytes of the planned buffers. */
  size_t memory_bytes;
  /** Runs so far; random ops draw new numbers in each. */
  uint32_t runs;
} glk_program_info;

/** Start recording. Recordings do not nest (GLK_ERROR_RECORDING). */
glk_status glk_program_begin(glk_context *context, glk_record_mode mode);
/** Stop recording and create the program. If it fails, the recording continues: cancel it or try
 *  again.
 *  outputs  [count] tensors or variables, at least one; output 0 is the loss where one is needed */
glk_status glk_program_end(glk_context *context, const glk_handle *outputs, uint32_t count,
                           glk_handle *out);
/** Stop and discard the recording. Do nothing if nothing is being recorded. */
void glk_program_cancel(glk_context *context);

/** Compute the outputs from the variables as they are now.
 *  GLK_ERROR_RECORDING: the program is a tape, which is computed once, while it is recorded. */
glk_status glk_program_run(glk_context *context, glk_handle program);
/** Copy an output of the last run into a new tensor. If an output is a variable, or a reshaped
 *  variable, its current values are copied. */
glk_status glk_program_output(glk_context *context, glk_handle program, uint32_t index,
                              glk_handle *out);
/** Copy the values of an output of the last run, NaNs in canonical form, into memory of your own.
 *  It needs no memory of the context, so it cannot fail after a step.
 *  out    [count] real out */
glk_status glk_program_read(glk_context *context, glk_handle program, uint32_t index, glk_real *out,
                            size_t count);
/** Run the program (a tape has run already) and take the gradient of output 0. Locks have no
 *  effect: a locked element has a gradient like any other.
 *  variables      [count]      that output 0 depends on
 *  out_value      double out   output 0; may be NULL
 *  out_gradients  [count] out  new tensors of the variables' shapes
 *  GLK_ERROR_GRADIENT: output 0 is not a scalar, or does not depend on one of the variables. */
glk_status glk_program_gradient(glk_context *context, glk_handle program,
                                const glk_handle *variables, uint32_t count, double *out_value,
                                glk_handle *out_gradients);
/** Compute the gradient of sum_i <target_i, output_gradient_i> by each source. During a recording
 *  the results are recorded tensors, which can be differentiated again; on a tape that has ended
 *  they are values.
 *  program           0: the program being recorded; else a tape that has ended
 *  targets           [target_count] tensors computed there
 *  output_gradients  [target_count] of the targets' shapes; NULL, or 0 for one of them: ones
 *  sources           [source_count] tensors or variables
 *  out               [source_count] out  new tensors; 0 for a source that no target depends on
 *  GLK_ERROR_GRADIENT: a target was not computed there.
 *  GLK_ERROR_RECORDING: nothing is being recorded, the program is not a tape, or a variable was
 *  written since the tape read it. */
glk_status glk_gradients(glk_context *context, glk_handle program, const glk_handle *targets,
                         const glk_handle *output_gradients, uint32_t target_count,
                         const glk_handle *sources, uint32_t source_count, glk_handle *out);

/** Create a placeholder during a recording (else GLK_ERROR_RECORDING). It is a tensor of shape
 *  dims[rank] without a value, and stands for dL/dy while a custom gradient is recorded. */
glk_status glk_placeholder(glk_context *context, uint32_t rank, const uint32_t *dims,
                           glk_handle *out);
/** Give a value a custom gradient, during a recording (else GLK_ERROR_RECORDING). dL/dy also
 *  reaches `value` itself: pass it through stopGradient. For several operands call this once for
 *  each, with the result of one call as the value of the next.
 *  value        the function's result
 *  operand      the function's operand
 *  placeholder  of value's shape, from glk_placeholder
 *  gradient     dL/d(operand), of operand's shape, recorded in terms of the placeholder
 *  out          a new tensor with the values of `value` */
glk_status glk_custom_gradient(glk_context *context, glk_handle value, glk_handle operand,
                               glk_handle placeholder, glk_handle gradient, glk_handle *out);

/** Update a moving average, as running statistics do: variable = decay * variable + (1 - decay) *
 *  value; each operation is rounded. Locked elements keep their bits. The update happens at once.
 *  While a program is recorded (GLK_TRACE), it is recorded instead: it then happens after each run
 *  and each step of training, after the optimizer's update, with the value of that run. No gradient
 *  passes through it.
 *  value   tensor or variable of the variable's shape
 *  decay   f64 in [0, 1]: 0 copies the value, 1 keeps the variable
 *  GLK_ERROR_SHAPE, GLK_ERROR_OPTION for another decay.
 *  Source: BatchNormalization of Keras 3. */
glk_status glk_assign_moving_average(glk_context *context, glk_handle variable, glk_handle value,
                                     double decay);

/** List the variables that a program reads, in the order of their first use.
 *  out        [capacity] out  the first `capacity` of them; 0 for a disposed one
 *  out_count  u32 out         how many there are, which may be more */
glk_status glk_program_variables(const glk_context *context, glk_handle program, glk_handle *out,
                                 uint32_t capacity, uint32_t *out_count);
/** List the trainable variables that output 0 depends on; out and out_count as for
 *  glk_program_variables.
 *  GLK_ERROR_GRADIENT: output 0 is not a scalar. */
glk_status glk_program_trainable(glk_context *context, glk_handle program, glk_handle *out,
                                 uint32_t capacity, uint32_t *out_count);
/** Set a program's number of runs, to resume training: its random ops draw by this number. */
glk_status glk_program_resume(glk_context *context, glk_handle program, uint32_t runs);
/** Describe the sizes of a program at its last run. */
glk_status glk_program_describe(const glk_context *context, glk_handle program,
                                glk_program_info *out);

/* ----------------------------------------------------------------------------------- optimizers */

/** Update rules. The equations and papers are at the top of each rule's file, optim/rule_NAME.c. */
/* clang-format off */
#define GLK_RULES(X) \
  X(SGD, sgd) \
  X(ADAM, adam) \
  X(ADAMW, adamw) \
  X(ADAGRAD, adagrad) \
  X(ADADELTA, adadelta) \
  X(RMSPROP, rmsprop) \
  X(ADAMAX, adamax) \
  X(NADAM, nadam) \
  X(LION, lion) \
  X(FTRL, ftrl)
/* clang-format on */
/** The rules as numbers: GLK_SGD = 0, GLK_ADAM, ... */
#define GLK_RULE_NUMBER(id, name) GLK_##id,
typedef enum glk_rule { GLK_RULES(GLK_RULE_NUMBER) GLK_RULE_COUNT } glk_rule;
#undef GLK_RULE_NUMBER

/** An option of a rule or method, or a number of a schedule. */
typedef struct glk_option_info {
  const char *name;
  /** The default; NaN if the option must be given. */
  double initial;
  /** low <= value < high; infinity is never allowed. */
  double low, high;
  /** 1: a flag, 0 or 1. */
  uint32_t is_flag;
} glk_option_info;

/** Describe a rule. Any out-parameter may be NULL.
 *  out_name     out      as in JavaScript, such as "sgd"
 *  out_slots    u32 out  number of its slots
 *  out_options  u32 out  number of its options */
glk_status glk_rule_describe(glk_rule rule, const char **out_name, uint32_t *out_slots,
                             uint32_t *out_options);
/** Name of a slot, such as "m"; GLK_ERROR_ARGUMENT if the rule has no such slot. */
glk_status glk_rule_slot_name(glk_rule rule, uint32_t slot, const char **out);
/** An option of a rule, by number; GLK_ERROR_ARGUMENT if the rule has no such option. */
glk_status glk_rule_option(glk_rule rule, uint32_t option, glk_option_info *out);

/** Create an optimizer with the rule's default options, which are Keras's. */
glk_status glk_optimizer_create(glk_context *context, glk_rule rule, glk_handle *out);
/** Set options, all or none, at any time. They apply from the next step on. Bias corrections treat
 *  earlier steps as if the options had always been the same. A slot starts at its initial value
 *  when it is first needed, and keeps its values while it is not needed.
 *  names   [count] text
 *  values  [count] double
 *  GLK_ERROR_OPTION: a name is unknown, or a value out of its range or NaN. */
glk_status glk_optimizer_set(glk_context *context, glk_handle optimizer, const char *const *names,
                             const double *values, uint32_t count);
/** Read an option; GLK_ERROR_OPTION if the name is unknown. */
glk_status glk_optimizer_get(const glk_context *context, glk_handle optimizer, const char *name,
                             double *out);

/** Learning-rate schedules. Definitions are those of Keras 3. One cycle is PyTorch's, and then
 *  keeps its last rate. Formulas and sources are in src/c/optim/schedule.c. */
typedef enum glk_schedule {
  /** A rate that only glk_optimizer_set changes. */
  GLK_CONSTANT = 0,
  /** A rate that the caller sets before each step; has no numbers. */
  GLK_OWN_SCHEDULE,
  /** Numbers: a value, then boundary and value in turn; boundaries ascend. */
  GLK_PIECEWISE_CONSTANT,
  GLK_EXPONENTIAL,
  GLK_INVERSE_TIME,
  GLK_POLYNOMIAL,
  /** A warmupTarget of -1 is no warm-up. */
  GLK_COSINE,
  GLK_COSINE_RESTARTS,
  GLK_LINEAR_WARMUP,
  GLK_ONE_CYCLE,
  GLK_SCHEDULE_COUNT
} glk_schedule;

/** Most numbers of a schedule: 63 boundaries and 64 values. */
#define GLK_MAX_SCHEDULE 127

/** Describe a schedule. Either out-parameter may be NULL.
 *  out_name     out      as in JavaScript, such as "exponentialDecay"
 *  out_numbers  u32 out  how many numbers it has; 0 for a piecewise one, which may have any odd
 *                        number of them */
glk_status glk_schedule_describe(glk_schedule kind, const char **out_name, uint32_t *out_numbers);
/** Describe a number of a schedule, by its position; GLK_ERROR_ARGUMENT if there is none. */
glk_status glk_schedule_number(glk_schedule kind, uint32_t number, glk_option_info *out);
/** Learning rate of a step; the same bits on every machine.
 *  numbers    [count] double
 *  iteration  the step, counted from 0
 *  out        double out  0 .. 1e30
 *  GLK_ERROR_OPTION: a number is out of its range. */
glk_status glk_schedule_rate(glk_context *context, glk_schedule kind, const double *numbers,
                             uint32_t count, double iteration, double *out);
/** Set a learning-rate schedule over the optimizer's iterations; it also applies within one call of
 *  glk_optimizer_minimize. The option learningRate is then the rate of the next step. Setting it
 *  ends the schedule, unless that is GLK_OWN_SCHEDULE.
 *  numbers  [count] double
 *  GLK_ERROR_OPTION: a number is out of its range. */
glk_status glk_optimizer_schedule(glk_context *context, glk_handle optimizer, glk_schedule kind,
                                  const double *numbers, uint32_t count);
/** Read the optimizer's schedule and its numbers.
 *  out_kind   u32 out                        a glk_schedule
 *  out        [GLK_MAX_SCHEDULE] double out  the first *out_count are written */
glk_status glk_optimizer_scheduled(const glk_context *context, glk_handle optimizer,
                                   uint32_t *out_kind, double *out, uint32_t *out_count);
/** Set learning-rate factors of a variable; they are 1 at first. An element with a factor of 0
 *  keeps its value, slots and clock, like a locked one, but may be assigned to. With one factor, a
 *  step equals that of an optimizer whose rate is the product, to the bit. With one factor per
 *  element, each element's rate is rounded once more.
 *  factors  [count] real  0 .. 1e30
 *  count    1, or the variable's element count
 *  GLK_ERROR_OPTION: a factor is out of its range or NaN. */
glk_status glk_optimizer_scale_rate(glk_context *context, glk_handle optimizer, glk_handle variable,
                                    const glk_real *factors, size_t count);
/** Learning-rate factor of each element.
 *  out    [count] real out */
glk_status glk_optimizer_rates(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, glk_real *out, size_t count);
/** Exclude a variable from weight decay, or (0) include it again; at first it is included. */
glk_status glk_optimizer_exclude_decay(glk_context *context, glk_handle optimizer,
                                       glk_handle variable, int is_excluded);
/** Constraints. After each update, free elements are projected onto them. */
typedef enum glk_constraint_kind {
  GLK_UNCONSTRAINED = 0,
  /** x >= 0 */
  GLK_NON_NEGATIVE,
  /** low <= x <= high */
  GLK_BOX,
  /** Norms over the axes are at most `high` and at least `low`. */
  GLK_MAX_NORM,
  /** Norms over the axes are 1. */
  GLK_UNIT_NORM
} glk_constraint_kind;

/** Constrain the free elements of a variable. Locked elements keep their bits; free ones share the
 *  part of a norm that locked ones leave (the formulas are in src/c/slots/constraint.c). If the
 *  locked elements of a group exceed its norm and the group also has free ones, a step returns
 *  GLK_ERROR_CONSTRAINT and changes nothing.
 *  low, high  limits of a box or, from 0 to 1e30, of a norm; low <= high
 *  axes       [axis_count] u32  over which norms are taken
 *  GLK_ERROR_OPTION: a limit is out of its range.
 *  Source: keras.constraints of Keras 3. */
glk_status glk_optimizer_constrain(glk_context *context, glk_handle optimizer, glk_handle variable,
                                   glk_constraint_kind kind, double low, double high,
                                   const uint32_t *axes, uint32_t axis_count);
/** Exponential moving average of a variable, kept while the option useEma is set. The average of a
 *  locked element is its value. So is every average before averaging began.
 *  out    [count] real out */
glk_status glk_optimizer_average(glk_context *context, glk_handle optimizer, glk_handle variable,
                                 glk_real *out, size_t count);
/** Results of a gradient hook. Any other number ends the step with GLK_ERROR_HOOK. */
typedef enum glk_hook_result {
  /** Update, with the gradients as they are now. */
  GLK_HOOK_UPDATE = 0,
  /** Drop the gradients, pending ones too, and do not update. Variables, slots, clocks, averages
   *  and glk_optimizer_iterations keep their values. The call counts otherwise: random ops draw new
   *  numbers in the next, lock policies count it, and recorded moving averages are updated. */
  GLK_HOOK_SKIP
} glk_hook_result;

/** A function that an optimizer calls in each step, after the gradients and before the update. It
 *  may exchange them with other machines, compress them, or add noise to them.
 *  gradients  [count] real in/out  of the free elements alone: variables in the order of the call,
 *                                  elements in row-major order. Elements that are locked, or have a
 *                                  learning-rate factor of 0, are not in the list: a hook cannot
 *                                  change them. Valid during the call
 *  count      0 if all is locked
 *  user       as given to glk_optimizer_hook
 *  Returns a glk_hook_result, or another number for a failure of its own.
 *  It may read (glk_read, glk_program_read), but not write, lock, train, set options or dispose:
 *  these return GLK_ERROR_RECORDING. It must not dispose the context. */
typedef int (*glk_gradient_hook)(glk_real *gradients, size_t count, void *user);

/** Set an optimizer's gradient hook. It is called once per update, in glk_optimizer_apply and in
 *  each step of glk_optimizer_minimize:
 *  - before clipping, weight decay and the update rule, so norms are of the gradients that it
 *    leaves. The norm over all elements takes gradients of locked elements as they were computed;
 *  - after lock policies, which see the gradients as they were computed;
 *  - with gradientAccumulationSteps, in the last of these calls only, with the mean;
 *  - with gradients that are not finite as with any other.
 *  If it fails, the step returns GLK_ERROR_HOOK and changes nothing; earlier steps of the same call
 *  are kept. Gradients that it leaves unchanged give the same bits as no hook. States do not
 *  contain it, and solvers have none.
 *  hook  NULL: none
 *  user  passed to it; must outlive its use
 *  GLK_ERROR_LIMIT: the library was built with GLK_TINY, as the module of the npm package is. */
glk_status glk_optimizer_hook(glk_context *context, glk_handle optimizer, glk_gradient_hook hook,
                              void *user);
/** Take one step with given gradients.
 *  variables  [count]  each listed once (else GLK_ERROR_ARGUMENT)
 *  gradients  [count] tensors of the variables' shapes; none of them one of these variables
 *  GLK_ERROR_CONSTRAINT: see glk_optimizer_constrain. GLK_ERROR_HOOK: see glk_optimizer_hook. */
glk_status glk_optimizer_apply(glk_context *context, glk_handle optimizer,
                               const glk_handle *variables, const glk_handle *gradients,
                               uint32_t count);
/** Take `steps` steps that minimise output 0 of a program over the free elements of the variables.
 *  Values that only locked elements need are not computed.
 *  variables  [count]  each listed once (else GLK_ERROR_ARGUMENT)
 *  steps      0: only measure the loss; of a tape at most 1 (else GLK_ERROR_RECORDING)
 *  out_loss   double out  loss before the last step; may be NULL
 *  GLK_ERROR_GRADIENT: as for glk_program_gradient. GLK_ERROR_CONSTRAINT: see
 *  glk_optimizer_constrain. GLK_ERROR_HOOK: see glk_optimizer_hook.
 *  The one exception to "a call that fails changes nothing": if a later step fails, the steps
 *  before it are kept. There an op may refuse a computed value (an index out of range), a hook may
 *  fail, a constraint may be broken, or there may be no memory for elements that a lock policy
 *  frees. glk_optimizer_iterations returns the number of steps. */
glk_status glk_optimizer_minimize(glk_context *context, glk_handle optimizer, glk_handle program,
                                  const glk_handle *variables, uint32_t count, uint32_t steps,
                                  double *out_loss);
/** Steps taken so far. With the option gradientAccumulationSteps, that many calls of
 *  glk_optimizer_apply, or steps of glk_optimizer_minimize, make one step. */
glk_status glk_optimizer_iterations(const glk_context *context, glk_handle optimizer, double *out);
/** Gradient norms before clipping, of the last step that clipped by norm. Either may be NULL.
 *  out_free  double out  over free elements
 *  out_all   double out  over all elements of the variables that have a free one */
glk_status glk_optimizer_norms(const glk_context *context, glk_handle optimizer, double *out_free,
                               double *out_all);
/** Copy a slot of a variable; before the variable's first step, the slot's initial value.
 *  slot   0 to the rule's number of slots - 1
 *  out    [count] real out */
glk_status glk_optimizer_slot(const glk_context *context, glk_handle optimizer, glk_handle variable,
                              uint32_t slot, glk_real *out, size_t count);
/** Steps that each element of a variable has taken.
 *  out    [count] u32 out */
glk_status glk_optimizer_clock(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, uint32_t *out, size_t count);

/* ------------------------------------------------------------------------------------- solvers */

/* Second-order methods. They run a program several times a step, so they take no gradients from the
 * caller. They use only the free elements: a step is the same as on a smaller problem that has just
 * these elements. Their estimate of its curvature is dropped when locks, variables or the program
 * change between two calls (docs/laws.md, law 18). They compute in double and round once, when an
 * element is written. */

/** Second-order methods. */
typedef enum glk_method {
  /** Limited-memory BFGS with a strong Wolfe line search; output 0 is a scalar loss.
   *  Source: Liu & Nocedal 1989, Math. Programming 45. */
  GLK_LBFGS = 0,
  /** Least squares; output 0 holds residuals, and the loss is half the sum of their squares.
   *  Sources: Levenberg 1944; Marquardt 1963, J. SIAM 11. */
  GLK_LEVENBERG_MARQUARDT,
  GLK_METHOD_COUNT
} glk_method;

/** Reasons why a solver's last call stopped. Only GRADIENT and CHANGE mean that it has
 *  converged. */
typedef enum glk_stop {
  /** All requested steps were taken. */
  GLK_STOP_STEPS = 0,
  /** Converged: no free element's gradient is above toleranceGradient in magnitude. */
  GLK_STOP_GRADIENT,
  /** Converged: a full (undamped) step would change the elements, or lower the loss, by no more
   *  than toleranceChange allows. */
  GLK_STOP_CHANGE,
  /** No lower loss was found within maxEvaluations; the variables are as before the last step. */
  GLK_STOP_NO_PROGRESS,
  /** The loss or its gradient is not finite at the variables. */
  GLK_STOP_NOT_FINITE,
  /** Every element is locked. */
  GLK_STOP_LOCKED,
  /** The slope promises a lower loss, but only for steps too small to change the rounded
   *  elements. */
  GLK_STOP_RESOLUTION,
  /** The loss seems to be unbounded below. A trial of L-BFGS gave minus infinity, or a loss below
   *  -2^60 that still fell as steeply as at first. The elements are finite, and the next call
   *  continues from there. */
  GLK_STOP_UNBOUNDED,
  GLK_STOP_COUNT
} glk_stop;

/** Progress of a solver. */
typedef struct glk_solver_info {
  /** Steps taken, over all calls. */
  double iterations;
  /** Runs of programs, over all calls. A Jacobian of Levenberg-Marquardt takes one per residual. */
  double evaluations;
  /** Largest magnitude of a free element's gradient, at the end of the last call of L-BFGS or the
   *  beginning of the last step of Levenberg-Marquardt. An element that a bound stops is not
   *  free. */
  double gradient;
  /** Damping of Levenberg-Marquardt; 0 for others. */
  double damping;
  /** Steps that L-BFGS remembers; 0 for others. */
  uint32_t history;
  /** A glk_stop. */
  uint32_t stop;
} glk_solver_info;

/** Describe a method. Either out-parameter may be NULL.
 *  out_name     out      as in JavaScript, such as "lbfgs"
 *  out_options  u32 out  number of its options */
glk_status glk_method_describe(glk_method method, const char **out_name, uint32_t *out_options);
/** An option of a method, by number; GLK_ERROR_ARGUMENT if the method has no such option. */
glk_status glk_method_option(glk_method method, uint32_t option, glk_option_info *out);

/** Create a solver with the method's default options. */
glk_status glk_solver_create(glk_context *context, glk_method method, glk_handle *out);
/** Set options, all or none, from the next call on.
 *  names   [count] text
 *  values  [count] double
 *  GLK_ERROR_OPTION: a name is unknown, or a value out of its range, NaN, or not whole where it
 *  counts something. */
glk_status glk_solver_set(glk_context *context, glk_handle solver, const char *const *names,
                          const double *values, uint32_t count);
/** Read an option; GLK_ERROR_OPTION if the name is unknown. */
glk_status glk_solver_get(const glk_context *context, glk_handle solver, const char *name,
                          double *out);
/** Bound the elements of a variable from now on; Levenberg-Marquardt only. The solver's steps end
 *  within the bounds. An element at a bound, whose gradient pushes it outward, is stopped there:
 *  the variable's holder "bound" locks it, and the step leaves it out like any locked element. The
 *  solver looks again at each step, and lets go of an element whose gradient pushes inward. So
 *  where it converges, free elements have gradients near 0, and the elements of the holder are
 *  pressed outward.
 *
 *  The holder keeps what the last step of a call stopped, until the next call of a solver with
 *  bounds of this variable. Whatever else a holder of that name locks is let go then; locks of all
 *  other holders stay. Setting or removing bounds empties the holder. So does disposing of the
 *  solver, unless another has used the holder since. A locked element may be outside of its bounds.
 *  States contain bounds.
 *  lower, upper  [count] real  lower <= upper; infinite: no bound. Both NULL: remove all
 *  count         ignored where bounds are removed
 *  GLK_ERROR_OPTION: bounds cross, are NaN, or leave no finite number; or L-BFGS, which takes none.
 *  Source: Kanzow, Yamashita & Fukushima 2004, J. Comput. Appl. Math. 172. */
glk_status glk_solver_bounds(glk_context *context, glk_handle solver, glk_handle variable,
                             const glk_real *lower, const glk_real *upper, size_t count);
/** Read the bounds of a variable; infinite where there is none.
 *  lower, upper  [count] real out
 *  out           int out  1 if the solver has bounds of this variable */
glk_status glk_solver_bounded(const glk_context *context, glk_handle solver, glk_handle variable,
                              glk_real *lower, glk_real *upper, size_t count, int *out);
/** Take at most `steps` steps over the free elements of the variables. The loss never gets higher,
 *  unless it was not finite at the start; in f64 it may rise by its rounding. Random ops draw the
 *  same numbers throughout a call.
 *  variables  [count]  each listed once and without a lock policy (else GLK_ERROR_ARGUMENT)
 *  steps      0: only measure the loss
 *  out_loss   double out  loss at the variables as the call leaves them; may be NULL
 *  GLK_ERROR_RECORDING: the program is a tape, which holds one computation.
 *  GLK_ERROR_GRADIENT: as for glk_program_gradient, but for Levenberg-Marquardt output 0 has any
 *  rank from 1 on.
 *  GLK_ERROR_SHAPE: Levenberg-Marquardt's output 0 is a scalar, which is a loss and not a list of
 *  residuals. A single residual has shape [1].
 *  GLK_ERROR_LIMIT: more free elements than the method takes (Levenberg-Marquardt: 2,048).
 *  GLK_ERROR_CONSTRAINT: a free element starts outside of its bounds.
 *  If an op refuses a computed value (an index out of range), the steps before it are kept. */
glk_status glk_solver_minimize(glk_context *context, glk_handle solver, glk_handle program,
                               const glk_handle *variables, uint32_t count, uint32_t steps,
                               double *out_loss);
/** Read the solver's progress, and why it stopped. */
glk_status glk_solver_describe(const glk_context *context, glk_handle solver, glk_solver_info *out);

/* --------------------------------------------------------------------------------------- states */

/** Save everything that the next step of an optimizer or solver depends on as bytes. This is its
 *  rule, options, schedule and counts, and numbers of the caller. For each listed variable it is
 *  the name, shape, values, locks with holders and policies, slots, clock, rates, constraint,
 *  average and pending gradients. The layout is described in src/c/core/archive.h.
 *  trained    optimizer or solver
 *  program    0, or the program that a solver trained on: what it has learnt of the curvature is
 *             written if its next call with this program and these variables would use it
 *  variables  [count]
 *  numbers    [number_count] double  such as how often programs ran and where generators stand
 *  out        [capacity] u8 out      NULL: only the size is asked for
 *  out_bytes  bytes needed */
glk_status glk_state_save(glk_context *context, glk_handle trained, glk_handle program,
                          const glk_handle *variables, uint32_t count, const double *numbers,
                          uint32_t number_count, uint8_t *out, size_t capacity, size_t *out_bytes);
/** Load a saved state, all or nothing, so that training continues bit for bit. State of other
 *  variables is dropped. The variables' locks become the saved ones.
 *  trained       optimizer or solver of the saved rule or method
 *  program       0, or the same computation recorded again, which what a solver has learnt is then
 *                taken to be of; needed if such was saved (else GLK_ERROR_ARGUMENT)
 *  variables     [count]  of the saved names and shapes, in the saved order
 *  numbers       [number_count] double out  the caller's own
 *  bytes         [byte_count] u8
 *  force         0: what is locked now must keep its bits (GLK_ERROR_LOCKED)
 *  out_variable  u32 out  index of the variable whose locked bits would change; may be NULL
 *  GLK_ERROR_FORMAT: bytes that are damaged, cut short, of another version or rule, or of variables
 *  of other names. GLK_ERROR_SHAPE: another shape, or another number of variables or of numbers.
 *  GLK_ERROR_OPTION: options out of range, or GLK_OWN_SCHEDULE where the optimizer has another
 *  schedule. */
glk_status glk_state_load(glk_context *context, glk_handle trained, glk_handle program,
                          const glk_handle *variables, uint32_t count, double *numbers,
                          uint32_t number_count, const uint8_t *bytes, size_t byte_count, int force,
                          uint32_t *out_variable);
/** Check the frame and checksum of saved bytes; GLK_ERROR_FORMAT if no library of this version
 *  wrote them.
 *  bytes  [count] u8 */
glk_status glk_state_check(glk_context *context, const uint8_t *bytes, size_t count);
/** List the variables for which an optimizer or solver keeps state: what it has stepped, what has
 *  settings of its own, what a state was loaded for. out and out_count are as for
 *  glk_program_variables, but disposed variables are left out. */
glk_status glk_state_variables(const glk_context *context, glk_handle trained, glk_handle *out,
                               uint32_t capacity, uint32_t *out_count);

#ifdef GLK_EXPORT
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
