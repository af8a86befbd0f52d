/* gradlock: lock any element of any variable, train the rest, exactly.
 *
 * The whole public C interface. Conventions, once:
 * - Every function returns a status, GLK_OK (0) or one of the errors below. A call that fails
 *   changes nothing. Results come through trailing out-parameters, written only on success.
 * - All state hangs off a context; there are no globals. A context is not thread-safe; use one per
 *   thread.
 * - Objects are named by handles (slot + generation). A disposed, stale or foreign handle is
 *   GLK_ERROR_HANDLE.
 * - Values are dense, row-major `glk_real` (f32; f64 when built with GLK_DOUBLE). Counts are
 *   elements unless the name ends in `_bytes`. Ranks are 0..GLK_MAX_RANK, sizes along an axis
 *   0..GLK_MAX_ELEMENTS, and so is their product.
 * - Whatever takes a context may answer GLK_ERROR_ARGUMENT for a missing pointer and
 *   GLK_ERROR_HANDLE or _KIND for a handle; what gives an object or memory,
 *   GLK_ERROR_OUT_OF_MEMORY; counts, ranks and shapes that do not fit are _SHAPE, indices and axes
 *   out of range _INDEX, and what cannot be done while recording (writing values, changing locks,
 *   training, running) _RECORDING. Only other errors are named at a function.
 * - The library never prints, exits or aborts, and calls no libm: the same inputs give the same
 *   bits everywhere.
 */
#ifndef GRADLOCK_H
#define GRADLOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shared library is built with all hidden but what stands in this file. */
#ifdef GLK_EXPORT
#pragma GCC visibility push(default)
#endif

#ifdef GLK_DOUBLE
typedef double glk_real;
#else
typedef float glk_real;
#endif

#define GLK_MAX_RANK 7 /* TensorFlow.js has 6; their indices take an axis more */
#define GLK_MAX_ELEMENTS ((uint32_t)1 << 29)
#define GLK_MAX_INPUTS 4
#define GLK_MAX_ATTRIBUTES 24
#define GLK_MAX_SLOTS 3

/* --------------------------------------------------------------------------------------- status */

/** What a call reports. Each code has a name and a one-line meaning at run time, see
 *  glk_status_name. */
typedef enum glk_status {
  GLK_OK = 0,
  /** Memory could not be had; everything is as it was. */
  GLK_ERROR_OUT_OF_MEMORY,
  /** An argument is not of the documented form. */
  GLK_ERROR_ARGUMENT,
  /** Shapes, ranks or counts do not fit each other. */
  GLK_ERROR_SHAPE,
  /** An index or axis lies outside of its range. */
  GLK_ERROR_INDEX,
  /** The handle names no live object of this context: disposed or foreign. */
  GLK_ERROR_HANDLE,
  /** The handle names an object of another kind. */
  GLK_ERROR_KIND,
  /** The write would change a locked element. */
  GLK_ERROR_LOCKED,
  /** Not possible while recording, or only while recording. */
  GLK_ERROR_RECORDING,
  /** There is no such gradient: not a scalar loss, or a variable that it does not use. */
  GLK_ERROR_GRADIENT,
  /** An option is unknown or outside of its range. */
  GLK_ERROR_OPTION,
  /** A limit of the library is reached. */
  GLK_ERROR_LIMIT,
  /** Saved bytes are corrupt, cut short, or of another version. */
  GLK_ERROR_FORMAT,
  /** Locked elements break a constraint that the free ones cannot mend. */
  GLK_ERROR_CONSTRAINT,
  GLK_STATUS_COUNT
} glk_status;

/** Name of a status, such as "GLK_ERROR_SHAPE"; NULL if there is no such status. */
const char *glk_status_name(glk_status status);
/** One-line meaning of a status ("" when built with GLK_TINY); NULL if there is no such status. */
const char *glk_status_meaning(glk_status status);

/* -------------------------------------------------------------------------------------- context */

typedef struct glk_context glk_context;

/** Names an object of one context; 0 names none. */
typedef uint32_t glk_handle;

typedef enum glk_kind {
  GLK_KIND_NONE = 0,
  GLK_KIND_TENSOR,    /* immutable values */
  GLK_KIND_VARIABLE,  /* values that train, with a lock set */
  GLK_KIND_LOCKS,     /* a lock set of its own */
  GLK_KIND_PROGRAM,   /* a recorded computation */
  GLK_KIND_OPTIMIZER, /* an update rule, its options and its slots */
  GLK_KIND_SOLVER     /* a second-order method, its options and what it learnt */
} glk_kind;

/** Where memory comes from. `allocate` returns NULL when there is none; alignment is a power of
 *  two, at most 64. */
typedef struct glk_allocator {
  void *(*allocate)(void *user, size_t bytes, size_t alignment);
  void (*release)(void *user, void *memory);
  void *user;
} glk_allocator;

typedef struct glk_memory {
  size_t bytes;       /* held now */
  size_t peak_bytes;  /* most ever held */
  size_t allocations; /* blocks held now */
  size_t objects;     /* live handles */
} glk_memory;

/** Create a context. `allocator` NULL uses the C library's. */
glk_status glk_context_create(const glk_allocator *allocator, glk_context **out);
/** Dispose a context and everything in it. NULL is allowed. */
void glk_context_dispose(glk_context *context);
/** What went wrong in the last failed call, naming what was given and what was expected. Never
 *  NULL. */
const char *glk_context_detail(const glk_context *context);
/** After GLK_ERROR_LOCKED: the first offending flat index, and how many elements offend. */
void glk_context_conflict(const glk_context *context, uint32_t *out_first, uint32_t *out_count);
/** What the context holds now, and the most it ever held. */
glk_status glk_context_memory(const glk_context *context, glk_memory *out);

/** The kind of a live handle; GLK_KIND_NONE for any other. */
glk_kind glk_handle_kind(const glk_context *context, glk_handle handle);
/** Give up a handle of any kind. What a program or an optimizer still needs stays alive without
 *  it. */
glk_status glk_dispose(glk_context *context, glk_handle handle);

/* ------------------------------------------------------------------------ tensors and variables */

/** A constant of shape dims[rank]. `values` is count reals, or NULL for zeros; count must be the
 *  shape's product. */
glk_status glk_tensor_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                             const glk_real *values, size_t count, glk_handle *out);
/** A variable of shape dims[rank], nothing locked. `name` (for messages) is copied, at most 63
 *  bytes; NULL is "". */
glk_status glk_variable_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                               const glk_real *values, size_t count, const char *name,
                               int trainable, glk_handle *out);

/** Shape of a tensor, variable or lock set. Either out-parameter may be NULL; dims has room for
 *  GLK_MAX_RANK. */
glk_status glk_shape_of(const glk_context *context, glk_handle handle, uint32_t *out_rank,
                        uint32_t *out_dims);
/** Copy the values of a tensor or variable. NaNs of free elements are first made canonical
 *  (0x7fc00000), in place, since their bits depend on the machine; locked elements keep theirs.
 *  GLK_ERROR_RECORDING for a value that a program has recorded but not computed. */
glk_status glk_read(glk_context *context, glk_handle handle, glk_real *out, size_t count);
/** The values in place, valid until the next call. Read only: writing through it would pass the
 *  locks by. */
glk_status glk_view(glk_context *context, glk_handle handle, const glk_real **out,
                    size_t *out_count);
/** 64-bit FNV-1a digest of the values' little-endian bytes; every NaN, locked ones too, counts as
 *  the canonical one, so that hosts agree. */
glk_status glk_digest(glk_context *context, glk_handle handle, uint64_t *out);

/** Write all values of a variable. Changing the bits of a locked element is GLK_ERROR_LOCKED unless
 *  `force`. */
glk_status glk_variable_assign(glk_context *context, glk_handle variable, const glk_real *values,
                               size_t count, int force);

/** How updates are written to places, in the order of their list. */
typedef enum glk_scatter {
  GLK_SCATTER_UPDATE = 0,  /* replace; naming a place twice is GLK_ERROR_ARGUMENT */
  GLK_SCATTER_UPDATE_LAST, /* replace; of duplicates the last counts */
  GLK_SCATTER_UPDATE_SUM,  /* replace, by the sum of duplicates */
  GLK_SCATTER_ADD,
  GLK_SCATTER_SUB,
  GLK_SCATTER_MIN, /* NaN if either is */
  GLK_SCATTER_MAX,
  GLK_SCATTER_COUNT
} glk_scatter;

/** Write `updates` into the places of a variable that `indices` name, as TensorFlow's
 *  scatter_nd_update does: the last axis of indices holds one whole number for each of the
 *  variable's first axes, updates have the shape indices.shape[:-1] +
 *  variable.shape[indices.shape[-1]:]. Both are tensors. Changing the bits of a locked element is
 *  GLK_ERROR_LOCKED unless `force`; all is checked before anything is written. */
glk_status glk_variable_scatter(glk_context *context, glk_handle variable, glk_scatter mode,
                                glk_handle indices, glk_handle updates, int force);
/** Set one element, locked or not, and lock it. */
glk_status glk_variable_fix(glk_context *context, glk_handle variable, uint32_t index,
                            glk_real value);
/** 1 if the variable was made to be trained, else 0. */
glk_status glk_variable_trainable(const glk_context *context, glk_handle variable, int *out);

/* ---------------------------------------------------------------------------------------- locks */

/* A lock set is one bit per element, 1 = locked, in words of 32; the bits behind the last element
 * are always 1. Where a function takes `locks`, a variable may be given: what is locked of it, by
 * whichever holder. Changing that changes its default holder. */

typedef enum glk_locks_op {
  GLK_LOCKS_SET = 0, /* target = source */
  GLK_LOCKS_OR,      /* lock what source holds */
  GLK_LOCKS_AND,     /* keep only what source holds too */
  GLK_LOCKS_AND_NOT, /* unlock what source holds */
  GLK_LOCKS_XOR      /* toggle what source holds */
} glk_locks_op;

/** An empty lock set of the given shape. */
glk_status glk_locks_create(glk_context *context, uint32_t rank, const uint32_t *dims,
                            glk_handle *out);
/** A copy as a lock set of its own. */
glk_status glk_locks_copy(glk_context *context, glk_handle locks, glk_handle *out);

/** Lock every element. */
glk_status glk_locks_add_all(glk_context *context, glk_handle locks);
/** Lock where mask[i] != 0; count must be the set's. */
glk_status glk_locks_add_mask(glk_context *context, glk_handle locks, const uint8_t *mask,
                              size_t count);
/** Lock flat (row-major) indices, in any order, duplicates welcome. */
glk_status glk_locks_add_indices(glk_context *context, glk_handle locks, const uint32_t *indices,
                                 size_t count);
/** Lock everything whose index along `axis` is listed: axis 0 of a matrix locks rows, axis 1
 *  columns. */
glk_status glk_locks_add_axis(glk_context *context, glk_handle locks, uint32_t axis,
                              const uint32_t *indices, size_t count);
/** Lock the box start[a] <= index[a] < stop[a] over all axes; an empty range locks nothing. */
glk_status glk_locks_add_slice(glk_context *context, glk_handle locks, uint32_t rank,
                               const uint32_t *start, const uint32_t *stop);
/** Lock where predicate(value, flat index, user) != 0, over the values of `source`, whose shape is
 *  the set's. */
glk_status glk_locks_add_where(glk_context *context, glk_handle locks, glk_handle source,
                               int (*predicate)(glk_real value, uint32_t index, void *user),
                               void *user);

/** What a choice compares elements by. */
typedef enum glk_measure {
  GLK_BY_VALUE = 0,
  GLK_BY_MAGNITUDE, /* |value| */
  GLK_BY_GRADIENT,  /* |gradient|: the values given are those of a gradient */
  GLK_BY_COUNT
} glk_measure;

/** Elements by their values, or by chance. */
typedef enum glk_choice_kind {
  /** The first by measure, exactly as many as asked for; of equals those of lower index. */
  GLK_CHOICE_LARGEST = 0,
  /** Likewise. NaN comes last in either order; -0 equals 0. */
  GLK_CHOICE_SMALLEST,
  /** low < measure < high, limits rounded to glk_real; -inf and inf are no limits; never NaN. */
  GLK_CHOICE_BETWEEN,
  /** Exactly as many as asked for, each set of them as likely as any other. */
  GLK_CHOICE_RANDOM,
  GLK_CHOICE_COUNT
} glk_choice_kind;

/** A choice; what its kind does not use is not looked at. */
typedef struct glk_choice {
  /** How many: 0 to the element count, or as a fraction of it, 0..1, rounded, halves up. */
  double amount;
  /** For GLK_CHOICE_BETWEEN. */
  double low, high;
  /** 0 .. 2^53 - 1: the same seed and draw choose the same elements on every machine. */
  double seed;
  /** Which choice of the seed. */
  uint32_t draw;
  /** 1: amount is a fraction. */
  uint32_t is_fraction;
  /** A glk_choice_kind. */
  uint32_t kind;
  /** A glk_measure. */
  uint32_t by;
} glk_choice;

/** Lock what a choice means among the elements of `count` sets together, in their order, by the
 *  values of sources[i], which has the shape of locks[i] (sources are not looked at for a random
 *  choice): of several variables, amounts are of all their elements. A choice out of its ranges is
 *  GLK_ERROR_OPTION; among 2^32 - 1 elements or more, GLK_ERROR_LIMIT. */
glk_status glk_locks_add_choice(glk_context *context, const glk_handle *locks,
                                const glk_choice *choice, const glk_handle *sources,
                                uint32_t count);

/** target = target op source; shapes must be equal. Source and target may be the same. */
glk_status glk_locks_combine(glk_context *context, glk_handle target, glk_locks_op op,
                             glk_handle source);
/** Lock what is free and free what is locked. */
glk_status glk_locks_invert(glk_context *context, glk_handle locks);

/** Number of locked elements. */
glk_status glk_locks_count(const glk_context *context, glk_handle locks, uint32_t *out);
/** Whether the element at a flat index is locked. */
glk_status glk_locks_test(const glk_context *context, glk_handle locks, uint32_t index, int *out);
/** First locked flat index at or after `from`; the element count if there is none. */
glk_status glk_locks_next(const glk_context *context, glk_handle locks, uint32_t from,
                          uint32_t *out);
/** Write 1 for locked, 0 for free; count must be the set's. */
glk_status glk_locks_to_mask(const glk_context *context, glk_handle locks, uint8_t *out,
                             size_t count);
/** The words in place, valid until the set changes. */
glk_status glk_locks_words(const glk_context *context, glk_handle locks, const uint32_t **out,
                           size_t *out_count);
/** A number that differs whenever the set may have changed. */
glk_status glk_locks_version(const glk_context *context, glk_handle locks, uint32_t *out);

/** A tensor of the values of `source`, whose shape is the set's, where the set holds, and 0
 *  elsewhere: of a gradient, what locked elements feel. */
glk_status glk_locks_pick(glk_context *context, glk_handle locks, glk_handle source,
                          glk_handle *out);

/** Write a set as bytes: packed bits, or run lengths where those are shorter; the format is
 *  described in src/lock/pack.c. With `out` NULL only their number is given. */
glk_status glk_locks_pack(glk_context *context, glk_handle locks, uint8_t *out, size_t capacity,
                          size_t *out_size);
/** The set that bytes hold, with its shape. GLK_ERROR_FORMAT for any others than glk_locks_pack
 *  gave. */
glk_status glk_locks_unpack(glk_context *context, const uint8_t *bytes, size_t size,
                            glk_handle *out);

/** Begin to watch what a variable's locked elements hold, or begin anew, or (0) end it. Until then
 *  watching costs nothing; then a copy of the values, and of each element its bits when it is
 *  locked, or written with consent: by force or by glk_variable_fix. */
glk_status glk_locks_watch(glk_context *context, glk_handle variable, int is_watched);
/** Hold what locked elements hold now against what they held when they were locked: how many differ
 *  in a bit, the first of them (the element count if none), and a digest of what they held: FNV-1a,
 *  64 bits, over index and value of each, little-endian. Any out-parameter may be NULL.
 *  GLK_ERROR_ARGUMENT if the variable is not watched. */
glk_status glk_locks_audit(glk_context *context, glk_handle variable, uint32_t *out_changed,
                           uint32_t *out_first, uint64_t *out_digest);

/* -------------------------------------------------------------------------------------- holders */

/* A variable's locks may come from several owners: each has a holder, a named lock set of its own,
 * and what any holder holds is locked. The default holder, which all functions above change, has no
 * name; others are made when something is put in and go when they hold nothing and have no policy.
 * Names have 1 to 63 bytes; others are GLK_ERROR_ARGUMENT. */

/** holder = holder op source. */
glk_status glk_holder_combine(glk_context *context, glk_handle variable, const char *name,
                              glk_locks_op op, glk_handle source);
/** What a holder holds, as a lock set of its own: nothing, if there is no such holder. "" is the
 *  default holder. */
glk_status glk_holder_copy(glk_context *context, glk_handle variable, const char *name,
                           glk_handle *out);
/** Name of the index-th holder beside the default one, valid until holders change; GLK_ERROR_INDEX
 *  behind the last. */
glk_status glk_holder_name(const glk_context *context, glk_handle variable, uint32_t index,
                           const char **out);

/** What a holder holds while training goes on: chosen anew before every `every`-th step, by the
 *  values as they are then, or by the gradient of that very step. `step` counts the steps that
 *  training took of the variable since; the step number t chooses by draw choice.draw + t /
 *  every. */
typedef struct glk_policy {
  glk_choice choice;
  double to;            /* choice.amount goes in a straight line to this ... */
  uint32_t over;        /* ... over so many steps, and stays; 0: it stays as it is */
  uint32_t every;       /* 1 or above */
  uint32_t step;        /* where to begin to count; 0 unless resumed */
  uint32_t is_inverted; /* 1: the holder locks what is not chosen */
} glk_policy;

/** Give a holder a policy, or with NULL take it away; what it holds it then keeps. GLK_ERROR_OPTION
 *  for what is out of range. Any step of any optimizer that trains the variable counts; one that
 *  fails changes no lock. Second-order methods refuse a variable with a policy: theirs are locks
 *  that stand still. */
glk_status glk_holder_policy(glk_context *context, glk_handle variable, const char *name,
                             const glk_policy *policy);
/** Give a holder a timetable: from steps[i], which ascend, it holds what sets[i] holds now. `step`
 *  as in glk_policy. */
glk_status glk_holder_schedule(glk_context *context, glk_handle variable, const char *name,
                               const uint32_t *steps, const glk_handle *sets, uint32_t count,
                               uint32_t step);
/** How many steps a holder's policy has counted; 0 without one. */
glk_status glk_holder_steps(const glk_context *context, glk_handle variable, const char *name,
                            uint32_t *out);

/* ------------------------------------------------------------------------------------------ ops */

/** A row of the op table, for bindings, tests and documentation. */
typedef struct glk_op_info {
  /* Signature and doc are "" when built with GLK_TINY. */
  const char *name;      /* TensorFlow.js's where it has one */
  const char *signature; /* inputs and attributes, e.g. "sum(x; keepDims, axis...)" */
  const char *doc;       /* what it computes, and its gradient's conventions */
  uint32_t inputs;       /* number of input tensors */
  uint32_t is_public;    /* 0: exists only inside gradients */
  uint32_t is_differentiable;
} glk_op_info;

uint32_t glk_op_count(void);
/** Describe op 0 <= op < glk_op_count(). */
glk_status glk_op_describe(uint32_t op, glk_op_info *out);
/** Find an op by name; GLK_ERROR_ARGUMENT if there is none. */
glk_status glk_op_find(const char *name, uint32_t *out);

/** Apply an op. Outside of a recording it computes at once; inside, it appends a node to the
 *  program (GLK_TRACE), or does both (GLK_TAPE). The result is a new tensor. Inputs are tensors or
 *  variables. */
glk_status glk_apply(glk_context *context, uint32_t op, const glk_handle *inputs,
                     uint32_t input_count, const double *attributes, uint32_t attribute_count,
                     glk_handle *out);

/* ------------------------------------------------------------------------------------- programs */

typedef enum glk_record_mode {
  GLK_TRACE = 0, /* record to replay: nothing is computed, reading a recorded value is an error */
  GLK_TAPE       /* compute while recording, to differentiate once */
} glk_record_mode;

typedef struct glk_program_info {
  uint32_t nodes;        /* recorded and generated */
  uint32_t active_nodes; /* computed by the last run; locks make it smaller */
  size_t memory_bytes;   /* of planned buffers */
  uint32_t runs;         /* how often it was run; random ops draw anew each time */
} glk_program_info;

/** Start recording. Recordings do not nest. */
glk_status glk_program_begin(glk_context *context, glk_record_mode mode);
/** Stop recording; `outputs` are recorded tensors, output 0 is the loss where one is needed. On
 *  failure the recording goes on: cancel it or try again. */
glk_status glk_program_end(glk_context *context, const glk_handle *outputs, uint32_t count,
                           glk_handle *out);
/** Stop recording and forget it. Without a recording it does nothing. */
void glk_program_cancel(glk_context *context);

/** Compute the outputs from the variables as they are now. GLK_ERROR_RECORDING for a tape, which is
 *  computed already; differentiate it before its variables change. */
glk_status glk_program_run(glk_context *context, glk_handle program);
/** A tensor with a copy of an output, as last computed (a variable returned as it is, or reshaped:
 *  as it is now). */
glk_status glk_program_output(glk_context *context, glk_handle program, uint32_t index,
                              glk_handle *out);
/** The value of output 0, a scalar, and its gradient for each variable, as new tensors of the
 *  variables' shapes. Locks do not matter here: a locked element's gradient is what it would feel.
 *  GLK_ERROR_GRADIENT if output 0 is not a scalar or does not depend on one of the variables. */
glk_status glk_program_gradient(glk_context *context, glk_handle program,
                                const glk_handle *variables, uint32_t count, double *out_value,
                                glk_handle *out_gradients);
/** The gradient of the sum over targets of <target, its output gradient> for each source, as new
 *  tensors: recorded ones while recording (`program` 0), where they may be differentiated again, or
 *  values on a tape that has ended. A source is any tensor or variable; out is 0 for one that no
 *  target depends on. `output_gradients` have the targets' shapes; 0, or no list, is ones.
 *  GLK_ERROR_GRADIENT if a target was not computed there; GLK_ERROR_RECORDING if nothing is being
 *  recorded, the program is no tape, or a variable was written since the tape read it. */
glk_status glk_gradients(glk_context *context, glk_handle program, const glk_handle *targets,
                         const glk_handle *output_gradients, uint32_t target_count,
                         const glk_handle *sources, uint32_t source_count, glk_handle *out);

/** While recording: a tensor of the given shape that stands for dL/dy, to record a custom gradient
 *  with. It has no value. */
glk_status glk_placeholder(glk_context *context, uint32_t rank, const uint32_t *dims,
                           glk_handle *out);
/** While recording: a tensor with the values of `value`, whose gradient by `operand` is `gradient`,
 *  which was recorded in terms of `placeholder`. dL/dy reaches `value` unchanged, so stop it there
 *  (stopGradient), and chain one call an operand. Shapes: gradient as operand, placeholder as
 *  value. */
glk_status glk_custom_gradient(glk_context *context, glk_handle value, glk_handle operand,
                               glk_handle placeholder, glk_handle gradient, glk_handle *out);

/** Let a variable follow a value of its shape: variable = decay * variable + (1 - decay) * value,
 *  as running statistics do. Locked elements keep their bits. While a program is recorded
 *  (GLK_TRACE): after each run and each step of training, behind the optimizer's update, with the
 *  value of that run; otherwise at once. Nothing is differentiated through it.
 *   value     tensor or variable of the variable's shape
 *   decay     from 0, which takes the value over, to 1, which leaves the variable as it is
 *  GLK_ERROR_SHAPE, GLK_ERROR_OPTION for another decay. Source: Keras 3, BatchNormalization. */
glk_status glk_assign_moving_average(glk_context *context, glk_handle variable, glk_handle value,
                                     double decay);

/** The variables that the program reads: the total in out_count, up to `capacity` handles in out.
 *  Disposed ones are 0. */
glk_status glk_program_variables(const glk_context *context, glk_handle program, glk_handle *out,
                                 uint32_t capacity, uint32_t *out_count);
/** The trainable variables that output 0, a scalar, depends on: what can be minimised over. As
 *  above. */
glk_status glk_program_trainable(glk_context *context, glk_handle program, glk_handle *out,
                                 uint32_t capacity, uint32_t *out_count);
/** Say how often a program ran, as when training is resumed: its random ops draw by that number. */
glk_status glk_program_resume(glk_context *context, glk_handle program, uint32_t runs);
/** Sizes of a program, as of its last run. */
glk_status glk_program_describe(const glk_context *context, glk_handle program,
                                glk_program_info *out);

/* ----------------------------------------------------------------------------------- optimizers */

typedef enum glk_rule {
  GLK_SGD = 0,
  GLK_ADAM,
  GLK_ADAMW,
  GLK_ADAGRAD,
  GLK_ADADELTA,
  GLK_RMSPROP,
  GLK_ADAMAX,
  GLK_NADAM,
  GLK_LION,
  GLK_FTRL,
  GLK_RULE_COUNT
} glk_rule;

/** An option of a rule: its name, default and range [low, high). Flags are 0 or 1. */
typedef struct glk_option_info {
  const char *name;
  double initial;
  double low, high; /* low <= value < high; infinity is never allowed */
  uint32_t is_flag;
} glk_option_info;

/** Name of a rule as in JavaScript ("sgd"), and its number of slots and options; out-parameters may
 *  be NULL. */
glk_status glk_rule_describe(glk_rule rule, const char **out_name, uint32_t *out_slots,
                             uint32_t *out_options);
/** Name of a slot, such as "m"; GLK_ERROR_ARGUMENT if the rule has no such slot. */
glk_status glk_rule_slot_name(glk_rule rule, uint32_t slot, const char **out);
/** An option of a rule, by number; GLK_ERROR_ARGUMENT if the rule has no such option. */
glk_status glk_rule_option(glk_rule rule, uint32_t option, glk_option_info *out);

/** An optimizer with the rule's default options, which are Keras's. */
glk_status glk_optimizer_create(glk_context *context, glk_rule rule, glk_handle *out);
/** Change or read an option by name, at any time. An unknown name or a value outside of its range
 *  (NaN too) is GLK_ERROR_OPTION. Several at once: all are set, or none. An option counts from the
 *  next step on, in corrections for the steps that were as if it had always been so; a slot that is
 *  needed from then on is at its start, and one that is not needed for a while keeps its values. */
glk_status glk_optimizer_set(glk_context *context, glk_handle optimizer, const char *const *names,
                             const double *values, uint32_t count);
glk_status glk_optimizer_get(const glk_context *context, glk_handle optimizer, const char *name,
                             double *out);

typedef enum glk_schedule {
  GLK_CONSTANT = 0,       /* a learning rate that only glk_optimizer_set changes */
  GLK_OWN_SCHEDULE,       /* the caller sets the rate before each step; has no numbers */
  GLK_PIECEWISE_CONSTANT, /* a value, then boundaries and values in turn, boundaries growing */
  GLK_EXPONENTIAL,
  GLK_INVERSE_TIME,
  GLK_POLYNOMIAL,
  GLK_COSINE, /* warmupTarget -1: no warm-up */
  GLK_COSINE_RESTARTS,
  GLK_LINEAR_WARMUP,
  GLK_ONE_CYCLE,
  GLK_SCHEDULE_COUNT
} glk_schedule;

/** Most numbers of a schedule: 63 boundaries. */
#define GLK_MAX_SCHEDULE 127

/** Name of a schedule as in JavaScript ("exponentialDecay"), and how many numbers it has (0 for a
 *  piecewise one, which has any odd number of them). */
glk_status glk_schedule_describe(glk_schedule kind, const char **out_name, uint32_t *out_numbers);
/** A number of a schedule; `initial` is NaN where it must be given. GLK_ERROR_ARGUMENT if there is
 *  none. */
glk_status glk_schedule_number(glk_schedule kind, uint32_t number, glk_option_info *out);
/** The learning rate of step `iteration`, counted from 0, between 0 and 1e30; the same bits on
 *  every machine. Definitions are Keras's, PyTorch's for one cycle, which holds its last rate.
 *  GLK_ERROR_OPTION for numbers out of their ranges. */
glk_status glk_schedule_rate(glk_context *context, glk_schedule kind, const double *numbers,
                             uint32_t count, double iteration, double *out);
/** Let the learning rate follow a schedule of the optimizer's iterations, also within
 *  glk_optimizer_minimize. The option learningRate then reads as the rate of the next step. Setting
 *  it ends the schedule (but one's own). */
glk_status glk_optimizer_schedule(glk_context *context, glk_handle optimizer, glk_schedule kind,
                                  const double *numbers, uint32_t count);
/** The schedule and its numbers; `out` has room for GLK_MAX_SCHEDULE. */
glk_status glk_optimizer_scheduled(const glk_context *context, glk_handle optimizer,
                                   uint32_t *out_kind, double *out, uint32_t *out_count);
/** What a variable gets of the learning rate: one factor, or one for each element (count 1, or the
 *  variable's; 1 is the start). A factor of 0 holds what it is for exactly, value, slots and clock,
 *  as a lock does; assignment is free. With one factor a step is to the bit that of an optimizer
 *  whose rate is the product; with one an element, its rate is rounded once more. GLK_ERROR_OPTION
 *  for a factor that is negative, NaN or above 1e30. */
glk_status glk_optimizer_scale_rate(glk_context *context, glk_handle optimizer, glk_handle variable,
                                    const glk_real *factors, size_t count);
/** The factor of each element. */
glk_status glk_optimizer_rates(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, glk_real *out, size_t count);
/** Whether weight decay leaves a variable out; at first it does not. */
glk_status glk_optimizer_exclude_decay(glk_context *context, glk_handle optimizer,
                                       glk_handle variable, int is_excluded);
/** What an optimizer projects free elements to, after each update. */
typedef enum glk_constraint_kind {
  GLK_UNCONSTRAINED = 0,
  GLK_NON_NEGATIVE,
  GLK_BOX,      /* low..high */
  GLK_MAX_NORM, /* norms over the axes of at most `high` */
  GLK_UNIT_NORM /* norms over the axes of 1 */
} glk_constraint_kind;

/** Constrain the free elements of a variable, in Keras's form; `low`, `high` and axes where the
 *  kind has them. Steps then report GLK_ERROR_CONSTRAINT, before they change anything, where the
 *  locked elements of a group have a larger norm than the group may have; groups without a free
 *  element are left alone. GLK_ERROR_OPTION for a box out of order or a norm that is negative, NaN
 *  or above 1e30. */
glk_status glk_optimizer_constrain(glk_context *context, glk_handle optimizer, glk_handle variable,
                                   glk_constraint_kind kind, double low, double high,
                                   const uint32_t *axes, uint32_t axis_count);
/** The moving average of a variable under the option useEma; the value itself of elements that are
 *  locked, and of all before averaging began. */
glk_status glk_optimizer_average(glk_context *context, glk_handle optimizer, glk_handle variable,
                                 glk_real *out, size_t count);
/** One step with given gradients (tensors of the variables' shapes, none of them a variable of this
 *  step). A variable may be named once. */
glk_status glk_optimizer_apply(glk_context *context, glk_handle optimizer,
                               const glk_handle *variables, const glk_handle *gradients,
                               uint32_t count);
/** `steps` steps that minimise output 0 of a program over the free elements of the variables.
 *  Writes the loss as it was before the last step (with steps = 0: before any). What only locked
 *  elements need is not computed. A tape can take one step. GLK_ERROR_GRADIENT as for
 *  glk_program_gradient. Where a value that the program computes is refused at a later step, an
 *  index out of range, the steps before it stay taken: glk_optimizer_iterations tells. */
glk_status glk_optimizer_minimize(glk_context *context, glk_handle optimizer, glk_handle program,
                                  const glk_handle *variables, uint32_t count, uint32_t steps,
                                  double *out_loss);
/** Steps taken. With gradientAccumulationSteps, that many calls of glk_optimizer_apply, or steps of
 *  glk_optimizer_minimize, make one. */
glk_status glk_optimizer_iterations(const glk_context *context, glk_handle optimizer, double *out);
/** Gradient norms of the last step that clipped by norm, before clipping: over free elements, and
 *  over all. */
glk_status glk_optimizer_norms(const glk_context *context, glk_handle optimizer, double *out_free,
                               double *out_all);
/** Copy a slot of a variable; before its first step, what the slot starts at. */
glk_status glk_optimizer_slot(const glk_context *context, glk_handle optimizer, glk_handle variable,
                              uint32_t slot, glk_real *out, size_t count);
/** Each element's own count of steps taken. */
glk_status glk_optimizer_clock(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, uint32_t *out, size_t count);

/* ---------------------------------------------------------------------------------------------- solvers
 * Second-order methods. They run a program several times a step, so they take no gradients from outside, and they work in
 * the free subspace: what they do is what they would do with the reduced problem that holds only the free elements. What
 * they learn of its curvature is dropped when locks, variables or the program change between two steps (docs/laws.md, law
 * 18). Arithmetic is in double, rounded once when an element is written. */

typedef enum glk_method {
  GLK_LBFGS =
      0, /* Liu & Nocedal 1989, with a strong Wolfe line search; output 0 is a scalar loss */
  GLK_LEVENBERG_MARQUARDT, /* least squares; output 0 holds residuals, the loss is half the sum of their squares */
  GLK_METHOD_COUNT
} glk_method;

/** Why the last call stopped. GRADIENT and CHANGE say that it has converged. RESOLUTION: nothing
 *  lower was found by steps so short that elements no longer tell them apart, though slopes
 *  promised more; damping or rounding held it back. UNBOUNDED: the loss of L-BFGS was minus
 *  infinity at a trial, or fell below -2^60 as steeply as at first; elements are finite, and the
 *  next call goes on. */
typedef enum glk_stop {
  GLK_STOP_STEPS = 0,   /* the steps asked for were taken */
  GLK_STOP_GRADIENT,    /* no free element's gradient is above toleranceGradient */
  GLK_STOP_CHANGE,      /* an undamped step changes or promises no more than toleranceChange says */
  GLK_STOP_NO_PROGRESS, /* nothing lower was found within maxEvaluations: it stands where it was */
  GLK_STOP_NOT_FINITE,  /* loss or gradient are not finite where it stands */
  GLK_STOP_LOCKED,      /* nothing is free */
  GLK_STOP_RESOLUTION,  /* nothing lower can be told apart */
  GLK_STOP_UNBOUNDED,   /* the loss has no least value */
  GLK_STOP_COUNT
} glk_stop;

typedef struct glk_solver_info {
  double iterations; /* steps taken, ever */
  double
      evaluations; /* runs of programs, ever; Levenberg-Marquardt takes one per residual for a Jacobian */
  double
      gradient; /* largest magnitude of a free element's gradient, where the last call stood last */
  double damping;   /* of Levenberg-Marquardt; else 0 */
  uint32_t history; /* steps that L-BFGS remembers; else 0 */
  uint32_t stop;    /* a glk_stop */
} glk_solver_info;

/** Name of a method as in JavaScript, and its number of options; out-parameters may be NULL. */
glk_status glk_method_describe(glk_method method, const char **out_name, uint32_t *out_options);
/** An option of a method, by number; GLK_ERROR_ARGUMENT if the method has no such option. */
glk_status glk_method_option(glk_method method, uint32_t option, glk_option_info *out);

/** A solver with the method's default options. */
glk_status glk_solver_create(glk_context *context, glk_method method, glk_handle *out);
/** As glk_optimizer_set and glk_optimizer_get. Counts must be whole numbers: GLK_ERROR_OPTION. */
glk_status glk_solver_set(glk_context *context, glk_handle solver, const char *const *names,
                          const double *values, uint32_t count);
glk_status glk_solver_get(const glk_context *context, glk_handle solver, const char *name,
                          double *out);
/** At most `steps` steps over the free elements of the variables, and the loss of where that led: never higher than
 *  before, unless nothing was finite. With steps = 0 the loss is measured. Random ops draw the same numbers throughout a
 *  call. GLK_ERROR_RECORDING for a tape, which holds one computation; GLK_ERROR_GRADIENT where there is no gradient, as
 *  for glk_program_gradient; GLK_ERROR_ARGUMENT for a variable with a lock policy; GLK_ERROR_LIMIT for more free elements
 *  than a method takes. Where a value that the program computes is refused, an index out of range, the variables stand
 *  where the last whole step led. */
glk_status glk_solver_minimize(glk_context *context, glk_handle solver, glk_handle program,
                               const glk_handle *variables, uint32_t count, uint32_t steps,
                               double *out_loss);
/** What the solver has done, and why it stopped. */
glk_status glk_solver_describe(const glk_context *context, glk_handle solver, glk_solver_info *out);

/* --------------------------------------------------------------------------------------- states */

/** All that the next step of an optimizer or solver depends on, as bytes: rule, options, schedule,
 *  counts, and of each variable named its name, shape, values, locks with holders and policies,
 *  slots, clock, rates, constraint, average and pending gradients; and numbers of the caller's own,
 *  such as how often programs ran and where generators stand. What a solver learnt is of a program:
 *  it is there if that one is given (0: none) and its next call with these variables would use it.
 *  `out` NULL asks for the size only. The layout is described in src/core/archive.h. */
glk_status glk_state_save(glk_context *context, glk_handle trained, glk_handle program,
                          const glk_handle *variables, uint32_t count, const double *numbers,
                          uint32_t number_count, uint8_t *out, size_t capacity, size_t *out_bytes);
/** Become what was saved, with variables of the same names and shapes in the same order; what is
 *  kept of others is dropped. Training then goes on bit for bit. The variables' locks become the
 *  saved ones; unless `force`, what is locked now must keep its bits (GLK_ERROR_LOCKED, and
 *  out_variable, which may be NULL, says of which). What a solver learnt is taken to be of
 *  `program`, the same computation recorded again; without one, GLK_ERROR_ARGUMENT.
 *  GLK_ERROR_FORMAT: bytes that are damaged, cut short, of another version or rule, or of other
 *  variables; GLK_ERROR_SHAPE: of another shape, or another number of variables or numbers;
 *  GLK_ERROR_OPTION: of options out of range, or of a learning rate that is a function, into an
 *  optimizer without one. All or nothing. */
glk_status glk_state_load(glk_context *context, glk_handle trained, glk_handle program,
                          const glk_handle *variables, uint32_t count, double *numbers,
                          uint32_t number_count, const uint8_t *bytes, size_t byte_count, int force,
                          uint32_t *out_variable);
/** GLK_ERROR_FORMAT for bytes that no library of this version saved: their frame and checksum. */
glk_status glk_state_check(glk_context *context, const uint8_t *bytes, size_t count);
/** The variables that an optimizer keeps something of, or that a solver learnt of, as
 *  glk_program_variables; disposed ones are left out. */
glk_status glk_state_variables(const glk_context *context, glk_handle trained, glk_handle *out,
                               uint32_t capacity, uint32_t *out_count);

#ifdef GLK_EXPORT
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
