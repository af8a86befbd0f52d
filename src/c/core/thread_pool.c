/* A ticket is one word of 64 bits: the number of the job, its parts, and the next part to take. To
 * take a part is to exchange the ticket for the next one. That fails if the job has ended, so a
 * thread that slept through a job cannot take a part of another with the old function.
 *
 * A thread that finds no part watches the ticket for a moment, then sleeps: joining a job takes it
 * under a microsecond, waking up 30. The caller never sleeps, since a page's main thread may not.
 * In WebAssembly the host starts the threads, on the same memory (bind/wasm.c); natively they are
 * POSIX threads. A build without atomics has none. */
#include "core/thread_pool.h"

#include "core/memory.h"

#if !defined(__wasm__)
#include <pthread.h>
#include <sched.h>
#endif

#if GLK_HAS_THREADS
#include <stdatomic.h>

enum {
  NEXT_BITS = 16,
  PARTS_OF_A_THREAD = 4, /* so that a thread that comes late does not delay all */
  WATCHES = 8000,        /* looks at the ticket, before a thread sleeps: about 100 us */
  WAKING_SHARES = 4      /* so many times the shortest job: as long as waking a sleeper takes */
};

struct glk_thread_pool {
  glk_thread_pool_head head;
  _Atomic uint64_t ticket;
  char apart[64]; /* for a cache line of its own: all write the ticket, one watches what is done */
  _Atomic uint32_t done; /* parts that were computed by others than the caller */
  _Atomic uint32_t sleepers, is_over;
  _Atomic(glk_job *) job;
  _Atomic(const void *) work;
  _Atomic size_t count, step;
  uint32_t size, number;
#if !defined(__wasm__)
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_t threads[GLK_MAX_THREADS];
#endif
};

#if defined(__wasm__)

static void sleep_while(glk_thread_pool *t, uint64_t seen) {
  __builtin_wasm_memory_atomic_wait64((int64_t *)(void *)&t->ticket, (int64_t)seen, -1);
}

static void wake_all(glk_thread_pool *t) {
  __builtin_wasm_memory_atomic_notify((int *)(void *)&t->ticket, ~0u);
}

static void pause_a_moment(uint32_t turn) { (void)turn; }

#else

static void sleep_while(glk_thread_pool *t, uint64_t seen) {
  pthread_mutex_lock(&t->mutex);
  while (atomic_load(&t->ticket) == seen) pthread_cond_wait(&t->changed, &t->mutex);
  pthread_mutex_unlock(&t->mutex);
}

static void wake_all(glk_thread_pool *t) {
  pthread_mutex_lock(&t->mutex);
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->mutex);
}

/* Where there are more threads than processors, the one that is waited for may need this one's. */
static void pause_a_moment(uint32_t turn) {
#if defined(__SSE2__)
  _mm_pause();
#endif
  if (turn > WATCHES) sched_yield();
}

#endif

/* Take parts while there are any; returns how many, and the ticket that has none left. */
static uint32_t take_parts(glk_thread_pool *t, uint32_t thread, uint64_t *seen) {
  const uint64_t mask = ((uint64_t)1 << NEXT_BITS) - 1;
  uint32_t taken = 0;
  for (;;) {
    uint64_t ticket = atomic_load(&t->ticket);
    const uint64_t next = ticket & mask, parts = ticket >> NEXT_BITS & mask;
    if (next >= parts) {
      *seen = ticket;
      return taken;
    }
    glk_job *job = atomic_load_explicit(&t->job, memory_order_relaxed);
    const void *work = atomic_load_explicit(&t->work, memory_order_relaxed);
    const size_t count = atomic_load_explicit(&t->count, memory_order_relaxed);
    const size_t step = atomic_load_explicit(&t->step, memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&t->ticket, &ticket, ticket + 1)) continue;
    const size_t from = (size_t)next * step;
    job(work, from, next + 1 == parts ? count : from + step, thread);
    taken++;
    if (thread) atomic_fetch_add(&t->done, 1);
  }
}

void glk_thread_pool_run(glk_thread_pool *t, double ns, size_t count, size_t grain, glk_job *job,
                         const void *work) {
  const size_t grains = count / grain + (count % grain != 0);
  if (grains < 2) {
    if (count) job(work, 0, count, 0);
    return;
  }
  /* A part takes half of the least time at least: a job that is just worth it has two. */
  const double least = t->head.share_ns;
  double most = t->size * PARTS_OF_A_THREAD;
  if (2 * ns < most * least) most = 2 * ns / least;
  size_t parts = most < 2 ? 2 : (size_t)most;
  if (parts > grains) parts = grains;
  const size_t step = (grains + parts - 1) / parts * grain;
  parts = (count + step - 1) / step;
  atomic_store_explicit(&t->job, job, memory_order_relaxed);
  atomic_store_explicit(&t->work, work, memory_order_relaxed);
  atomic_store_explicit(&t->count, count, memory_order_relaxed);
  atomic_store_explicit(&t->step, step, memory_order_relaxed);
  atomic_store_explicit(&t->done, 0, memory_order_relaxed);
  atomic_store(&t->ticket, (uint64_t)++t->number << 2 * NEXT_BITS | parts << NEXT_BITS);
  if (ns >= WAKING_SHARES * least && atomic_load(&t->sleepers)) wake_all(t);
  uint64_t seen;
  const uint32_t own = take_parts(t, 0, &seen);
  for (uint32_t turn = 0; own + atomic_load(&t->done) != parts; turn++) pause_a_moment(turn);
}

void glk_thread_pool_work(glk_thread_pool *t, uint32_t thread) {
  for (;;) {
    uint64_t seen;
    take_parts(t, thread, &seen);
    if (atomic_load(&t->is_over)) return;
    uint32_t turn = 0;
    while (turn < WATCHES && atomic_load(&t->ticket) == seen) pause_a_moment(turn++);
    if (turn < WATCHES) continue;
    atomic_fetch_add(&t->sleepers, 1);
    sleep_while(t, seen);
    atomic_fetch_sub(&t->sleepers, 1);
  }
}

uint32_t glk_thread_pool_size(const glk_thread_pool *t) { return t ? t->size : 1; }

static void end_threads(glk_thread_pool *t) {
  atomic_store(&t->is_over, 1);
  atomic_store(&t->ticket, (uint64_t)++t->number << 2 * NEXT_BITS);
  wake_all(t);
}

#if defined(__wasm__)

void glk_thread_pool_dispose(glk_context *context, glk_thread_pool *t) {
  (void)context;
  if (t) end_threads(t); /* which may still read it: it ends with the whole memory */
}

static glk_status start_threads(glk_context *context, glk_thread_pool *t) {
  (void)context, (void)t;
  return GLK_OK;
}

#else

static void join_threads(glk_thread_pool *t, uint32_t size) {
  end_threads(t);
  for (uint32_t thread = 1; thread < size; thread++) pthread_join(t->threads[thread], NULL);
  pthread_cond_destroy(&t->changed);
  pthread_mutex_destroy(&t->mutex);
}

void glk_thread_pool_dispose(glk_context *context, glk_thread_pool *t) {
  if (!t) return;
  join_threads(t, t->size);
  glk_release(context, t, 1, sizeof *t);
}

/* Threads are numbered by themselves. */
static void *live(void *pool) {
  glk_thread_pool *t = pool;
  glk_thread_pool_work(t, 1 + atomic_fetch_add(&t->done, 1));
  return NULL;
}

static glk_status start_threads(glk_context *context, glk_thread_pool *t) {
  pthread_mutex_init(&t->mutex, NULL);
  pthread_cond_init(&t->changed, NULL);
  for (uint32_t thread = 1; thread < t->size; thread++) {
    if (!pthread_create(&t->threads[thread], NULL, live, t)) continue;
    join_threads(t, thread);
    return glk_fail(context, GLK_ERROR_LIMIT, "the system has no room for %u threads", t->size);
  }
  while (atomic_load(&t->done) + 1 != t->size) sched_yield(); /* for their numbers */
  return GLK_OK;
}

#endif

static glk_status begin(glk_context *context, uint32_t threads, double share_ns) {
  glk_thread_pool *t;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_thread_pool), &t));
  t->size = threads;
  t->head.share_ns = share_ns;
  const glk_status status = start_threads(context, t);
  if (status == GLK_OK) {
    context->threads = t;
  } else {
    glk_release(context, t, 1, sizeof *t);
  }
  return status;
}

#else /* no atomics */

static glk_status begin(glk_context *context, uint32_t threads, double share_ns) {
  (void)threads, (void)share_ns;
  return glk_fail(context, GLK_ERROR_LIMIT, "this build has no threads");
}

#endif

glk_status glk_context_threads(glk_context *context, uint32_t threads, double share_ns) {
  GLK_REFUSE_IF(context, 0);
  if (threads < 1 || threads > GLK_MAX_THREADS) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%u threads: expected 1 to %u", threads,
                    GLK_MAX_THREADS);
  }
  if (!(share_ns >= 0)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "share_ns is %g: expected 0 or more", share_ns);
  }
  if (context->handles.live || context->recording) {
    return glk_fail(context, GLK_ERROR_LIMIT,
                    "threads are set before the first object: the context has %u",
                    context->handles.live);
  }
  glk_thread_pool *before = context->threads;
  context->threads = NULL;
  const glk_status status = threads > 1 ? begin(context, threads, share_ns) : GLK_OK;
  if (status != GLK_OK) context->threads = before;
  if (status == GLK_OK) glk_thread_pool_dispose(context, before);
  return status;
}
