"""linear.json: batched products, einsum, normalization and Keras's losses, value and gradients.

Computed by TensorFlow and Keras in f64 and rounded to f32 once. Where Keras clips probabilities at 1 - 1e-7, which f32 does
not have, the case is computed in f32 and says so. Left out, because the answers are known to differ: categorical cross-entropy
from logits with labels that do not sum to 1. Its gradient in TensorFlow is softmax - labels all the same, which is not the
derivative of its value.
"""

from common import VERSIONS, Draws, keras, np, tf, write

INF, NAN = np.inf, np.nan
DRAWS = Draws(31)


def draw(*shape):
    return DRAWS.array(shape)


def f32(*values):
    return np.array(values, np.float32)


# ------------------------------------------------------------------------------------------ linear algebra


def einsum(equation, *operands):
    return ("einsum", equation, list(operands), [equation])


def mat_mul(about, a, b, **options):
    return ("matMul", about, [a, b], [options] if options else [])


CASES = [
    mat_mul("a batch", draw(3, 2, 4), draw(3, 4, 2)),
    mat_mul("a batch by one matrix", draw(3, 2, 4), draw(4, 5)),
    mat_mul("one matrix by a batch", draw(2, 4), draw(3, 4, 2)),
    mat_mul("batches that broadcast both ways", draw(2, 1, 2, 3), draw(3, 3, 2)),
    mat_mul("a batch by one matrix, second transposed", draw(2, 3, 4), draw(5, 4), transposeB=True),
    mat_mul("a batch, first transposed", draw(2, 4, 3), draw(2, 4, 2), transposeA=True),
    mat_mul("a batch, both transposed", draw(2, 1, 4, 3), draw(2, 2, 4), transposeA=True, transposeB=True),
    mat_mul("rank 6", draw(1, 2, 1, 2, 2, 3), draw(2, 1, 2, 1, 3, 2)),
    mat_mul("inner size 0", np.zeros((2, 2, 0), np.float32), np.zeros((0, 3), np.float32)),
    mat_mul("no batch", np.zeros((0, 2, 3), np.float32), draw(3, 2)),
    ("dot", "vectors", [draw(5), draw(5)], []),
    ("dot", "a matrix and a vector", [draw(2, 3), draw(3)], []),
    ("dot", "a vector and a matrix", [draw(3), draw(3, 2)], []),
    ("dot", "matrices", [draw(2, 3), draw(3, 2)], []),
    ("outerProduct", "vectors", [draw(3), draw(4)], []),
    einsum("ab,bc->ac", draw(2, 3), draw(3, 4)),
    einsum("ab,cb->ac", draw(2, 3), draw(4, 3)),
    einsum("ba,bc->ca", draw(3, 2), draw(3, 4)),
    einsum("ij,jk", draw(2, 3), draw(3, 2)),
    einsum("nij,njk->nik", draw(2, 2, 3), draw(2, 3, 2)),
    einsum("bhqd,bhkd->bhqk", draw(2, 2, 3, 2), draw(2, 2, 4, 2)),
    einsum("bhqk,bkhd->bqhd", draw(2, 2, 3, 4), draw(2, 4, 2, 2)),
    einsum("i,j->ij", draw(3), draw(2)),
    einsum("i,i->", draw(5), draw(5)),
    einsum("ij,ij->ij", draw(2, 3), draw(2, 3)),
    einsum("ij,ji->i", draw(2, 3), draw(3, 2)),
    einsum("ijk,l->lj", draw(2, 3, 2), draw(2)),
    einsum("abc,cd->dab", draw(2, 2, 3), draw(3, 2)),
    einsum("abc,bc->a", draw(2, 2, 3), draw(2, 3)),
    einsum(" aB , Bc -> cB ", draw(2, 3), draw(3, 2)),
    einsum("ij->ji", draw(2, 3)),
    einsum("ijk->j", draw(2, 3, 2)),
    einsum("ba", draw(2, 3)),
    einsum("ij->", draw(2, 3)),
    einsum(",ij->ij", draw(), draw(2, 2)),
    einsum("ij,jk->ik", np.zeros((2, 0), np.float32), np.zeros((0, 3), np.float32)),
    ("softmax", "rows", [draw(3, 4)], []),
    ("softmax", "axis 0", [draw(3, 4)], [0]),
    ("softmax", "wide", [draw(2, 5) * np.float32(50)], []),
    ("softmax", "special values", [f32(INF, 1, -INF, -INF, -INF, 1, NAN, 1).reshape(4, 2)], []),
    ("logSoftmax", "rows", [draw(3, 4)], []),
    ("logSoftmax", "a middle axis", [draw(2, 3, 2)], [1]),
    ("logSoftmax", "wide", [draw(2, 5) * np.float32(50)], []),
    ("logSoftmax", "special values", [f32(INF, 1, -INF, -INF, -INF, 1, NAN, 1).reshape(4, 2)], []),
    ("layerNorm", "rows", [draw(3, 4)], [{}]),
    ("layerNorm", "gain and bias", [draw(2, 3, 4), draw(4), draw(4)], [{}]),
    ("layerNorm", "two axes, gain and bias", [draw(2, 3, 4), draw(3, 4), draw(3, 4)], [{"axis": [1, 2]}]),
    ("layerNorm", "the first axis, gain", [draw(3, 4), draw(3)], [{"axis": 0}]),
    ("layerNorm", "another epsilon", [draw(2, 5)], [{"epsilon": 0.5}]),
    ("layerNorm", "equal values", [f32(3, 3, 3, 3).reshape(2, 2)], [{}]),
]


def work(op, inputs, args):
    """How many products a sum of products takes."""
    sizes = {}
    if op == "einsum":
        for term, x in zip(args[0].split("->")[0].replace(" ", "").split(","), inputs):
            sizes.update(zip(term, x.shape))
        return int(np.prod(list(sizes.values()), dtype=int))
    if op == "matMul":
        options = args[0] if args else {}
        batch = np.broadcast_shapes(inputs[0].shape[:-2], inputs[1].shape[:-2])
        columns = inputs[1].shape[-2 if options.get("transposeB") else -1]
        return int(np.prod(batch, dtype=int) * np.prod(inputs[0].shape[-2:]) * columns)
    return inputs[0].size * (inputs[1].size if op == "outerProduct" else inputs[1].shape[-1])


def linear_op(op, x, args):
    if op == "matMul":
        options = args[0] if args else {}
        return tf.matmul(
            *x, transpose_a=options.get("transposeA", False), transpose_b=options.get("transposeB", False)
        )
    if op == "dot":
        return tf.tensordot(x[0], x[1], 1)
    if op == "outerProduct":
        return tf.tensordot(x[0], x[1], 0)
    if op == "einsum":
        return tf.einsum(args[0], *x)
    if op == "softmax":
        return tf.nn.softmax(x[0], *args)
    if op == "logSoftmax":
        return tf.nn.log_softmax(x[0], *args)
    gamma, beta = list(x[1:]) + [None, None][len(x) - 1 :]
    options = {"axis": -1, "epsilon": 1e-3, **args[0]}
    return keras.ops.layer_normalization(x[0], gamma, beta, **options)


# ------------------------------------------------------------------------------------------------------------


def row_of(op, about, inputs, args, run, dtype):
    """Value, and gradients of sum(value * upstream); None where there is none."""
    tensors = [tf.constant(x, dtype) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        value = run(tensors)
    special = not all(np.isfinite(x).all() for x in inputs)
    upstream = np.ones(value.shape, np.float32) if special else Draws(37).array(value.shape)
    gradients = tape.gradient(value, tensors, output_gradients=tf.constant(upstream, value.dtype))
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        row = {
            "op": op,
            "about": about,
            "inputs": [[list(x.shape), x] for x in inputs],
            "args": args,
            "output": [list(value.shape), np.asarray(value).astype(np.float32)],
            "upstream": upstream,
            "gradients": [None if g is None else np.asarray(g).astype(np.float32) for g in gradients],
        }
    return row


def write_linear():
    rows = []
    for op, about, inputs, args in CASES:
        row = row_of(op, about, inputs, args, lambda x: linear_op(op, x, args), tf.float64)
        if op in ("matMul", "dot", "outerProduct", "einsum"):
            row["work"] = work(op, inputs, args)
        rows.append(row)
    head = {
        "versions": VERSIONS,
        "layout": "inputs and output are [shape, values]; gradients of sum(output * upstream), null where there is none; "
        "work: how many products are summed in all",
    }
    write("linear.json", head, "cases", rows)


if __name__ == "__main__":
    write_linear()
