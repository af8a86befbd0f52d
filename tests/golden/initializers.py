"""initializers.json: what Keras's layers ask of initializers for their kernels, and constants.

Layers: the range or standard deviation that an initializer asks its backend for when a layer makes
its kernel, by recording what is asked (draws.py).
"""

from common import VERSIONS, keras, np, write
from draws import FANNED, KERAS_NAMES, recorded

LAYERS = [
    (keras.layers.Dense(5), (None, 7)),
    (keras.layers.Dense(1), (None, 1)),
    (keras.layers.Conv1D(6, 5), (None, 20, 3)),
    (keras.layers.Conv2D(8, (3, 2)), (None, 9, 9, 4)),
    (keras.layers.Conv2D(6, 3, groups=2), (None, 9, 9, 4)),
    (keras.layers.Conv3D(2, (2, 3, 4)), (None, 5, 5, 5, 3)),
    (keras.layers.Conv1DTranspose(3, 4), (None, 20, 5)),
    (keras.layers.Conv2DTranspose(8, (3, 2)), (None, 9, 9, 4)),
    (keras.layers.DepthwiseConv2D(3, depth_multiplier=2), (None, 9, 9, 4)),
    (keras.layers.Embedding(11, 6), None),
]
# No layer's: rank 6, an axis of size 1, none at all.
SHAPES = [[9], [2, 1, 2, 3, 2, 5], [1, 7], [0], [4, 0]]


def layer_rows():
    rows = []
    for layer, shape in LAYERS:
        config = layer.get_config()
        (key,) = [k for k in config if k in ("kernel_initializer", "depthwise_initializer", "embeddings_initializer")]
        for name in FANNED:
            made = type(layer).from_config({**config, key: KERAS_NAMES[name]()})
            with recorded() as calls:
                made.build(shape)
            (call,) = calls
            kernel = made.trainable_weights[0]
            rows.append({"layer": layer.__class__.__name__, "initializer": name, "shape": list(kernel.shape), "asked": call})
    for shape in SHAPES:
        for name in FANNED:
            with recorded() as calls:
                KERAS_NAMES[name]()(shape)
            rows.append({"layer": "none", "initializer": name, "shape": shape, "asked": calls[0]})
    return rows


def constants():
    cases = [("zeros", [], keras.initializers.Zeros()), ("ones", [], keras.initializers.Ones())]
    cases += [("constant", [v], keras.initializers.Constant(v)) for v in (0.1, -3.0, 1.2e-37, 1e30)]
    shapes = ([], [3], [2, 1, 2], [0, 2])
    return [
        {"initializer": name, "args": args, "shape": shape, "values": np.asarray(make(shape))}
        for name, args, make in cases
        for shape in shapes
    ]


def write_initializers():
    head = {
        "versions": VERSIONS,
        "constants": constants(),
    }
    write("initializers.json", head, "layers", layer_rows())


if __name__ == "__main__":
    write_initializers()
