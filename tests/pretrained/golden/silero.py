"""silero.json: what silero-vad 6.2.3 (MIT) hears in sound made here, chunk after chunk, its state carried on.

The package's tinygrad_model.py runs on its silero_vad_16k.safetensors (whose numbers are not those of its silero_vad.onnx).
The same in f64 is NumPy; beside stands how far tinygrad's f32 is off.
"""

import importlib.metadata
import importlib.util
import os

# Without, tinygrad looks for what else there is.
os.environ["DEV"] = "CPU"

import numpy as np  # noqa: E402
from safetensors.numpy import load_file  # noqa: E402
from tinygrad import Tensor  # noqa: E402
from tinygrad.nn.state import load_state_dict, safe_load  # noqa: E402
from shared import Draws, package, worst, write  # noqa: E402

SEED = 20261122
CHUNK, CONTEXT, CHUNKS, UNITS = 512, 64, 64, 128
# Resonators of vowels as they change: 2 r cos(w) and -r r of two formants each, in sums and products of f64 only, so that
# both sides have the same bits.
VOWELS = [((1.89, -0.96), (1.62, -0.94)), ((1.94, -0.97), (0.9, -0.93)), ((1.92, -0.95), (1.75, -0.95))]
PERIODS = [133, 117, 145, 126]


def sound():
    """Vowels of 6 chunks with silence of 2 behind each, in 16 bits."""
    draws = Draws(SEED)
    samples = []
    past = [[0.0, 0.0], [0.0, 0.0]]
    since = 0
    for i in range(CHUNK * CHUNKS):
        part = i // CHUNK // 8
        is_on = i // CHUNK % 8 < 6
        since += 1
        push = 0.0
        if since >= PERIODS[part % len(PERIODS)]:
            since = 0
            push = 1.0 if is_on else 0.0
        value = push + draws.value() / (256 if is_on else 4096)
        for (a, b), y in zip(VOWELS[part % len(VOWELS)], past):
            value = value + a * y[0] + b * y[1]
            y[1], y[0] = y[0], value
        samples.append(max(-1.0, min(1.0, int(value * 1024) / 32768)))
    return np.array(samples, np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def conv(x, w, bias=None, stride=1, padding=0):
    """x [channels, steps], w [out, in, size]."""
    x = np.pad(x, ((0, 0), (padding, padding)))
    size = w.shape[2]
    windows = np.stack([x[:, t : t + size] for t in range(0, x.shape[1] - size + 1, stride)], -1)
    y = np.einsum("oik,ikt->ot", w, windows)
    return y if bias is None else y + bias[:, None]


def hear(w, x, h, c):
    x = np.pad(x, (0, CONTEXT), "reflect")[None]
    x = conv(x, w["stft_conv.weight"], stride=128)
    x = np.sqrt(x[:129] ** 2 + x[129:] ** 2)
    for i, stride in enumerate([1, 2, 2, 1], 1):
        x = np.maximum(conv(x, w[f"conv{i}.weight"], w[f"conv{i}.bias"], stride, 1), 0)
    gates = w["lstm_cell.weight_ih"] @ x[:, 0] + w["lstm_cell.bias_ih"]
    gates = gates + w["lstm_cell.weight_hh"] @ h + w["lstm_cell.bias_hh"]
    i, f, n, o = np.split(gates, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(n)
    h = sigmoid(o) * np.tanh(c)
    return sigmoid(conv(np.maximum(h, 0)[:, None], w["final_conv.weight"], w["final_conv.bias"]))[0, 0], h, c


def open_model(path):
    """The package's own network, whose module is loaded alone: the others ask for PyTorch."""
    spec = importlib.util.spec_from_file_location("model", package("silero-vad", "silero_vad/tinygrad_model.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = module.TinySileroVAD()
    load_state_dict(model, safe_load(path), verbose=False)
    return model


def write_silero():
    samples = sound()
    padded = np.concatenate([np.zeros(CONTEXT, np.float32), samples])
    chunks = [padded[i : i + CONTEXT + CHUNK] for i in range(0, len(samples), CHUNK)]
    path = package("silero-vad", "silero_vad/data/silero_vad_16k.safetensors")
    weights = {name: values.astype(np.float64) for name, values in load_file(path).items()}
    model = open_model(path)
    state = None
    h, c = np.zeros((2, UNITS))
    found = {"chances": ([], []), "states": ([], [])}
    for chunk in chunks:
        own, state = model(Tensor(chunk[None].copy()), state)
        state.realize()
        exact, h, c = hear(weights, chunk.astype(np.float64), h, c)
        found["chances"][0].append(exact)
        found["chances"][1].append(own.numpy()[0, 0])
    found["states"] = (np.stack([h, c]), state.numpy()[:, 0])
    head = {
        "source": "silero-vad 6.2.3 (PyPI), silero_vad/data/silero_vad_16k.safetensors", "license": "MIT",
        "tinygrad": importlib.metadata.version("tinygrad"), "numpy": np.__version__, "seed": SEED, "vowels": VOWELS, "periods": PERIODS,
        "chunks": CHUNKS,
    }
    rows = []
    for what, (exact, own) in found.items():
        exact, own = np.array(exact), np.array(own)
        rows.append({"what": what, "values": exact.astype(np.float32), "off": worst(own, exact)})
    write("silero.json", head, "rows", rows)


if __name__ == "__main__":
    write_silero()
