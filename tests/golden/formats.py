"""formats.json and formats/*: small models in the files of the libraries that people save them with, and what they
compute. Keras 3 writes .keras, .weights.h5 and the older .h5, h5py a file as Keras 2 wrote it, safetensors its own.
PyTorch's layouts are NumPy here, by the equations of its documentation (torch.nn.Linear, Conv2d, LSTM, GRU): its wheel
is too large for that. Dates in files are set, so that writing them again gives the same bytes.
"""

import json
import pathlib
import re
import zipfile

import h5py
from common import VERSIONS, Draws, keras, np, write
from safetensors import TensorSpec, serialize

FOLDER = pathlib.Path(__file__).parent / "formats"
L = keras.layers
SEED = 20261122


def dense():
    model = keras.Sequential(
        [L.Input((3,)), L.Dense(4, activation="relu", name="base"), L.Dense(2, activation="softmax", name="head")],
        name="dense",
    )
    model.compile("adam", "mse")
    model.fit(np.ones((4, 3)), np.ones((4, 2)), verbose=0)  # so that there are slots
    return model


def nested():
    x = L.Input((5, 5, 2), name="image")
    inner = keras.Sequential(
        [L.Input((5, 5, 3)), L.Conv2D(3, 2, padding="same"), L.BatchNormalization(), L.ReLU()], name="inner"
    )
    a = L.SeparableConv2D(3, 2, padding="same", name="wide")(x)
    b = L.DepthwiseConv2D(2, padding="same", name="deep")(a)
    c = L.BatchNormalization(name="norm", trainable=False)(b)
    y = L.GlobalAveragePooling2D()(L.Add()([inner(a), c]))
    y = L.LayerNormalization()(y)
    return keras.Model(x, [L.Dense(2, name="one")(y), L.Dense(1, name="two")(y)], name="nested")


def recurrent():
    return keras.Sequential(
        [
            L.Input((4,)),
            L.Embedding(7, 3, name="words"),
            L.Bidirectional(L.LSTM(2, return_sequences=True), name="both"),
            L.Dropout(0.5),
            L.TimeDistributed(L.Dense(3), name="each"),
            L.GRU(3, name="gru"),
        ],
        name="recurrent",
    )


def attention():
    x = L.Input((3, 4), name="steps")
    y = L.MultiHeadAttention(2, 3, name="heads")(x, x)
    return keras.Model(x, L.Dense(2, name="out")(L.Add()([x, y])), name="attention")


def outputs():
    """Functional models and stacks that give outputs themselves, applied once and twice, and a layer that is shared."""
    x = L.Input((3,), name="x")
    a = L.Input((3,), name="a")
    inner = keras.Model(a, L.Dense(3, name="body", activation="tanh")(a), name="inner")
    b = L.Input((3,), name="b")
    c = L.Input((3,), name="c")
    own = keras.Model(c, L.Dense(3, name="mind")(c), name="own")
    deep = keras.Model(b, own(own(b)), name="deep")
    stack = keras.Sequential([L.Input((3,)), L.Dense(3, name="one")], name="stack")
    shared = L.Dense(2, name="shared")
    first = inner(x)
    second = stack(first)
    return keras.Model(x, [inner(second), deep(x), stack(x), second, shared(x), shared(first)], name="outputs")


def encoder():
    """A model whose only output is another model's."""
    x = L.Input((3,), name="x")
    a = L.Input((3,), name="a")
    inner = keras.Model(a, [L.Dense(2, name="one")(a), L.Dense(1, name="two")(a)], name="inner")
    return keras.Model(x, inner(x)[1], name="encoder")

def spaces():
    """Steps, then volumes."""
    return keras.Sequential(
        [
            L.Input((4, 8)),
            L.Masking(),
            L.SeparableConv1D(4, 2),
            L.GroupNormalization(2),
            L.Conv1DTranspose(3, 2, strides=2, name="more"),
            L.RMSNormalization(),
            L.ZeroPadding1D(),
            L.Cropping1D(),
            L.UpSampling1D(),
            L.DepthwiseConv1D(2, padding="same", activation="hard_tanh"),
            L.AlphaDropout(0.5),
            L.UnitNormalization(),
            L.Reshape((3, 2, 2, 3)),
            L.Conv3D(2, 2, padding="same", activation="celu"),
            L.Conv3DTranspose(2, 2, strides=(1, 2, 1)),
            L.MaxPooling3D((2, 1, 1)),
            L.GlobalAveragePooling3D(),
            L.Dense(2, kernel_constraint="min_max_norm", name="out"),
        ],
        name="spaces",
    )


MODELS = [dense, nested, recurrent, attention, outputs, encoder, spaces]


def settle(path, deflate=False):
    """The same archive with one date in it."""
    with zipfile.ZipFile(path) as archive:
        parts = [(name, archive.read(name)) for name in archive.namelist()]
    kind = zipfile.ZIP_DEFLATED if deflate else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, data in parts:
            if name == "metadata.json":
                data = json.dumps({**json.loads(data), "date_saved": "2026-11-22@00:00:00"}).encode()
            if name == "config.json":
                # Addresses of objects, which say which are the same.
                ids = {}
                data = re.sub(
                    rb'("shared_object_id": )(\d+)',
                    lambda found: found[1] + b"%d" % ids.setdefault(found[2], len(ids)),
                    data,
                )
            info = zipfile.ZipInfo(name, (2026, 11, 22, 0, 0, 0))
            info.compress_type = kind
            archive.writestr(info, data)


def write_keras2(path, model):
    """As Keras 2.15 wrote it: names end in :0 and have the names of layers before them."""
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = b"2.15.0"
        file.attrs["backend"] = b"tensorflow"
        config = {
            "class_name": "Sequential",
            "config": {
                "name": "old",
                "layers": [
                    {
                        "class_name": "InputLayer",
                        "config": {"batch_input_shape": [None, 3], "dtype": "float32", "sparse": False, "ragged": False, "name": "in"},
                    },
                    *(
                        {
                            "class_name": "Dense",
                            "config": {
                                "name": layer.name, "trainable": True, "dtype": "float32", "units": layer.units,
                                "activation": layer.activation.__name__, "use_bias": True,
                                "kernel_initializer": {"class_name": "GlorotUniform", "config": {"seed": None}},
                                "bias_initializer": {"class_name": "Zeros", "config": {}},
                                "kernel_regularizer": None, "bias_regularizer": None, "activity_regularizer": None,
                                "kernel_constraint": None, "bias_constraint": None,
                            },
                        }
                        for layer in model.layers
                    ),
                ],
            },
        }
        file.attrs["model_config"] = json.dumps(config).encode()
        group = file.create_group("model_weights")
        group.attrs["layer_names"] = [layer.name.encode() for layer in model.layers]
        for layer in model.layers:
            own = group.create_group(layer.name)
            names = [f"{layer.name}/{weight.name}:0" for weight in layer.weights]
            own.attrs["weight_names"] = [name.encode() for name in names]
            for name, weight in zip(names, layer.weights):
                own.create_dataset(name, data=weight.numpy())
        # What an optimizer leaves there.
        slots = file.create_group("optimizer_weights")
        slots.attrs["weight_names"] = [b"adam/iter:0"]
        slots.create_dataset("adam/iter:0", data=np.int64(3))


def input_of(model, draws):
    shape = (2, *model.inputs[0].shape[1:])
    if model.name == "recurrent":
        return np.array([[1, 0, 6, 3], [2, 2, 5, 4]], np.float32)
    return draws.array(shape)


def graph_of(model):
    """Which applications of layers a model of JSON names, in it and in models inside of it."""
    config = model["config"]
    if model["class_name"] != "Functional":
        return None
    histories = [
        [layer["name"], re.findall(r"\"keras_history\": (\[[^]]*\])", json.dumps(layer["inbound_nodes"]))]
        for layer in config["layers"]
    ]
    inner = [graph_of(layer) for layer in config["layers"] if layer["class_name"] == "Functional"]
    return {"in": config["input_layers"], "out": config["output_layers"], "nodes": histories, "inner": inner}


def write_models():
    rows = []
    for make in MODELS:
        keras.utils.clear_session()
        keras.utils.set_random_seed(SEED)
        draws = Draws(SEED)
        model = make()
        for weight in model.weights:
            value = draws.array(weight.shape) * np.float32(0.25)
            weight.assign(np.abs(value) if "variance" in weight.path else value)
        x = input_of(model, draws)
        outputs = model.predict(x, verbose=0)
        outputs = outputs if isinstance(outputs, list) else [outputs]
        name = model.name
        model.save(FOLDER / f"{name}.keras")
        settle(FOLDER / f"{name}.keras")
        model.save(FOLDER / f"{name}.h5")
        model.save_weights(FOLDER / f"{name}.weights.h5")
        if name == "dense":
            model.save(FOLDER / "deflated.keras")
            settle(FOLDER / "deflated.keras", deflate=True)
            write_keras2(FOLDER / "keras2.h5", model)
        rows.append(
            {
                "model": name,
                "shape": list(x.shape),
                "x": x,
                "weights": [[weight.path, list(weight.shape), weight.numpy()] for weight in model.weights],
                "outputs": [[list(y.shape), y] for y in outputs],
                "graph": graph_of(json.loads(model.to_json())),
            }
        )
    return rows


def save(name, tensors, metadata):
    """By safetensors' own library: of each tensor its type, shape and values."""
    specs = {
        key: TensorSpec(dtype=kind, shape=shape, data_ptr=values.ctypes.data, data_len=values.nbytes)
        for key, (kind, shape, values) in tensors.items()
    }
    (FOLDER / name).write_bytes(bytes(serialize(specs, metadata=metadata)))


def write_dtypes():
    """Every type that is read, at its edges."""
    lists = {
        "BOOL": ("bool", np.array([0, 1, 1], np.uint8)),
        "U8": ("uint8", np.array([0, 255], np.uint8)),
        "I8": ("int8", np.array([-128, 127], np.int8)),
        "I16": ("int16", np.array([-32768, 32767], np.int16)),
        "U16": ("uint16", np.array([0, 65535], np.uint16)),
        "F16": ("float16", np.array([1, -2, 65504, 6e-8, 6.1e-5, -0.0, np.inf, -np.inf, np.nan, 0.1], np.float16)),
        "BF16": ("bfloat16", np.array([0x3F80, 0xC000, 0x7F80, 0x0001, 0x8000, 0x7FC0], np.uint16)),
        "I32": ("int32", np.array([-(2**31), 2**24, 2**24 + 1, 2**31 - 1], np.int32)),
        "U32": ("uint32", np.array([0, 2**24 + 3, 2**32 - 1], np.uint32)),
        "F32": ("float32", np.array([1.5, -0.0, np.inf, 1e-45], np.float32)),
        "F64": ("float64", np.array([0.1, 0.5, 1e300, -1e-300, 1 + 2.0**-24, np.nan, -np.inf], np.float64)),
        "I64": ("int64", np.array([-(2**63), 2**53 + 1, 2**54 + 2**30 + 1, 2**24, -(2**24) - 1], np.int64)),
        "U64": ("uint64", np.array([2**64 - 1, 2**63 + 2**39 + 1, 2**40], np.uint64)),
    }
    tensors = {name: (kind, [len(values)], values) for name, (kind, values) in lists.items()}
    tensors["empty"] = ("float32", [0, 3], np.zeros(0, np.float32))
    tensors["scalar"] = ("float32", [], np.full(1, 2, np.float32))
    tensors["__proto__"] = ("float32", [1], np.full(1, 3, np.float32))
    tensors["größe/π"] = ("float32", [1, 1], np.full(1, 4, np.float32))
    save("dtypes.safetensors", tensors, {"note": "every type"})
    rows = []
    for name, (kind, values) in lists.items():
        if kind == "bfloat16":
            as_f32, exact = (values.astype(np.uint32) << 16).view(np.float32), True
        else:
            with np.errstate(over="ignore"):
                # By way of f64, integers of 64 bits would be rounded twice.
                as_f32 = np.array([nearest(v) for v in values.tolist()] if "int64" in kind else values.astype(np.float32), np.float32)
            exact = False
        rounded = 0 if exact else sum(not same(a, b) for a, b in zip(as_f32.tolist(), values.tolist()))
        rows.append({"dtype": name, "values": as_f32, "rounded": rounded})
    return rows


def same(a, b):
    return a != a and b != b or a == b


def nearest(value):
    """An integer's nearest f32, ties to even, by integers alone."""
    sign, size = (-1 if value < 0 else 1), abs(value)
    shift = max(size.bit_length() - 24, 0)
    kept, rest, half = size >> shift, size & ((1 << shift) - 1), 1 << shift >> 1
    if rest > half or rest == half and shift and kept & 1:
        kept += 1
    return np.float32(sign * (kept << shift))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def torch_lstm(x, w_ih, w_hh, b_ih, b_hh):
    """torch.nn.LSTM: gates i, f, g, o."""
    h = c = np.zeros((x.shape[0], w_hh.shape[1]))
    for t in range(x.shape[1]):
        i, f, g, o = np.split(x[:, t] @ w_ih.T + b_ih + h @ w_hh.T + b_hh, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
    return h


def torch_gru(x, w_ih, w_hh, b_ih, b_hh):
    """torch.nn.GRU: gates r, z, n, the bias of n inside of the reset gate."""
    h = np.zeros((x.shape[0], w_hh.shape[1]))
    for t in range(x.shape[1]):
        ri, zi, ni = np.split(x[:, t] @ w_ih.T + b_ih, 3, axis=1)
        rh, zh, nh = np.split(h @ w_hh.T + b_hh, 3, axis=1)
        r, z = sigmoid(ri + rh), sigmoid(zi + zh)
        n = np.tanh(ni + r * nh)
        h = (1 - z) * n + z * h
    return h


def torch_conv(x, weight, bias, groups=1):
    """torch.nn.Conv2d without padding, of NHWC here; weight [out, in / groups, h, w]."""
    n, height, width, channels = x.shape
    out, ins, kh, kw = weight.shape
    y = np.zeros((n, height - kh + 1, width - kw + 1, out))
    for o in range(out):
        first = o // (out // groups) * ins
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                patch = x[:, i : i + kh, j : j + kw, first : first + ins]
                y[:, i, j, o] = np.einsum("nhwc,chw->n", patch, weight[o]) + bias[o]
    return y


def write_torch():
    draws = Draws(SEED)
    tensors, rows = {}, []

    def weight(name, *shape):
        value = draws.array(shape)
        tensors[name] = ("float32", list(shape), value)
        return value.astype(np.float64)

    def recurrent(name, gates, run):
        parts = [
            weight(f"{name}.weight_ih_l0", 2 * gates, 3),
            weight(f"{name}.weight_hh_l0", 2 * gates, 2),
            weight(f"{name}.bias_ih_l0", 2 * gates),
            weight(f"{name}.bias_hh_l0", 2 * gates),
        ]
        x = draws.array((2, 4, 3))
        case(name, x, run(x.astype(np.float64), *parts))

    def case(name, x, y):
        rows.append({"torch": name, "shape": list(x.shape), "x": x, "y": y.astype(np.float32)})

    recurrent("rnn.lstm", 4, torch_lstm)
    recurrent("rnn.gru", 3, torch_gru)
    x = draws.array((2, 3))
    case("fc", x, x.astype(np.float64) @ weight("fc.weight", 4, 3).T + weight("fc.bias", 4))
    x = draws.array((2, 4, 4, 2))
    case("conv", x, torch_conv(x.astype(np.float64), weight("conv.weight", 3, 2, 2, 3), weight("conv.bias", 3)))
    x = draws.array((2, 4, 4, 2))
    wide = torch_conv(x.astype(np.float64), weight("deep.weight", 6, 1, 2, 3), weight("deep.bias", 6), 2)
    case("deep", x, wide)
    x = draws.array((3, 2))
    gamma, beta, mean = weight("norm.weight", 2), weight("norm.bias", 2), weight("norm.running_mean", 2)
    variance = np.abs(weight("norm.running_var", 2))
    tensors["norm.running_var"] = ("float32", [2], variance.astype(np.float32))
    tensors["norm.num_batches_tracked"] = ("int64", [], np.full(1, 7, np.int64))
    case("norm", x, (x - mean) / np.sqrt(variance + 1e-5) * gamma + beta)
    save("torch.safetensors", tensors, {"format": "pt"})
    return rows


def write_formats():
    FOLDER.mkdir(exist_ok=True)
    head = {"versions": VERSIONS, "seed": SEED}
    write("formats.json", head, "rows", [*write_models(), *write_dtypes(), *write_torch()])


if __name__ == "__main__":
    write_formats()
