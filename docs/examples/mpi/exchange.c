/* Recursive halving and doubling. First, partners exchange halves of the list, and each adds its
 * own half: after log2(ranks) rounds a rank has the sum of 1/ranks of the list. Then the sums go
 * back the same way. So each rank sends 2 (1 - 1/ranks) times the list.
 *
 * MPI_Allreduce is not used: the standard leaves the order of its additions to the implementation.
 * Source: Thakur, Rabenseifner & Gropp 2005, Int. J. High Perform. Comput. Appl. 19, section 4. */
#include "exchange.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* Part of a list. */
typedef struct part {
  size_t from, to;
} part;

static int fail(exchange *e, int partner, const char *what) {
  snprintf(e->reason, sizeof e->reason, "rank %d: %s rank %d", e->rank, what, partner);
  return 1;
}

/* Send one part to a partner while receiving another from it. A rank that is gone or stopped must
 * not keep the others waiting, as MPI_Sendrecv would. Time in which this rank itself did not run (a
 * machine that was suspended) hardly counts: its partner may have answered. */
static int swap(exchange *e, int partner, const float *out, size_t out_count, float *in,
                size_t in_count) {
  MPI_Request requests[2];
  double waited = 0, last = MPI_Wtime();
  if (out_count > INT_MAX || in_count > INT_MAX) return fail(e, partner, "too much for");
  if (MPI_Irecv(in, (int)in_count, MPI_FLOAT, partner, 0, MPI_COMM_WORLD, &requests[0]) ||
      MPI_Isend(out, (int)out_count, MPI_FLOAT, partner, 0, MPI_COMM_WORLD, &requests[1])) {
    return fail(e, partner, "cannot reach");
  }
  for (int is_done = 0; !is_done;) {
    if (MPI_Testall(2, requests, &is_done, MPI_STATUSES_IGNORE)) return fail(e, partner, "lost");
    const double now = MPI_Wtime(), passed = now - last;
    waited += passed < 0.1 ? passed : 0.1;
    last = now;
    if (!is_done && waited > e->patience) return fail(e, partner, "no answer from");
    if (!is_done) sched_yield();
  }
  e->sent_bytes += (double)(out_count * sizeof *out);
  return 0;
}

/* Let `keep` be this rank's half of a part, and `give` its partner's. The lower rank has the lower
 * half. */
static void halve(const exchange *e, int bit, part all, part *keep, part *give) {
  const size_t middle = all.from + (all.to - all.from) / 2;
  const part low = {all.from, middle}, high = {middle, all.to};
  *keep = e->rank & bit ? high : low;
  *give = e->rank & bit ? low : high;
}

static int make_room(exchange *e, size_t count) {
  if (count <= e->room_count) return 0;
  float *room = realloc(e->room, count * sizeof *room);
  if (!room) {
    snprintf(e->reason, sizeof e->reason, "rank %d: no memory for %zu values", e->rank, count);
    return 1;
  }
  e->room = room;
  e->room_count = count;
  return 0;
}

static int sum(exchange *e, float *x, size_t count) {
  part levels[31], keep, give;
  int level = 0;
  if (make_room(e, count)) return 1;
  levels[0] = (part){0, count};
  for (int bit = 1; bit < e->ranks; bit *= 2) {
    halve(e, bit, levels[level], &keep, &give);
    if (swap(e, e->rank ^ bit, x + give.from, give.to - give.from, e->room, keep.to - keep.from)) {
      return 1;
    }
    for (size_t i = keep.from; i < keep.to; i++) { /* the lower rank's term comes first */
      const float other = e->room[i - keep.from];
      x[i] = e->rank & bit ? other + x[i] : x[i] + other;
    }
    levels[++level] = keep;
  }
  for (int bit = e->ranks / 2; bit; bit /= 2) {
    halve(e, bit, levels[--level], &keep, &give);
    if (swap(e, e->rank ^ bit, x + keep.from, keep.to - keep.from, x + give.from,
             give.to - give.from)) {
      return 1;
    }
  }
  return 0;
}

int exchange_sum(exchange *e, float *x, size_t count) {
  const double start = MPI_Wtime();
  const int failed = sum(e, x, count);
  e->seconds += MPI_Wtime() - start;
  return failed;
}

int exchange_begin(exchange *e, int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &e->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &e->ranks);
  if (!(e->ranks & (e->ranks - 1))) return 0;
  snprintf(e->reason, sizeof e->reason, "%d ranks are not a power of two", e->ranks);
  return 1;
}

void exchange_end(exchange *e) {
  free(e->room);
  MPI_Finalize();
}
