/* Rows of the op table, and the arguments of a row's functions. An op uses shapes and values, and
 * knows nothing about programs. Its gradient is a recipe in terms of other ops, written to a
 * glk_emitter. */
#ifndef GLK_OPS_OP_H
#define GLK_OPS_OP_H

#include "core/memory.h"
#include "core/shape.h"
#include "core/thread_pool.h"

typedef struct glk_attributes {
  uint32_t count;
  double values[GLK_MAX_ATTRIBUTES];
} glk_attributes;

#define GLK_NO_ROWS SIZE_MAX

/** Rows of a matrix of which nothing else is computed or has memory. */
typedef struct glk_rows {
  /** [count] Their numbers, ascending. */
  const uint32_t *list;
  uint32_t count;
  /** [count * columns] bits, like `unread` of a call. */
  const uint32_t *unread;
  /** [count * glk_op.gathered] For the op to use. */
  glk_real *gathered;
} glk_rows;

/** One application of an op: everything its kernel needs, so that replaying is calling. */
typedef struct glk_call {
  const glk_real *in[GLK_MAX_INPUTS];
  glk_real *out;
  glk_real *scratch;
  const glk_shape *in_shape[GLK_MAX_INPUTS];
  const glk_shape *out_shape;
  const glk_attributes *attributes;
  /** Threads that the op may use; NULL: it computes alone. */
  glk_thread_pool *threads;
  /** Reals of each thread's scratch: thread k's begins at scratch + k * thread_scratch. */
  size_t thread_scratch;
  const uint32_t *run; /* how often the program was run before; 0 for what is computed once */
  /** A bit for each element of out that is not read; NULL: all are read. */
  const uint32_t *unread;
  /** Rows of a matrix that out consists of, where glk_op.gathered allows it; NULL: all. Instead of
   *  `unread`. */
  const glk_rows *rows;
} glk_call;

typedef struct glk_op glk_op;

/** A value inside a program. */
typedef uint32_t glk_ref;
#define GLK_NO_REF UINT32_MAX

/** Where gradients are written. The first failure sticks in `status`: after it emitting does
 *  nothing and gives GLK_NO_REF, so that recipes need no checks. */
typedef struct glk_emitter glk_emitter;
struct glk_emitter {
  glk_status status;
  glk_ref (*apply)(glk_emitter *self, const glk_op *op, const glk_ref *inputs,
                   const glk_attributes *attributes);
  glk_ref (*scalar)(glk_emitter *self, glk_real value);
  /** A scalar's for GLK_NO_REF. */
  glk_shape (*shape)(const glk_emitter *self, glk_ref ref);
};

/** Arguments and results of a gradient: dL/d(in[i]) for every i that needs it, given dy =
 *  dL/d(out). GLK_NO_REF means zero. */
typedef struct glk_gradient {
  glk_ref in[GLK_MAX_INPUTS];
  glk_ref out, dy;
  int needs_gradient[GLK_MAX_INPUTS];
  const glk_attributes *attributes;
  glk_ref d[GLK_MAX_INPUTS]; /* result */
} glk_gradient;

enum {
  GLK_OP_PUBLIC = 1,
  /* Each input has one element or the output's count, and an element of the output depends only on
   * the same element of each input. So the output may overwrite an input, and be computed in
   * pieces. */
  GLK_OP_ELEMENTWISE = 2,
  GLK_OP_ALIAS = 4,   /* the output is input 0 under another shape: nothing is computed */
  GLK_OP_FLAT = 8,    /* a composite whose derivative is zero everywhere */
  GLK_OP_MASKED = 16, /* may skip elements that the call marks as unread */
  GLK_OP_ZERO_GRADIENT =
      32,             /* without `gradient`: a step function, whose gradient is zeros, not none */
  GLK_OP_SHARED = 64, /* may use threads: its scratch is needed once for each */
  GLK_OP_ONE_SCRATCH = 128, /* but one scratch serves all */
  GLK_OP_DEPTHWISE = 256    /* a convolution whose filter has outputs for each channel */
};

struct glk_op {
  const char *name, *signature, *doc;
  uint32_t inputs, flags;
  /** Check shapes and attributes, bring attributes into canonical form, give the output's shape. */
  glk_status (*infer)(glk_context *context, const glk_op *op, const glk_shape *const *in,
                      glk_attributes *attributes, glk_shape *out);
  /** Reals of scratch; NULL for none. */
  size_t (*scratch)(const glk_shape *const *in, const glk_attributes *attributes);
  /** Reals of `gathered` for each chosen row where the op can compute these alone, GLK_NO_ROWS
   *  where it cannot. GLK_OP_MASKED whose output is a matrix only; NULL: it never can. */
  size_t (*gathered)(const glk_shape *const *in, const glk_attributes *attributes);
  void (*forward)(const glk_call *call);
  /** Refuse values that `infer` cannot see, such as an index out of range. Runs before every
   *  `forward`, on replay too; NULL where any values will do. */
  glk_status (*check)(glk_context *context, const glk_op *op, const glk_call *call);
  /** Instead of `forward` and `gradient`: the op in terms of others, written where it is
   *  applied. */
  glk_ref (*expand)(glk_emitter *e, const glk_ref *in, const glk_attributes *attributes);
  /** NULL where there is none: for indices and truth values, and on purpose (stopGradient). */
  void (*gradient)(glk_emitter *e, glk_gradient *g);
};

/** Estimates of time: what one element of an elementwise op, and one product of a matrix product,
 *  takes one thread, in nanoseconds. */
#define GLK_ELEMENT_NS 0.4
#define GLK_PRODUCT_NS 0.04

/** Most reals of scratch of all threads: 64 MB. */
#define GLK_MOST_SCRATCH ((size_t)1 << 24)

/** Scratch of one thread: whole cache lines. */
static inline size_t glk_thread_scratch(size_t reals) { return (reals + 15) & ~(size_t)15; }

/** Scratch of a thread; NULL if the call has none. */
static inline glk_real *glk_scratch_of(const glk_call *call, uint32_t thread) {
  return call->scratch ? call->scratch + thread * call->thread_scratch : NULL;
}

/** Threads that a call with this much scratch may use. */
static inline glk_thread_pool *glk_op_threads(const glk_op *op, size_t scratch,
                                              glk_thread_pool *threads) {
  const int is_too_much = scratch > GLK_MOST_SCRATCH / glk_thread_pool_size(threads);
  return !(op->flags & GLK_OP_SHARED) || (is_too_much && !(op->flags & GLK_OP_ONE_SCRATCH))
             ? NULL
             : threads;
}

/** More than any op takes one thread for an element that it reads or writes, up to a thousand of
 *  them, in nanoseconds. */
#define GLK_MOST_NS 8.0

/** The threads; NULL where a call, whose shapes are set, is too small to be shared. Then ops
 *  need not prepare for it. */
static inline glk_thread_pool *glk_call_threads(const glk_op *op, const glk_call *call,
                                                glk_thread_pool *threads) {
  double elements = call->out_shape->count;
  for (uint32_t k = 0; k < op->inputs; k++) elements += call->in_shape[k]->count;
  return glk_thread_pool_pays(threads, GLK_MOST_NS * elements) ? threads : NULL;
}

/** Scratch of all of them, in reals. */
static inline size_t glk_op_scratch(const glk_op *op, size_t scratch,
                                    const glk_thread_pool *threads) {
  return op->flags & GLK_OP_ONE_SCRATCH ? scratch : scratch * glk_thread_pool_size(threads);
}

/** A row: its name, its texts, and then its other fields. Rows made of a kernel have macros of
 *  their own, in ops/broadcast.h. */
#define GLK_OP_ROW(row, name_, signature_, doc_, ...) \
  const glk_op glk_op_##row = {                       \
      .name = name_, .signature = GLK_DOC(signature_), .doc = GLK_DOC(doc_), __VA_ARGS__};

/** The rows of a file. */
typedef struct glk_op_family {
  const glk_op *const *rows; /* [count] */
  uint32_t count;
} glk_op_family;

/** Lists the rows of a file, at its end: that makes them ops. */
#define GLK_OP_FAMILY(name, ...)                            \
  static const glk_op *const name##_rows[] = {__VA_ARGS__}; \
  extern const glk_op_family glk_ops_##name;                \
  const glk_op_family glk_ops_##name = {name##_rows, sizeof name##_rows / sizeof *name##_rows};

/** The row of an op by its number; NULL if there is none. */
const glk_op *glk_op_at(uint32_t op);

/** Rows that recipes name. A row that only its own file names is not among them. */
extern const glk_op glk_op_add, glk_op_sub, glk_op_mul, glk_op_div, glk_op_neg, glk_op_square,
    glk_op_sqrt, glk_op_abs, glk_op_abs_gradient, glk_op_rsqrt, glk_op_floor, glk_op_exp,
    glk_op_expm1, glk_op_log, glk_op_pow, glk_op_sin, glk_op_cos, glk_op_tanh_gradient,
    glk_op_sigmoid, glk_op_sigmoid_gradient, glk_op_relu, glk_op_relu_gradient, glk_op_softplus,
    glk_op_gelu_exact, glk_op_gelu_gradient, glk_op_equal, glk_op_not_equal, glk_op_greater,
    glk_op_greater_equal, glk_op_less_equal, glk_op_logical_or, glk_op_is_finite, glk_op_maximum,
    glk_op_minimum, glk_op_clip_by_value, glk_op_where, glk_op_sum, glk_op_max, glk_op_cumsum,
    glk_op_all, glk_op_mean, glk_op_matmul, glk_op_conv2d, glk_op_conv2d_transpose,
    glk_op_conv2d_filter_gradient, glk_op_depthwise_conv2d, glk_op_depthwise_conv2d_input_gradient,
    glk_op_depthwise_conv2d_filter_gradient, glk_op_max_pool_gradient, glk_op_max_pool_pick,
    glk_op_avg_pool, glk_op_avg_pool_gradient, glk_op_softmax, glk_op_softmax_gradient,
    glk_op_log_softmax, glk_op_crossentropy, glk_op_crossentropy_gradient, glk_op_reshape,
    glk_op_stop_gradient, glk_op_transpose, glk_op_broadcast_to, glk_op_slice, glk_op_strided_slice,
    glk_op_place_in, glk_op_gather, glk_op_segment_sum, glk_op_gather_nd, glk_op_scatter_nd,
    glk_op_scatter_update, glk_op_last_of_repeats, glk_op_arg_sort, glk_op_concat,
    glk_op_random_bernoulli;

/** True if the op has a gradient, its own or through its parts. */
static inline int glk_op_is_differentiable(const glk_op *op) {
  if (op->expand) return !(op->flags & GLK_OP_FLAT);
  return op->gradient || op->flags & GLK_OP_ZERO_GRADIENT;
}
/** Check values, which `infer` cannot see, then compute. */
static inline glk_status glk_op_compute(glk_context *context, const glk_op *op,
                                        const glk_call *call) {
#ifdef GLK_DEBUG
  const size_t scratch = glk_op_scratch(op, call->thread_scratch, call->threads);
  if (call->scratch) glk_poison(call->scratch, scratch * sizeof(glk_real));
#endif
  if (op->check) GLK_TRY(op->check(context, op, call));
  op->forward(call);
  return GLK_OK;
}

/* Helpers for recipes: */

glk_ref glk_emit1(glk_emitter *e, const glk_op *op, glk_ref a);
glk_ref glk_emit2(glk_emitter *e, const glk_op *op, glk_ref a, glk_ref b);
glk_ref glk_emit3(glk_emitter *e, const glk_op *op, glk_ref a, glk_ref b, glk_ref c);
/** g->d[i] = value, summed over the axes along which in[i] was repeated. */
void glk_emit_give(glk_emitter *e, glk_gradient *g, int i, glk_ref value);
/** Undo a broadcast: sum `a` over the axes along which `shape` was repeated. */
glk_ref glk_emit_sum_to(glk_emitter *e, glk_ref a, const glk_shape *shape);
glk_ref glk_emit_reshape(glk_emitter *e, glk_ref a, const glk_shape *shape);
glk_ref glk_emit_broadcast(glk_emitter *e, glk_ref a, const glk_shape *shape);
/** `size` of x from `begin` on, along an axis. */
glk_ref glk_emit_slice(glk_emitter *e, glk_ref x, uint32_t axis, uint32_t begin, uint32_t size);
/** The result of a composite op: `a`, or a new node if `a` is the operand itself. */
glk_ref glk_emit_result(glk_emitter *e, glk_ref a, glk_ref operand);

/* Helpers for shape rules: */

/** Attribute `index` as an integer in low..high (inclusive); `what` names it in the message, and
 *  `status` is the error if it is outside: GLK_ERROR_INDEX for axes and indices, _SHAPE for sizes,
 *  _ARGUMENT for others. `out` may be NULL. */
glk_status glk_attribute_integer(glk_context *context, const glk_op *op,
                                 const glk_attributes *attributes, uint32_t index,
                                 glk_status status, const char *what, int64_t low, int64_t high,
                                 int64_t *out);
glk_status glk_attribute_count(glk_context *context, const glk_op *op,
                               const glk_attributes *attributes, uint32_t least, uint32_t most);
/** `count` attributes, from `index` on, as sizes of `low` or more; `what` names one in messages. */
glk_status glk_attribute_sizes(glk_context *context, const glk_op *op,
                               const glk_attributes *attributes, uint32_t index, uint32_t count,
                               uint32_t low, const char *what, uint32_t *out);
/** The shape whose sizes are the attributes from `index` on. */
glk_status glk_attribute_shape(glk_context *context, const glk_op *op,
                               const glk_attributes *attributes, uint32_t index, glk_shape *out);
/** Attribute `index` as a flag, 0 or 1. */
glk_status glk_attribute_flag(glk_context *context, const glk_op *op,
                              const glk_attributes *attributes, uint32_t index, const char *what);
/** Attribute `index` as an axis of a tensor of some rank, made 0 or more: negative ones count from
 *  the end. */
glk_status glk_attribute_axis(glk_context *context, const glk_op *op, glk_attributes *attributes,
                              uint32_t index, const char *what, uint32_t rank, uint32_t *out);
/** Attributes from `first` on as axes, none named twice: a bit each. */
glk_status glk_attribute_axes(glk_context *context, const glk_op *op, glk_attributes *attributes,
                              uint32_t first, uint32_t rank, uint32_t *out);
/** Rules for ops without attributes: the input's own shape, and the broadcast of all inputs. */
glk_status glk_infer_same(glk_context *context, const glk_op *op, const glk_shape *const *in,
                          glk_attributes *attributes, glk_shape *out);
glk_status glk_infer_broadcast(glk_context *context, const glk_op *op, const glk_shape *const *in,
                               glk_attributes *attributes, glk_shape *out);

#endif
