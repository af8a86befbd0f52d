"""indexing.json: value and gradients of the indexing family, by TensorFlow; and what TensorFlow refuses.

Values are multiples of 1/64, so every sum is exact, and quotients are taken in f64 and rounded once: what comes out must be
equal to the bit. Left out, because TensorFlow has no definite answer, or none that can be meant:
- NaN in sort, argsort and top_k: TensorFlow leaves the order of the others to chance;
- gradients of tensor_scatter_nd_update with duplicates: TensorFlow's CPU lets the last one win and hands the gradient to all;
- sorting an axis of size 0, which it refuses, and masks of numbers, which it takes.
"""

from common import VERSIONS, Draws, np, tf, write

DRAWS = Draws(23)


def draw(*shape):
    return np.asarray(np.round(DRAWS.array(shape) * 64) / 64, np.float32)


def f32(*values):
    return np.array(values, np.float32)


def ints(nested):
    """Indices: they go to TensorFlow as integers and have no gradient."""
    return np.array(nested, np.int32)


def bools(nested):
    return np.array(nested, bool)


def tensorflow_op(op, inputs, args):
    """The op as gradlock names it, with gradlock's arguments, on TensorFlow tensors. A list of outputs."""
    options = args[-1] if args and isinstance(args[-1], dict) else {}
    order = {"axis": options.get("axis", -1), "direction": options.get("direction", "ASCENDING")}
    if op == "gather":
        axis, batch = (list(args) + [0, 0][len(args):])
        return [tf.gather(*inputs, axis=axis, batch_dims=batch)]
    if op == "embeddingLookup":
        return [tf.nn.embedding_lookup(*inputs)]
    if op == "scatterNd":
        return [tf.scatter_nd(*inputs, args[0])]
    if op == "oneHot":
        on, off, axis = (list(args[1:]) + [1, 0, -1][len(args) - 1:])
        return [tf.one_hot(inputs[0], args[0], on, off, axis, tf.float32)]
    if op == "topK":
        return list(tf.math.top_k(inputs[0], *args))
    if op == "sort":
        return [tf.sort(inputs[0], **order)]
    if op == "argSort":
        return [tf.argsort(inputs[0], stable=True, **order)]
    if op == "unsortedSegmentSum":
        return [tf.math.unsorted_segment_sum(*inputs, args[0])]
    if op == "booleanMask":
        return [tf.boolean_mask(*inputs, axis=args[0] if args else 0)]
    simple = {
        "gatherNd": tf.gather_nd, "where": tf.where,
        "tensorScatterNdUpdate": tf.tensor_scatter_nd_update,
        "tensorScatterNdAdd": tf.tensor_scatter_nd_add,
        "tensorScatterNdSub": tf.tensor_scatter_nd_sub,
        "tensorScatterNdMin": tf.tensor_scatter_nd_min,
        "tensorScatterNdMax": tf.tensor_scatter_nd_max,
    }  # fmt: skip
    if op in simple:
        return [simple[op](*inputs)]
    written = {
        "variable.scatterNdUpdate": "scatter_nd_update", "variable.scatterNdAdd": "scatter_nd_add",
        "variable.scatterNdSub": "scatter_nd_sub", "variable.scatterNdMin": "scatter_nd_min",
        "variable.scatterNdMax": "scatter_nd_max",
    }  # fmt: skip
    variable = tf.Variable(inputs[0])
    getattr(variable, written[op])(*inputs[1:])
    return [variable.value()]


# (op, what the case is about, inputs, args)
CASES = [
    ("gather", "rows, some twice", [draw(4, 3), ints([2, 0, 2, 2])], []),
    ("gather", "columns", [draw(2, 5), ints([4, 0, 4])], [1]),
    ("gather", "the last axis, counted from the end", [draw(2, 2, 3), ints([1, 1])], [-1]),
    ("gather", "indices of rank 2", [draw(3, 2), ints([[0, 2], [2, 1]])], []),
    ("gather", "a scalar index", [draw(3, 2), ints(1)], []),
    ("gather", "a scalar index of a vector", [draw(3), ints(2)], []),
    ("gather", "no indices", [draw(3, 2), np.zeros([0], np.int32)], []),
    ("gather", "nothing, from nothing", [draw(0, 3), np.zeros([0], np.int32)], []),
    ("gather", "a batch", [draw(2, 3), ints([[2, 0], [1, 1]])], [1, 1]),
    ("gather", "a batch and axes between", [draw(2, 3, 4), ints([[3, 0], [1, 1]])], [2, 1]),
    ("gather", "special values", [f32(-0.0, np.inf, np.nan, -np.inf), ints([2, 0, 3, 1])], []),
    ("gather", "above the axis", [draw(3), ints([0, 3])], []),
    ("gather", "below 0", [draw(3), ints([-1])], []),
    ("gather", "something from nothing", [draw(0, 3), ints([0])], []),
    ("gather", "a scalar", [draw(), ints([0])], []),
    ("embeddingLookup", "a batch of words", [draw(5, 3), ints([[1, 4], [1, 0]])], []),
    ("embeddingLookup", "a word that is not there", [draw(5, 3), ints([5])], []),
    ("gatherNd", "elements", [draw(2, 3), ints([[0, 1], [1, 2], [0, 1]])], []),
    ("gatherNd", "rows", [draw(3, 2), ints([[2], [0], [2]])], []),
    ("gatherNd", "one index", [draw(2, 3), ints([1, 0])], []),
    ("gatherNd", "a batch of slices", [draw(2, 2, 3), ints([[[0, 1]], [[1, 0]]])], []),
    ("gatherNd", "indices of no axes: the whole", [draw(2), np.zeros([3, 0], np.int32)], []),
    ("gatherNd", "no indices", [draw(2), np.zeros([0, 1], np.int32)], []),
    ("gatherNd", "above an axis", [draw(2, 3), ints([[0, 3]])], []),
    ("gatherNd", "below 0", [draw(2, 3), ints([[-1, 0]])], []),
    ("gatherNd", "more numbers than axes", [draw(3), ints([[0, 0]])], []),
    ("scatterNd", "elements", [ints([[4], [3], [1]]), draw(3)], [[6]]),
    ("scatterNd", "duplicates add up", [ints([[1], [3], [1], [1]]), draw(4)], [[4]]),
    ("scatterNd", "rows", [ints([[2], [0]]), draw(2, 3)], [[4, 3]]),
    ("scatterNd", "into rank 2", [ints([[0, 1], [1, 1], [0, 1]]), draw(3)], [[2, 2]]),
    ("scatterNd", "nothing", [np.zeros([0, 1], np.int32), draw(0)], [[3]]),
    ("scatterNd", "above an axis", [ints([[4]]), draw(1)], [[4]]),
    ("scatterNd", "below 0", [ints([[-1]]), draw(1)], [[4]]),
    ("scatterNd", "into nothing", [ints([[0]]), draw(1)], [[0]]),
    ("scatterNd", "updates of another shape", [ints([[0], [1]]), draw(3)], [[4]]),
]  # fmt: skip
for _op in ("Update", "Add", "Sub", "Min", "Max"):
    for _name in (f"tensorScatterNd{_op}", f"variable.scatterNd{_op}"):
        CASES += [
            (_name, "elements", [draw(2, 3), ints([[0, 1], [1, 2]]), draw(2)], []),
            (_name, "rows", [draw(3, 2), ints([[2], [0]]), draw(2, 2)], []),
            (_name, "nothing", [draw(3), np.zeros([0, 1], np.int32), draw(0)], []),
            (_name, "negative zeros", [f32(-0.0, -0.0, 0), ints([[1]]), f32(-0.0)], []),
            (_name, "above an axis", [draw(3), ints([[3]]), draw(1)], []),
            (_name, "below 0", [draw(3), ints([[-1]]), draw(1)], []),
            (_name, "updates of another shape", [draw(3), ints([[1]]), draw(2)], []),
        ]
        if _op != "Update":
            CASES.append((_name, "duplicates", [draw(3), ints([[1], [0], [1], [1]]), draw(4)], []))
        if _op in ("Min", "Max"):
            CASES += [
                (_name, "ties", [f32(1, 2, 3), ints([[0], [0], [1], [2]]), f32(1, 1, 2, 5)], []),
                (_name, "more ties", [f32(1, 2, 3), ints([[0], [0], [1], [2]]), f32(1, 0, 2, 5)], []),
            ]
CASES += [
    (
        "tensorScatterNdUpdate", "duplicates, the last counts",
        [draw(3), ints([[1], [0], [1]]), draw(3)], [{"duplicates": "last"}],
    ),
    ("oneHot", "out of range is all off", [ints([0, -1, 5, 2])], [3]),
    ("oneHot", "other values", [ints([1, 0])], [3, 5, -2]),
    ("oneHot", "the first axis", [ints([[0, 1], [2, 1]])], [3, 1, 0, 0]),
    ("oneHot", "an axis between", [ints([[0, 1], [2, 1]])], [3, 2, 1, 1]),
    ("oneHot", "a scalar", [ints(1)], [2]),
    ("oneHot", "depth 0", [ints([0, 1])], [0]),
    ("topK", "of a vector", [draw(7)], [3]),
    ("topK", "of rows", [draw(3, 5)], [2]),
    ("topK", "ties: the first of equals first", [f32(1, 2, 2, 0, 2, 1)], [4]),
    ("topK", "zeros of either sign are equal", [f32(-0.0, 0, -0.0, 0)], [3]),
    ("topK", "infinities", [f32(-np.inf, 1, np.inf, -1)], [4]),
    ("topK", "none", [draw(2, 3)], [0]),
    ("topK", "more than there are", [draw(2, 3)], [4]),
    ("topK", "of a scalar", [draw()], [1]),
    ("sort", "ascending", [draw(9)], []),
    ("sort", "descending", [draw(9)], [{"direction": "DESCENDING"}]),
    ("sort", "rows", [draw(2, 5)], []),
    ("sort", "the first axis", [draw(3, 2)], [{"axis": 0}]),
    ("sort", "a middle axis, descending", [draw(2, 3, 2)], [{"axis": 1, "direction": "DESCENDING"}]),
    ("sort", "ties", [f32(1, 2, 2, 0, 1)], []),
    ("sort", "ties, descending", [f32(1, 2, 2, 0, 1)], [{"direction": "DESCENDING"}]),
    ("argSort", "ascending", [draw(9)], []),
    ("argSort", "descending", [draw(2, 5)], [{"direction": "DESCENDING"}]),
    ("argSort", "ties", [f32(1, 0, 1, 0, -0.0, 1)], []),
    ("argSort", "ties, descending", [f32(1, 0, 1, 0, -0.0, 1)], [{"direction": "DESCENDING"}]),
    ("argSort", "the first axis", [draw(3, 2)], [{"axis": 0}]),
    ("unsortedSegmentSum", "of a vector", [draw(5), ints([2, 0, 2, 2, 0])], [4]),
    ("unsortedSegmentSum", "of rows", [draw(3, 2), ints([1, 1, 0])], [2]),
    ("unsortedSegmentSum", "ids of rank 2", [draw(2, 2, 2), ints([[1, 0], [1, 1]])], [2]),
    ("unsortedSegmentSum", "of nothing", [draw(0, 2), np.zeros([0], np.int32)], [2]),
    ("unsortedSegmentSum", "an id above", [draw(3), ints([0, 2, 1])], [2]),
    ("where", "a vector's indices", [bools([False, True, True])], []),
    ("where", "a matrix's indices", [bools([[True, False, True], [False, True, True]])], []),
    ("where", "rank 3", [bools([[[True], [False]], [[False], [True]]])], []),
    ("where", "none", [bools([False, False])], []),
    ("where", "of nothing", [np.zeros([0, 2], bool)], []),
    ("where", "one of two", [bools([True, False, True]), draw(3), draw(3)], []),
    ("where", "one of two, all broadcast", [bools([[True], [False]]), draw(3), draw(2, 1)], []),
    (
        "where", "nothing comes from what is not chosen",
        [bools([True, False]), f32(1, np.nan), f32(np.inf, -0.0)], [],
    ),
    ("booleanMask", "elements", [draw(2, 3), bools([[True, False, True], [False, True, True]])], []),
    ("booleanMask", "rows", [draw(3, 2), bools([True, False, True])], []),
    ("booleanMask", "columns", [draw(2, 3), bools([True, False, True])], [1]),
    ("booleanMask", "two axes of three", [draw(2, 2, 3), bools([[True, False], [True, True]])], []),
    (
        "booleanMask", "the last two of three",
        [draw(2, 3, 2), bools([[True, False], [False, True], [True, True]])], [1],
    ),
    ("booleanMask", "none", [draw(3), bools([False, False, False])], []),
    ("booleanMask", "a mask of another shape", [draw(2), bools([True, False, True])], []),
    ("booleanMask", "a mask of rank 0", [draw(2), bools(True)], []),
]  # fmt: skip


def compute(op, inputs, args, upstream):
    """Outputs, and gradients of sum(first output * upstream): None for indices, masks and what is written to a variable."""
    tensors = [tf.constant(x, tf.float64 if x.dtype == np.float32 else x.dtype) for x in inputs]
    floats = [t for t in tensors if t.dtype == tf.float64]
    with tf.GradientTape() as tape:
        tape.watch(floats)
        outputs = tensorflow_op(op, tensors, args)
    if op.startswith("variable.") or outputs[0].dtype != tf.float64 or args[-1:] == [{"duplicates": "last"}]:
        return outputs, None
    back = tf.constant(upstream(outputs[0].shape), tf.float64)
    try:
        found = iter(tape.gradient(outputs[0], floats, output_gradients=back))
    except tf.errors.InvalidArgumentError:
        # gather_nd takes indices of rank 1 or of no columns, the scatter_nd that is its gradient does not.
        return outputs, None
    gradients = [next(found) if t.dtype == tf.float64 else None for t in tensors]
    return outputs, [None if g is None else np.asarray(tf.convert_to_tensor(g)).astype(np.float32) for g in gradients]


def write_indexing():
    rows = []
    for op, about, inputs, args in CASES:
        row = {"op": op, "about": about, "args": args}
        row["inputs"] = [[list(x.shape), x.astype(np.float32)] for x in inputs]
        special = not all(np.isfinite(x).all() for x in inputs)
        seeded = Draws(29)

        def upstream(shape):
            # Special cases send ones back: the input's own kind then decides the gradient's.
            ones = np.ones(shape, np.float32)
            drawn = np.asarray(np.round(seeded.array(shape) * 64) / 64, np.float32)
            return ones if special else drawn

        try:
            outputs, gradients = compute(op, inputs, args, upstream)
        except (tf.errors.InvalidArgumentError, ValueError, TypeError) as error:
            row["refused"] = type(error).__name__
        else:
            outputs = [np.asarray(o).astype(np.float32) for o in outputs]
            row["outputs"] = [[list(o.shape), o] for o in outputs]
            if gradients:
                seeded = Draws(29)
                row["upstream"] = upstream(outputs[0].shape)
                row["gradients"] = gradients
        rows.append(row)
    head = {
        "versions": VERSIONS,
        "layout": "inputs and outputs are [shape, values]; gradients of sum(first output * upstream), null for indices; "
        "refused: the error that TensorFlow raises instead",
    }
    write("indexing.json", head, "cases", rows)
