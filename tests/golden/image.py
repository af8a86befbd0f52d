"""image.json: convolutions and pools, value and gradients, where TensorFlow.js has none or others (docs/differences.md), and
padding that is uneven.

Computed by TensorFlow in f64 and rounded to f32 once.
"""

from common import VERSIONS, Draws, np, tf, write
from linear import row_of

DRAWS = Draws(41)


def draw(*shape):
    return DRAWS.array(shape)


# (op, about, inputs, arguments as in TensorFlow.js)
CASES = [
    ("conv2d", "even filters, same", [draw(2, 5, 4, 2), draw(2, 4, 2, 3)], [1, "same"]),
    ("conv2d", "strides, same, uneven padding", [draw(1, 6, 7, 2), draw(3, 2, 2, 3)], [[2, 3], "same"]),
    ("conv2d", "a filter larger than its image", [draw(1, 2, 3, 1), draw(5, 4, 1, 2)], [2, "same"]),
    ("conv2d", "dilations", [draw(2, 7, 8, 2), draw(3, 2, 2, 3)], [1, "valid", "NHWC", [2, 3]]),
    ("conv2d", "dilations, same", [draw(1, 6, 5, 1), draw(2, 3, 1, 2)], [1, "same", "NHWC", [3, 2]]),
    ("conv2dTranspose", "strides, same", [draw(2, 3, 4, 2), draw(3, 2, 3, 2)], [[2, 6, 7, 3], 2, "same"]),
    ("conv2dTranspose", "valid", [draw(1, 2, 3, 3), draw(2, 3, 1, 3)], [[1, 6, 7, 1], [3, 2], "valid"]),
    ("maxPool", "same, windows that overlap", [draw(2, 5, 4, 3)], [[3, 2], [2, 1], "same"]),
    ("maxPool", "ties", [np.round(draw(1, 4, 6, 2))], [2, 2, "valid"]),
    ("avgPool", "same, even windows", [draw(2, 3, 5, 2)], [[2, 4], 1, "same"]),
    ("avgPool", "same, strides", [draw(1, 5, 6, 3)], [3, 2, "same"]),
    ("avgPool", "a window larger than its image", [draw(1, 2, 3, 1)], [5, 2, "same"]),
    ("depthwiseConv2d", "even filters, same", [draw(2, 5, 4, 5), draw(2, 4, 5, 1)], [1, "same"]),
    ("depthwiseConv2d", "strides, several outputs", [draw(1, 6, 7, 3), draw(3, 2, 3, 2)], [2, "same"]),
    ("depthwiseConv2d", "dilations", [draw(2, 7, 8, 4), draw(3, 2, 4, 1)], [1, "valid", "NHWC", [2, 3]]),
    ("depthwiseConv2d", "dilations, same", [draw(1, 6, 5, 2), draw(2, 3, 2, 2)], [1, "same", "NHWC", [3, 2]]),
]


def spread(filter, dilations):
    """The filter with zeros between its elements: TensorFlow's CPU has no gradients with dilations."""
    for axis, dilation in enumerate(dilations):
        size = filter.shape[axis]
        places = np.zeros((size, (size - 1) * dilation + 1))
        places[np.arange(size), np.arange(size) * dilation] = 1
        filter = tf.einsum("yxio,yz->zxio" if axis == 0 else "yxio,xz->yzio", filter, places)
    return filter


def pair(value):
    return value if isinstance(value, list) else [value, value]


def image_op(op, x, args):
    if op in ("conv2d", "depthwiseConv2d"):
        strides, pad, *_, dilations = args if len(args) > 2 else [*args, 1]
        filter = spread(x[1], pair(dilations))
        if op == "conv2d":
            return tf.nn.conv2d(x[0], filter, pair(strides), pad.upper())
        return tf.nn.depthwise_conv2d(x[0], filter, [1, *pair(strides), 1], pad.upper())
    if op == "conv2dTranspose":
        return tf.nn.conv2d_transpose(x[0], x[1], args[0], pair(args[1]), args[2].upper())
    pool = tf.nn.max_pool2d if op == "maxPool" else tf.nn.avg_pool2d
    return pool(x[0], pair(args[0]), pair(args[1]), args[2].upper())


def work(op, inputs, value):
    """How many products, or values, are summed in all, at most."""
    if op == "conv2d":
        return int(np.prod(value[0]) * np.prod(inputs[1].shape[:3]))
    if op == "depthwiseConv2d":
        return int(np.prod(value[0]) * np.prod(inputs[1].shape[:2]))
    if op == "conv2dTranspose":
        return int(np.prod(value[0]) * np.prod(inputs[1].shape[:2]) * inputs[1].shape[3])
    return None


def write_image():
    rows = []
    for op, about, inputs, args in CASES:
        row = row_of(op, about, inputs, args, lambda x: image_op(op, x, args), tf.float64)
        products = work(op, inputs, row["output"])
        if products:
            row["work"] = products
        rows.append(row)
    head = {
        "versions": VERSIONS,
        "layout": "inputs and output are [shape, values]; gradients of sum(output * upstream); "
        "work: how many products are summed in all",
    }
    write("image.json", head, "cases", rows)


if __name__ == "__main__":
    write_image()
