"""Whole runs of Keras's fit, for models of every kind: layers frozen and freed, compiled again midway, and elements held.

fit.json. Each run is a model (Keras's own JSON), weights and data that both sides draw, and phases: what is frozen,
which elements are held, whether it is compiled again, and for how many epochs it is fitted, without shuffling. After each
phase: the history, and the weights. Keras computes in f64; what its own f32 differs by is noted as `apart`, so that the
tolerance of the test is the peer's own error and no guess.

Keras cannot hold elements. Where some are held, the optimizer's variables are the free elements alone (the reduced problem
that law 3 speaks of), scattered among the held ones before each step: the same arithmetic, element by element.
"""

import json

from common import VERSIONS, Draws, keras, np, tf, write

L = keras.layers
SAMPLES = 20
BATCH = 8


def mlp():
    return keras.Sequential([
        keras.Input((5,)),
        L.Dense(8, activation="relu", name="first"),
        # Not of the layer that will be frozen: Keras drops its penalty from the loss then, gradlock does not (law 8).
        L.Dense(6, activation="tanh", kernel_regularizer="l2", name="second"),
        L.Dense(3, activation="softmax", name="head"),
    ])


def cnn():
    return keras.Sequential([
        keras.Input((6, 6, 2)),
        L.Conv2D(3, 3, activation="relu", name="conv"),
        L.MaxPooling2D(2),
        L.Flatten(),
        L.Dense(4, name="head"),
    ])


def separable():
    return keras.Sequential([
        keras.Input((6, 6, 2)),
        L.SeparableConv2D(4, 3, padding="same", use_bias=False, name="separable"),
        L.BatchNormalization(momentum=0.75, name="norm"),
        L.ReLU(),
        L.DepthwiseConv2D(3, depth_multiplier=2, name="depthwise"),
        L.GlobalAveragePooling2D(),
        L.Dense(2, name="head"),
    ])


def residual():
    x = keras.Input((4, 4, 3))
    y = L.Conv2D(3, 3, padding="same", name="one")(x)
    y = L.BatchNormalization(momentum=0.5, name="norm")(y)
    y = L.Activation("relu")(y)
    y = L.Conv2D(3, 3, padding="same", name="two")(y)
    y = L.Add()([x, y])
    y = L.GlobalMaxPooling2D()(y)
    return keras.Model(x, L.Dense(2, name="head")(y))


def two_by_two():
    a, b = keras.Input((3,), name="a"), keras.Input((4,), name="b")
    shared = L.Dense(5, activation="elu", name="shared")
    x = shared(L.Dense(4, name="of_a")(a))
    y = shared(b)
    both = L.Concatenate()([x, y])
    return keras.Model([a, b], [L.Dense(1, name="number")(both), L.Dense(3, activation="softmax", name="kind")(L.Multiply()([x, y]))])


def embedding():
    return keras.Sequential([
        keras.Input((6,)),
        L.Embedding(9, 4, mask_zero=True, name="words"),
        L.GlobalAveragePooling1D(),
        L.Dense(1, activation="sigmoid", name="head"),
    ])


def gru():
    return keras.Sequential([
        keras.Input((5, 3)),
        L.GRU(4, return_sequences=True, name="lower"),
        L.GRU(3, reset_after=False, name="upper"),
        L.Dense(2, name="head"),
    ])


def lstm():
    return keras.Sequential([
        keras.Input((6,)),
        L.Embedding(7, 3, mask_zero=True, name="words"),
        L.Bidirectional(L.LSTM(3, name="lstm"), name="both"),
        L.Dense(4, activation="softmax", name="head"),
    ])


def attention():
    x = keras.Input((4, 6))
    y = L.MultiHeadAttention(2, 3, name="heads")(x, x)
    y = L.LayerNormalization(name="norm")(L.Add()([x, y]))
    return keras.Model(x, L.Dense(2, name="head")(L.GlobalAveragePooling1D()(y)))


def autoencoder():
    encoder = keras.Sequential([keras.Input((8,)), L.Dense(4, activation="selu", name="in"), L.Dense(2, name="code")], name="encoder")
    decoder = keras.Sequential([keras.Input((2,)), L.Dense(4, activation="gelu", name="out"), L.Dense(8, activation="sigmoid", name="image")], name="decoder")
    x = keras.Input((8,))
    return keras.Model(x, decoder(encoder(x)))


# Keras rounds betas to f32 where it corrects their bias, also while it computes in f64: these are f32.
BETAS = {"beta_1": 0.875, "beta_2": 0.9990234375}
ADAM = {"class_name": "Adam", "config": {"learning_rate": 0.0078125, **BETAS}}
MOMENTUM = {"class_name": "SGD", "config": {"learning_rate": 0.0625, "momentum": 0.875}}
RMSPROP = {"class_name": "RMSprop", "config": {"learning_rate": 0.00390625}}
CLIPPED = {"class_name": "AdamW", "config": {"learning_rate": 0.0078125, "weight_decay": 0.0625, "global_clipnorm": 0.5, **BETAS}}

# Per model: what labels look like, the loss, metrics, an optimizer, and layers to freeze.
MODELS = {
    "MLP": (mlp, "class", "sparse_categorical_crossentropy", ["accuracy"], ADAM, ["first"]),
    "CNN": (cnn, ("number", 4), "mse", ["mae"], MOMENTUM, ["conv"]),
    "separable CNN with batch normalisation": (separable, ("number", 2), "huber", ["mse"], ADAM, ["separable", "norm"]),
    "residual network": (residual, ("number", 2), "mse", [], RMSPROP, ["one", "norm"]),
    "two inputs, two outputs": (two_by_two, "two", {"number": "mse", "kind": "categorical_crossentropy"},
                                {"number": ["mae"], "kind": ["accuracy"]}, MOMENTUM, ["shared"]),
    "embedding and pooling": (embedding, "binary", "binary_crossentropy", ["accuracy"], ADAM, ["head"]),
    "GRU": (gru, ("number", 2), "mse", [], ADAM, ["lower"]),
    "LSTM": (lstm, "class", "sparse_categorical_crossentropy", ["accuracy"], CLIPPED, ["both"]),
    "attention": (attention, ("number", 2), "log_cosh", [], ADAM, ["heads"]),
    "autoencoder": (autoencoder, ("unit", 8), "mse", ["mae"], RMSPROP, ["encoder"]),
}


def draw_inputs(model, draws):
    found = []
    for tensor in model.inputs:
        shape = (SAMPLES, *tensor.shape[1:])
        first = next((l for l in model.layers if isinstance(l, L.Embedding)), None)
        if first is None:
            found.append(draws.array(shape))
        else:
            count = int(np.prod(shape))
            found.append(np.array([(draws.next() >> 8) % first.input_dim for _ in range(count)], np.float32).reshape(shape))
    return found


def draw_labels(kind, model, draws):
    def classes(n):
        return np.array([(draws.next() >> 8) % n for _ in range(SAMPLES)], np.float32)

    if kind == "class":
        return [classes(model.outputs[0].shape[-1])]
    if kind == "binary":
        return [classes(2).reshape(-1, 1)]
    if kind == "two":
        number = draws.array((SAMPLES, 1))
        return [number, np.eye(3, dtype=np.float32)[classes(3).astype(int)]]
    values = draws.array((SAMPLES, kind[1]))
    return [np.abs(values) / 2 if kind[0] == "unit" else values]


def draw_weights(model, draws):
    """Small values; 1 added where gammas and variances are, which must not be near 0."""
    found = []
    for weight in model.weights:
        values = draws.array(weight.shape) / 4
        if weight.name in ("gamma", "moving_variance"):
            values = np.abs(values) + 0.75
        found.append(values.astype(np.float32))
    return found


def find(model, name):
    """A layer, wherever it is."""
    for layer in model.layers:
        if layer.name == name:
            return layer
        if hasattr(layer, "layers"):
            inner = find(layer, name)
            if inner is not None:
                return inner
    return None


def densely(optimizer):
    """TensorFlow hands the gradient of an embedding over as slices, a row as often as it was looked up, and Keras squares
    each of them before it adds them up: with any rule that divides by a root, a batch that has a word twice takes another
    step than on any other of its backends. Here they are added up first."""
    apply = optimizer.apply

    def apply_dense(gradients, variables=None):
        return apply([tf.convert_to_tensor(gradient) for gradient in gradients], variables)

    optimizer.apply = apply_dense
    return optimizer


def compile_model(model, spec):
    _, _, loss, metrics, optimizer, _ = spec
    opt = densely(keras.optimizers.deserialize({**optimizer, "registered_name": None}))
    model.compile(optimizer=opt, loss=loss, metrics=metrics or None, jit_compile=False)


def fit_held(model, x, y, epochs, held):
    """fit's steps with elements held; `held` maps indices among the weights to flat indices."""
    weights = model.weights
    optimizer = model.optimizer
    trained = [w for w in weights if any(w is t for t in model.trainable_variables)]
    parts = []
    for weight in trained:
        index = next(i for i, w in enumerate(weights) if w is weight)
        flat = np.arange(int(np.prod(weight.shape)))
        free = np.setdiff1d(flat, held.get(index, []))
        values = np.asarray(weight).reshape(-1)
        if free.size == 0:
            continue
        parts.append((weight, free, keras.Variable(values[free], dtype=weight.dtype, name=f"free_{index}")))
    optimizer.build([part for _, _, part in parts])
    history = []
    for _ in range(epochs):
        total = 0.0
        for start in range(0, SAMPLES, BATCH):
            rows = slice(start, min(start + BATCH, SAMPLES))
            xs, ys = [v[rows] for v in x], [v[rows] for v in y]
            xs = xs[0] if len(xs) == 1 else xs
            with tf.GradientTape() as tape:
                outputs = model(xs, training=True)
                loss = model.compute_loss(xs, ys[0] if len(ys) == 1 else ys, outputs, training=True)
            gradients = tape.gradient(loss, [weight.value for weight, _, _ in parts])
            taken = []
            for gradient, (_, free, _) in zip(gradients, parts):
                dense = tf.convert_to_tensor(gradient)
                taken.append(tf.gather(tf.reshape(dense, [-1]), free))
            optimizer.apply(taken, [part for _, _, part in parts])
            for weight, free, part in parts:
                values = np.asarray(weight).reshape(-1).copy()
                values[free] = np.asarray(part)
                weight.assign(values.reshape(weight.shape))
            total += float(loss) * (rows.stop - rows.start)
        history.append(total / SAMPLES)
    return {"loss": history}


def hold_some(model, draws):
    """
    Of the first trainable weight and the last but one about a half of the elements, or the first filter of a convolution;
    and of a network of three layers or more a whole kernel in the middle.
    """
    trained = [i for i, w in enumerate(model.weights) if any(w is t for t in model.trainable_variables)]
    held = {}
    for index in (trained[0], trained[-2]):
        shape = model.weights[index].shape
        some = [k for k in range(int(np.prod(shape))) if draws.next() >> 31]
        held[index] = [k for k in range(int(np.prod(shape))) if k % shape[-1] == 0] if len(shape) == 4 else some
    if len(trained) >= 6 and trained[2] not in held:
        held[trained[2]] = list(range(int(np.prod(model.weights[trained[2]].shape))))
    return held


def run(name, floatx):
    keras.config.set_floatx(floatx)
    keras.utils.clear_session()
    spec = MODELS[name]
    model = spec[0]()
    seed = 1000 + list(MODELS).index(name)
    draws = Draws(seed)
    x = [v.astype(floatx) for v in draw_inputs(model, draws)]
    y = [v.astype(floatx) for v in draw_labels(spec[1], model, draws)]
    model.set_weights([w.astype(floatx) for w in draw_weights(model, draws)])
    text = json.loads(model.to_json().replace('"float64"', '"float32"'))
    phases = []

    def phase(how, epochs, held=None):
        if held is None:
            data = (x[0] if len(x) == 1 else x, y[0] if len(y) == 1 else y)
            history = model.fit(*data, epochs=epochs, batch_size=BATCH, shuffle=False, verbose=0).history
        else:
            history = fit_held(model, x, y, epochs, held)
        phases.append({
            "how": how,
            "epochs": epochs,
            "history": {k: np.array(v, np.float64) for k, v in history.items()},
            "weights": [np.asarray(w, np.float64) for w in model.weights],
        })

    compile_model(model, spec)
    phase({}, 2)
    for layer in spec[5]:
        find(model, layer).trainable = False
    compile_model(model, spec)
    phase({"freeze": spec[5], "compile": True}, 2)
    for layer in spec[5]:
        find(model, layer).trainable = True
    compile_model(model, spec)
    held = hold_some(model, draws)
    phase({"unfreeze": spec[5], "compile": True, "hold": {str(k): v for k, v in held.items()}}, 2, held)
    compile_model(model, spec)
    phase({"release": True, "compile": True}, 1)
    if spec[4] is MOMENTUM:
        # Frozen and freed under one optimizer. Only a rule without a count of steps goes on alike: gradlock counts them by
        # element (law 4). Keras has to be told by compiling, which here nobody does.
        for how, trainable in (("freeze", False), ("unfreeze", True)):
            for layer in spec[5]:
                find(model, layer).trainable = trainable
            model.compile(optimizer=model.optimizer, loss=spec[2], metrics=spec[3] or None, jit_compile=False)
            phase({how: spec[5]}, 1)
    return {"name": name, "seed": seed, "model": text, "loss": spec[2], "metrics": spec[3], "optimizer": spec[4],
            "labels": spec[1], "phases": phases}


def measure(name):
    exact, own = run(name, "float64"), run(name, "float32")
    for phase, other in zip(exact["phases"], own["phases"]):
        pairs = zip(phase["weights"], other["weights"])
        phase["apart"] = [float(np.max(np.abs(a - b), initial=0)) for a, b in pairs]
        phase["historyApart"] = {k: float(np.max(np.abs(v - other["history"][k]))) for k, v in phase["history"].items()}
        phase["weights"] = [w.astype(np.float32) for w in phase["weights"]]
        phase["history"] = {k: v.astype(np.float32) for k, v in phase["history"].items()}
    return exact


def write_fit():
    before = keras.config.floatx()
    head = {
        "versions": VERSIONS,
        "samples": SAMPLES,
        "batchSize": BATCH,
        "layout": "inputs, labels, then weights are drawn by files.py's Draws from `seed`; apart: what Keras's own f32 differs by",
    }
    rows = [measure(name) for name in MODELS]
    keras.config.set_floatx(before)
    write("fit.json", head, "runs", rows)


if __name__ == "__main__":
    write_fit()
