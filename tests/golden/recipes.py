"""recipes.json: the snippets of the four articles on locking, run in TensorFlow as its users run them today.

A recipe here is a function named as its test in tests/recipes; what it returns is one line of the file. It holds what
the snippet computes, and, where an article says what it cannot know ("will throw an error"), what really happened: the
type of the exception, or what was returned. Refuses to correct a snippet without running it as written first.

The numbers are f32 as TensorFlow and Keras compute them; where an article leaves a blank (its model, its loss, "...")
the blank is filled here, and the test says so. Graph-mode snippets run in tf.compat.v1, where they still can.
"""

from common import VERSIONS, Draws, keras, np, tf, write

RECIPES = {}


def recipe(article):
    """Registers a function under its name, with dashes, behind the article's number."""

    def register(function):
        RECIPES[f"{article}-{function.__name__.replace('_', '-')}"] = function
        return function

    return register


def outcome(attempt):
    """What a line did: {"raises": type, "message": its first line} or {"returns": value}."""
    try:
        value = attempt()
    except Exception as error:  # noqa: BLE001, which exception it is being the question
        message = str(error).split("\n")[0]
        return {"raises": type(error).__name__, "message": message[:120]}
    return {"returns": value.numpy() if hasattr(value, "numpy") else value}


def set_attribute(thing, name, value):
    return outcome(lambda: setattr(thing, name, value))


def set_item(thing, index, value):
    # The statement itself: its exception is not that of calling __setitem__.
    return outcome(lambda: exec("thing[index] = value", {"thing": thing, "index": index, "value": value}))


def f32(values):
    return np.array(values, np.float32)


def ints(tensor):
    """Indices and masks as whole numbers, nested."""
    return np.asarray(tensor).astype(int).tolist()


RULES = {
    "sgd": lambda: keras.optimizers.SGD(0.1),
    "momentum": lambda: keras.optimizers.SGD(0.1, momentum=0.9),
    "adam": lambda: keras.optimizers.Adam(0.01),
    "adamW": lambda: keras.optimizers.AdamW(0.01),
}
OTHER_RULES = {
    "Adagrad": lambda: keras.optimizers.Adagrad(0.1),
    "Adadelta": lambda: keras.optimizers.Adadelta(1.0),
    "RMSprop": lambda: keras.optimizers.RMSprop(0.01),
    "Adamax": lambda: keras.optimizers.Adamax(0.01),
    "Nadam": lambda: keras.optimizers.Nadam(0.01),
    "Lion": lambda: keras.optimizers.Lion(0.01),
    "FTRL": lambda: keras.optimizers.Ftrl(0.1),
}
START = f32([[1, 2, 3], [4, 5, 6]])
TARGET = f32([[0, 4, -1], [2, 5.5, 8]])
# 1 = trains, 0 = locked.
FREE = f32([[1, 0, 1], [0, 1, 0]])


def half_square(x):
    """Its gradient is x - TARGET, in one rounding."""
    return tf.reduce_sum(tf.square(x - TARGET)) / 2


def trained(rule, change, warm=4, steps=4, loss=half_square):
    """x after `warm` steps with everything free, and after `steps` more with the gradient changed."""
    x = tf.Variable(START)
    optimizer = RULES[rule]()
    for step in range(warm + steps):
        if step == warm:
            before = x.numpy()
        with tf.GradientTape() as tape:
            value = loss(x)
        gradient = tape.gradient(value, x)
        optimizer.apply_gradients([(gradient if step < warm else change(gradient), x)])
    return {"rule": rule, "locked": before, "end": x.numpy()}


# ------------------------------------------------------------------- article 000_c16e0d084a115cbe
@recipe("000")
def mask_times_gradient():
    # "a mask ... with True values for the elements you want to lock ... multiplying the gradients with the mask"
    lock = tf.constant(FREE == 0)
    gradient = tf.constant(START - TARGET) * 1.5
    as_written = gradient * lock
    x = tf.Variable(START)
    RULES["sgd"]().apply_gradients([(as_written, x)])
    free = tf.constant(FREE)
    nan = tf.constant(np.where(FREE == 1, START, np.float32(np.nan)))
    return {
        "boolean": {
            "gradient": gradient.numpy(),
            "dtype": as_written.dtype.name,
            "product": ints(as_written),
            "end": x.numpy(),
        },
        "integer": outcome(lambda: gradient * tf.cast(lock, tf.int32)),
        "runs": [trained(rule, lambda g: g * free) for rule in RULES],
        "nan": trained("sgd", lambda g: (g + nan) * free, 0, 1)["end"],
    }


@recipe("000")
def modifying_a_locked_value():
    fixed = tf.Variable([1.0, 2.0], trainable=False)
    constant = tf.constant([1.0, 2.0])
    assigned = outcome(lambda: fixed.assign([3.0, 4.0]))
    RULES["sgd"]().apply_gradients([(tf.constant([1.0, 1.0]), fixed)])
    return {
        "assign to a variable with trainable=False": assigned,
        "the same variable, given to an optimizer": fixed.numpy(),
        "constant.assign": outcome(lambda: constant.assign([3.0, 4.0])),
        "constant[0] = 3": set_item(constant, 0, 3.0),
        "variable[0] = 3": set_item(fixed, 0, 3.0),
    }


def stop_gradient_loop(stop):
    locked_value = tf.constant(5.0, dtype=tf.float32)
    variable1 = tf.Variable(1.0, dtype=tf.float32)
    variable2 = tf.Variable(2.0, dtype=tf.float32)

    def loss_function(variable1, variable2):
        return (variable1 - locked_value) ** 2 + variable2**2

    optimizer = tf.keras.optimizers.Adam()
    rows = []
    for i in range(100):
        with tf.GradientTape() as tape:
            loss = loss_function(variable1, variable2)
        gradients = tape.gradient(loss, [variable1, variable2])
        optimizer.apply_gradients(zip(gradients, [variable1, variable2]))
        if stop:
            locked_value = tf.stop_gradient(locked_value)
        if i + 1 in (1, 10, 100):
            rows.append([loss.numpy(), variable1.numpy(), variable2.numpy(), locked_value.numpy()])
    return f32(rows)


@recipe("000")
def constant_and_stop_gradient():
    with_stop, without = stop_gradient_loop(True), stop_gradient_loop(False)
    return {
        "steps": [1, 10, 100],
        "rows": with_stop,
        "sameWithoutStopGradient": bool((with_stop == without).all()),
    }


@recipe("000")
def tensor_scatter_nd_update():
    initial_tensor = tf.constant([[1, 2, 3], [4, 5, 6]])
    mask = tf.constant([[0, 1, 0], [1, 0, 1]])
    updates = tf.constant([[9, 8, 7], [6, 5, 4]])

    def update(initial, updates):
        where, values = tf.where(mask), tf.boolean_mask(updates, mask)
        return tf.tensor_scatter_nd_update(initial, where, values)

    weights = tf.constant(f32([[1, 2, 3], [4, 5, 6]]))
    reals = [tf.cast(initial_tensor, tf.float32), tf.cast(updates, tf.float32)]
    with tf.GradientTape() as tape:
        tape.watch(reals)
        value = tf.reduce_sum(update(*reals) * weights)
    gradients = tape.gradient(value, reals)
    with tf.GradientTape() as tape:
        whole = update(initial_tensor, updates)
    return {
        "updated": ints(update(initial_tensor, updates)),
        "where": ints(tf.where(mask)),
        "session": outcome(lambda: tf.Session()),
        "integerGradients": [g is None for g in tape.gradient(whole, [initial_tensor, updates])],
        "gradients": [g.numpy() for g in gradients],
    }


# ------------------------------------------------------------------- article 001_9476b80f7934358b
DIAGONAL = f32([[1, 2], [3, 4]])


@recipe("001")
def two_by_two_diagonal():
    x = tf.Variable(tf.zeros([2, 2]), trainable=False)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x - DIAGONAL))
    whole = tape.gradient(loss, x)
    # What is asked for, as the problem that has only these two elements.
    diagonal = tf.Variable([0.0, 0.0])
    optimizer = keras.optimizers.SGD(0.25, momentum=0.5)
    for _ in range(20):
        with tf.GradientTape() as tape:
            x = tf.scatter_nd([[0, 0], [1, 1]], diagonal, [2, 2])
            loss = tf.reduce_mean(tf.square(x - DIAGONAL))
        optimizer.apply_gradients([(tape.gradient(loss, diagonal), diagonal)])
    return {"gradientOfUntrainable": None if whole is None else "a tensor", "diagonal": diagonal.numpy()}


@recipe("001")
def mask_and_stop_gradient():
    def masked(x, free=tf.constant(FREE)):
        return free * x + tf.stop_gradient((1 - free) * x)

    # As written: x is a tensor from then on, computed once, before any tape.
    x = tf.Variable(tf.zeros([2, 2]))
    variable = x
    mask = tf.constant([[1, 0], [0, 1]], dtype=x.dtype)
    x = mask * x + tf.stop_gradient((1 - mask) * x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x - DIAGONAL))
    nan = tf.constant(np.where(FREE == 1, TARGET, np.float32(np.nan)))
    integer_mask = tf.constant([[1, 0], [0, 1]])
    return {
        "asWritten": {
            "type": type(x).__name__,
            "gradientIsNone": tape.gradient(loss, variable) is None,
            "apply": outcome(lambda: RULES["sgd"]().apply_gradients([(tf.zeros([2, 2]), x)])),
        },
        "maskWithoutDtype": outcome(lambda: integer_mask * variable),
        "runs": [
            trained(rule, lambda g: g, 0, 4, lambda x: half_square(masked(x))) for rule in RULES
        ],
        "nan": trained(
            "sgd", lambda g: g, 0, 1, lambda x: tf.reduce_sum(tf.square(masked(x) - nan)) / 2
        )["end"],
    }


def two_optimizers(make, count):
    """The answer's graph: `count` optimizers, op1 without v1, op2 without v2; run in turn, three times each."""
    v1_api = tf.compat.v1
    with tf.Graph().as_default(), v1_api.Session() as session:
        v1 = v1_api.Variable([1.0, -2.0])  # we want to freeze it in one op
        v2 = v1_api.Variable([0.5, 3.0])  # we want to freeze it in another op
        v3 = v1_api.Variable([3.0, -1.0])  # we always want to train this one
        loss = tf.reduce_sum(tf.square(v1 + v2 * 2.0 - v3))
        optimizers = [make() for _ in range(count)]
        trainable = v1_api.get_collection(v1_api.GraphKeys.TRAINABLE_VARIABLES)
        op1 = optimizers[0].minimize(loss, var_list=[v for v in trainable if v is not v1])
        op2 = optimizers[-1].minimize(loss, var_list=[v for v in trainable if v is not v2])
        session.run(v1_api.global_variables_initializer())
        rows = []
        for _ in range(3):
            for op in (op1, op2):
                session.run(op)
                rows.append(np.stack(session.run([v1, v2, v3])))
        return f32(rows)


@recipe("001")
def var_list_two_optimizers():
    a, b, c = tf.Variable(1.0), tf.Variable(1.0), tf.Variable(2.0)
    wide = tf.Variable([1.0, 2.0])
    train = tf.compat.v1.train
    return {
        "asWritten": outcome(lambda: tf.train.GradientDescentOptimizer(0.1)),
        "collection": outcome(lambda: tf.get_collection(tf.TRAINABLE_VARIABLES)),
        # `v != v1` compares values in TensorFlow 2: b equals a, and is left out with it.
        "indicesOfScalarsNotEqualToTheFirst": [i for i, v in enumerate([a, b, c]) if v != a],
        "arrays": outcome(lambda: [v for v in [wide, tf.Variable([3.0, 4.0])] if v != wide]),
        "sgd": two_optimizers(lambda: train.GradientDescentOptimizer(0.05), 2),
        "adamTwo": two_optimizers(lambda: train.AdamOptimizer(0.05), 2),
        "adamOne": two_optimizers(lambda: train.AdamOptimizer(0.05), 1),
    }


def copy_graph(make, copy, steps=4):
    """x_frozen = m*xp + (1-m)*x behind a copy between x and xp; x_frozen and x after each step."""
    v1_api = tf.compat.v1
    with tf.Graph().as_default(), v1_api.Session() as session:
        x = v1_api.Variable(START)
        xp = v1_api.Variable(START * 10, trainable=False)
        m = tf.constant(1 - FREE)
        cp = {"as written": (x, xp), "as meant": (xp, x)}[copy]
        with tf.control_dependencies([v1_api.assign(*cp)]):
            x_frozen = m * xp + (1 - m) * x.read_value()
        step = make().minimize(half_square(x_frozen), var_list=[x])
        session.run(v1_api.global_variables_initializer())
        rows = []
        for _ in range(steps):
            session.run(step)
            rows.append(session.run(x))
        return f32(rows)


@recipe("001")
def copy_and_mask():
    train = tf.compat.v1.train
    makers = {
        "sgd": lambda: train.GradientDescentOptimizer(0.1),
        "momentum": lambda: train.MomentumOptimizer(0.1, 0.9),
        "adam": lambda: train.AdamOptimizer(0.01),
    }
    return {
        "constant": outcome(lambda: tf.Constant),
        "assign": outcome(lambda: tf.Assign),
        # Every run begins by overwriting x with xp, so x is never further than one step from xp.
        "asWritten": {rule: copy_graph(make, "as written") for rule, make in makers.items()},
        "asMeant": {rule: copy_graph(make, "as meant") for rule, make in makers.items()},
    }


# ------------------------------------------------------------------- article 002_93df073378376907
def tiny_model(layers, regularizer=None):
    """`layers` dense layers of two, tanh, the last one softmax; weights drawn, so that a test can draw them too."""
    draws = Draws(2)
    model = keras.Sequential([keras.Input((2,))])
    for i in range(layers):
        activation = "tanh" if i + 1 < layers else "softmax"
        layer = keras.layers.Dense(
            2, activation, name=f"dense_layer_{i}", kernel_regularizer=regularizer
        )
        model.add(layer)
        layer.set_weights([draws.array([2, 2]), draws.array([2])])
    return model


X_TRAIN = f32([[1, 0.5], [-0.5, 1], [0.25, -1], [-1, -0.75]])
Y_TRAIN = f32([[1, 0], [0, 1], [1, 0], [0, 1]])


def fit(model, epochs=1):
    history = model.fit(X_TRAIN, Y_TRAIN, batch_size=4, epochs=epochs, shuffle=False, verbose=0)
    return f32(history.history["loss"])


def moved(model, before):
    """Which weights, by path, a fit changed."""
    return [w.path.split("/", 1)[1] for w, b in zip(model.weights, before) if (w.numpy() != b).any()]


def compiled(model):
    model.compile(optimizer="adam", loss="categorical_crossentropy")
    return model


@recipe("002")
def freeze_layers():
    model = tiny_model(12)
    for layer in model.layers[:10]:  # Freeze the first 10 layers
        layer.trainable = False
    compiled(model)
    before = model.get_weights()
    losses = fit(model, 10)
    changed = moved(model, before)

    # "compilation *after* setting trainable = False is crucial": what happens otherwise, before and after a first fit.
    late = compiled(tiny_model(3))
    late.layers[0].trainable = False
    before = late.get_weights()
    fit(late)
    late_changed = moved(late, before)
    later = compiled(tiny_model(3))
    fit(later)
    later.layers[0].trainable = False
    before = later.get_weights()
    fit(later)
    later_changed = moved(later, before)

    # Weight penalties of frozen layers leave the reported loss.
    penalized = compiled(tiny_model(3, keras.regularizers.L2(0.1)))
    free_loss = penalized.evaluate(X_TRAIN, Y_TRAIN, verbose=0)
    penalized.layers[0].trainable = False
    compiled(penalized)
    return {
        "weights": [w for layer in model.layers[10:] for w in layer.get_weights()],
        "losses": losses,
        "moved": changed,
        "movedIfFrozenAfterCompile": late_changed,
        "movedIfFrozenAfterFit": later_changed,
        "penalizedLoss": f32([free_loss, penalized.evaluate(X_TRAIN, Y_TRAIN, verbose=0)]),
    }


@recipe("002")
def trainable_attribute():
    model = tiny_model(2)
    dense_layer = model.get_layer("dense_layer_1")
    kernel, bias = dense_layer.kernel, dense_layer.bias
    keras_set = set_attribute(kernel, "trainable", False)
    bias.trainable = True
    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    before = model.get_weights()
    fit(model, 10)
    changed = moved(model, before)
    ends = [kernel.numpy(), bias.numpy()]
    # Thawing it again is not noticed by the compiled model.
    kernel.trainable = True
    before = model.get_weights()
    fit(model)
    variable = tf.Variable(1.0)
    return {
        "keras": {**keras_set, "type": type(kernel).__name__},
        "tensorflow": set_attribute(variable, "trainable", False),
        "moved": changed,
        "movedAfterThawing": moved(model, before),
        "ends": ends,
    }


@recipe("002")
def names_filter():
    model = tiny_model(3)
    model.layers[1].name = "conv_layer_2"
    optimizer = tf.keras.optimizers.Adam()
    # As written; Keras 3 names variables 'kernel' and 'bias', so that nothing is filtered out.
    as_written = [
        var
        for var in model.trainable_variables
        if var.name not in ["dense_layer_1/kernel:0", "conv_layer_2/bias:0"]
    ]
    frozen = [model.layers[0].kernel, model.layers[1].bias]
    trainable_variables = [var for var in model.trainable_variables if not any(var is f for f in frozen)]
    for _ in range(10):
        with tf.GradientTape() as tape:
            predictions = model(X_TRAIN)
            loss = tf.reduce_mean(tf.square(predictions - Y_TRAIN))
        gradients = tape.gradient(loss, [v.value for v in trainable_variables])
        optimizer.apply_gradients(zip(gradients, trainable_variables))
    return {
        "names": [v.name for v in model.trainable_variables],
        "paths": [v.path.split("/", 1)[1] for v in model.trainable_variables],
        "keptAsWritten": len(as_written),
        "loss": f32(loss),
        "weights": model.get_weights(),
    }


# ------------------------------------------------------------------- article 003_09fec3fe32c26bef
@recipe("003")
def where_mask_gradient():
    var = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    mask = tf.constant([[True, False, True], [False, True, False]])
    optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(var)
    gradients = tape.gradient(loss, var)
    masked_gradients = tf.where(mask, gradients, tf.zeros_like(gradients))
    optimizer.apply_gradients(zip([masked_gradients], [var]))
    nan = tf.constant(np.where(FREE == 1, START, np.float32(np.nan)))

    def chosen(g):
        return tf.where(FREE == 1, g, tf.zeros_like(g))

    return {
        "printed": var.numpy(),
        "runs": [trained(rule, chosen) for rule in RULES],
        "nan": trained("sgd", lambda g: chosen(g + nan), 0, 1)["end"],
    }


def top_mask(var):
    top_percent = 0.2
    num_to_update = int(var.shape[0] * var.shape[1] * top_percent)
    flattened_var = tf.reshape(var, [-1])
    top_indices = tf.math.top_k(tf.abs(flattened_var), k=num_to_update).indices
    mask = tf.scatter_nd(
        tf.expand_dims(top_indices, axis=1), tf.ones(num_to_update), flattened_var.shape
    )
    mask = tf.reshape(mask, var.shape)
    return tf.cast(mask, tf.bool)


@recipe("003")
def top_20_percent():
    runs = []
    for rule in ("sgd", "momentum"):
        var = tf.Variable(Draws(3).array([10, 10]))
        optimizer = RULES[rule]()
        masks = []
        for _ in range(4):
            mask = top_mask(var)
            masks.append(np.flatnonzero(mask.numpy()).tolist())
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(var)) / 2
            gradients = tape.gradient(loss, var)
            optimizer.apply_gradients([(tf.where(mask, gradients, tf.zeros_like(gradients)), var)])
        runs.append({"rule": rule, "masks": masks, "end": var.numpy()})
    ties = tf.math.top_k(tf.constant([2.0, 3.0, 3.0, 1.0, 3.0]), k=2).indices
    return {"runs": runs, "tiesTaken": ints(ties)}


def gather_loop(update, epochs=10):
    var = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    indices_to_update = tf.constant([[0, 0], [1, 1]])
    optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
    for _ in range(epochs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(var)  # Simplified loss
        gradients = tape.gradient(loss, var)
        # Gather gradients for specific indices
        selected_gradients = tf.gather_nd(gradients, indices_to_update)
        # Update only specified indices
        getattr(var, update)(indices_to_update, -optimizer.learning_rate * selected_gradients)
    return var.numpy()


@recipe("003")
def gather_and_scatter():
    return {
        "printed": gather_loop("scatter_nd_update"),
        "added": gather_loop("scatter_nd_add"),
    }


FEATURES = Draws(5).array([8, 3])
LABELS = Draws(6).array([8, 1])


def residual_loss(w, rows):
    return tf.reduce_mean(tf.square(tf.matmul(FEATURES[rows], w) - LABELS[rows]))


@recipe("003")
def gradient_accumulation():
    parts = [slice(2 * i, 2 * i + 2) for i in range(4)]
    w = tf.Variable(f32([[0.5], [-0.25], [1]]))
    accumulated = tf.Variable(tf.zeros_like(w))
    optimizer = keras.optimizers.Adam(0.01)
    for _ in range(5):
        accumulated.assign(tf.zeros_like(w))
        for rows in parts:
            with tf.GradientTape() as tape:
                loss = residual_loss(w, rows)
            accumulated.assign_add(tape.gradient(loss, w) / 4)
        optimizer.apply_gradients([(accumulated, w)])

    # Keras accumulates by itself, when asked to. Element 1 is "locked" by a mask after two of four parts.
    pending = tf.Variable(f32([[0.5], [-0.25], [1]]))
    before = pending.numpy()
    optimizer = keras.optimizers.SGD(0.1, gradient_accumulation_steps=4)
    for i, rows in enumerate(parts):
        with tf.GradientTape() as tape:
            loss = residual_loss(pending, rows)
        gradient = tape.gradient(loss, pending)
        free = tf.constant(f32([[1], [1 if i < 2 else 0], [1]]))
        optimizer.apply_gradients([(gradient * free, pending)])
    return {
        "end": w.numpy(),
        "keras": {"locked": before, "end": pending.numpy()},
    }


# ------------------------------------------------------------------------ the table of leaks
# The problem of tests/recipes/leaks.js: five steps with everything free, five with a trick in force.
LEAK_STEPS = 5
LEAK_START, LEAK_TARGET, COIN = (Draws(seed).array([64]) for seed in (20, 21, 22))
LEAK_FREE = COIN >= 0
LEAK_MASK = LEAK_FREE.astype(np.float32)
LEAK_SETTINGS = {
    "SGD": (RULES["sgd"], {}),
    "momentum": (RULES["momentum"], {}),
    "Adam": (RULES["adam"], {}),
    "AdamW": (RULES["adamW"], {}),
    **{name: (make, {}) for name, make in OTHER_RULES.items()},
    "NaN gradient": (RULES["sgd"], {"nan": True}),
    "clip norm": (RULES["sgd"], {"clip": 1.0}),
    "NaN + clip": (RULES["sgd"], {"nan": True, "clip": 1.0}),
}


def moved_bits(before, after, where):
    """[bits that differ, in how many elements]"""
    differing = before[where].view(np.uint32) ^ after[where].view(np.uint32)
    return [int(np.bitwise_count(differing).sum()), int((differing != 0).sum())]


def leak_state(optimizer, x):
    # All but counters and the learning rate.
    return x.numpy(), [v.numpy() for v in optimizer.variables if v.shape == x.shape]


def distance(x, target):
    return tf.reduce_sum(tf.square(x - target)) / 2


def gradient_of(x, loss):
    with tf.GradientTape() as tape:
        value = loss(x)
    return tape.gradient(value, x)


def clip_first(gradient, clip):
    return tf.clip_by_global_norm([gradient], clip)[0][0] if clip else gradient


def scattered(x, held):
    where = tf.where(LEAK_FREE)
    return tf.tensor_scatter_nd_update(held, where, tf.gather_nd(x, where))


# x, its optimizer, the loss, the clip norm, and the values at the beginning, to one step.
LEAK_TRICKS = {
    "mask × gradient": lambda x, o, loss, clip, held: o.apply_gradients(
        [(gradient_of(x, loss) * LEAK_MASK, x)]
    ),
    "clip, then mask × gradient": lambda x, o, loss, clip, held: o.apply_gradients(
        [(clip_first(gradient_of(x, loss), clip) * LEAK_MASK, x)]
    ),
    "where(mask, gradient, 0)": lambda x, o, loss, clip, held: o.apply_gradients(
        [(tf.where(LEAK_FREE, gradient_of(x, loss), 0.0), x)]
    ),
    "mask·x + stopGradient((1−mask)·x)": lambda x, o, loss, clip, held: o.apply_gradients(
        [
            (
                gradient_of(
                    x, lambda x: loss(LEAK_MASK * x + tf.stop_gradient((1 - LEAK_MASK) * x))
                ),
                x,
            )
        ]
    ),
    "free scattered into a constant": lambda x, o, loss, clip, held: o.apply_gradients(
        [(gradient_of(x, lambda x: loss(scattered(x, held))), x)]
    ),
    "write the old values back": lambda x, o, loss, clip, held: (
        o.apply_gradients([(gradient_of(x, loss), x)]),
        x.assign(tf.where(LEAK_FREE, x, held)),
    ),
}


def reduced_problem(make, clip):
    """The free elements as a variable of their own, alone from the sixth step on."""
    parts = [tf.Variable(LEAK_START[LEAK_FREE]), tf.Variable(LEAK_START[~LEAK_FREE])]
    targets = [LEAK_TARGET[LEAK_FREE], LEAK_TARGET[~LEAK_FREE]]
    optimizer = make()
    optimizer.global_clipnorm = clip
    optimizer.build(parts)
    for step in range(2 * LEAK_STEPS):
        listed = range(2 if step < LEAK_STEPS else 1)
        optimizer.apply_gradients(
            [(gradient_of(parts[i], lambda x: distance(x, targets[i])), parts[i]) for i in listed]
        )
    return parts[0].numpy()


def leak_run(name, make, nan=False, clip=None):
    x = tf.Variable(LEAK_START)
    optimizer = make()
    optimizer.global_clipnorm = clip
    for _ in range(LEAK_STEPS):
        optimizer.apply_gradients([(gradient_of(x, lambda x: distance(x, LEAK_TARGET)), x)])
    before, slots = leak_state(optimizer, x)
    if name.startswith("clip"):
        optimizer.global_clipnorm = None
    target = np.where(LEAK_FREE, LEAK_TARGET, np.float32(np.nan)) if nan else LEAK_TARGET
    for _ in range(LEAK_STEPS):
        LEAK_TRICKS[name](x, optimizer, lambda x: distance(x, target), clip, before)
    after, slots_after = leak_state(optimizer, x)
    if name == "free scattered into a constant":
        # What the model sees; x itself drifts.
        after = scattered(x, before).numpy()
    reference = reduced_problem(make, clip)
    slot_bits = [moved_bits(a, b, ~LEAK_FREE) for a, b in zip(slots, slots_after)]
    return {
        "values": moved_bits(before, after, ~LEAK_FREE),
        "slots": [sum(column) for column in zip(*slot_bits)] or [0, 0],
        "others": moved_bits(reference, after[LEAK_FREE], slice(None)),
    }


def leaks():
    return {
        "cells": "[bits, elements]",
        "lockedElements": int((~LEAK_FREE).sum()),
        "tricks": [
            {"trick": name, **{s: leak_run(name, make, **how) for s, (make, how) in LEAK_SETTINGS.items()}}
            for name in LEAK_TRICKS
        ],
    }


def write_recipes():
    rows = [{"recipe": name, **run()} for name, run in RECIPES.items()]
    rows.append({"recipe": "leaks", **leaks()})
    head = {
        "versions": VERSIONS,
        "layout": "one row a recipe, fields as its test reads them; f32 arrays are flat",
    }
    write("recipes.json", head, "recipes", rows)


if __name__ == "__main__":
    write_recipes()
