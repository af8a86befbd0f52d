"""Networks that nobody thought of: layers and options drawn at random, some frozen, fitted for two epochs in Keras.

networks.json. Each row is a model (Keras's own JSON), a loss and an optimizer; weights, inputs and labels are drawn by both
sides from its seed. Recorded, in f32 as Keras computes: what it predicts before, history, and weights after. Left out:
penalties on layers that are frozen, which Keras drops (law 8); momentum and clipping on embeddings, whose gradients Keras on
TensorFlow squares row by row; heads of one number, which Keras's attention mixes up.
"""

import json
import random

from common import VERSIONS, Draws, keras, np, write

L = keras.layers
SAMPLES, BATCH, COUNT = 8, 3, 48
ACTIVATIONS = ["relu", "tanh", "sigmoid", "elu", "selu", "softplus", "softsign", "gelu", "silu", "mish", "leaky_relu",
               "hard_sigmoid", "relu6", "linear", "softmax", "hard_silu", "log_softmax"]
SAME = [L.Add, L.Multiply, L.Average, L.Maximum, L.Subtract]
OPTIMIZERS = [
    {"class_name": "SGD", "config": {"learning_rate": 0.0625, "momentum": 0.5}},
    {"class_name": "SGD", "config": {"learning_rate": 0.0625, "momentum": 0.875, "nesterov": True}},
    {"class_name": "SGD", "config": {"learning_rate": 0.125, "clipnorm": 0.5}},
    {"class_name": "RMSprop", "config": {"learning_rate": 0.015625}},
]
PLAIN = {"class_name": "SGD", "config": {"learning_rate": 0.125}}


def options(r):
    """Of layers with a kernel."""
    return {"activation": r.choice(ACTIVATIONS), "use_bias": r.random() < 0.75}


def recurrent(r):
    back = {"return_sequences": r.random() < 0.5, "go_backwards": r.random() < 0.25, "use_bias": r.random() < 0.75}
    return r.choice([
        lambda: L.LSTM(r.randint(1, 3), unit_forget_bias=r.random() < 0.5, **back),
        lambda: L.GRU(r.randint(1, 3), reset_after=r.random() < 0.5, **back),
        lambda: L.SimpleRNN(r.randint(1, 4), **back),
    ])()


FLAT = [
    lambda r, s: L.Dense(r.randint(1, 5), kernel_regularizer=r.choice([None, "l2"]), **options(r)),
    lambda r, s: L.Dense(r.randint(1, 4), activity_regularizer="l2", kernel_constraint=r.choice(["non_neg", "unit_norm", None])),
    lambda r, s: L.Activation(r.choice(ACTIVATIONS)),
    lambda r, s: L.BatchNormalization(momentum=0.75, center=r.random() < 0.5, scale=r.random() < 0.5),
    lambda r, s: L.LayerNormalization(epsilon=0.015625),
    lambda r, s: L.PReLU(alpha_initializer="ones"),
    lambda r, s: L.ReLU(max_value=r.choice([None, 1.0]), negative_slope=r.choice([0.0, 0.25]), threshold=r.choice([0.0, 0.25])),
    lambda r, s: L.ELU(alpha=r.choice([1.0, 0.5])),
    lambda r, s: L.RepeatVector(r.randint(2, 3)),
    lambda r, s: L.Rescaling(0.5, 0.125),
    lambda r, s: L.Reshape((-1, 1)),
]
STEPS = [
    lambda r, s: L.Conv1D(r.randint(1, 3), r.randint(1, min(3, s[1])), strides=r.randint(1, 2),
                          padding=r.choice(["valid", "same", "causal"]), **options(r)),
    lambda r, s: recurrent(r),
    lambda r, s: recurrent(r),
    lambda r, s: L.Bidirectional(L.GRU(2, return_sequences=r.random() < 0.5), merge_mode=r.choice(["concat", "sum", "ave", "mul"])),
    lambda r, s: L.GlobalAveragePooling1D(keepdims=r.random() < 0.25),
    lambda r, s: L.GlobalMaxPooling1D(),
    lambda r, s: r.choice([L.MaxPooling1D, L.AveragePooling1D])(2, strides=r.choice([None, 1]), padding="same"),
    lambda r, s: L.TimeDistributed(L.Dense(r.randint(1, 3), activation=r.choice(ACTIVATIONS))),
    lambda r, s: L.LayerNormalization(axis=r.choice([-1, [1, 2]])),
    lambda r, s: L.Permute((2, 1)),
    lambda r, s: L.MultiHeadAttention(2, 2, value_dim=r.choice([None, 3]), use_bias=r.random() < 0.5),
    lambda r, s: L.Flatten(),
]


def window(r, s):
    return r.randint(1, min(3, s[1])), r.randint(1, min(3, s[2]))


IMAGES = [
    lambda r, s: L.Conv2D(r.randint(1, 3), window(r, s), strides=r.randint(1, 2), padding=r.choice(["valid", "same"]), **options(r)),
    lambda r, s: L.DepthwiseConv2D(window(r, s), strides=r.randint(1, 2), padding=r.choice(["valid", "same"]), depth_multiplier=r.randint(1, 2)),
    lambda r, s: L.SeparableConv2D(r.randint(1, 3), window(r, s), padding=r.choice(["valid", "same"])),
    lambda r, s: L.Conv2DTranspose(r.randint(1, 2), window(r, s), strides=r.randint(1, 2), padding=r.choice(["valid", "same"])),
    lambda r, s: r.choice([L.MaxPooling2D, L.AveragePooling2D])(2, strides=r.choice([None, 1]), padding="same"),
    lambda r, s: L.BatchNormalization(axis=r.choice([-1, 1]), momentum=0.75),
    lambda r, s: L.UpSampling2D((r.randint(1, 2), 2), interpolation=r.choice(["nearest", "bilinear"])),
    lambda r, s: L.ZeroPadding2D(((1, 0), (0, 2))),
    lambda r, s: L.Cropping2D(((1, 0), (0, 1))),
    lambda r, s: L.PReLU(alpha_initializer="ones", shared_axes=[1, 2]),
    lambda r, s: L.GlobalAveragePooling2D(keepdims=r.random() < 0.5),
    lambda r, s: L.Flatten(),
]


def build(r):
    kind = r.choice(["numbers", "steps", "images", "words"])
    shape = {"numbers": (r.randint(1, 5),), "steps": (r.randint(2, 4), r.randint(1, 3)),
             "images": (r.randint(3, 5), r.randint(3, 5), r.randint(1, 2)), "words": (r.randint(2, 5),)}[kind]
    x = first = keras.Input(shape)
    if kind == "words":
        x = L.Embedding(6, r.randint(1, 3), mask_zero=r.random() < 0.5)(x)
    before = [x]
    for _ in range(r.randint(1, 5)):
        for _ in range(8):
            layer = r.choice({2: FLAT, 3: STEPS, 4: IMAGES}[len(x.shape)])(r, tuple(x.shape))
            try:
                y = layer(x, x) if isinstance(layer, L.MultiHeadAttention) else layer(x)
            except ValueError:
                continue
            if 0 < np.prod(y.shape[1:]) <= 60:
                x = y
                break
        alike = [b for b in before if tuple(b.shape) == tuple(x.shape) and b is not x]
        if alike and r.random() < 0.5:
            x = r.choice(SAME)()([r.choice(alike), x])
        before.append(x)
    if len(x.shape) > 2 and r.random() < 0.75:
        x = L.Flatten()(x)
    return kind, keras.Model(first, L.Dense(r.randint(1, 3), activation=r.choice(["linear", "sigmoid", "tanh"]))(x))


def weight(draws, variable):
    values = draws.array(variable.shape) / 4
    return np.abs(values) + 0.75 if variable.name in ("gamma", "moving_variance") else values


def network(seed):
    r = random.Random(seed)
    keras.utils.clear_session()
    kind, model = build(r)
    draws = Draws(seed)
    shape = (SAMPLES, *model.inputs[0].shape[1:])
    x = draws.array(shape)
    if kind == "words":
        x = np.array([(draws.next() >> 8) % 6 for _ in range(int(np.prod(shape)))], np.float32).reshape(shape)
    y = draws.array((SAMPLES, *model.outputs[0].shape[1:]))
    model.set_weights([weight(draws, v) for v in model.weights])
    frozen = [layer.name for layer in model.layers if layer.weights and r.random() < 0.25
              and not getattr(layer, "kernel_regularizer", None)]
    for name in frozen:
        model.get_layer(name).trainable = False
    optimizer = PLAIN if kind == "words" else r.choice(OPTIMIZERS)
    loss = r.choice(["mse", "mae", "huber", "log_cosh"])
    row = {"seed": seed, "words": kind == "words", "model": json.loads(model.to_json()), "optimizer": optimizer, "loss": loss,
           "predicted": model.predict(x, verbose=0)}
    model.compile(optimizer=keras.optimizers.deserialize(optimizer), loss=loss, metrics=["mae"], jit_compile=False)
    history = model.fit(x, y, epochs=2, batch_size=BATCH, shuffle=False, verbose=0).history
    row["history"] = {key: np.array(values, np.float32) for key, values in history.items()}
    row["weights"] = model.get_weights()
    return row


def is_finite(row):
    return all(np.isfinite(w).all() for w in [row["predicted"], *row["weights"]])


def write_networks():
    rows = [row for row in map(network, range(COUNT)) if is_finite(row)]
    head = {"versions": VERSIONS, "samples": SAMPLES, "batchSize": BATCH}
    write("networks.json", head, "networks", rows)


if __name__ == "__main__":
    write_networks()
