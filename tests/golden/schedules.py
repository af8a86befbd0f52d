"""schedules.json: learning rates of Keras's schedules, step by step, as TensorFlow computes them in f32.
"""

from common import VERSIONS, keras, np, write

STEPS = [0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 19, 20, 21, 30, 31, 49, 50, 51, 99, 100, 101, 250, 999, 1000]
PYTHON = {
    "initialLearningRate": "initial_learning_rate",
    "decaySteps": "decay_steps",
    "firstDecaySteps": "first_decay_steps",
    "decayRate": "decay_rate",
    "endLearningRate": "end_learning_rate",
    "warmupTarget": "warmup_target",
    "warmupSteps": "warmup_steps",
    "tMul": "t_mul",
    "mMul": "m_mul",
}
BASE = {"initialLearningRate": 0.1, "decaySteps": 20}
FIRST = {"initialLearningRate": 0.1, "firstDecaySteps": 10}
RUNS = [
    ("piecewiseConstantDecay", {"boundaries": [10, 20, 50], "values": [1.0, 0.5, 0.1, 0.01]}),
    ("exponentialDecay", {**BASE, "decayRate": 0.96}),
    ("exponentialDecay", {**BASE, "decayRate": 0.5, "staircase": True}),
    ("inverseTimeDecay", {**BASE, "decayRate": 0.5}),
    ("inverseTimeDecay", {**BASE, "decayRate": 0.5, "staircase": True}),
    ("polynomialDecay", {**BASE}),
    ("polynomialDecay", {**BASE, "endLearningRate": 0.01, "power": 0.5}),
    ("polynomialDecay", {**BASE, "power": 2.0, "cycle": True}),
    ("cosineDecay", {**BASE}),
    ("cosineDecay", {**BASE, "alpha": 0.1}),
    ("cosineDecay", {**BASE, "initialLearningRate": 0.0, "warmupTarget": 0.3, "warmupSteps": 10}),
    ("cosineDecayRestarts", {**FIRST}),
    ("cosineDecayRestarts", {**FIRST, "tMul": 1.5, "mMul": 0.8, "alpha": 0.05}),
    ("cosineDecayRestarts", {**FIRST, "tMul": 1.0, "mMul": 0.5}),
]


def keras_rates(kind, options):
    name = kind[0].upper() + kind[1:]
    schedule = getattr(keras.optimizers.schedules, name)(
        **{PYTHON.get(key, key): value for key, value in options.items()}
    )
    return np.array([np.float32(schedule(step)) for step in STEPS])


def write_schedules():
    rows = [
        {"kind": kind, "options": options, "rates": keras_rates(kind, options)}
        for kind, options in RUNS
    ]
    write("schedules.json", {"versions": VERSIONS, "steps": STEPS}, "runs", rows)


if __name__ == "__main__":
    write_schedules()
