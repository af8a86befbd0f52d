"""differing.json: ops that TensorFlow.js lacks or does differently, by TensorFlow in f64, rounded to f32 once.

What differs is listed in docs/differences.md; here is what TensorFlow says. Left out: subnormal and huge numbers, which
f64 takes for ordinary ones.
"""

from common import VERSIONS, Draws, np, tf, write
from ops import f32, pairs, rounded

DRAWS = Draws(41)
INF, NAN = np.inf, np.nan
SPECIAL = [-0.0, 0.0, 1.0, -1.0, 2.5, -3.0, INF, -INF, NAN]


def draw(*shape):
    return DRAWS.array(shape)


def norm(x, axis=None, keep=False):
    return tf.norm(x, axis=axis, keepdims=keep)


def reduction(function):
    return lambda x, axis=None, keep=False: function(x, axis=axis, keepdims=keep)


def padded(x, paddings, mode):
    return tf.pad(x, paddings, mode)


# As gradlock names them, on TensorFlow tensors.
OPS = {
    "exp2": lambda x: tf.pow(tf.constant(2, x.dtype), x),
    "gelu": lambda x, approximate=False: tf.nn.gelu(x, approximate),
    "silu": tf.nn.silu,
    "elu": tf.nn.elu,
    "relu": tf.nn.relu,
    "leakyRelu": tf.nn.leaky_relu,
    "softplus": tf.math.softplus,
    "erf": tf.math.erf,
    "sin": tf.sin,
    "cos": tf.cos,
    "atan": tf.atan,
    "atan2": tf.atan2,
    "expm1": tf.math.expm1,
    "log1p": tf.math.log1p,
    "reciprocal": tf.math.reciprocal,
    "rsqrt": tf.math.rsqrt,
    "abs": tf.abs,
    "sign": tf.sign,
    "floor": tf.floor,
    "ceil": tf.math.ceil,
    "round": tf.round,
    "clipByValue": tf.clip_by_value,
    "mod": tf.math.floormod,
    "pow": tf.pow,
    "squaredDifference": tf.math.squared_difference,
    "maximum": tf.maximum,
    "minimum": tf.minimum,
    "div": tf.divide,
    "sum": reduction(tf.reduce_sum),
    "mean": reduction(tf.reduce_mean),
    "prod": reduction(tf.reduce_prod),
    "max": reduction(tf.reduce_max),
    "min": reduction(tf.reduce_min),
    "logSumExp": reduction(tf.reduce_logsumexp),
    "variance": reduction(tf.math.reduce_variance),
    "l2Norm": norm,
    "softmax": tf.nn.softmax,
    "logSoftmax": tf.nn.log_softmax,
    "cumsum": tf.cumsum,
    "roll": tf.roll,
    "mirrorPad": padded,
    "stridedSlice": tf.strided_slice,
}  # fmt: skip

# Where gradlock means to be another: docs/differences.md. TensorFlow's erf of an infinity is NaN in f64 only.
UNLIKE = {"gelu": (INF, -INF), "erf": (INF, -INF)}

CASES = []
for _op in (
    "exp2", "silu", "gelu", "elu", "relu", "leakyRelu", "softplus", "erf", "sin", "cos", "expm1",
    "log1p", "reciprocal", "rsqrt", "abs", "sign", "floor", "ceil", "round",
):  # fmt: skip
    positive = _op in ("log1p", "reciprocal", "rsqrt")
    CASES += [
        (_op, "ordinary", [np.abs(draw(2, 8)) + np.float32(0.125) if positive else draw(2, 8)], []),
        (_op, "special values", [f32(*(v for v in SPECIAL if v not in UNLIKE.get(_op, ())))], []),
    ]
CASES += [
    ("gelu", "with tanh", [draw(2, 8)], [True]),
    ("exp2", "whole numbers", [f32(-10, -1, 0, 1, 10, 24)], []),
    ("round", "halves go to even", [f32(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5)], []),
    ("elu", "near 0", [f32(-0.0078125, -0.001, 0.001)], []),
    ("clipByValue", "special values", [f32(*SPECIAL)], [-1, 2]),
    ("clipByValue", "at the limits", [f32(-2, -1, -0.5, 2, 3)], [-1, 2]),
]
for _op in ("mod", "pow", "squaredDifference", "maximum", "minimum", "div"):
    positive = _op in ("pow", "mod", "div")
    first = np.abs(draw(2, 1, 3)) + np.float32(0.25) if positive else draw(2, 1, 3)
    second = np.abs(draw(4, 1)) + np.float32(0.25) if positive else draw(4, 1)
    CASES += [
        (_op, "repeated operands", [first, second], []),
        (_op, "special values", pairs(SPECIAL), []),
    ]
CASES += [
    ("mod", "signs", [f32(5, -5, 5, -5, 4.5, -0.5), f32(3, 3, -3, -3, 1.5, 8)], []),
    ("pow", "negative bases", [f32(-2, -2, -2, -1.5, -0.5), f32(2, 3, -1, 5, -2)], []),
    ("mean", "no elements", [f32()], []),
    ("sum", "no elements", [f32()], []),
    ("prod", "no elements", [f32()], []),
    ("prod", "one zero", [f32(2, 0, 3, -1)], []),
    ("prod", "two zeros", [f32(2, 0, 3, 0)], []),
    ("prod", "rows", [f32(2, 0, 3, 1, 2, 3, 0, 0, 5).reshape(3, 3)], [1]),
    ("max", "ties", [f32(1, 3, 3, 2, 3, 0).reshape(2, 3)], [1]),
    ("min", "ties", [f32(1, 1, 3, 2, 0, 0).reshape(2, 3)], [1]),
    ("max", "ties over all", [f32(1, 3, 3, 2, 3, 0).reshape(2, 3)], []),
    ("max", "infinities", [f32(-INF, -INF, INF, 1).reshape(2, 2)], [1]),
    ("logSumExp", "large", [f32(1000, 1001, -1000, -1001).reshape(2, 2)], [1]),
    ("logSumExp", "infinities", [f32(-INF, -INF, -INF, 1, INF, 1).reshape(3, 2)], [1]),
    ("variance", "rows", [draw(3, 4)], [1]),
    ("variance", "over all", [draw(3, 4)], []),
    ("l2Norm", "rows", [draw(3, 4)], [1]),
    ("l2Norm", "over all", [draw(3, 4)], []),
    ("softmax", "large", [f32(1000, 1001, -1000, 1, 2, 3).reshape(2, 3)], []),
    ("softmax", "one is -Infinity", [f32(-INF, 1, 2)], []),
    ("logSoftmax", "large", [f32(1000, 1001, -1000, 1, 2, 3).reshape(2, 3)], []),
    ("cumsum", "exclusive, reverse", [draw(3, 4)], [1, True, True]),
    ("roll", "by 2", [draw(5)], [2, 0]),
    ("roll", "two axes", [draw(3, 4)], [[1, -2], [0, 1]]),
    ("roll", "further than there are elements", [draw(5)], [-7, 0]),
    ("mirrorPad", "reflect", [draw(3, 4)], [[[2, 1], [0, 3]], "reflect"]),
    ("mirrorPad", "symmetric", [draw(3, 4)], [[[2, 3], [1, 0]], "symmetric"]),
    ("stridedSlice", "backwards", [draw(5)], [[4], [0], [-2]]),
    ("stridedSlice", "two axes", [draw(4, 5)], [[0, 1], [4, 5], [2, 3]]),
    *(
        (op, f"over no axes{kept}", [draw(2, 3)], [[], bool(kept)])
        for op in ("sum", "mean", "prod", "max", "min", "logSumExp", "variance")
        for kept in ("", ", kept")
    ),
]  # fmt: skip

# Last, so that what was drawn before stays as it was.
CASES += [
    ("atan", "ordinary", [draw(2, 8)], []),
    ("atan", "special values", [f32(*SPECIAL)], []),
    ("atan2", "repeated operands", [draw(2, 1, 3), draw(4, 1)], []),
    ("atan2", "special values", pairs(SPECIAL), []),
    ("atan2", "no elements and one", [f32(), f32(-2)], []),
    *(
        (op, "special values", [f32(INF, 1, -INF, -INF, -INF, 1, NAN, 1).reshape(4, 2)], [])
        for op in ("softmax", "logSoftmax")
    ),
]

FLAT = ("sign", "floor", "ceil", "round")


def compute(op, inputs, args, upstream):
    tensors = [tf.constant(x, tf.float64) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        value = OPS[op](*tensors, *args)
    back = tf.constant(upstream(value.shape), tf.float64)
    gradients = [None] * len(inputs)
    if op not in FLAT:
        gradients = tape.gradient(value, tensors, output_gradients=back)
    return rounded(value.numpy()), [None if g is None else rounded(g.numpy()) for g in gradients]


def write_differing():
    rows = []
    for op, about, inputs, args in CASES:
        # Special cases send ones back: the operand's own kind then decides the gradient's.
        special = "special" in about or "infinit" in about.lower()
        back = {}

        def upstream(shape):
            back["values"] = np.ones(shape, np.float32) if special else Draws(11).array(shape)
            return back["values"]

        value, gradients = compute(op, inputs, args, upstream)
        row = {
            "op": op,
            "about": about,
            "inputs": [[list(x.shape), x] for x in inputs],
            "args": args,
            "output": [list(value.shape), value],
        }
        if not special:
            row["upstream"] = back["values"]
        row["gradients"] = gradients
        rows.append(row)
    head = {
        "versions": VERSIONS,
        "layout": "inputs and output are [shape, values]; gradients of sum(output * upstream), upstream 1 if absent",
    }
    write("differing.json", head, "cases", rows)
