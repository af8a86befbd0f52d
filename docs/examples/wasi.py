"""Two by two in Python, by the WASI module: train the diagonal of a variable, hold its other two
elements where they are, to the bit. Any language with a WebAssembly runtime does as much: it calls
the functions of gradlock.h and passes what they point to through the module's memory. The module
imports nothing.

  $ make build
  $ python3 -m venv build/python
  $ build/python/bin/pip install wasmtime
  $ build/python/bin/python docs/examples/wasi.py
  x       [[1.000007, 0.000000], [0.000000, 3.999866]]
  digest  7610001b311021f0

hello.c, node.mjs and page.html do the same and end on the same digest: the same bits.
"""

from struct import calcsize, pack, unpack

from wasmtime import Instance, Module, Store

GLK_TRACE, GLK_ADAM = 0, 1  # of the enumerations in gradlock.h

store = Store()
module = Module.from_file(store.engine, "build/wasm/gradlock.wasi.wasm")
exports = Instance(store, module, []).exports(store)
exports["_initialize"](store)
memory = exports["memory"]


def keep(data):
    """A copy of bytes in the module's memory; its address."""
    address = exports["glk_bind_alloc"](store, len(data))
    memory.write(store, data, address)
    return address


def call(name, *arguments, gives=""):
    """Call a function of gradlock.h. Bytes are passed by the address of a copy. `gives` is the type
    of what the last parameter points to, as struct writes it: that is returned."""
    size = calcsize("<" + gives)
    given = [*arguments, bytes(size)] if gives else arguments
    passed = [keep(argument) if isinstance(argument, bytes) else argument for argument in given]
    status = exports[name](store, *passed)
    if status:
        at = exports["glk_status_name"](store, status)
        text, _, _ = memory.read(store, at, at + 32).partition(b"\0")
        raise RuntimeError(f"{name}: {text.decode()}")
    result = [None]
    if gives:
        result = unpack("<" + gives, memory.read(store, passed[-1], passed[-1] + size))
    for address, argument in zip(passed, given):
        if isinstance(argument, bytes):
            exports["glk_bind_free"](store, address)
    return result[0]


def apply(name, *operands):
    """An op by its name."""
    op = call("glk_op_find", g, name.encode() + b"\0", gives="I")
    inputs = pack(f"<{len(operands)}I", *operands)
    return call("glk_apply", g, op, inputs, len(operands), 0, 0, gives="I")


g = call("glk_context_create", 0, gives="I")

shape = pack("<2I", 2, 2)
x = call("glk_variable_create", g, 2, shape, 0, 4, b"x\0", 1, gives="I")  # zeros
target = call("glk_tensor_create", g, 2, shape, pack("<4f", 1, 2, 3, 4), 4, gives="I")

# Row 0, column 1 and row 1, column 0, as they lie in memory.
call("glk_locks_add_indices", g, x, pack("<2I", 1, 2), 2)

# Recorded once; each of the steps below runs it forward and back.
call("glk_program_begin", g, GLK_TRACE)
loss = apply("mean", apply("square", apply("sub", x, target)))
program = call("glk_program_end", g, pack("<I", loss), 1, gives="I")

adam = call("glk_optimizer_create", g, GLK_ADAM, gives="I")
names = pack("<I", keep(b"learningRate\0"))
call("glk_optimizer_set", g, adam, names, pack("<d", 0.1), 1)
call("glk_optimizer_minimize", g, adam, program, pack("<I", x), 1, 200, 0)

values = keep(bytes(16))
call("glk_read", g, x, values, 4)
x00, x01, x10, x11 = unpack("<4f", memory.read(store, values, values + 16))
print(f"x       [[{x00:.6f}, {x01:.6f}], [{x10:.6f}, {x11:.6f}]]")
print(f"digest  {call('glk_digest', g, x, gives='Q'):016x}")
