"""layers-norm.json: normalization, dropout and noise where they do nothing, activations, rescaling, dense layers."""

from layers_common import layers as L
from layers_common import write_layers

IMAGE = (None, 3, 2, 4)
ROWS = (None, 4)
STEPS = (None, 3, 4)
MASK = [[1, 1, 0], [0, 1, 0]]

NORMALIZATIONS = [
    (lambda: L.BatchNormalization(), ROWS),
    (lambda: L.BatchNormalization(), IMAGE, {"training": True}),
    (lambda: L.BatchNormalization(momentum=0.8, epsilon=0.01, center=False), IMAGE, {"training": True}),
    (lambda: L.BatchNormalization(scale=False), IMAGE),
    (lambda: L.BatchNormalization(axis=1), STEPS, {"training": True}),
    (lambda: L.BatchNormalization(axis=-2, gamma_regularizer="l1"), IMAGE),
    (lambda: L.BatchNormalization(), STEPS, {"training": True, "mask": MASK}),
    (lambda: L.BatchNormalization(trainable=False), STEPS, {"training": True}),
    (lambda: L.LayerNormalization(), ROWS),
    (lambda: L.LayerNormalization(axis=1, epsilon=0.1), STEPS),
    (lambda: L.LayerNormalization(axis=[3, 1]), IMAGE),
    (lambda: L.LayerNormalization(center=False), STEPS),
    (lambda: L.LayerNormalization(scale=False), STEPS),
]

ACTIVATIONS = [
    (lambda: L.ReLU(), STEPS),
    (lambda: L.ReLU(max_value=0.5), STEPS),
    (lambda: L.ReLU(max_value=1.0, negative_slope=0.25, threshold=0.125), STEPS),
    (lambda: L.ReLU(threshold=0.25), STEPS),
    (lambda: L.LeakyReLU(), STEPS),
    (lambda: L.LeakyReLU(negative_slope=0.1), STEPS),
    (lambda: L.PReLU(), STEPS),
    (lambda: L.PReLU(shared_axes=[1, 2], alpha_initializer="glorot_normal"), IMAGE),
    (lambda: L.ELU(), STEPS),
    (lambda: L.ELU(alpha=0.5), STEPS),
    (lambda: L.Softmax(), STEPS),
    (lambda: L.Softmax(axis=1), STEPS),
    (lambda: L.Softmax(axis=[1, 2]), IMAGE),
    (lambda: L.Softmax(), (None, 3), {"mask": MASK}),
    (lambda: L.Activation("tanh"), STEPS),
    (lambda: L.Rescaling(1 / 255, -1.0), IMAGE),
    (lambda: L.Rescaling([0.5, 1.0, 2.0, 4.0], offset=[0.1, 0.2, 0.3, 0.4]), IMAGE),
]

NOISE = [
    (lambda: L.Dropout(0.3), STEPS),
    (lambda: L.Dropout(0.3, noise_shape=(None, 1, 4), seed=7), STEPS),
    (lambda: L.Dropout(0.0), STEPS, {"training": True}),
    (lambda: L.SpatialDropout1D(0.25), STEPS),
    (lambda: L.SpatialDropout2D(0.5, seed=3), IMAGE),
    (lambda: L.GaussianNoise(0.2), STEPS),
]

DENSE = [
    (lambda: L.Dense(3), ROWS),
    (lambda: L.Dense(2, activation="sigmoid", use_bias=False, kernel_constraint="unit_norm"), STEPS),
    (lambda: L.Dense(2, activity_regularizer="l2", bias_initializer="ones"), ROWS),
]

# Steps of which one is wholly 0, and one of which only a part is.
SPARSE = [[[[1.0, 0.5], [0.0, 0.0], [0.0, -2.0]], [[0.0, 0.0], [2.0, 2.0], [0.25, 2.0]]]]
# What keras.activations has more, but for threshold, which has no defaults; glu, whose shape Keras takes for the input's; softsign,
# whose gradient TensorFlow cannot differentiate for the scale; and sparsemax, which sums sums of Keras 3.15 where one is meant: what
# it gives does not add up to 1.
NAMES = [
    *("celu", "exponential", "gelu", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_tanh", "leaky_relu"),
    *("log_sigmoid", "log_softmax", "mish", "relu6", "selu", "silu", "soft_shrink", "softplus"),
    *("sparse_plus", "sparse_sigmoid", "squareplus", "tanh_shrink"),
]
# Behind the others, so that their seeds stay.
LATER = [
    (lambda: L.GroupNormalization(2), STEPS),
    (lambda: L.GroupNormalization(-1, epsilon=0.01), IMAGE),
    (lambda: L.GroupNormalization(4), (None, 4)),
    (lambda: L.GroupNormalization(3, axis=1, gamma_regularizer="l2"), (None, 6, 2)),
    (lambda: L.GroupNormalization(1, axis=-2, center=False), IMAGE),
    (lambda: L.GroupNormalization(2, scale=False), (None, None, 4)),
    (lambda: L.RMSNormalization(), STEPS),
    (lambda: L.RMSNormalization(axis=[3, 2], epsilon=0.1), IMAGE),
    (lambda: L.UnitNormalization(), STEPS),
    (lambda: L.UnitNormalization(axis=[1, 2]), IMAGE),
    (lambda: L.Masking(), STEPS),
    (lambda: L.Masking(), (None, None, 2), {"given": SPARSE}),
    (lambda: L.Masking(mask_value=2.0), (None, 3, 2), {"given": SPARSE}),
    (lambda: L.GaussianDropout(0.3), STEPS),
    (lambda: L.GaussianDropout(0.0, seed=3), STEPS, {"training": True}),
    (lambda: L.AlphaDropout(0.25), STEPS),
    (lambda: L.AlphaDropout(0.0, noise_shape=(None, 1, 4), seed=7), STEPS, {"training": True}),
    (lambda: L.SpatialDropout3D(0.5), (None, 1, 2, 1, 3)),
    (lambda: L.Dense(2, kernel_constraint="min_max_norm"), ROWS),
    *[(lambda name=name: L.Activation(name), STEPS) for name in NAMES],
]


def write_norm():
    write_layers("norm", [*NORMALIZATIONS, *ACTIVATIONS, *NOISE, *DENSE, *LATER])


if __name__ == "__main__":
    write_norm()
