/* Every op, once: its id and its row. To add an op: a line here, a row and a function pair in its family's file. */
#ifndef GLK_OPS_LIST_H
#define GLK_OPS_LIST_H

#define GLK_OP_LIST(X)                  \
  /* arithmetic.c */                    \
  X(ADD, add)                           \
  X(SUB, sub)                           \
  X(MUL, mul)                           \
  X(DIV, div)                           \
  X(NEG, neg)                           \
  X(SQUARE, square)                     \
  X(SQRT, sqrt)                         \
  X(ABS, abs)                           \
  X(ABS_GRADIENT, abs_gradient)         \
  /* activation.c */                    \
  X(EXP, exp)                           \
  X(LOG, log)                           \
  X(TANH, tanh)                         \
  X(TANH_GRADIENT, tanh_gradient)       \
  X(SIGMOID, sigmoid)                   \
  X(SIGMOID_GRADIENT, sigmoid_gradient) \
  X(RELU, relu)                         \
  X(RELU_GRADIENT, relu_gradient)       \
  /* compare.c */                       \
  X(MAXIMUM, maximum)                   \
  X(MINIMUM, minimum)                   \
  X(EQUAL, equal)                       \
  X(GREATER, greater)                   \
  X(GREATER_EQUAL, greater_equal)       \
  X(LESS, less)                         \
  X(LESS_EQUAL, less_equal)             \
  X(WHERE, where)                       \
  /* reduce.c */                        \
  X(SUM, sum)                           \
  X(MEAN, mean)                         \
  /* matmul.c */                        \
  X(MATMUL, matmul)                     \
  /* shape.c */                         \
  X(RESHAPE, reshape)                   \
  X(TRANSPOSE, transpose)               \
  X(SLICE, slice)                       \
  X(PAD, pad)                           \
  X(BROADCAST_TO, broadcast_to)         \
  X(STOP_GRADIENT, stop_gradient)

#endif
