"""The base of the demo's scene "Freeze the base": two convolutions and a head that know the digits 0 to 4, trained in Keras
on those of the first 900 digits, each answer a yes or no of its own (binary cross-entropy). Its weights are a line each in
web/scenes/freeze/base.txt, in Keras's layout; what it says of some digits is base.json, for a test."""

from common import HERE, VERSIONS, keras, np, write
from files import compact
from sklearn.datasets import load_digits

TRAINED = 900
OLD = 5
STEPS = 300
SHOWN = 20


def write_base():
    keras.utils.set_random_seed(10)
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[..., None]
    labels = digits.target
    old = labels < OLD
    known = np.arange(len(labels)) < TRAINED
    layers = keras.layers
    net = keras.Sequential(
        [
            layers.Input((8, 8, 1)),
            layers.Conv2D(8, 3, padding="same", activation="relu", name="conv1"),
            layers.MaxPooling2D(2),
            layers.Conv2D(4, 3, activation="relu", name="conv2"),
            layers.Flatten(),
            layers.Dense(OLD, name="head"),
        ]
    )
    loss = keras.losses.BinaryCrossentropy(from_logits=True)
    net.compile(keras.optimizers.Adam(0.01), loss)
    wanted = keras.utils.to_categorical(labels, 10)[:, :OLD].astype(np.float32)
    train = known & old
    net.fit(images[train], wanted[train], epochs=STEPS, batch_size=int(train.sum()), verbose=0)
    lines = [f"{weight.path.split('/', 1)[1]} {compact(weight.numpy())}" for weight in net.weights]
    (HERE.parents[1] / "web/scenes/freeze/base.txt").write_text("\n".join(lines) + "\n", encoding="ascii")

    test = np.flatnonzero(~known & old)
    answers = net.predict(images[test], verbose=0)
    accuracy = np.float32(np.mean(answers.argmax(1) == labels[test]))
    rows = [{"line": int(at), "logits": row} for at, row in zip(test[:SHOWN], answers)]
    write("base.json", {"versions": VERSIONS, "accuracy": np.array([accuracy])}, "digits", rows)
    print(f"base: {accuracy:.3f} of {len(test)} unseen digits")


if __name__ == "__main__":
    write_base()
