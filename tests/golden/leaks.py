"""leaks.json: tricks that people hold elements with, run in Keras: what each moves, under every rule.

The problem is that of tests/js/tricks.js: five steps with everything free, five with a trick in force.
"""

from common import VERSIONS, Draws, keras, np, tf, write

STEPS = 5
START, TARGET, COIN = (Draws(seed).array([64]) for seed in (20, 21, 22))
FREE = COIN >= 0
MASK = FREE.astype(np.float32)


def sgd():
    return keras.optimizers.SGD(0.1)


SETTINGS = {
    "SGD": (sgd, {}),
    "momentum": (lambda: keras.optimizers.SGD(0.1, momentum=0.9), {}),
    "Adam": (lambda: keras.optimizers.Adam(0.01), {}),
    "AdamW": (lambda: keras.optimizers.AdamW(0.01), {}),
    "Adagrad": (lambda: keras.optimizers.Adagrad(0.1), {}),
    "Adadelta": (lambda: keras.optimizers.Adadelta(1.0), {}),
    "RMSprop": (lambda: keras.optimizers.RMSprop(0.01), {}),
    "Adamax": (lambda: keras.optimizers.Adamax(0.01), {}),
    "Nadam": (lambda: keras.optimizers.Nadam(0.01), {}),
    "Lion": (lambda: keras.optimizers.Lion(0.01), {}),
    "FTRL": (lambda: keras.optimizers.Ftrl(0.1), {}),
    "NaN gradient": (sgd, {"nan": True}),
    "clip norm": (sgd, {"clip": 1.0}),
    "NaN + clip": (sgd, {"nan": True, "clip": 1.0}),
}


def moved_bits(before, after, where):
    """[bits that differ, in how many elements]"""
    differing = before[where].view(np.uint32) ^ after[where].view(np.uint32)
    return [int(np.bitwise_count(differing).sum()), int((differing != 0).sum())]


def leak_state(optimizer, x):
    # All but counters and the learning rate.
    return x.numpy(), [v.numpy() for v in optimizer.variables if v.shape == x.shape]


def distance(x, target):
    return tf.reduce_sum(tf.square(x - target)) / 2


def gradient_of(x, loss):
    with tf.GradientTape() as tape:
        value = loss(x)
    return tape.gradient(value, x)


def clip_first(gradient, clip):
    return tf.clip_by_global_norm([gradient], clip)[0][0] if clip else gradient


def scattered(x, held):
    where = tf.where(FREE)
    return tf.tensor_scatter_nd_update(held, where, tf.gather_nd(x, where))


# x, its optimizer, the loss, the clip norm, and the values at the beginning, to one step.
TRICKS = {
    "mask × gradient": lambda x, o, loss, clip, held: o.apply_gradients(
        [(gradient_of(x, loss) * MASK, x)]
    ),
    "clip, then mask × gradient": lambda x, o, loss, clip, held: o.apply_gradients(
        [(clip_first(gradient_of(x, loss), clip) * MASK, x)]
    ),
    "where(mask, gradient, 0)": lambda x, o, loss, clip, held: o.apply_gradients(
        [(tf.where(FREE, gradient_of(x, loss), 0.0), x)]
    ),
    "mask·x + stopGradient((1−mask)·x)": lambda x, o, loss, clip, held: o.apply_gradients(
        [
            (
                gradient_of(
                    x, lambda x: loss(MASK * x + tf.stop_gradient((1 - MASK) * x))
                ),
                x,
            )
        ]
    ),
    "free scattered into a constant": lambda x, o, loss, clip, held: o.apply_gradients(
        [(gradient_of(x, lambda x: loss(scattered(x, held))), x)]
    ),
    "write the old values back": lambda x, o, loss, clip, held: (
        o.apply_gradients([(gradient_of(x, loss), x)]),
        x.assign(tf.where(FREE, x, held)),
    ),
}


def reduced_problem(make, clip):
    """The free elements as a variable of their own, alone from the sixth step on."""
    parts = [tf.Variable(START[FREE]), tf.Variable(START[~FREE])]
    targets = [TARGET[FREE], TARGET[~FREE]]
    optimizer = make()
    optimizer.global_clipnorm = clip
    optimizer.build(parts)
    for step in range(2 * STEPS):
        listed = range(2 if step < STEPS else 1)
        optimizer.apply_gradients(
            [(gradient_of(parts[i], lambda x: distance(x, targets[i])), parts[i]) for i in listed]
        )
    return parts[0].numpy()


def leak_run(name, make, nan=False, clip=None):
    x = tf.Variable(START)
    optimizer = make()
    optimizer.global_clipnorm = clip
    for _ in range(STEPS):
        optimizer.apply_gradients([(gradient_of(x, lambda x: distance(x, TARGET)), x)])
    before, slots = leak_state(optimizer, x)
    if name.startswith("clip"):
        optimizer.global_clipnorm = None
    target = np.where(FREE, TARGET, np.float32(np.nan)) if nan else TARGET
    for _ in range(STEPS):
        TRICKS[name](x, optimizer, lambda x: distance(x, target), clip, before)
    after, slots_after = leak_state(optimizer, x)
    if name == "free scattered into a constant":
        # What the model sees; x itself drifts.
        after = scattered(x, before).numpy()
    reference = reduced_problem(make, clip)
    slot_bits = [moved_bits(a, b, ~FREE) for a, b in zip(slots, slots_after)]
    return {
        "values": moved_bits(before, after, ~FREE),
        "slots": [sum(column) for column in zip(*slot_bits)] or [0, 0],
        "others": moved_bits(reference, after[FREE], slice(None)),
    }


def leaks():
    return {
        "cells": "[bits, elements]",
        "lockedElements": int((~FREE).sum()),
        "tricks": [
            {"trick": name, **{s: leak_run(name, make, **how) for s, (make, how) in SETTINGS.items()}}
            for name in TRICKS
        ],
    }


def write_leaks():
    found = leaks()
    head = {"versions": VERSIONS, **{key: found[key] for key in ("cells", "lockedElements")}}
    write("leaks.json", head, "tricks", found["tricks"])


if __name__ == "__main__":
    write_leaks()
