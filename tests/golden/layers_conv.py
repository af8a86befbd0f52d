"""layers-conv.json: convolutions, pools, and what moves and repeats elements."""

from layers_common import layers as L
from layers_common import write_layers

IMAGE = (None, 5, 6, 2)
STEPS = (None, 7, 3)

CONVOLUTIONS = [
    (lambda: L.Conv1D(2, 3), STEPS),
    (lambda: L.Conv1D(2, 2, strides=2, padding="same", activation="tanh", use_bias=False), (None, None, 3)),
    (lambda: L.Conv1D(2, 3, padding="causal", dilation_rate=2), STEPS),
    (lambda: L.Conv2D(3, 3), (None, None, None, 2)),
    (lambda: L.Conv2D(2, (2, 3), strides=(2, 1), padding="same", activation="relu"), IMAGE),
    (lambda: L.Conv2D(2, 2, dilation_rate=(2, 3), kernel_regularizer="l2", bias_constraint="non_neg"), IMAGE),
    (lambda: L.Conv2D(4, 2, groups=2, kernel_initializer="he_normal"), (None, 3, 4, 4)),
    (lambda: L.Conv2DTranspose(2, 3), IMAGE),
    (lambda: L.Conv2DTranspose(2, 3, strides=2, padding="same", activation="elu"), (None, 3, 4, 2)),
    (lambda: L.Conv2DTranspose(2, (3, 2), strides=(3, 2)), (None, 2, 3, 2)),
    (lambda: L.Conv2DTranspose(1, (2, 3), strides=(3, 2)), (None, None, None, 2)),
    (lambda: L.Conv2DTranspose(2, 3, strides=2, padding="same", output_padding=1), (None, 3, 2, 2)),
    (lambda: L.Conv2DTranspose(1, 4, strides=3, output_padding=(0, 2), use_bias=False), (None, 2, 2, 2)),
    (lambda: L.DepthwiseConv2D(3), IMAGE),
    (lambda: L.DepthwiseConv2D((2, 3), padding="same", depth_multiplier=2, activation="relu"), (None, 3, 4, 3)),
    (lambda: L.DepthwiseConv2D(2, strides=2, padding="same", use_bias=False), (None, 5, 4, 5)),
    (lambda: L.SeparableConv2D(3, 2), IMAGE),
    (lambda: L.SeparableConv2D(2, 3, strides=2, padding="same", depth_multiplier=2, activation="tanh"), (None, 4, 5, 2)),
]

POOLS = [
    (lambda: L.MaxPooling1D(), STEPS),
    (lambda: L.MaxPooling1D(3, strides=1, padding="same"), STEPS),
    (lambda: L.AveragePooling1D(2), (None, None, 3)),
    (lambda: L.AveragePooling1D(3, strides=2, padding="same"), STEPS),
    (lambda: L.MaxPooling2D(), IMAGE),
    (lambda: L.MaxPooling2D((3, 2), strides=(1, 2), padding="same"), IMAGE),
    (lambda: L.AveragePooling2D((2, 3)), IMAGE),
    (lambda: L.AveragePooling2D(2, strides=1, padding="same"), (None, None, None, 2)),
    (lambda: L.GlobalMaxPooling1D(), STEPS),
    (lambda: L.GlobalMaxPooling1D(keepdims=True), STEPS),
    (lambda: L.GlobalAveragePooling1D(), STEPS),
    (lambda: L.GlobalAveragePooling1D(keepdims=True), (None, 4, 3), {"mask": [[1, 1, 0, 1], [0, 1, 0, 0]]}),
    (lambda: L.GlobalMaxPooling2D(), (None, None, None, 2)),
    (lambda: L.GlobalMaxPooling2D(keepdims=True), IMAGE),
    (lambda: L.GlobalAveragePooling2D(), IMAGE),
    (lambda: L.GlobalAveragePooling2D(keepdims=True), IMAGE),
]

SHAPES = [
    (lambda: L.Flatten(), IMAGE),
    (lambda: L.Reshape((3, 2)), (None, 6)),
    (lambda: L.Reshape((-1, 2)), (None, 3, 4)),
    (lambda: L.Permute((2, 1)), STEPS),
    (lambda: L.Permute((3, 1, 2)), IMAGE),
    (lambda: L.RepeatVector(3), (None, 4)),
    (lambda: L.UpSampling2D(), (None, 2, 3, 2)),
    (lambda: L.UpSampling2D((3, 1)), (None, None, None, 2)),
    (lambda: L.UpSampling2D((2, 3), interpolation="bilinear"), (None, 3, 2, 2)),
    (lambda: L.ZeroPadding2D(), IMAGE),
    (lambda: L.ZeroPadding2D((2, 1)), IMAGE),
    (lambda: L.ZeroPadding2D(((1, 2), (0, 3))), (None, None, 2, 1)),
    (lambda: L.Cropping2D(1), IMAGE),
    (lambda: L.Cropping2D(((1, 0), (2, 3))), (None, None, 6, 2)),
]


def write_conv():
    write_layers("conv", [*CONVOLUTIONS, *POOLS, *SHAPES])


if __name__ == "__main__":
    write_conv()
