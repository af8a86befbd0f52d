/* Puts the code of a WebAssembly module together again, whose parts split.mjs sorted into streams:
 * deflate finds more where opcodes are next to opcodes and local variables next to local variables.
 * It is a module of its own, of about 1 kB, which travels in front of the streams: the same loop in
 * JavaScript, cold, takes 40 ms instead of 2.
 *
 * It checks nothing: the packager has compared what comes out with what went in.
 * Source: the binary format, https://webassembly.github.io/spec/core/binary/instructions.html. */
#include <stdint.h>

/* In the order of split.mjs. */
enum { HEAD, TAIL, TYPES, BYTES, OFFSETS, INTEGERS, LOCALS, OPCODES, STREAMS };

static const uint8_t *in[STREAMS];
static uint8_t *out;

static void copy(int stream, uint32_t count) {
  while (count--) *out++ = *in[stream]++;
}

/* A number in LEB128. */
static uint32_t number(int stream) {
  uint32_t value = 0, shift = 0, byte;
  do {
    *out++ = byte = *in[stream]++;
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte > 127);
  return value;
}

static void numbers(int stream, uint32_t count) {
  while (count--) number(stream);
}

static int between(uint32_t x, uint32_t low, uint32_t high) { return x - low <= high - low; }

/* One instruction; how much deeper its blocks are nested after it. */
static int instruction(void) {
  uint32_t op = *out++ = *in[OPCODES]++;
  if (between(op, 0x20, 0x22)) return number(LOCALS), 0;
  if (between(op, 0x41, 0x42)) return number(INTEGERS), 0;
  if (between(op, 0x43, 0x44)) return copy(BYTES, op == 0x43 ? 4 : 8), 0;
  if (between(op, 0x02, 0x04)) return copy(OPCODES, 1), 1; /* block, loop, if */
  if (op == 0x0b) return -1;                               /* end */
  int is_memory = between(op, 0x28, 0x3e), plain = 0;
  if (between(op, 0x0c, 0x0d) || op == 0x10 || between(op, 0x23, 0x24) || between(op, 0x3f, 0x40)) {
    plain = 1; /* br, call, global, memory.size and .grow */
  } else if (op == 0x11) {
    plain = 2; /* call_indirect */
  } else if (op == 0x0e) {
    plain = (int)number(OPCODES) + 1; /* br_table */
  } else if (op == 0xfc) {
    op = number(OPCODES);
    if (between(op, 8, 11)) plain = op & 1 ? 1 : 2; /* memory.init, data.drop, memory.copy, .fill */
  } else if (op == 0xfd) {
    op = number(OPCODES);
    is_memory = op <= 11 || between(op, 84, 93);
    if (between(op, 12, 13)) copy(BYTES, 16);           /* v128.const, i8x16.shuffle */
    plain = between(op, 21, 34) || between(op, 84, 91); /* a lane */
  } else if (op == 0xfe) {
    is_memory = number(OPCODES) != 3; /* all but atomic.fence */
    plain = !is_memory;
  }
  if (is_memory) number(OPCODES), number(OFFSETS);
  numbers(OPCODES, (uint32_t)plain);
  return 0;
}

/* The size of a function comes before its code and is known after it. */
static void function(void) {
  uint8_t *const size_at = out, *code = out += 5;
  for (uint32_t groups = number(TYPES); groups--;) {
    number(TYPES);
    copy(TYPES, 1);
  }
  for (int depth = 1; depth;) depth += instruction();
  const uint8_t *const end = out;
  uint32_t size = (uint32_t)(end - code);
  for (out = size_at; size > 127; size >>= 7) *out++ = (uint8_t)(size | 128);
  *out++ = (uint8_t)size;
  while (code < end) *out++ = *code++;
}

/** Write the module at `to` and return its end.
 *  from   [1 + STREAMS] u32, the streams   the count of functions, the sizes of the streams, and
 *                                          the streams themselves */
uint8_t *glk_join(const uint32_t *from, uint8_t *to) {
  const uint32_t *const sizes = from + 1;
  const uint8_t *at = (const uint8_t *)(sizes + STREAMS);
  for (int i = 0; i < STREAMS; i++) {
    in[i] = at;
    at += sizes[i];
  }
  out = to;
  copy(HEAD, sizes[HEAD]);
  for (uint32_t count = *from; count--;) function();
  copy(TAIL, sizes[TAIL]);
  return out;
}
