"""derivatives.json: training through gradients of one's own, jacobians, Hessian products and random
draws, in TensorFlow.

Everything is computed in f64 but the random bits, which are TensorFlow's own: gradlock's draw of a
seed, a step s and a run r is tf.random.Generator.from_key_counter(seed, [s 2^32, r], 'philox').
Steps are those of gradient descent on the free elements. A run says how far weights in f32 may be
off (`bounds`): a step x -> x - rate d(x) passes an error on by at most the norm of its derivative,
which TensorFlow computes too, and adds that of its own roundings, u |x| + rate k u S for each
element, S being the largest of 1, the loss and the gradient: k roundings (`roundings`) on its way
through sums and products of numbers around 1.
"""

import numpy as np
from common import VERSIONS, Draws, tf, write

SEED = 20261127
COINS = 7
U = 2.0**-24


def generator(seed, step, run):
    return tf.random.Generator.from_key_counter(seed, [step << 32, run], alg="philox")


def kept(shape, p, key):
    """1 with probability p: of 32 random bits those below p 2^32."""
    words = generator(*key).uniform_full_int(shape, dtype=tf.uint32)
    return tf.constant(words.numpy() < p * 2.0**32, tf.float64)


# ------------------------------------------------------------------------------------------------- problems
# Each takes the weights, the data, and the key of a draw: (seed, step, run), of the first of a step.


@tf.custom_gradient
def clipped(x):
    return tf.identity(x), lambda dy: tf.clip_by_value(dy, -0.25, 0.25)


@tf.custom_gradient
def reversing(x):
    return tf.identity(x), lambda dy: -0.5 * dy


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)
    return tf.math.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))


@tf.custom_gradient
def rounded(x):
    return tf.round(4 * x) / 4, lambda dy: tf.identity(dy)


def clipping(w, data, _):
    return tf.reduce_sum(tf.square(clipped(data[0] @ w[0]) - data[1])) / 2


def adversary(w, data, _):
    h = tf.tanh(data[0] @ w[0])
    return tf.reduce_mean(tf.square(h @ w[1] - data[1])) + tf.reduce_mean(tf.square(reversing(h) @ w[2] - data[2]))


def logistic(w, data, _):
    return tf.reduce_mean(log1pexp(-(data[0] @ w[0]) * tf.sign(data[1])))


def quantized(w, data, _):
    return tf.reduce_sum(tf.square(rounded(w[0]) - data[0]))


def contractive(w, data, _):
    encode = lambda z: tf.tanh(z @ w[0] + w[1])  # noqa: E731
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(data[0])
        h = encode(data[0])
    jacobian = tape.jacobian(h, data[0], experimental_use_pfor=False)
    return tf.reduce_sum(tf.square(h @ w[2] - data[0])) + 0.1 * tf.reduce_sum(tf.square(jacobian))


def curved(w, data, _):
    x, v, target = data
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            f = tf.reduce_sum(tf.square(tf.tanh(x @ w[0])))
        slope = tf.reduce_sum(inner.gradient(f, x) * v)
    product = outer.gradient(slope, x)
    return f + tf.reduce_sum(tf.square(product - target)) / 2


def penalized(w, data, _):
    with tf.GradientTape() as tape:
        tape.watch(data[0])
        score = tf.tanh(data[0] @ w[0]) @ w[1]
        total = tf.reduce_sum(score)
    d = tape.gradient(total, data[0])
    return tf.reduce_mean(score) + tf.reduce_mean(tf.square(tf.reduce_sum(tf.square(d), 1) - 1))


def dropping(w, data, key):
    h = tf.tanh(data[0] @ w[0])
    h = h * kept(h.shape, 0.75, key) / 0.75
    return tf.reduce_mean(tf.square(h @ w[1] - data[1]))


def noisy(w, data, key):
    eps = tf.cast(generator(*key).normal([5, 1]), tf.float64)
    return tf.reduce_mean(tf.square(data[0] @ (w[0] + tf.exp(w[1]) * eps) - data[1]))


def jittered(w, data, key):
    """Two draws a step."""
    seed, step, run = key
    noise = tf.cast(generator(seed, step, run).uniform(data[0].shape, -0.25, 0.25), tf.float64)
    mask = kept(data[1].shape, 0.5, (seed, step + 1, run))
    return tf.reduce_mean(mask * tf.square((data[0] + noise) @ w[0] - data[1]))


# name: (loss, shapes of weights, shapes of data, rate, roundings, draws a step)
PROBLEMS = {
    "clipping": (clipping, [[3, 2]], [[6, 3], [6, 2]], 0.05, 32, 0),
    "adversary": (adversary, [[3, 2], [2, 1], [2, 1]], [[6, 3], [6, 1], [6, 1]], 0.05, 64, 0),
    "logistic": (logistic, [[3, 1]], [[8, 3], [8, 1]], 0.5, 48, 0),
    "quantized": (quantized, [[12]], [[12]], 0.015625, 0, 0),
    "contractive": (contractive, [[3, 4], [4], [4, 3]], [[1, 3]], 0.05, 64, 0),
    "curved": (curved, [[3, 4]], [[1, 3], [1, 3], [1, 3]], 0.02, 96, 0),
    "penalized": (penalized, [[3, 4], [4, 1]], [[5, 3]], 0.02, 96, 0),
    "dropping": (dropping, [[3, 4], [4, 2]], [[5, 3], [5, 2]], 0.1, 64, 1),
    "noisy": (noisy, [[5, 1], [5, 1]], [[6, 5], [6, 1]], 0.02, 128, 1),
    "jittered": (jittered, [[5, 1]], [[6, 5], [6, 1]], 0.1, 64, 2),
}  # fmt: skip
STEPS = [1, 2, 20, 80]


def flat(tensors):
    return tf.concat([tf.reshape(t, [-1]) for t in tensors], 0)


def run(name, mode):
    """mode: 'eager', where each step draws at steps of its own, or 'compiled', where it is another
    run of the same ones.
    """
    loss, shapes, data_shapes, rate, roundings, draws_a_step = PROBLEMS[name]
    draws, coins = Draws(SEED), Draws(COINS)
    # 1/64ths within 1, so that gradlock begins with the very same.
    draw = lambda shape: np.round(draws.array(shape) * 32) / 64  # noqa: E731
    sizes = [int(np.prod(shape)) for shape in shapes]
    x = np.concatenate([draw(shape).reshape(-1) for shape in shapes]).astype(np.float64)
    data = [tf.constant(draw(shape), tf.float64) for shape in data_shapes]
    free = np.array([coins.value() >= -0.1 for _ in x])
    split = lambda v: [tf.reshape(p, s) for p, s in zip(tf.split(v, sizes), shapes)]  # noqa: E731

    def gradient(v, key):
        with tf.GradientTape() as tape:
            tape.watch(v)
            value = loss(split(v), data, key)
        return value, tape.gradient(value, v)

    snapshots, bounds, error = [], [], 0.0
    for t in range(max(STEPS)):
        key = (5, t * draws_a_step, 0) if mode == "eager" else (5, 0, t)
        v = tf.constant(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(v)
            value, d = gradient(v, key)
        if roundings:
            slope = tape.jacobian(d, v, experimental_use_pfor=False).numpy()[np.ix_(free, free)]
            growth = max(1, np.linalg.norm(np.eye(free.sum()) - rate * slope, 2))
            largest = max(1, abs(value.numpy()), abs(d.numpy()).max())
            added = U * np.abs(x[free]) + rate * roundings * U * largest
            error = growth * error + np.linalg.norm(added)
        x = np.where(free, x - rate * d.numpy(), x)
        if t + 1 in STEPS:
            snapshots.append(x.astype(np.float32))
            bounds.append(float(f"{error * 1.05:.1e}"))
    assert error < 1e-3, f"{name}: a bound of {error} says nothing"
    shape_of = {"weights": shapes, "data": data_shapes, "rate": rate, "roundings": roundings}
    return {"problem": name, "mode": mode, **shape_of, "bounds": bounds, "snapshots": snapshots}


def write_derivatives():
    runs = []
    for name, (*_, draws_a_step) in PROBLEMS.items():
        runs += [run(name, mode) for mode in (("eager", "compiled") if draws_a_step else ("any",))]
    head = {
        "versions": VERSIONS,
        "seed": SEED,
        "steps": STEPS,
        "layout": "snapshots[step] = all weights, one after the other; the seed draws 2 times the weights and the data, rounded to "
        "1/64; elements are locked where seed 7 draws below -0.1; random ops have seed 5",
    }
    write("derivatives.json", head, "runs", runs)


if __name__ == "__main__":
    write_derivatives()
