"""g2p.json: what g2p-en 2.1.0 (Apache-2.0) spells out, by its own NumPy.

Words of its list of homographs, evenly spaced, and one that is in no dictionary. Recorded: phonemes; the least difference
between the two largest logits on the way; and for the first words what the encoder ends on, in f64, and how far the
package's own f32 is off.
"""

import sys
from unittest.mock import MagicMock

# Neither is used by what predicts.
for name in ["nltk", "nltk.corpus", "nltk.tokenize", "inflect"]:
    sys.modules[name] = MagicMock()

import numpy as np  # noqa: E402
from shared import package, worst, write  # noqa: E402

sys.path.insert(0, str(package("g2p-en", "")))
from g2p_en.g2p import G2p, construct_homograph_dictionary  # noqa: E402

COUNT, STATES = 199, 16


def encode(g2p, word, dtype):
    """What the encoder ends on."""
    weights = [w.astype(dtype) for w in (g2p.enc_w_ih, g2p.enc_w_hh, g2p.enc_b_ih, g2p.enc_b_hh)]
    x = g2p.encode(word).astype(dtype)
    h = np.zeros((1, weights[1].shape[1]), dtype)
    for t in range(x.shape[1]):
        h = g2p.grucell(x[:, t], h, *weights)
    return h[0]


class Watched(np.ndarray):
    """Logits whose argmax says how sure it is."""

    margins = []

    def argmax(self):
        first, second = np.sort(np.asarray(self).reshape(-1))[[-1, -2]]
        self.margins.append(first - second)
        return super().argmax()


def write_g2p():
    g2p = G2p()
    g2p.fc_b = g2p.fc_b.view(Watched)
    known = sorted(word for word in construct_homograph_dictionary() if word.isalpha())
    picked = [known[i * len(known) // COUNT] for i in range(COUNT)]
    words = sorted({*picked, "activationist"})
    rows = [{"word": word, "phonemes": g2p.predict(word)} for word in words]
    exact = np.array([encode(g2p, word, np.float64) for word in words[:STATES]])
    own = np.array([encode(g2p, word, np.float32) for word in words[:STATES]])
    head = {
        "source": "g2p-en 2.1.0 (PyPI), g2p_en/checkpoint20.npz", "license": "Apache-2.0", "numpy": np.__version__,
        "graphemes": g2p.graphemes, "phonemes": g2p.phonemes, "margin": float(min(Watched.margins)),
        "states": {"values": exact.astype(np.float32), "off": worst(own, exact)},
    }
    write("g2p.json", head, "rows", rows)


if __name__ == "__main__":
    write_g2p()
