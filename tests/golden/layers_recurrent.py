"""layers-recurrent.json: recurrent layers, and layers around them.

Dropout is left to tests of its own: Keras draws otherwise.
"""

from layers_common import layers as L
from layers_common import write_layers

STEPS = (None, 4, 3)
OPEN = (None, None, 2)
# Of the first, the end is missing, of the second the beginning and a step amid.
MASK = {"mask": [[1, 1, 0, 0], [0, 1, 0, 1]]}
PLAIN = {"return_sequences": True}
STATES = {"return_sequences": True, "return_state": True}


def from_states(layer, inputs, mask=None, **options):
    return layer(inputs[0], initial_state=list(inputs[1:]), mask=mask and mask[0], **options)


def begun(count, **more):
    return [STEPS, *[(None, 2)] * count], {"apply": from_states, **more}


def of(make, count):
    """Cases of a class that takes over so many states."""
    begun_shapes, begun_options = begun(count)
    masks = {"mask": [MASK["mask"], *[None] * count]}
    return [
        (lambda: make(2), STEPS),
        (lambda: make(2), STEPS, {"training": True, **MASK}),
        (lambda: make(3, **STATES), OPEN),
        (lambda: make(2, **STATES), STEPS, MASK),
        (lambda: make(2, zero_output_for_mask=True, **PLAIN), STEPS, MASK),
        (lambda: make(2, zero_output_for_mask=True), STEPS, {"mask": [[1, 1, 0, 0], [1, 1, 1, 1]]}),
        (lambda: make(2, go_backwards=True, **PLAIN), STEPS),
        (lambda: make(2, go_backwards=True, **STATES), STEPS, MASK),
        (lambda: make(2, **STATES), begun_shapes, begun_options),
        (lambda: make(2, unroll=True, **STATES), begun_shapes, {**begun_options, **masks}),
        (lambda: make(2, stateful=True), (2, 4, 3)),
        (lambda: make(2, use_bias=False, activation="relu", recurrent_regularizer="l2", bias_constraint="non_neg"), STEPS),
        (lambda: make(1, activation="sigmoid", recurrent_initializer="glorot_uniform", dropout=0.25, seed=5), STEPS),
    ]


CELLS = [
    *of(L.SimpleRNN, 1),
    *of(L.LSTM, 2),
    (lambda: L.LSTM(2, unit_forget_bias=False, recurrent_activation="hard_sigmoid"), STEPS),
    *of(L.GRU, 1),
    (lambda: L.GRU(2, recurrent_activation="hard_sigmoid", recurrent_dropout=0.5), STEPS),
    (lambda: L.GRU(2, reset_after=False), STEPS),
    (lambda: L.GRU(2, reset_after=False, use_bias=False, **STATES), STEPS, MASK),
    (lambda: L.GRU(2, reset_after=False, recurrent_dropout=0.5, **PLAIN), STEPS),
]

two = lambda make=L.LSTM, units=2, **options: make(units, name="inner", **options)  # noqa: E731

WRAPPERS = [
    (lambda: L.Bidirectional(two()), STEPS),
    (lambda: L.Bidirectional(two(L.GRU, **PLAIN)), OPEN),
    (lambda: L.Bidirectional(two(L.GRU, **PLAIN), merge_mode="sum"), STEPS, MASK),
    (lambda: L.Bidirectional(two(L.SimpleRNN), merge_mode="mul"), STEPS, MASK),
    (lambda: L.Bidirectional(two(L.SimpleRNN, **STATES), merge_mode="ave"), STEPS),
    (lambda: L.Bidirectional(two(L.SimpleRNN, **PLAIN), merge_mode=None), STEPS),
    (lambda: L.Bidirectional(two(L.GRU, **STATES)), *begun(2)),
    (
        lambda: L.Bidirectional(
            L.SimpleRNN(2, name="forward_one"), backward_layer=L.LSTM(2, go_backwards=True, name="other")
        ),
        STEPS,
    ),
    (lambda: L.TimeDistributed(L.Dense(2, activation="tanh", name="inner")), STEPS),
    (lambda: L.TimeDistributed(L.Dense(2, name="inner")), STEPS, MASK),
    (lambda: L.TimeDistributed(L.Conv2D(2, 2, name="inner")), (None, 2, 3, 3, 1)),
    (lambda: L.TimeDistributed(two(L.GRU, 1)), (None, 2, 3, 2)),
]


def write_recurrent():
    write_layers("recurrent", [*CELLS, *WRAPPERS])


if __name__ == "__main__":
    write_recurrent()
