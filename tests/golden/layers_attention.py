"""layers-attention.json: attention of one head and of several."""

from common import np
from layers_common import layers as L
from layers_common import masked, write_layers

QUERY, VALUE = (None, 3, 4), (None, 2, 4)
PAIR = [QUERY, VALUE]
KEYED = [QUERY, (None, 2, 5), VALUE]
OPEN = [(None, None, 4), (None, None, 4)]
QUERIES, VALUES = [[1, 1, 0], [0, 1, 1]], [[1, 0], [1, 1]]
CAUSAL = {"call": {"use_causal_mask": True}}
SCORES = {"call": {"return_attention_scores": True}}


def apart(layer, inputs, mask=None, **options):
    """Inputs as arguments of their own."""
    return masked(lambda given, **rest: layer(*given, **rest), inputs, mask, **options)


def heads(make, shapes, **more):
    return make, shapes, {"apply": apart, **more}


def with_mask(layer, inputs, **options):
    return layer(*inputs[:3], attention_mask=inputs[3], **options)


def some(*shape):
    """Values that differ."""
    return ((np.arange(np.prod(shape)) * 7 % 11 - 5) / 8).reshape(shape).tolist()


ALLOWED = [[[1, 0], [0, 1], [1, 1]], [[1, 1], [0, 1], [1, 0]]]
GIVEN = [some(2, 3, 4), some(2, 2, 5), some(2, 2, 4), ALLOWED]


ONE = [
    (lambda: L.Attention(), PAIR),
    (lambda: L.Attention(use_scale=True), KEYED),
    (lambda: L.Attention(score_mode="concat"), KEYED),
    (lambda: L.Attention(score_mode="concat", use_scale=True), PAIR),
    (lambda: L.Attention(), OPEN),
    (lambda: L.Attention(), [QUERY, QUERY], CAUSAL),
    (lambda: L.Attention(), PAIR, SCORES),
    (lambda: L.Attention(), PAIR, {"mask": [QUERIES, VALUES]}),
    (lambda: L.Attention(use_scale=True, dropout=0.25, seed=3), PAIR, {"mask": [None, VALUES]}),
    (lambda: L.Attention(), [QUERY, QUERY], {"mask": [QUERIES, QUERIES], **CAUSAL}),
]

SEVERAL = [
    heads(lambda: L.MultiHeadAttention(2, 3), PAIR),
    heads(lambda: L.MultiHeadAttention(2, 3, value_dim=2), KEYED),
    heads(lambda: L.MultiHeadAttention(3, 2, output_shape=5, use_bias=False), PAIR),
    heads(lambda: L.MultiHeadAttention(1, 2, output_shape=(3,), kernel_regularizer="l1", bias_constraint="non_neg"), OPEN),
    heads(lambda: L.MultiHeadAttention(2, 2, dropout=0.25, seed=1), PAIR),
    heads(lambda: L.MultiHeadAttention(2, 2), [QUERY, QUERY], **CAUSAL),
    heads(lambda: L.MultiHeadAttention(2, 2), [QUERY, QUERY], **SCORES),
    heads(lambda: L.MultiHeadAttention(2, 2), PAIR, mask=[QUERIES, VALUES]),
    heads(lambda: L.MultiHeadAttention(2, 2), PAIR, mask=[None, VALUES]),
    heads(lambda: L.MultiHeadAttention(2, 2, dropout=0.25), PAIR, mask=[QUERIES, VALUES]),
    heads(lambda: L.MultiHeadAttention(2, 2), [QUERY, QUERY, QUERY], mask=[QUERIES, QUERIES, None], **CAUSAL),
    (lambda: L.MultiHeadAttention(2, 2), [*KEYED, (None, 3, 2)], {"apply": with_mask, "given": GIVEN}),
]


def write_attention():
    write_layers("attention", [*ONE, *SEVERAL])


if __name__ == "__main__":
    write_attention()
