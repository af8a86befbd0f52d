/* Sums over MPI's ranks whose bits do not depend on timing: a fixed pairwise tree. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stddef.h>

typedef struct exchange {
  int rank, ranks;
  /** Seconds to wait for another rank before giving up. */
  double patience;
  /** Bytes of values that this rank sent, and seconds that it spent, so far. */
  double sent_bytes, seconds;
  /** [room_count] Memory for what others send. */
  float *room;
  size_t room_count;
  /** Why the last call failed. */
  char reason[160];
} exchange;

/** Start MPI. Returns 0, or another number if this cannot work; `reason` then says why. The number
 *  of ranks must be a power of two. */
int exchange_begin(exchange *e, int *argc, char ***argv);
/** Replace x [count] by its sum over all ranks, the same bits on each. For ranks a, b, c, d it is
 *  (a + b) + (c + d), whatever arrives first. Returns 0, or another number on failure: a rank is
 *  gone or does not answer, and x is then undefined. */
int exchange_sum(exchange *e, float *x, size_t count);
/** End MPI in good order. */
void exchange_end(exchange *e);

#endif
