"""losses.json: Keras's losses over all of their options, shapes and edge values, value and gradient
by the predictions.

Computed by Keras in f64 and rounded to f32 once; where an operand meets the clipping of
probabilities at 1e-7 and 1 - 1e-7, which f32 does not have, in f32 (`f32` in the case). Each case
says how large the terms are that are summed in a value and in an element of a gradient: what
rounding may cost is in proportion to them, whatever cancels. See SCALES. Left out, because the
answers are known to differ: categorical cross-entropy from logits with labels that do not sum to 1.
Its gradient in TensorFlow is softmax - labels all the same, which is not the derivative of its
value.
"""

import itertools

from common import VERSIONS, Draws, keras, np, tf, write

DRAWS = Draws(43)


def draw(*shape):
    return DRAWS.array(shape)


def f32(*values):
    return np.array(values, np.float32)


def probabilities(*shape):
    """In 1/64 .. 63/64, so that nothing is clipped."""
    return np.asarray((np.round(draw(*shape) * 15.5) + 32) / 64, np.float32)


def binary(*shape):
    return np.asarray(draw(*shape) > 0, np.float32)


def distributions(*shape):
    """Rows that sum to 1: eighths."""
    rows = np.zeros(shape, np.float32)
    for row in rows.reshape(-1, shape[-1]):
        for _ in range(8):
            row[DRAWS.next() % shape[-1]] += 0.125
    return rows


def labels(classes, *shape):
    return np.array([DRAWS.next() % classes for _ in range(int(np.prod(shape)))], np.float32).reshape(shape)


KERAS = {
    "meanSquaredError": keras.losses.MeanSquaredError,
    "meanAbsoluteError": keras.losses.MeanAbsoluteError,
    "huber": keras.losses.Huber,
    "hinge": keras.losses.Hinge,
    "cosineSimilarity": keras.losses.CosineSimilarity,
    "binaryCrossentropy": keras.losses.BinaryCrossentropy,
    "categoricalCrossentropy": keras.losses.CategoricalCrossentropy,
    "sparseCategoricalCrossentropy": keras.losses.SparseCategoricalCrossentropy,
}
NAMES = {
    "sumOverBatchSize": "sum_over_batch_size",
    "fromLogits": "from_logits",
    "labelSmoothing": "label_smoothing",
}
SMALL, BELOW1 = np.float32(1e-7), np.float32(1 - 1e-7)
EDGES = f32(0, 1, SMALL, BELOW1, 1e-8, 0.5, 1e-40, 2**-12, 1 - 2**-12, 0.25, 1 - 2**-24, 3e-7)
SATURATED = f32(1e4, -1e4, 88.75, -88.75, 104, -104, 17, -17, 1e-30, -1e-40, 0, -0.0)
EYE3, EYE4 = np.eye(3, dtype=np.float32), np.eye(4, dtype=np.float32)

# name: (truth, prediction)
INPUTS = {
    "rows": (draw(3, 4), draw(3, 4)),
    "one row": (draw(5), draw(5)),
    "rank 4": (draw(2, 1, 2, 3), draw(2, 1, 2, 3)),
    "[n] and [n, 1]": (draw(4), draw(4, 1)),
    "[n, 1] and [n]": (draw(4, 1), draw(4)),
    "one truth for all": (draw(1, 3), draw(4, 3)),
    "67 columns": (draw(1, 67), draw(1, 67)),
    "equal": (f32(1, -2, 0, -0.0, 3, 4).reshape(2, 3), f32(1, -2, 0, 0, 3, 5).reshape(2, 3)),
    "far apart": (f32(1e10, -1e10, 0, 1e-20).reshape(2, 2), f32(-1e10, 0, 1e-20, 3e-20).reshape(2, 2)),
    "steps of 1/4": (f32(0, 0, 0, 0, 0, 0).reshape(2, 3), f32(0.25, -0.25, 1, -1, 0.5, 2).reshape(2, 3)),
    "labels 0 and 1": (binary(3, 4), draw(3, 4)),
    "labels -1 and 1": (binary(3, 4) * 2 - 1, draw(3, 4)),
    "labels 0 only": (np.zeros((2, 2), np.float32), draw(2, 2)),
    "at the margin": (f32(1, -1, 1, -1).reshape(2, 2), f32(1, -1, 2, 3).reshape(2, 2)),
    "short vectors": (f32(3, 4, 1e-9, 0, 5, 12).reshape(3, 2), f32(0, 0, 3, 4, 1e-12, -1e-9).reshape(3, 2)),
    "binary": (binary(3, 4), probabilities(3, 4)),
    "binary, rank 3": (binary(2, 2, 3), probabilities(2, 2, 3)),
    "binary, [n] and [n, 1]": (binary(5), probabilities(5, 1)),
    "soft": (probabilities(2, 3), probabilities(2, 3)),
    "binary, edges": (np.tile(f32(0, 1), 12).reshape(4, 6), np.repeat(EDGES, 2).reshape(4, 6)),
    "binary, logits": (binary(3, 4), 4 * draw(3, 4)),
    "soft, logits": (probabilities(2, 3), draw(2, 3)),
    "binary, saturated": (np.tile(f32(0, 1), 12).reshape(4, 6), np.repeat(SATURATED, 2).reshape(4, 6)),
    "classes": (distributions(3, 4), probabilities(3, 4)),
    "classes, rank 3": (EYE3[[[0, 2], [1, 1]]], probabilities(2, 2, 3)),
    "classes, one row": (EYE4[2], probabilities(4)),
    "classes, edges": (EYE3[[0, 1, 2, 0]], EDGES.reshape(4, 3)),
    "classes, logits": (distributions(3, 4), 4 * draw(3, 4)),
    "classes, saturated": (EYE4[[0, 1, 3]], SATURATED.reshape(3, 4)),
    "sparse": (labels(4, 3), probabilities(3, 4)),
    "sparse, [n, 1]": (labels(4, 3, 1), probabilities(3, 4)),
    "sparse, rank 3": (labels(3, 2, 2), probabilities(2, 2, 3)),
    "sparse, edges": (f32(0, 1, 2, 0), EDGES.reshape(4, 3)),
    "sparse, logits": (labels(37, 2), 4 * draw(2, 37)),
    "sparse, saturated": (f32(0, 1, 3), SATURATED.reshape(3, 4)),
}

PLAIN = ["rows", "one row", "rank 4", "[n] and [n, 1]", "[n, 1] and [n]", "one truth for all", "67 columns", "equal", "far apart"]
BINARY = ["binary", "binary, rank 3", "binary, [n] and [n, 1]", "soft", "binary, edges"]
CLASSES = ["classes", "classes, rank 3", "classes, one row", "classes, edges"]
SPARSE = ["sparse", "sparse, [n, 1]", "sparse, rank 3", "sparse, edges"]
SMOOTHINGS = [{}, {"labelSmoothing": 0.125}, {"labelSmoothing": 1.0}]
LOGITS = {"fromLogits": True}
# (loss, inputs, options): every pair of the two lists
GRID = [
    ("meanSquaredError", PLAIN, [{}]),
    ("meanAbsoluteError", PLAIN, [{}]),
    ("huber", [*PLAIN, "steps of 1/4"], [{}, {"delta": 0.25}, {"delta": 1e-3}, {"delta": 100.0}]),
    ("hinge", ["rows", "one row", "labels 0 and 1", "labels -1 and 1", "labels 0 only", "at the margin", "67 columns"], [{}]),
    ("cosineSimilarity", ["rows", "67 columns", "short vectors"], [{}, {"axis": 0}, {"axis": 1}, {"axis": -2}]),
    ("cosineSimilarity", ["rank 4"], [{}, *({"axis": axis} for axis in (0, 1, 2, 3, -3))]),
    ("cosineSimilarity", ["one row", "one truth for all"], [{}]),
    ("binaryCrossentropy", BINARY, SMOOTHINGS),
    (
        "binaryCrossentropy",
        ["binary, logits", "soft, logits", "binary, saturated"],
        [{**LOGITS, **smoothing} for smoothing in SMOOTHINGS],
    ),
    ("categoricalCrossentropy", CLASSES, SMOOTHINGS),
    (
        "categoricalCrossentropy",
        ["classes, logits", "classes, saturated"],
        [{**LOGITS, **smoothing} for smoothing in SMOOTHINGS],
    ),
    ("sparseCategoricalCrossentropy", SPARSE, [{}]),
    ("sparseCategoricalCrossentropy", ["sparse, logits", "sparse, saturated"], [LOGITS]),
]  # fmt: skip


# ---------------------------------------------------------------------------- how large what is summed is


def align(y, p):
    if y.ndim + 1 == p.ndim and p.shape[-1] == 1:
        y = y[..., None] if y.ndim == 1 else y
        p = p if y.ndim == p.ndim else p[..., 0]
    elif p.ndim + 1 == y.ndim and y.shape[-1] == 1:
        y = y if p.ndim == 1 else y[..., 0]
        p = p[..., None] if p.ndim == 1 else p
    return y, p


def per_last(value):
    """Of a loss that is a mean along the last axis: of the sample, and of an element of its
    gradient.
    """
    return lambda y, p, o: tuple(x / max(1, p.shape[-1]) for x in value(y, p, o))


def smooth(y, o, classes):
    s = o.get("labelSmoothing", 0.0)
    return y * (1 - s) + s / classes


def squared(y, p, o):
    return (y - p) ** 2, 2 * abs(y - p)


def absolute(y, p, o):
    return abs(y - p), np.sign(abs(y - p))


def huber(y, p, o):
    near = np.minimum(abs(y - p), o.get("delta", 1.0))
    return near * abs(y - p), near


def hinge(y, p, o):
    if np.isin(y, (0, 1)).all():
        y = 2 * y - 1
    return 1 + abs(y * p), abs(y) + 0 * p


def cosine(y, p, o):
    """Of a sample, spread over its elements so that they add up to it; unit vectors a, b: (b - (a .
    b) a) / |p|.
    """
    axis = o.get("axis", -1)
    length = lambda x: np.maximum(np.sqrt(np.sum(x**2, axis, keepdims=True)), 1e-7)  # noqa: E731
    a, b = abs(y) / length(y), abs(p) / length(p)
    return a * b, (a + np.sum(a * b, axis, keepdims=True) * b) / length(p)


def bce(y, p, o):
    y = smooth(y, o, 2)
    if o.get("fromLogits"):
        return np.maximum(p, 0) + abs(p * y) + 1, 1 / (1 + np.exp(np.minimum(-p, 700))) + y
    q = np.clip(p, 1e-7, 1 - 1e-7)
    return y * abs(np.log(q)) + (1 - y) * abs(np.log1p(-q)), y / q + (1 - y) / (1 - q)


def cce(y, p, o):
    y = smooth(y, o, p.shape[-1])
    if o.get("fromLogits"):
        below = p.max(-1, keepdims=True) - p
        total = np.exp(-below).sum(-1, keepdims=True)
        return y * (below + np.log(total) + 1), np.exp(-below) / total * (1 + below) + y
    total = p.sum(-1, keepdims=True)
    q = np.clip(p / total, 1e-7, 1 - 1e-7)
    # Clipped or not, each gradient of q_i = p_i / total goes to all p.
    of_total = (y / q * (p / total)).sum(-1, keepdims=True)
    return y * (abs(np.log(q)) + 1), (y / q + of_total) / total


def sparse(y, p, o):
    y = y[..., 0] if y.ndim == p.ndim else y
    one_hot = np.eye(p.shape[-1])[y.astype(int)]
    if o.get("fromLogits"):
        return cce(one_hot, p, {"fromLogits": True})
    q = np.clip(p, 1e-7, 1 - 1e-7)
    total = q.sum(-1, keepdims=True)
    return one_hot * (abs(np.log(q)) + abs(np.log(total)) + 1), one_hot / q + 1 / total


SCALES = {
    "meanSquaredError": (per_last(squared), -1),
    "meanAbsoluteError": (per_last(absolute), -1),
    "huber": (per_last(huber), -1),
    "hinge": (per_last(hinge), -1),
    "cosineSimilarity": (cosine, None),
    "binaryCrossentropy": (per_last(bce), -1),
    "categoricalCrossentropy": (cce, -1),
    "sparseCategoricalCrossentropy": (sparse, -1),
}


def rounded_up(x):
    """Two digits are enough for a bound, and keep the file small."""
    x = np.asarray(x, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = 10.0 ** (np.floor(np.log10(x)) - 1)
        return np.where(x > 0, np.ceil(x / unit) * unit, 0).astype(np.float32)


def scales(loss, truth, prediction, options, upstream):
    """Of each value, and of each element of the gradient of sum(values * upstream)."""
    y, p = align(truth.astype(np.float64), prediction.astype(np.float64))
    formula, axis = SCALES[loss]
    value, slope = formula(y, p, options)
    axis = options.get("axis", -1) if axis is None else axis
    each = value.sum(axis)
    reduction = options["reduction"]
    share = {"none": 1, "sum": 1, "mean": 1 / each.size, "sumOverBatchSize": 1 / each.size}[reduction]
    back = np.expand_dims(upstream, axis) if reduction == "none" else upstream
    gradient = np.broadcast_to(slope * abs(back) * share, value.shape)
    for k, (have, want) in enumerate(zip(gradient.shape, p.shape)):
        if have != want:
            gradient = gradient.sum(k, keepdims=True)
    whole = each if reduction == "none" else each.sum() * share
    return rounded_up(whole), rounded_up(gradient.reshape(prediction.shape))


# ------------------------------------------------------------------------------------------------------------


def case(loss, name, options, weights=None):
    truth, prediction = INPUTS[name]
    dtype = "float32" if "edges" in name else "float64"
    named = {NAMES.get(k, k): NAMES.get(v, v) if k == "reduction" else v for k, v in options.items()}
    y, p = tf.constant(truth, dtype), tf.constant(prediction, dtype)
    extra = {} if weights is None else {"sample_weight": tf.constant(weights, dtype)}
    with tf.GradientTape() as tape:
        tape.watch(p)
        value = KERAS[loss](**named, dtype=dtype)(y, p, **extra)
    upstream = Draws(41).array(value.shape)
    gradient = tape.gradient(value, p, output_gradients=tf.constant(upstream, dtype))
    of_value, of_gradient = scales(loss, truth, prediction, options, upstream)
    row = {"loss": loss, "inputs": name, "options": options}
    if weights is not None:
        row["weights"] = weights
    if dtype == "float32":
        row["f32"] = True
    single = lambda x: np.asarray(x).astype(np.float32)  # noqa: E731
    return {
        **row,
        "shape": list(value.shape),
        "value": single(value),
        "gradient": single(gradient),
        "scales": [of_value, of_gradient],
    }


def write_losses():
    rows = []
    seen = set()
    for loss, names, option_sets in GRID:
        for name, options in itertools.product(names, option_sets):
            # All reductions of the first inputs with each option, in turn of the others.
            kind = (loss, str(options))
            all_of_them = ["none", "sum", "mean", "sumOverBatchSize"]
            some = [all_of_them[len(rows) % 4]]
            for reduction in some if kind in seen else all_of_them:
                rows.append(case(loss, name, {**options, "reduction": reduction}))
            seen.add(kind)
    weighted = [("meanSquaredError", "rows", {}), ("hinge", "labels 0 and 1", {})]
    weighted += [("binaryCrossentropy", "binary", {"labelSmoothing": 0.125}), ("categoricalCrossentropy", "classes, logits", LOGITS)]
    for loss, name, options in weighted:
        for weights in (f32(0.5, 2, 0.25), f32(1, 0, 1)):
            for reduction in ("none", "sum", "sumOverBatchSize"):
                rows.append(case(loss, name, {**options, "reduction": reduction}, weights))
    head = {
        "versions": VERSIONS,
        "layout": "inputs: truth and prediction, each [shape, values]; a case has the value, the gradient of "
        "sum(value * upstream) by the prediction, upstream drawn from seed 41, and the scales of both",
        "inputs": {k: [[list(x.shape), x] for x in pair] for k, pair in INPUTS.items()},
    }
    write("losses.json", head, "cases", rows)


if __name__ == "__main__":
    write_losses()
