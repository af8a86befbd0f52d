"""layers-shapes.json: the shapes that Keras's layers state for inputs with open sizes, large windows and strides; null where Keras
refuses the input."""

from common import VERSIONS, keras, write
from layers_common import layers as L
from layers_common import many, plain, precision

OPEN3, OPEN4, OPEN5 = (None, None, 2), (None, None, None, 2), (None, None, None, None, 2)
LONG = [OPEN3, (None, 7, 2), (None, 200, 2), (None, 331, 2), (None, 1000, 2), (5, None, 2)]
WIDE = [OPEN4, (None, 40, None, 2), (None, None, 700, 2), (None, 331, 350, 2)]
DEEP = [OPEN5, (None, 9, None, 40, 2), (2, None, 12, 50, 2)]


def cases():
    for padding in ("valid", "same"):
        for taps, stride in ((1, 1), (30, 30), (200, 100), (332, 7), (2, 400)):
            yield lambda: L.Conv1D(3, taps, strides=stride, padding=padding), LONG
            yield lambda: L.MaxPooling1D(taps, strides=stride, padding=padding), LONG
            yield lambda: L.AveragePooling1D(taps, strides=stride, padding=padding), LONG
            yield lambda: L.SeparableConv1D(3, taps, strides=stride, padding=padding), LONG
            yield lambda: L.DepthwiseConv1D(taps, strides=stride, padding=padding, depth_multiplier=2), LONG
            yield lambda: L.Conv1DTranspose(3, taps, strides=stride, padding=padding), LONG
        for taps, strides in (((3, 200), (2, 50)), ((40, 1), (1, 333))):
            yield lambda: L.Conv2D(3, taps, strides=strides, padding=padding), WIDE
            yield lambda: L.MaxPooling2D(taps, strides=strides, padding=padding), WIDE
            yield lambda: L.Conv2DTranspose(3, taps, strides=strides, padding=padding), WIDE
        yield lambda: L.DepthwiseConv2D((30, 7), strides=4, padding=padding), WIDE
        yield lambda: L.SeparableConv2D(3, 40, dilation_rate=9, padding=padding), WIDE
        yield lambda: L.Conv3D(3, (2, 9, 31), strides=(3, 1, 8), padding=padding), DEEP
        yield lambda: L.Conv3DTranspose(3, (2, 9, 3), strides=(3, 1, 8), padding=padding), DEEP
        yield lambda: L.AveragePooling3D((9, 2, 20), strides=(1, 5, 30), padding=padding), DEEP
    yield lambda: L.Conv1D(3, 100, dilation_rate=4), LONG
    yield lambda: L.Conv1D(3, 100, strides=3, padding="causal"), LONG
    yield lambda: L.Conv1D(4, 3, groups=2), LONG
    for layer in (L.GlobalMaxPooling1D, L.GlobalAveragePooling1D):
        yield layer, LONG
        yield lambda: layer(keepdims=True), LONG
    yield lambda: L.GlobalMaxPooling2D(keepdims=True), WIDE
    yield L.GlobalAveragePooling3D, DEEP
    for crop in ((166, 166), (1, 0), (3, 4)):
        yield lambda: L.Cropping1D(crop), LONG
        yield lambda: L.ZeroPadding1D(crop), LONG
    yield lambda: L.Cropping2D(((200, 0), (0, 349))), WIDE
    yield lambda: L.ZeroPadding2D(((200, 0), (0, 349))), WIDE
    yield lambda: L.Cropping3D(((4, 4), (0, 1), (2, 2))), DEEP
    yield L.ZeroPadding3D, DEEP
    yield lambda: L.UpSampling1D(7), LONG
    yield lambda: L.UpSampling2D((3, 1), interpolation="bilinear"), WIDE
    yield lambda: L.UpSampling3D((1, 2, 5)), DEEP
    yield L.Flatten, [*LONG, *WIDE, *DEEP, (None, 3), (None,)]
    # A size that must be 1 is another matter: Keras says 1, and gives what does not fit anyway.
    for target in ((-1, 4), (2, -1), (-1,), (7, 2), (-1, 7, 2)):
        yield lambda: L.Reshape(target), [*LONG, OPEN4]
    yield lambda: L.Permute((2, 1)), LONG
    yield lambda: L.Permute((3, 1, 2)), WIDE
    yield lambda: L.RepeatVector(400), [(None, 3), (None, None), (2, None)]
    yield lambda: L.Dense(4), [*LONG, *WIDE, (None, 3)]
    yield lambda: L.Embedding(9, 4), [(None, None), (None, 3), (None,)]
    yield L.BatchNormalization, [*LONG, *WIDE]
    yield lambda: L.GroupNormalization(2), [*LONG, *WIDE]
    yield L.RMSNormalization, LONG
    yield L.Masking, LONG
    for make in (L.SimpleRNN, L.LSTM, L.GRU):
        yield lambda: make(3), LONG
        yield lambda: make(3, return_sequences=True), LONG
        yield lambda: make(3, return_sequences=True, return_state=True), LONG
        for mode in ("concat", "sum", None):
            yield lambda: L.Bidirectional(make(3, return_sequences=True), merge_mode=mode), LONG
        yield lambda: L.Bidirectional(make(3, return_state=True)), LONG
    yield lambda: L.TimeDistributed(L.Dense(4)), [*LONG, OPEN4]
    yield lambda: L.TimeDistributed(L.Conv1D(3, 50, strides=9)), WIDE
    yield lambda: L.TimeDistributed(L.Flatten()), [*WIDE, *DEEP]
    for make in (L.Add, L.Maximum, L.Multiply):
        yield make, [[OPEN3, OPEN3], [(None, 9, 2), (None, 9, 2)], [(None, 9, 2), (None, 1, 2)], [(None, 9, 2), (None, 8, 2)]]
    yield L.Concatenate, [[OPEN3, OPEN3], [OPEN3, (None, None, 5)], [(None, 9, 2), (None, 8, 2)], [(None, 9, None), (None, 9, 2)]]
    yield lambda: L.Concatenate(axis=1), [[OPEN3, (None, 9, 2)], [(None, 3, 2), (None, 9, 2)], [(None, 3, 2), (None, 9, 4)]]
    yield lambda: L.Dot(axes=2), [[OPEN3, OPEN3], [(None, 9, 2), OPEN3], [OPEN4, (None, 3, 2)], [OPEN3, (None, None, 3)]]
    yield L.Attention, [[OPEN3, OPEN3], [(None, 9, 2), (None, None, 2)], [(None, 9, 2), (None, 4, 7), (None, 4, 2)]]


def shape_of(make, shape):
    is_list = isinstance(shape, list)
    with precision("float32"):
        layer = make()
        written = plain(keras.saving.serialize_keras_object(layer))
        inputs = [keras.Input(batch_shape=each) for each in (shape if is_list else [shape])]
        try:
            outputs = layer(inputs if is_list else inputs[0])
        except ValueError:
            return written, None
        return written, [list(output.shape) for output in many(outputs)]


def write_shapes():
    rows = []
    for make, shapes in cases():
        found = [shape_of(make, shape) for shape in shapes]
        rows.append({"layer": found[0][0], "shapes": [[shape, outputs] for shape, (_, outputs) in zip(shapes, found)]})
    head = {"versions": VERSIONS, "layout": "shapes: [of the input, or a list of them; of the outputs, or null if Keras refuses]"}
    write("layers-shapes.json", head, "cases", rows)


if __name__ == "__main__":
    write_shapes()
