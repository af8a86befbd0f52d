"""layers-merge.json: embedding, and layers of several inputs."""

from layers_common import layers as L
from layers_common import masked, write_layers

ROWS = (None, 4)
STEPS = (None, 3, 4)
# Steps that both, one or none of the inputs have.
SOME = [[1, 1, 0], [0, 1, 0]]
OTHERS = [[0, 1, 0], [1, 1, 0]]
IDS = [[[3.0, 0.0, 1.0], [0.0, 0.0, 2.0]]]

EMBEDDINGS = [
    (lambda: L.Embedding(5, 3), (None, 3), {"given": IDS}),
    (lambda: L.Embedding(4, 2, mask_zero=True, embeddings_constraint="max_norm"), (None, None), {"given": IDS}),
    (lambda: L.Embedding(4, 2, embeddings_initializer="normal", embeddings_regularizer="l2"), (None,), {"given": [[1.0, 3.0]]}),
]

CLASSES = [L.Add, L.Subtract, L.Multiply, L.Average, L.Maximum, L.Minimum]


def elementwise(make):
    third = [[0, 0, 1], [1, 0, 1]]
    masks = {"mask": [SOME, OTHERS, third], "apply": masked}
    many = [] if make is L.Subtract else [(make, [ROWS, ROWS, ROWS]), (make, [(None, 3), STEPS[:2] + (3,), STEPS[:2] + (1,)]), (make, [STEPS] * 3, masks)]
    return [
        (make, [STEPS, STEPS]),
        (make, [STEPS, (None, 1, 4)]),
        (make, [(None, None, 4), ROWS]),
        (make, [STEPS, STEPS], {"mask": [SOME, OTHERS], "apply": masked}),
        (make, [STEPS, STEPS], {"mask": [SOME, None], "apply": masked}),
        (make, [STEPS, STEPS], {"mask": [None, SOME], "apply": masked}),
        *many,
    ]


JOINED = [
    (lambda: L.Concatenate(), [ROWS, (None, 2), ROWS]),
    (lambda: L.Concatenate(axis=1), [STEPS, (None, 2, 4)]),
    (lambda: L.Concatenate(axis=-2), [(None, None, 4), STEPS]),
    (lambda: L.Concatenate(axis=1), [STEPS, STEPS], {"mask": [SOME, None], "apply": masked}),
    (lambda: L.Dot(axes=1), [ROWS, ROWS]),
    (lambda: L.Dot(axes=-1, normalize=True), [ROWS, ROWS]),
    (lambda: L.Dot(axes=(2, 1)), [STEPS, (None, 4, 5)]),
    (lambda: L.Dot(axes=(1, 2)), [STEPS, (None, 5, 3)]),
    (lambda: L.Dot(axes=(1, -1), normalize=True), [STEPS, (None, 2, 3)]),
    (lambda: L.Dot(axes=(1, 2)), [ROWS, STEPS]),
    (lambda: L.Dot(axes=2), [(None, 3, 4, 2), (None, 5, 4)]),
]


def write_merge():
    write_layers("merge", [*EMBEDDINGS, *[case for make in CLASSES for case in elementwise(make)], *JOINED])


if __name__ == "__main__":
    write_merge()
