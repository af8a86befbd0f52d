/* Programs: ops recorded as a list of nodes, differentiated into more nodes of the same list,
 * planned into one block of memory, and replayed. A node only ever uses nodes before it, so the
 * list is its own schedule.
 *
 * Two modes share everything: GLK_TRACE records to be planned and replayed; GLK_TAPE computes each
 * node at once into storage of its own, and its gradients likewise.
 */
#ifndef GLK_GRAPH_PROGRAM_H
#define GLK_GRAPH_PROGRAM_H

#include "lock/variable.h"
#include "ops/op.h"

/** The attributes and the output shape of an op node. It is stored apart from the node, which moves
 *  as the list grows, so that plans can point to it. */
typedef struct glk_work {
  glk_attributes attributes;
  glk_shape shape;
} glk_work;

typedef struct glk_node {
  /** NULL: a leaf. */
  const glk_op *op;
  /** The tensor that a leaf reads, held by a reference. */
  glk_tensor *leaf;
  /** A variable's count of writes when a tape read it. */
  uint32_t writes;
  /** A tape's result. */
  glk_storage *storage;
  uint32_t in[GLK_MAX_INPUTS];
  /** Attributes and shape of an op node. */
  glk_work *work;
  /** The shape in work or leaf. */
  const glk_shape *shape;
  /** The node whose values these are; itself unless an alias. */
  uint32_t root;
  /** The fusion that it is computed with piece by piece, once planned; 0: none. */
  uint32_t fusion;
  /** 1: only a piece of its values exists at a time. */
  int is_piece;
  /** Then each thread has one, at values + thread * thread_stride. */
  size_t thread_stride;
  /** Known once planned or computed. */
  glk_real *values;
  uint32_t scratch_count;
} glk_node;

/** Neighbouring elements of a gradient. */
typedef struct glk_piece {
  /** Its first element and their number, multiples of 32. */
  uint32_t first, count;
  const glk_real *values;
} glk_piece;

/** Memory for the gradient that an update reads: all elements, or rows of a matrix. */
typedef struct glk_gradient_buffer {
  /** [count] NULL: there is none. */
  glk_real *values;
  size_t count;
  /** Shape of the matrix. */
  const glk_shape *shape;
  /** The rows that are computed, if not all: then `list` has rows.count entries. */
  glk_rows rows;
  uint32_t *list, *bits;
  /** Reals of rows.gathered. */
  size_t gathered;
  /** [piece_count] Where the rows are in the gradient, with room for rows.count. */
  glk_piece *pieces;
  uint32_t piece_count;
  /** The version of the locks from which the rows were found. */
  uint32_t version;
} glk_gradient_buffer;

#define GLK_NO_PAIR UINT32_MAX

/** dL/d(variable), once differentiated. */
typedef struct glk_derivative {
  /** The variable's node. */
  uint32_t leaf;
  /** GLK_NO_REF: the loss does not depend on it. */
  glk_ref value;
  /** Index of the gradient that a training step reads here, for optimizers; GLK_NO_PAIR: none. */
  uint32_t pair;
  /** 1: the current schedule computes it. */
  int is_needed;
  /** 1: it was needed before, and the plan has it. */
  int is_planned;
  /** The node that computes it for no other reader and can skip elements, once planned. Its values
   *  are in `buffer`. */
  glk_ref masked;
  glk_gradient_buffer buffer;
} glk_derivative;

/** A moving average of a variable, updated after each run with `value`. */
typedef struct glk_moving_average {
  uint32_t leaf, value; /* nodes of one shape; the leaf is the variable's */
  glk_real decay;
} glk_moving_average;

typedef struct glk_program {
  glk_object object;
  glk_record_mode mode;
  /** Serial number of its recording. */
  uint32_t serial;
  glk_node *nodes;
  uint32_t node_count, node_capacity;
  /** Number of nodes that were recorded; the rest were generated. */
  uint32_t forward_count;
  /** [kept_count] Nodes that can be read: output_count outputs, then values of moving averages. */
  uint32_t *outputs;
  uint32_t output_count, kept_count;
  glk_moving_average *averages;
  uint32_t average_count, average_capacity;
  glk_derivative *derivatives;
  uint32_t derivative_count;
  /** Derivatives of sum(seed * output 0) by every variable read, once asked for. */
  glk_derivative *rows;
  uint32_t row_count;
  /** Weights of the shape of output 0, for the caller to write. */
  glk_real *seed;
  glk_real *arena;
  size_t arena_count;
  /** node_count when it was planned; 0 before. */
  uint32_t planned_count;
  /** [planned_count] Calls, ready to run. */
  glk_call *calls;
  /** [planned_count] Nodes to run, in order. */
  uint32_t *schedule;
  uint32_t schedule_count;
  /** 1: the schedule fits the needed derivatives. */
  int is_scheduled;
  /** 1: the outputs hold values. */
  int is_computed;
  /** Number of executions. */
  uint32_t runs;
} glk_program;

glk_status glk_expect_program(const glk_context *context, glk_handle handle, glk_program **out);
/** The variable that a node reads, or NULL. */
glk_variable *glk_node_variable(const glk_node *node);

/* Building (nodes.c, record.c). */

/** An empty program without a handle, not yet the one that is recorded. */
glk_status glk_program_create(glk_context *context, glk_record_mode mode, glk_program **out);
/** Append an op node. In a tape it is computed too, unless it needs a placeholder. Inputs are
 *  nodes. */
glk_status glk_program_append(glk_context *context, glk_program *program, const glk_op *op,
                              const uint32_t *inputs, const glk_attributes *attributes,
                              uint32_t *out);
/** The same, of attributes and a shape that `infer` gave before. */
glk_status glk_program_append_known(glk_context *context, glk_program *program, const glk_op *op,
                                    const uint32_t *inputs, const glk_work *work, uint32_t *out);
/** A tensor for a node: its value in a tape, to be computed in a trace. Published. */
glk_status glk_program_tensor(glk_context *context, const glk_program *program, uint32_t node,
                              glk_handle *out);
/** Outside of the gradient it was made for, a placeholder has no value. */
glk_status glk_fail_placeholder(glk_context *context);
/** The node that reads a tensor or variable, or GLK_NO_REF. */
glk_ref glk_program_find_leaf(const glk_context *context, const glk_program *program,
                              const glk_tensor *tensor);
/** The node that computed a tensor in this recording; for others, which have a value, the node that
 *  reads it, made when it is new. */
glk_status glk_program_leaf(glk_context *context, glk_program *program, glk_tensor *tensor,
                            uint32_t *out);
/** Forget all nodes from `count` on. */
void glk_program_truncate(glk_context *context, glk_program *program, uint32_t count);

/* Recipes (nodes.c). */

/** An emitter that appends to a program. */
typedef struct glk_writer {
  /** The first member, so that an emitter is a writer. */
  glk_emitter emitter;
  glk_context *context;
  glk_program *program;
} glk_writer;

glk_writer glk_writer_to(glk_context *context, glk_program *program);

/* Gradients (backward.c). */

/** Append the derivative of the targets by each source, GLK_NO_REF where none depends on it.
 *  `seeds` are dL/d(target), of the targets' shapes, GLK_NO_REF (or no list) for ones. On failure
 *  the program is as before. */
glk_status glk_program_backward(glk_context *context, glk_program *program, const glk_ref *targets,
                                const glk_ref *seeds, uint32_t target_count, const glk_ref *sources,
                                uint32_t source_count, glk_ref *out);

/* Derivatives (differentiate.c) and plans (plan.c). */

/** Make sure that the derivative of output 0 by each variable exists. GLK_ERROR_GRADIENT if the
 *  loss is not a scalar or does not depend on one of them. On failure the program runs as
 *  before. */
glk_status glk_program_differentiate(glk_context *context, glk_program *program,
                                     glk_variable *const *variables, uint32_t count);
glk_status glk_refuse_unused(glk_context *context, const glk_variable *variable);
/** A variable's derivative in a list, or NULL. */
glk_derivative *glk_derivative_find(const glk_program *program, glk_derivative *list,
                                    uint32_t count, glk_variable *variable);
/** The entry of a variable; it exists after glk_program_differentiate. */
glk_derivative *glk_program_derivative(glk_program *program, glk_variable *variable);
/** Lay out all nodes in one arena, and reuse memory that is no longer read. On failure an older
 *  plan stays. */
glk_status glk_program_plan(glk_context *context, glk_program *program);
void glk_program_unplan(glk_context *context, glk_program *program);

/* Rows (jacobian.c). */

/** Make sure that `rows` exist: the nodes that compute rows of the Jacobian of output 0. On failure
 *  the program runs as before. GLK_ERROR_GRADIENT if output 0 does not depend on one of the
 *  variables. Traces only. */
glk_status glk_program_jacobian(glk_context *context, glk_program *program,
                                glk_variable *const *variables, uint32_t count);

/* Gradient buffers (gradient_buffer.c). */

/** Memory for a needed derivative of a prepared program. Elements that these locks hold may be left
 *  as they are, which is judged when the program is executed; NULL: all are read. On failure
 *  everything is as before. */
glk_status glk_program_gradient_buffer(glk_context *context, glk_program *program,
                                       glk_derivative *derivative, const glk_lockset *locks);
/** Memory for all elements of every needed derivative. */
glk_status glk_program_gradient_buffers(glk_context *context, glk_program *program);
void glk_program_free_gradient_buffers(glk_context *context, glk_program *program);
/** Where a derivative was computed: a number of pieces, in order; `single` has room for one. */
uint32_t glk_program_pieces(const glk_program *program, const glk_derivative *derivative,
                            glk_piece *single, const glk_piece **out);

/* Running (run.c). */

/** Check that every variable that was read still exists and, for a tape, has the same values. */
glk_status glk_program_expect_variables(glk_context *context, const glk_program *program);
/** Compute the fusion that begins at index `at` of the schedule; returns the index after it,
 *  `at` if none begins there (fusion.c). */
uint32_t glk_fusion_execute(const glk_program *program, uint32_t at, glk_thread_pool *threads);
/** Set whether a derivative is computed. If not, nodes that only it needs are skipped; they get
 *  memory when it is first needed. */
void glk_program_need(glk_program *program, glk_derivative *derivative, int is_needed);
/** Check the variables, and make a plan if needed. */
glk_status glk_program_prepare(glk_context *context, glk_program *program);
/** Compute the outputs and every needed derivative, and nothing else. Prepared programs only; a
 *  tape is computed already. Allocates nothing, and fails only if a row's `check` refuses its
 *  input. */
glk_status glk_program_execute(glk_context *context, glk_program *program);
/** Update moving averages with the values just computed (moving_average.c). Cannot fail. */
void glk_program_update_averages(const glk_program *program);
/** A node's values, after it was computed. */
static inline const glk_real *glk_program_values(const glk_program *program, uint32_t node) {
  return program->nodes[node].values;
}

/** Apply an op to values at once: the eager path, also a tape's. `storage` receives the result. */
glk_status glk_compute(glk_context *context, const glk_op *op, const glk_real *const *in,
                       const glk_shape *const *in_shape, const glk_attributes *attributes,
                       const glk_shape *out_shape, glk_storage **storage);

#endif
