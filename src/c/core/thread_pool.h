/* Threads of a context. They share one job at a time: a loop over independent items, cut into
 * parts. Whoever is free takes the next part, the caller too: a job ends even if no thread comes.
 *
 * No bit may depend on the number of threads. So an item is computed whole, by one thread, in the
 * same way wherever the cuts are. A part allocates nothing, cannot fail, and starts no job. */
#ifndef GLK_CORE_THREAD_POOL_H
#define GLK_CORE_THREAD_POOL_H

#include "core/context.h"

/** Builds for WebAssembly without atomics have one thread. */
#if defined(__wasm__) && !defined(__wasm_atomics__)
#define GLK_HAS_THREADS 0
#else
#define GLK_HAS_THREADS 1
#endif

/** Compute items from..to - 1 of `work`. `thread` is below glk_thread_pool_size and differs
 *  between parts that run at the same time: it selects scratch. */
typedef void glk_job(const void *work, size_t from, size_t to, uint32_t thread);

/** How a pool begins: what is asked before each job. */
typedef struct glk_thread_pool_head {
  double share_ns; /* shorter jobs are not shared */
} glk_thread_pool_head;

/** True if there is a pool, and sharing work of `ns` pays. */
static inline int glk_thread_pool_pays(const glk_thread_pool *pool, double ns) {
  return GLK_HAS_THREADS && pool &&
         ns >= ((const glk_thread_pool_head *)(const void *)pool)->share_ns;
}

#if GLK_HAS_THREADS
/** glk_parallel_for with a pool. */
void glk_thread_pool_run(glk_thread_pool *pool, double ns, size_t count, size_t grain, glk_job *job,
                         const void *work);
/** Number of threads, with the caller's; 1 for NULL. */
uint32_t glk_thread_pool_size(const glk_thread_pool *pool);
/** End the threads. NULL is allowed. */
void glk_thread_pool_dispose(glk_context *context, glk_thread_pool *pool);
/** Take parts of jobs until the pool is disposed: the life of a thread. */
void glk_thread_pool_work(glk_thread_pool *pool, uint32_t thread);
#else
static inline void glk_thread_pool_run(glk_thread_pool *pool, double ns, size_t count, size_t grain,
                                       glk_job *job, const void *work) {
  (void)pool, (void)ns, (void)count, (void)grain, (void)job, (void)work;
}
static inline uint32_t glk_thread_pool_size(const glk_thread_pool *pool) {
  (void)pool;
  return 1;
}
static inline void glk_thread_pool_dispose(glk_context *context, glk_thread_pool *pool) {
  (void)context, (void)pool;
}
#endif

/** Run a job over items 0..count - 1. Returns when all are computed.
 *  pool   NULL: the caller computes all, on thread 0, in one part
 *  ns     about how long all of it takes one thread, in nanoseconds; shorter jobs are not shared
 *  grain  every part but the last begins and ends at a multiple of it
 *  Inlined, so that the job is called directly where it is not shared: products of 2 x 2 matrices
 *  took 14 % longer by an indirect call. */
static inline __attribute__((always_inline)) void glk_parallel_for(glk_thread_pool *pool, double ns,
                                                                   size_t count, size_t grain,
                                                                   glk_job *job, const void *work) {
  if (glk_thread_pool_pays(pool, ns)) {
    glk_thread_pool_run(pool, ns, count, grain, job, work);
  } else if (count) {
    job(work, 0, count, 0);
  }
}

#endif
