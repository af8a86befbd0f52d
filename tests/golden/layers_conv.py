"""layers-conv.json: convolutions, pools, and what moves and repeats elements."""

from common import keras, np, tf
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



def in_two_passes(layer, x, **options):
    """TensorFlow has no pools of volumes in f64: one along height and width, then one along depth."""
    if isinstance(x, keras.KerasTensor):
        return layer(x, **options)
    is_max = isinstance(layer, L.MaxPooling3D)
    pool2d, pool3d = (tf.nn.max_pool2d, tf.nn.max_pool3d) if is_max else (tf.nn.avg_pool2d, tf.nn.avg_pool3d)
    (d, h, w), (a, b, c) = layer.pool_size, layer.strides
    padding = layer.padding.upper()
    n, depth, *image = x.shape
    flat = pool2d(tf.reshape(x, [n * depth, *image]), (h, w), (b, c), padding)
    _, height, width, channels = flat.shape
    rows = tf.reshape(flat, [n, depth, height * width, channels])
    y = tf.reshape(pool2d(rows, (d, 1), (a, 1), padding), [n, -1, height, width, channels])
    whole = pool3d(tf.cast(x, tf.float32), (1, d, h, w, 1), (1, a, b, c, 1), padding)
    assert np.allclose(tf.cast(y, tf.float32), whole, 1e-5)
    return y


# Each list behind the others, so that the seeds of the cases before it stay.
STEPS_AND_VOLUMES = [
    (lambda: L.Conv1DTranspose(2, 3), STEPS),
    (lambda: L.Conv1DTranspose(2, 3, strides=2, padding="same", activation="elu"), (None, 4, 2)),
    (lambda: L.Conv1DTranspose(1, 2, strides=3, use_bias=False), (None, None, 2)),
    (lambda: L.Conv1DTranspose(2, 3, strides=2, padding="same", output_padding=1), (None, 3, 2)),
    (lambda: L.SeparableConv1D(3, 2), STEPS),
    (lambda: L.SeparableConv1D(2, 3, strides=2, padding="same", depth_multiplier=2, activation="tanh"), (None, 5, 2)),
    (lambda: L.SeparableConv1D(2, 2, dilation_rate=2, use_bias=False), (None, None, 2)),
    (lambda: L.DepthwiseConv1D(3), STEPS),
    (lambda: L.DepthwiseConv1D(2, strides=2, padding="same", depth_multiplier=2, use_bias=False), STEPS),
    (lambda: L.Conv3D(2, 2), (None, 3, 4, 3, 2)),
    (lambda: L.Conv3D(2, (2, 3, 2), strides=(2, 1, 2), padding="same", activation="relu"), (None, 3, 4, 5, 1)),
    (lambda: L.Conv3D(1, (3, 2, 2), dilation_rate=(2, 1, 2), kernel_regularizer="l2"), (None, 5, 3, 4, 2)),
    (lambda: L.Conv3D(1, 3, dilation_rate=(2, 1, 1), padding="same", use_bias=False), (None, 4, 3, 2, 1)),
    (lambda: L.Conv3D(2, 2, groups=2), (None, 3, 2, 2, 4)),
    (lambda: L.Conv3D(1, (2, 1, 3)), (None, None, None, None, 1)),
    (lambda: L.Conv3DTranspose(2, 2), (None, 2, 2, 3, 2)),
    (lambda: L.Conv3DTranspose(1, 3, strides=2, padding="same", activation="elu"), (None, 2, 3, 2, 1)),
    (lambda: L.Conv3DTranspose(1, (1, 3, 2), strides=(2, 3, 2)), (None, 2, 1, 2, 2)),
    (lambda: L.Conv3DTranspose(1, 3, strides=2, padding="same", output_padding=(1, 0, 1)), (None, 2, 2, 1, 1)),
    (lambda: L.Conv3DTranspose(1, 4, strides=3, output_padding=(0, 2, 1), use_bias=False), (None, 1, 2, 1, 1)),
    (lambda: L.Conv3DTranspose(1, 2, padding="same"), (None, None, None, None, 1)),
    (lambda: L.MaxPooling3D(), (None, 4, 5, 2, 2), {"apply": in_two_passes}),
    (
        lambda: L.MaxPooling3D((2, 3, 1), strides=(1, 2, 2), padding="same"),
        (None, 3, 4, 3, 1),
        {"apply": in_two_passes},
    ),
    (lambda: L.AveragePooling3D(2), (None, None, None, None, 1), {"apply": in_two_passes}),
    (
        lambda: L.AveragePooling3D((3, 2, 2), strides=(2, 1, 1), padding="same"),
        (None, 4, 3, 2, 1),
        {"apply": in_two_passes},
    ),
    (lambda: L.GlobalMaxPooling3D(), (None, None, None, None, 1)),
    (lambda: L.GlobalMaxPooling3D(keepdims=True), (None, 2, 3, 2, 2)),
    (lambda: L.GlobalAveragePooling3D(), (None, 2, 3, 2, 2)),
    (lambda: L.GlobalAveragePooling3D(keepdims=True), (None, 2, 3, 2, 2)),
    (lambda: L.UpSampling1D(), STEPS),
    (lambda: L.UpSampling1D(3), (None, None, 2)),
    (lambda: L.UpSampling3D(), (None, 1, 2, 1, 2)),
    (lambda: L.UpSampling3D((2, 1, 3)), (None, None, None, 2, 1)),
    (lambda: L.ZeroPadding1D(), STEPS),
    (lambda: L.ZeroPadding1D((2, 0)), (None, None, 2)),
    (lambda: L.ZeroPadding3D(), (None, 1, 2, 1, 2)),
    (lambda: L.ZeroPadding3D(((1, 2), (0, 3), (2, 0))), (None, None, 1, 2, 1)),
    (lambda: L.Cropping1D(), STEPS),
    (lambda: L.Cropping1D((0, 3)), (None, None, 2)),
    (lambda: L.Cropping3D(), (None, 3, 4, 5, 1)),
    (lambda: L.Cropping3D(((1, 0), (2, 1), (0, 0))), (None, 2, None, 1, 1)),
]


def write_conv():
    write_layers("conv", [*CONVOLUTIONS, *POOLS, *SHAPES, *STEPS_AND_VOLUMES])


if __name__ == "__main__":
    write_conv()
