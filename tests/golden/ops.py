"""ops.json: value and gradients of every op, by TensorFlow in f64, rounded to f32 once."""

from common import VERSIONS, Draws, np, tf, write

INF, NAN = np.inf, np.nan
DRAWS = Draws(7)


def draw(*shape):
    return DRAWS.array(shape)


def f32(*values):
    return np.array(values, np.float32)


def pairs(values):
    """Every value beside every value."""
    count = len(values)
    return [np.repeat(f32(*values), count), np.tile(f32(*values), count)]


def tensorflow_op(op, inputs, args):
    """The op as gradlock names it, on TensorFlow tensors."""
    same = {
        "add": tf.add, "sub": tf.subtract, "mul": tf.multiply, "div": tf.divide, "neg": tf.negative,
        "square": tf.square, "sqrt": tf.sqrt, "abs": tf.abs, "exp": tf.exp, "log": tf.math.log,
        "tanh": tf.tanh, "sigmoid": tf.sigmoid, "relu": tf.nn.relu, "maximum": tf.maximum,
        "minimum": tf.minimum, "reshape": tf.reshape, "transpose": tf.transpose,
    }  # fmt: skip
    comparisons = {
        "greater": tf.greater, "greaterEqual": tf.greater_equal, "less": tf.less,
        "lessEqual": tf.less_equal, "equal": tf.equal,
    }  # fmt: skip
    if op in same:
        return same[op](*inputs, *args)
    if op in comparisons:
        return tf.cast(comparisons[op](*inputs), inputs[0].dtype)
    if op == "where":
        return tf.where(tf.not_equal(inputs[0], 0), inputs[1], inputs[2])
    if op in ("sum", "mean"):
        reduce = tf.reduce_sum if op == "sum" else tf.reduce_mean
        axis, keep = (list(args) + [None, False][len(args):])
        return reduce(inputs[0], axis=axis, keepdims=keep)
    if op == "matMul":
        options = args[0] if args else {}
        return tf.matmul(
            *inputs,
            transpose_a=options.get("transposeA", False),
            transpose_b=options.get("transposeB", False),
        )
    if op == "slice":
        return tf.slice(inputs[0], *args)
    if op == "stopGradient":
        # On its own it has no gradient to compare: x * stopGradient(x) has the stopped factor as its gradient.
        return inputs[0] * tf.stop_gradient(inputs[0])
    raise ValueError(op)


ARITHMETIC = [-0.0, 0.0, 1.5, -3.0, INF, -INF, NAN]
TIES = [-0.0, 0.0, 2.0, -INF, INF, NAN]
SUBNORMAL = f32(1e-45, -1e-45, 1e-40, -3e-39, 1.1754944e-38, 1e-30, -1e-20, 2e-38)

# (op, what the case is about, inputs, args)
CASES = []
for _op in ("add", "sub", "mul", "div", "maximum", "minimum"):
    CASES += [
        (_op, "same shape", [draw(2, 3), draw(2, 3)], []),
        (_op, "a row to a matrix", [draw(2, 3), draw(3)], []),
        (_op, "a column against a row", [draw(2, 1), draw(1, 3)], []),
        (_op, "a scalar to rank 3", [draw(), draw(2, 1, 2)], []),
        (_op, "special values", pairs(TIES if _op in ("maximum", "minimum") else ARITHMETIC), []),
    ]
CASES += [
    ("add", "subnormal", [SUBNORMAL, SUBNORMAL[::-1].copy()], []),
    ("sub", "subnormal", [SUBNORMAL, SUBNORMAL[::-1].copy()], []),
    ("mul", "subnormal results", [SUBNORMAL, f32(0.5, 3, 0.25, 7, 0.125, 1e-12, 1e-19, -0.3)], []),
    ("div", "subnormal results", [SUBNORMAL, f32(0.5, 3, 0.25, 7, 8, 1e10, 1e19, -3)], []),
    ("mul", "overflow", [f32(3e38, -3e38, 1e20, 1e30), f32(2, 2, -1e20, 1e5)], []),
    ("maximum", "ties", [f32(1, -2, 0.5, 3), f32(1, -2, 0.5, 2)], []),
    ("minimum", "ties", [f32(1, -2, 0.5, 3), f32(1, -2, 0.5, 2)], []),
    ("maximum", "ties along a broadcast axis", [f32(1, 2, 1, 1, 3, 1).reshape(2, 3), f32(1)], []),
    ("neg", "regular", [draw(2, 3)], []),
    ("neg", "special values", [f32(*ARITHMETIC)], []),
    ("square", "regular", [draw(2, 3)], []),
    ("square", "special values", [f32(*ARITHMETIC, 1e-23, 3e19)], []),
    ("sqrt", "regular", [np.abs(draw(2, 5))], []),
    ("sqrt", "special values", [f32(*ARITHMETIC, 1e-45, 1e-40)], []),
    ("abs", "regular", [draw(2, 3)], []),
    ("abs", "special values", [f32(*ARITHMETIC, -1e-45)], []),
    ("exp", "regular", [draw(2, 8)], []),
    ("exp", "large arguments", [draw(2, 8) * np.float32(40)], []),
    ("exp", "special values", [f32(*ARITHMETIC, 88.72, 88.73, 1e-40, 3e38, -3e38)], []),
    ("exp", "subnormal results", [f32(-87.5, -88, -90, -95, -100, -103, -103.9, -104.5)], []),
    ("log", "regular", [np.abs(draw(2, 8))], []),
    ("log", "near one", [1 + draw(2, 4) * np.float32(2.0**-6)], []),
    ("log", "wide", [np.exp(draw(2, 8) * np.float32(40))], []),
    ("log", "special values", [f32(*ARITHMETIC, 1, 1e-45, 1e-40, 3.4e38)], []),
    ("tanh", "regular", [draw(2, 8)], []),
    ("tanh", "large arguments", [draw(2, 8) * np.float32(8)], []),
    ("tanh", "special values", [f32(*ARITHMETIC, 1e-4, -1e-10, 1e-40, 9.1, 50, 3e38)], []),
    ("sigmoid", "regular", [draw(2, 8)], []),
    ("sigmoid", "large arguments", [draw(2, 8) * np.float32(16)], []),
    ("sigmoid", "special values", [f32(*ARITHMETIC, 17, -17, 89, -80, 3e38, -3e38)], []),
    ("relu", "regular", [draw(2, 3)], []),
    ("relu", "special values", [f32(*ARITHMETIC)], []),
    ("where", "same shape", [f32(1, 0, 1, 0, 0, 1).reshape(2, 3), draw(2, 3), draw(2, 3)], []),
    ("where", "all three broadcast", [f32(1, 0).reshape(2, 1), draw(3), draw(2, 1)], []),
    ("where", "a condition of a higher rank", [f32(1, 0, 0, 1).reshape(2, 2), draw(), draw(2)], []),
    (
        "where", "special values on both sides",
        [f32(1, 0, 1, 0), f32(NAN, NAN, INF, 1), f32(2, 3, NAN, -0.0)], [],
    ),
    ("sum", "all", [draw(2, 3)], []),
    ("sum", "axis 0", [draw(2, 3)], [0]),
    ("sum", "last axis, kept", [draw(2, 3)], [-1, True]),
    ("sum", "two axes of three", [draw(2, 3, 4)], [[0, 2]]),
    ("sum", "67 elements", [draw(67)], []),
    ("sum", "a scalar", [draw()], []),
    ("sum", "infinity wins", [f32(1, INF, -2, 3)], []),
    ("sum", "opposed infinities", [f32(INF, -INF, 1, 2).reshape(2, 2)], [0]),
    ("mean", "all", [draw(2, 3)], []),
    ("mean", "axis 1", [draw(2, 3)], [1]),
    ("mean", "two axes of three, kept", [draw(2, 3, 4)], [[1, 2], True]),
    ("mean", "67 elements", [draw(67)], []),
    ("mean", "NaN spreads along its row", [f32(1, NAN, 2, 3).reshape(2, 2)], [1]),
    ("matMul", "2x3 by 3x2", [draw(2, 3), draw(3, 2)], []),
    ("matMul", "first transposed", [draw(3, 2), draw(3, 4)], [{"transposeA": True}]),
    ("matMul", "second transposed", [draw(2, 3), draw(4, 3)], [{"transposeB": True}]),
    (
        "matMul", "both transposed",
        [draw(3, 2), draw(4, 3)], [{"transposeA": True, "transposeB": True}],
    ),
    ("matMul", "odd sizes", [draw(5, 7), draw(7, 9)], []),
    ("matMul", "a row by a column", [draw(1, 9), draw(9, 1)], []),
    (
        "matMul", "0 times infinity is NaN",
        [f32(0, 1, 2, 3).reshape(2, 2), f32(INF, 1, 2, 3).reshape(2, 2)], [],
    ),
    ("reshape", "2x3 to 3x2", [draw(2, 3)], [[3, 2]]),
    ("transpose", "matrix", [draw(2, 3)], []),
    ("transpose", "rank 3, permuted", [draw(2, 3, 2)], [[2, 0, 1]]),
    ("slice", "inner box", [draw(3, 4)], [[1, 1], [2, 2]]),
    ("slice", "to the end", [draw(7)], [[3], [-1]]),
    ("stopGradient", "x * stopGradient(x)", [draw(2, 3)], []),
]  # fmt: skip

FORWARD_ONLY = ("greater", "greaterEqual", "less", "lessEqual", "equal")
CASES += [(_op, "special values", pairs(TIES), []) for _op in FORWARD_ONLY]
# Where cancellation is part of an op, an error is measured against the largest magnitude of the array. That also
# goes for gradients: they are summed over broadcast axes, and those of tanh and sigmoid subtract from one.
SUMMING = ("sum", "mean", "matMul")


def compute(op, inputs, args, upstream, dtype):
    """Value and gradients by TensorFlow in one precision; None where there is no gradient."""
    tensors = [tf.constant(x, dtype) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        value = tensorflow_op(op, tensors, args)
    if op in FORWARD_ONLY:
        return value.numpy(), [None] * len(inputs)
    back = tf.constant(upstream(value.shape), dtype)
    gradients = tape.gradient(value, tensors, output_gradients=back)
    return value.numpy(), [None if g is None else g.numpy() for g in gradients]


def rounded(value):
    """To f32, once. Overflow to infinity is what f32 arithmetic does as well."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return np.asarray(value).astype(np.float32)


def error(got, want, by_array):
    """Largest relative error over the elements finite in both; as the test computes it."""
    finite = np.isfinite(got) & np.isfinite(want)
    if not finite.any():
        return 0.0
    got, want = got[finite].astype(float), want[finite].astype(float)
    scale = np.abs(want).max() if by_array else np.maximum(np.abs(want), np.finfo(np.float32).tiny)
    return float(np.max(np.abs(got - want) / (scale if np.all(scale) else 1.0)))


def same_kind(got, want):
    """NaN for NaN, infinity for the same infinity."""
    return np.array_equal(np.isnan(got), np.isnan(want)) and np.array_equal(
        np.where(np.isinf(got), got, 0), np.where(np.isinf(want), want, 0)
    )


def write_ops():
    rows, errors = [], {}
    for op, about, inputs, args in CASES:
        special = not all(np.isfinite(x).all() for x in inputs)
        seeded = Draws(11)
        upstream_value = {}

        def upstream(shape):
            # Special cases send ones back: the input's own kind then decides the gradient's.
            key = tuple(shape)
            if key not in upstream_value:
                upstream_value[key] = np.ones(key, np.float32) if special else seeded.array(key)
            return upstream_value[key]

        value, gradients = compute(op, inputs, args, upstream, tf.float64)
        value, gradients = rounded(value), [None if g is None else rounded(g) for g in gradients]
        if op == "where":
            gradients[0] = None
        own_value, own_gradients = compute(op, inputs, args, upstream, tf.float32)
        parts = [("value", own_value, value)] + [
            ("gradient", a, b) for a, b in zip(own_gradients, gradients) if b is not None
        ]
        for part, own, reference in parts:
            if not same_kind(own, reference):
                # So far only where TensorFlow takes a subnormal for zero, which gradlock does not.
                print(f"note: {op}, {about}: TensorFlow's f32 {part} is not as its f64's:")
                print(f"  {own}\n  {reference}")
            by_array = op in SUMMING or part == "gradient"
            entry = errors.setdefault(op, {"value": 0.0, "gradient": 0.0})
            # Special values are right or wrong, and TensorFlow takes subnormal numbers for zero.
            if "special" not in about and "subnormal" not in about:
                entry[part] = max(entry[part], float(f"{error(own, reference, by_array):.1e}"))
        row = {
            "op": op,
            "about": about,
            "inputs": [[list(x.shape), x] for x in inputs],
            "args": args,
            "output": [list(value.shape), value],
        }
        if op not in FORWARD_ONLY:
            if not special:
                row["upstream"] = upstream(value.shape)
            row["gradients"] = gradients
        rows.append(row)
    head = {
        "versions": VERSIONS,
        "layout": "inputs and output are [shape, values]; gradients of sum(output * upstream), upstream 1 if absent",
        "tensorflowErrors": errors,
    }
    write("ops.json", head, "cases", rows)
