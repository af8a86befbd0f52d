/* Every op, once: its id and its row, by the file of its family. Each family of ops has one name in
 * C (FAMILY.c, or FAMILY_PART.c if that is long), src/js/ops and tests/c/samples.
 * Only table.c includes the list, so that a new op recompiles little: recipes name rows (op.h), not
 * numbers. To add an op: a line here, a row and a function pair in its family's file. */
#ifndef GLK_OPS_LIST_H
#define GLK_OPS_LIST_H

/* A longer name must not move the others. */
/* clang-format off */
#define GLK_OP_LIST(X)                  \
  /* elementwise.c */                   \
  X(ADD, add)                           \
  X(SUB, sub)                           \
  X(MUL, mul)                           \
  X(DIV, div)                           \
  X(NEG, neg)                           \
  X(SQUARE, square)                     \
  X(SQUARED_DIFFERENCE, squared_difference)\
  X(SQRT, sqrt)                         \
  X(ABS, abs)                           \
  X(ABS_GRADIENT, abs_gradient)         \
  X(RECIPROCAL, reciprocal)             \
  X(RSQRT, rsqrt)                       \
  X(SIGN, sign)                         \
  X(FLOOR, floor)                       \
  X(CEIL, ceil)                         \
  X(ROUND, round)                       \
  X(MOD, mod)                           \
  X(EXP, exp)                           \
  X(EXP2, exp2)                         \
  X(EXPM1, expm1)                       \
  X(LOG, log)                           \
  X(LOG1P, log1p)                       \
  X(POW, pow)                           \
  X(SIN, sin)                           \
  X(COS, cos)                           \
  X(ERF, erf)                           \
  /* activation.c */                    \
  X(TANH, tanh)                         \
  X(TANH_GRADIENT, tanh_gradient)       \
  X(SIGMOID, sigmoid)                   \
  X(SIGMOID_GRADIENT, sigmoid_gradient) \
  X(RELU, relu)                         \
  X(RELU_GRADIENT, relu_gradient)       \
  X(SOFTPLUS, softplus)                 \
  X(GELU, gelu)                         \
  X(GELU_EXACT, gelu_exact)             \
  X(GELU_GRADIENT, gelu_gradient)       \
  X(SILU, silu)                         \
  X(LEAKY_RELU, leaky_relu)             \
  X(ELU, elu)                           \
  /* compare.c */                       \
  X(EQUAL, equal)                       \
  X(NOT_EQUAL, not_equal)               \
  X(GREATER, greater)                   \
  X(GREATER_EQUAL, greater_equal)       \
  X(LESS, less)                         \
  X(LESS_EQUAL, less_equal)             \
  X(LOGICAL_AND, logical_and)           \
  X(LOGICAL_OR, logical_or)             \
  X(LOGICAL_XOR, logical_xor)           \
  X(LOGICAL_NOT, logical_not)           \
  X(IS_NAN, is_nan)                     \
  X(IS_INF, is_inf)                     \
  X(IS_FINITE, is_finite)               \
  X(MAXIMUM, maximum)                   \
  X(MINIMUM, minimum)                   \
  X(CLIP_BY_VALUE, clip_by_value)       \
  X(WHERE, where)                       \
  /* reduce.c */                        \
  X(SUM, sum)                           \
  /* reduce_extremes.c */                 \
  X(MAX, max)                           \
  X(MIN, min)                           \
  X(PROD, prod)                         \
  X(ARG_MAX, arg_max)                   \
  X(ARG_MIN, arg_min)                   \
  /* reduce.c */                         \
  X(CUMSUM, cumsum)                     \
  /* reduce_statistics.c: composites */ \
  X(ALL, all)                           \
  X(ANY, any)                           \
  X(LOG_SUM_EXP, log_sum_exp)           \
  X(VARIANCE, variance)                 \
  X(L2_NORM, l2_norm)                   \
  X(MEAN, mean)                         \
  /* linear.c */                        \
  X(MATMUL, matmul)                     \
  X(DOT, dot)                           \
  X(OUTER_PRODUCT, outer_product)       \
  /* image_conv.c */                    \
  X(CONV2D, conv2d)                     \
  X(CONV2D_TRANSPOSE, conv2d_transpose) \
  X(CONV2D_FILTER_GRADIENT, conv2d_filter_gradient) \
  /* image_depthwise.c */               \
  X(DEPTHWISE_CONV2D, depthwise_conv2d) \
  X(DEPTHWISE_CONV2D_IMAGES, depthwise_conv2d_images) \
  X(DEPTHWISE_CONV2D_FILTER, depthwise_conv2d_filter) \
  /* image_pool.c */                    \
  X(MAX_POOL, max_pool)                 \
  X(MAX_POOL_GRADIENT, max_pool_gradient) \
  X(MAX_POOL_PICK, max_pool_pick)       \
  X(AVG_POOL, avg_pool)                 \
  X(AVG_POOL_GRADIENT, avg_pool_gradient) \
  /* normalize.c */                     \
  X(SOFTMAX, softmax)                   \
  X(SOFTMAX_GRADIENT, softmax_gradient) \
  X(LOG_SOFTMAX, log_softmax)           \
  X(LAYER_NORM, layer_norm)             \
  /* loss.c: composites */              \
  X(MEAN_SQUARED_ERROR, mean_squared_error) \
  X(MEAN_ABSOLUTE_ERROR, mean_absolute_error) \
  X(HUBER, huber)                       \
  X(HINGE, hinge)                       \
  X(COSINE_SIMILARITY, cosine_similarity) \
  /* loss_crossentropy.c: composites but for the last two */\
  X(BINARY_CROSSENTROPY, binary_crossentropy) \
  X(CATEGORICAL_CROSSENTROPY, categorical_crossentropy) \
  X(SPARSE_CATEGORICAL_CROSSENTROPY, sparse_categorical_crossentropy) \
  X(CROSSENTROPY, crossentropy)         \
  X(CROSSENTROPY_GRADIENT, crossentropy_gradient) \
  /* shape.c */                         \
  X(RESHAPE, reshape)                   \
  X(FLATTEN, flatten)                   \
  X(EXPAND_DIMS, expand_dims)           \
  X(SQUEEZE, squeeze)                   \
  X(STOP_GRADIENT, stop_gradient)       \
  X(TRANSPOSE, transpose)               \
  X(BROADCAST_TO, broadcast_to)         \
  /* shape_slice.c */                   \
  X(SLICE, slice)                       \
  X(STRIDED_SLICE, strided_slice)       \
  X(PLACE_IN, place_in)                 \
  X(PAD, pad)                           \
  X(MIRROR_PAD, mirror_pad)             \
  /* indexing_gather.c */               \
  X(GATHER, gather)                     \
  X(EMBEDDING_LOOKUP, embedding_lookup) \
  X(SEGMENT_SUM, segment_sum)           \
  /* indexing_scatter.c */              \
  X(GATHER_ND, gather_nd)               \
  X(SCATTER_ND, scatter_nd)             \
  X(SCATTER_UPDATE, scatter_update)     \
  X(LAST_OF_REPEATS, last_of_repeats)   \
  X(SCATTER_ADD, scatter_add)           \
  X(SCATTER_SUB, scatter_sub)           \
  X(SCATTER_MIN, scatter_min)           \
  X(SCATTER_MAX, scatter_max)           \
  /* indexing_sort.c */                 \
  X(ARG_SORT, arg_sort)                 \
  X(SORT, sort)                         \
  X(ONE_HOT, one_hot)                   \
  /* shape_layout.c */                  \
  X(CONCAT, concat)                     \
  X(REVERSE, reverse)                   \
  X(TILE, tile)                         \
  X(ROLL, roll)                         \
  /* random.c */                        \
  X(RANDOM_UNIFORM, random_uniform)     \
  X(RANDOM_NORMAL, random_normal)       \
  X(TRUNCATED_NORMAL, truncated_normal) \
  X(RANDOM_BERNOULLI, random_bernoulli) \
  X(RANDOM_PERMUTATION, random_permutation) \
  X(DROPOUT, dropout)                   \
  X(ORTHOGONALIZE, orthogonalize)       \
  /* activation.c */                    \
  X(HARD_SIGMOID, hard_sigmoid)         \
  /* elementwise.c */                   \
  X(ATAN2, atan2)                       \
  X(ATAN, atan)
/* clang-format on */

/** The number of each op, as glk_apply takes it. */
typedef enum glk_op_id {
#define GLK_OP_ID(id, row) GLK_OP_##id,
  GLK_OP_LIST(GLK_OP_ID)
#undef GLK_OP_ID
      GLK_OP_COUNT
} glk_op_id;

#endif
