/* Data-parallel training on several machines: each rank of MPI computes gradients of its part of
 * the batch, and only those of free elements travel. 1, 2 and 4 ranks end on the same bits.
 *
 *   $ make install PREFIX=$PWD/build/mpi
 *   $ export PKG_CONFIG_PATH=build/mpi/lib/pkgconfig LD_LIBRARY_PATH=build/mpi/lib
 *   $ make -C docs/examples/mpi BUILD=$PWD/build/mpi
 *   $ mpirun -n 2 build/mpi/train network=small steps=20 locked=50
 *
 * A batch is a fixed number of shards. A rank computes its shards one after the other, and the
 * gradient of the batch is their mean by a fixed tree: ((0 + 1) + (2 + 3)) / 4. That tree is the
 * same for any number of ranks. The optimizer's gradient hook is where it happens: the hook keeps
 * the gradient of a shard and skips the update; after a rank's last shard it adds up, exchanges
 * sums (exchange.c), and lets the optimizer update. All ranks then take the same step, so they
 * stay equal without ever sending a weight.
 *
 * With `checkpoint`, rank 0 saves the state after every `every` steps, and a run that finds the
 * file continues from it, on any number of ranks. If a rank dies or stops, the others end with an
 * error. */
#define _POSIX_C_SOURCE 200809L
#include <gradlock.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exchange.h"

enum { EACH = 16, CLASSES = 10, MOST_LAYERS = 3, MOST_VARIABLES = 2 * MOST_LAYERS };

/* What the command line says, as name=value. */
static struct {
  const char *network, *checkpoint;
  int steps, locked, shards, every;
  double patience;
} settings = {.network = "small", .steps = 20, .shards = 4, .every = 10, .patience = 5};

static exchange ranks;
static glk_context *g;

/* End all ranks. */
static void stop(const char *reason) {
  fprintf(stderr, "%s\n", reason);
  fflush(NULL);
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  exit(EXIT_FAILURE);
}

static void check(glk_status status) {
  if (status == GLK_OK) return;
  if (status == GLK_ERROR_HOOK) stop(ranks.reason);
  stop(glk_context_detail(g));
}

static void *allocate(size_t count, size_t bytes) {
  void *out = calloc(count ? count : 1, bytes);
  if (!out) stop("out of memory");
  return out;
}

/* ------------------------------------------------------------------------------- the settings */

static void read_setting(const char *text) {
  const char *value = strchr(text, '=');
  const struct {
    const char *name;
    int *number;
  } numbers[] = {{"steps", &settings.steps},
                 {"locked", &settings.locked},
                 {"shards", &settings.shards},
                 {"every", &settings.every}};
  const size_t length = value ? (size_t)(value++ - text) : 0;
  if (length == 7 && !memcmp(text, "network", length)) {
    settings.network = value;
    return;
  }
  if (length == 10 && !memcmp(text, "checkpoint", length)) {
    settings.checkpoint = value;
    return;
  }
  if (length == 8 && !memcmp(text, "patience", length)) {
    settings.patience = atof(value);
    return;
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (length != strlen(numbers[i].name) || memcmp(text, numbers[i].name, length)) continue;
    *numbers[i].number = atoi(value);
    return;
  }
  stop("usage: train network=small|large steps= locked=percent shards= checkpoint=file every= "
       "patience=seconds");
}

static void read_settings(int argc, char **argv) {
  for (int i = 1; i < argc; i++) read_setting(argv[i]);
  if (settings.shards < ranks.ranks || settings.shards & (settings.shards - 1)) {
    stop("shards must be a power of two, and at least as many as there are ranks");
  }
  if (settings.steps < 0 || settings.every < 1) stop("steps from 0, every from 1");
}

/* ----------------------------------------------------------------------------------- the data */

/* A number in -1 .. 1 that depends on its index only, so that each rank makes its own part.
 * Source: Steele, Lea & Flood 2014, splitmix64. */
static float number_at(uint64_t stream, uint64_t index) {
  uint64_t z = (stream << 48) + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (float)(int32_t)(z >> 32) / 2147483648.0f;
}

/* Shard number `shard` of all, from 0: x [EACH, width] is noise over the pattern of its class, y
 * [EACH, CLASSES] is 1 for that class. Real data would be read from this rank's disk here. */
static void make_shard(uint64_t shard, uint32_t width, float *x, float *y) {
  memset(y, 0, sizeof(float) * EACH * CLASSES);
  for (uint64_t i = 0; i < EACH; i++) {
    const uint64_t example = shard * EACH + i, class = example % CLASSES;
    y[i * CLASSES + class] = 1;
    for (uint32_t k = 0; k < width; k++) {
      x[i * width + k] = number_at(1, example * width + k) + 0.3f * number_at(2, class * width + k);
    }
  }
}

/* -------------------------------------------------------------------------------- the network */

static const uint32_t small[] = {64, 32, CLASSES}, large[] = {784, 512, 512, CLASSES};

typedef struct network {
  glk_handle v[MOST_VARIABLES], x, y, program, optimizer;
  uint32_t count, width;
  size_t elements, free;
} network;

static glk_handle apply(const char *name, glk_handle a, glk_handle b) {
  uint32_t op;
  glk_handle out;
  check(glk_op_find(g, name, &op));
  check(glk_apply(g, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, &out));
  return out;
}

/* Weights [in, out] or, without `in`, a bias [out]; `locked` percent of the weights are locked. */
static glk_handle make_variable(network *n, uint32_t in, uint32_t out) {
  const uint32_t dims[2] = {in ? in : out, out};
  const size_t count = in ? (size_t)in * out : out;
  float *values = allocate(count, sizeof *values);
  uint8_t *mask = allocate(count, 1);
  for (size_t i = 0; in && i < count; i++) {
    values[i] = number_at(10 + n->count, i) * 2 / (float)(in > 256 ? 32 : 8);
    mask[i] = (number_at(20 + n->count, i) + 1) * 50 < (float)settings.locked;
  }
  glk_handle v;
  uint32_t locked;
  char name[8];
  snprintf(name, sizeof name, "v%u", n->count);
  check(glk_variable_create(g, in ? 2 : 1, dims, values, count, name, 1, &v));
  check(glk_locks_add_mask(g, v, mask, count));
  check(glk_locks_count(g, v, &locked));
  n->elements += count;
  n->free += count - locked;
  free(values), free(mask);
  return n->v[n->count++] = v;
}

/* The mean loss of a shard. Its input and labels are variables that nobody trains. */
static void make_network(network *n) {
  const int is_large = !strcmp(settings.network, "large");
  if (!is_large && strcmp(settings.network, "small")) stop("network must be small or large");
  const uint32_t *sizes = is_large ? large : small, layers = is_large ? 3 : 2;
  const uint32_t x_dims[2] = {EACH, n->width = sizes[0]}, y_dims[2] = {EACH, CLASSES};
  check(glk_variable_create(g, 2, x_dims, NULL, EACH * n->width, "x", 0, &n->x));
  check(glk_variable_create(g, 2, y_dims, NULL, EACH * CLASSES, "y", 0, &n->y));
  glk_handle w[MOST_LAYERS], b[MOST_LAYERS];
  for (uint32_t i = 0; i < layers; i++) {
    w[i] = make_variable(n, sizes[i], sizes[i + 1]);
    b[i] = make_variable(n, 0, sizes[i + 1]);
  }
  check(glk_program_begin(g, GLK_TRACE));
  glk_handle h = n->x;
  for (uint32_t i = 0; i < layers; i++) {
    h = apply("add", apply("matMul", h, w[i]), b[i]);
    if (i + 1 < layers) h = apply("relu", h, 0);
  }
  /* Cross-entropy, a mean over examples: of the CLASSES terms of each, one is not 0. */
  const glk_handle terms = apply("mul", apply("logSoftmax", h, 0), n->y);
  glk_handle factor;
  check(glk_tensor_create(g, 0, NULL, (float[]){-CLASSES}, 1, &factor));
  const glk_handle loss = apply("mul", apply("mean", terms, 0), factor);
  check(glk_program_end(g, &loss, 1, &n->program));
  check(glk_optimizer_create(g, GLK_ADAM, &n->optimizer));
}

/* --------------------------------------------------------------------------------- the sharing */

/* Of this rank's shards: their gradients so far. */
typedef struct shards {
  int own, done;
  /** [own][count] */
  float *gradients;
  size_t count;
} shards;

/* x[0] = the pairwise sum of x[0 .. own - 1], each [count]. */
static void add_pairwise(float *x, int own, size_t count) {
  for (int step = 1; step < own; step *= 2) {
    for (int s = 0; s < own; s += 2 * step) {
      float *a = x + (size_t)s * count;
      const float *b = x + (size_t)(s + step) * count;
      for (size_t i = 0; i < count; i++) a[i] += b[i];
    }
  }
}

/* The gradient hook: the gradients of the free elements of one shard. */
static int share(glk_real *gradients, size_t count, void *user) {
  shards *s = user;
  if (count != s->count) {
    snprintf(ranks.reason, sizeof ranks.reason, "locks must not change within a batch");
    return 2;
  }
  memcpy(s->gradients + (size_t)s->done * count, gradients, count * sizeof *gradients);
  if (++s->done < s->own) return GLK_HOOK_SKIP;
  s->done = 0;
  add_pairwise(s->gradients, s->own, count);
  if (exchange_sum(&ranks, s->gradients, count)) return 2;
  for (size_t i = 0; i < count; i++) {
    gradients[i] = s->gradients[i] * (1.0f / (float)settings.shards);
  }
  return GLK_HOOK_UPDATE;
}

/* One step of the batch; returns its mean loss over this rank's shards. */
static float train(network *n, const shards *s, int step, float *x, float *y) {
  float losses[64];
  for (int k = 0; k < s->own; k++) {
    const int shard = ranks.rank * s->own + k;
    double loss;
    make_shard((uint64_t)step * (uint64_t)settings.shards + (uint64_t)shard, n->width, x, y);
    check(glk_variable_assign(g, n->x, x, EACH * n->width, 0));
    check(glk_variable_assign(g, n->y, y, EACH * CLASSES, 0));
    check(glk_optimizer_minimize(g, n->optimizer, n->program, n->v, n->count, 1, &loss));
    losses[k] = (float)loss;
  }
  add_pairwise(losses, s->own, 1);
  return losses[0];
}

/* ------------------------------------------------------------------------------ the checkpoint */

/* Write the state beside the file and then rename it: whoever dies, the file is old or new. */
static void save(const network *n, int steps) {
  const double numbers[1] = {steps};
  char path[4096];
  size_t bytes;
  check(glk_state_save(g, n->optimizer, 0, n->v, n->count, numbers, 1, NULL, 0, &bytes));
  uint8_t *state = allocate(bytes, 1);
  check(glk_state_save(g, n->optimizer, 0, n->v, n->count, numbers, 1, state, bytes, &bytes));
  snprintf(path, sizeof path, "%s.new", settings.checkpoint);
  FILE *file = fopen(path, "wb");
  const int is_written =
      file && fwrite(state, 1, bytes, file) == bytes && !fflush(file) && !fsync(fileno(file));
  if ((file && fclose(file)) || !is_written || rename(path, settings.checkpoint)) {
    stop("cannot write the checkpoint");
  }
  free(state);
}

/* The number of steps taken before, by the checkpoint that rank 0 finds and sends to all. */
static int load(const network *n) {
  long bytes = 0;
  double numbers[1] = {0};
  FILE *file = ranks.rank ? NULL : fopen(settings.checkpoint, "rb");
  if (file && (fseek(file, 0, SEEK_END) || (bytes = ftell(file)) < 0))
    stop("cannot read the checkpoint");
  MPI_Bcast(&bytes, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  if (!bytes) return 0;
  uint8_t *state = allocate((size_t)bytes, 1);
  if (file) {
    rewind(file);
    if (fread(state, 1, (size_t)bytes, file) != (size_t)bytes) stop("cannot read the checkpoint");
    fclose(file);
  }
  MPI_Bcast(state, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  check(glk_state_load(g, n->optimizer, 0, n->v, n->count, numbers, 1, state, (size_t)bytes, 1,
                       NULL));
  free(state);
  if (!ranks.rank) printf("continues after step %.0f\n", numbers[0]);
  return (int)numbers[0];
}

/* ---------------------------------------------------------------------------------- the report */

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The digest of all variables; ends the run if the ranks differ. */
static uint64_t agree(const network *n) {
  uint64_t digest = 0, all[64];
  for (uint32_t i = 0; i < n->count; i++) {
    uint64_t one;
    check(glk_digest(g, n->v[i], &one));
    digest = digest * 1000003 + one;
  }
  MPI_Allgather(&digest, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, MPI_COMM_WORLD);
  for (int r = 0; r < ranks.ranks; r++) {
    if (all[r] != digest) stop("the ranks have different weights");
  }
  return digest;
}

int main(int argc, char **argv) {
  if (exchange_begin(&ranks, &argc, &argv)) stop(ranks.reason);
  read_settings(argc, argv);
  ranks.patience = settings.patience;
  if (ranks.ranks > 64 || settings.shards / ranks.ranks > 64) stop("64 ranks and shards at most");
  check(glk_context_create(NULL, &g));
  network n = {.count = 0};
  make_network(&n);
  shards s = {.own = settings.shards / ranks.ranks, .count = n.free};
  s.gradients = allocate(n.free * (size_t)s.own, sizeof *s.gradients);
  check(glk_optimizer_hook(g, n.optimizer, share, &s));

  float *x = allocate(EACH * n.width, sizeof *x), *y = allocate(EACH * CLASSES, sizeof *y);
  double *seconds = allocate((size_t)settings.steps, sizeof *seconds), sent = 0, most = 0;
  const int first = settings.checkpoint ? load(&n) : 0;
  int steps = first;
  float loss = 0;
  for (; steps < settings.steps; steps++) {
    const double start = MPI_Wtime();
    loss = train(&n, &s, steps, x, y);
    seconds[steps - first] = MPI_Wtime() - start;
    const int is_due = (steps + 1) % settings.every == 0 || steps + 1 == settings.steps;
    if (settings.checkpoint && !ranks.rank && is_due) save(&n, steps + 1);
  }
  sent = ranks.sent_bytes;
  const double exchanging = ranks.seconds;
  if (exchange_sum(&ranks, &loss, 1)) stop(ranks.reason);
  MPI_Reduce(&sent, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const uint64_t digest = agree(&n);
  if (!ranks.rank && steps > first) {
    const int taken = steps - first;
    qsort(seconds, (size_t)taken, sizeof *seconds, compare);
    printf("%s, %d %% locked (%zu of %zu free), %d ranks, steps %d to %d\n", settings.network,
           settings.locked, n.free, n.elements, ranks.ranks, first + 1, steps);
    printf("loss    %.6f\n", (double)loss / settings.shards);
    printf("sent    %.0f bytes per rank and step\n", most / taken);
    printf("time    %.2f ms per step (median), %.2f of it exchanging (mean)\n",
           seconds[taken / 2] * 1e3, exchanging / taken * 1e3);
    printf("digest  %016" PRIx64 "\n", digest);
  }
  free(seconds), free(x), free(y), free(s.gradients);
  glk_context_dispose(g);
  exchange_end(&ranks);
  return EXIT_SUCCESS;
}
