"""pytorch.json: 1,000 steps of every rule that PyTorch has, the rates of its schedules, and where its L-BFGS goes.

A process of its own: PyTorch and TensorFlow cannot be loaded into one (both bring LLVM's options).

PyTorch computes in f64 here, on gradients that are f32: its results are those of its definition, rounded once when they
are written. `ownError` is how far its own f32 run ends from them, relative to the largest |x| on the way.

gradlock's definitions are Keras's. They are the same mathematics as PyTorch's in the settings below:
- SGD: PyTorch's velocity does not carry the rate; the same while the rate is constant. Dampening 0.
- Adagrad, RMSprop, Adam, AdamW, Adamax: epsilon 0, since PyTorch has it elsewhere: beside the root where Keras has it
  under it (Adagrad, RMSprop), beside the corrected average where Keras has it beside the raw one (Adam, AdamW), inside
  the maximum (Adamax). Adadelta and NAdam have it where Keras has it. Adagrad: lr_decay 0.
- NAdam: momentum_decay 1, which is Keras's 0.96^t; PyTorch's default of 0.004 warms momentum up 250 times as slowly.
- weight_decay is added to the gradient but in AdamW and NAdam(decoupled_weight_decay): `l2` below, which a user of
  gradlock adds to the loss. Only for SGD without momentum it is the same as Keras's decay.
- clip_grad_norm_ divides by norm + 1e-6: a relative difference of 1e-6 / norm.
- Parameters without a gradient (None) are passed over, with their state and their own step counts, as locked ones are.

Sources: torch/optim/{sgd,adagrad,adadelta,rmsprop,adam,adamw,adamax,nadam,lbfgs,lr_scheduler,swa_utils}.py.
"""

import os

# Kernels without fused multiply-add, whatever the processor: f32 runs end on the same bits everywhere.
os.environ["ATEN_CPU_CAPABILITY"] = "default"

import numpy as np  # noqa: E402
import torch  # noqa: E402
from files import Draws, write  # noqa: E402
from torch.optim import lr_scheduler, swa_utils  # noqa: E402

VERSIONS = {"pytorch": torch.__version__.split("+")[0], "numpy": np.__version__}
SHAPES = [[], [5], [2, 3, 2], [33]]
STEPS = [1, 10, 100, 1000]
SEED = 20261123
torch.set_num_threads(1)

RULES = {
    "sgd": torch.optim.SGD,
    "adagrad": torch.optim.Adagrad,
    "adadelta": torch.optim.Adadelta,
    "rmsprop": torch.optim.RMSprop,
    "adam": torch.optim.Adam,
    "adamW": torch.optim.AdamW,
    "adamax": torch.optim.Adamax,
    "nadam": torch.optim.NAdam,
}
NAMES = {
    "learningRate": "lr",
    "epsilon": "eps",
    "weightDecay": "weight_decay",
    "initialAccumulatorValue": "initial_accumulator_value",
}
# What gradlock's defaults, which are Keras's, are called and are in PyTorch; an epsilon of 0 unless it is the same.
DEFAULTS = {
    "sgd": {"lr": 0.01},
    "adagrad": {"lr": 0.001, "eps": 0.0, "initial_accumulator_value": 0.1},
    "adadelta": {"lr": 0.001, "rho": 0.95, "eps": 1e-7},
    "rmsprop": {"lr": 0.001, "alpha": 0.9, "eps": 0.0},
    "adam": {"lr": 0.001, "betas": (0.9, 0.999), "eps": 0.0},
    "adamW": {"lr": 0.001, "betas": (0.9, 0.999), "eps": 0.0, "weight_decay": 0.004},
    "adamax": {"lr": 0.001, "betas": (0.9, 0.999), "eps": 0.0},
    "nadam": {
        "lr": 0.001,
        "betas": (0.9, 0.999),
        "eps": 1e-7,
        "momentum_decay": 1.0,
        "decoupled_weight_decay": True,
    },
}
ZERO = {"epsilon": 0.0}
DECAY = {"initialLearningRate": 0.01, "decaySteps": 1, "decayRate": 0.99}
FROZEN = {"frozen": {"variable": 3, "from": 11, "to": 600}}

# Rule, gradlock's options, and what else happens:
#   l2            weight decay of the coupled kind: this times x is added to the gradients
#   scales        of the learning rate, for each variable: parameter groups
#   exclude       the variables that do not decay: a parameter group without weight_decay
#   frozen        a variable that gets no gradient from one step to another
#   average       moving averages of the weights, which the snapshots then hold
#   accumulate    this many gradients make one step
#   clipNorm, clipValue  clip_grad_norm_, clip_grad_value_
#   schedule      [name, options] of g.schedules
RUNS = [
    ("sgd", {}, {}),
    ("sgd", {"momentum": 0.9}, {}),
    ("sgd", {"momentum": 0.9, "nesterov": True}, {}),
    ("sgd", {"learningRate": 0.1, "weightDecay": 0.05}, {}),
    ("sgd", {"momentum": 0.9, "nesterov": True}, {"l2": 0.1}),
    ("sgd", {"momentum": 0.5}, {"clipNorm": 2.0}),
    ("sgd", {"momentum": 0.5}, {"clipValue": 0.25}),
    ("sgd", {"momentum": 0.9}, {"scales": [1, 0.1, 0, 2.5]}),
    ("sgd", {"momentum": 0.9}, FROZEN),
    ("adagrad", ZERO, {}),
    ("adagrad", {**ZERO, "learningRate": 0.1, "initialAccumulatorValue": 1.0}, {"l2": 0.05}),
    ("adadelta", {"learningRate": 1.0, "rho": 0.9, "epsilon": 1e-6}, {}),
    ("adadelta", {"learningRate": 0.5, "epsilon": 1e-4}, {"l2": 0.1}),
    ("adadelta", {"learningRate": 1.0}, FROZEN),
    ("rmsprop", ZERO, {}),
    ("rmsprop", {**ZERO, "rho": 0.99, "momentum": 0.9}, {}),
    ("rmsprop", {**ZERO, "centered": True}, {}),
    ("rmsprop", {**ZERO, "centered": True, "momentum": 0.5}, {"l2": 0.1}),
    ("rmsprop", {**ZERO, "centered": True, "momentum": 0.9}, FROZEN),
    ("adam", ZERO, {}),
    ("adam", {**ZERO, "learningRate": 0.01, "beta1": 0.8, "beta2": 0.95}, {}),
    ("adam", {**ZERO, "amsgrad": True}, {}),
    ("adam", {**ZERO, "amsgrad": True, "beta2": 0.9, "learningRate": 0.01}, {"l2": 0.1}),
    ("adam", ZERO, {"l2": 0.1}),
    ("adam", ZERO, {"average": 0.99}),
    ("adam", {**ZERO, "learningRate": 0.01}, {"accumulate": 4}),
    ("adam", ZERO, FROZEN),
    ("adam", ZERO, {"schedule": ["exponentialDecay", DECAY]}),
    ("adamW", ZERO, {}),
    ("adamW", {**ZERO, "amsgrad": True, "weightDecay": 0.1}, {"clipNorm": 1.0}),
    ("adamW", {**ZERO, "weightDecay": 0.1}, {"scales": [1, 0.1, 0, 2.5], "exclude": [1]}),
    ("adamW", {**ZERO, "weightDecay": 0.1, "amsgrad": True}, FROZEN),
    ("adamW", ZERO, {"schedule": ["oneCycle", {"maxLearningRate": 0.01, "totalSteps": 1000}]}),
    ("adamax", ZERO, {}),
    ("adamax", {**ZERO, "learningRate": 0.01, "beta1": 0.8, "beta2": 0.95}, {"l2": 0.1}),
    ("adamax", ZERO, FROZEN),
    ("nadam", {}, {}),
    ("nadam", {"learningRate": 0.01, "beta1": 0.8, "beta2": 0.95, "weightDecay": 0.1}, {}),
    ("nadam", {"epsilon": 0.01}, {"average": 0.9}),
    ("nadam", {}, FROZEN),
]


def make_optimizer(rule, options, how, weights):
    given = dict(DEFAULTS[rule])
    if "beta1" in options or "beta2" in options:
        given["betas"] = (options.get("beta1", 0.9), options.get("beta2", 0.999))
    for name, value in options.items():
        if name == "rho":
            given["alpha" if rule == "rmsprop" else "rho"] = value
        elif not name.startswith("beta"):
            given[NAMES.get(name, name)] = value
    if "l2" in how:
        given["weight_decay"] = how["l2"]
        given.pop("decoupled_weight_decay", None)
    groups = [
        {
            "params": [w],
            "lr": given["lr"] * how.get("scales", [1] * len(weights))[i],
            **({"weight_decay": 0.0} if i in how.get("exclude", []) else {}),
        }
        for i, w in enumerate(weights)
    ]
    return RULES[rule](groups, **given)


def make_scheduler(optimizer, how):
    if "schedule" not in how:
        return None
    name, options = how["schedule"]
    if name == "exponentialDecay":
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"] = options["initialLearningRate"]
        return lr_scheduler.ExponentialLR(optimizer, gamma=options["decayRate"])
    return lr_scheduler.OneCycleLR(
        optimizer,
        options["maxLearningRate"],
        total_steps=options["totalSteps"],
        cycle_momentum=False,
    )


def follow(rule, options, how, dtype):
    """Snapshots in f64, and the largest |x| of each element on the way."""
    draws = Draws(SEED)
    weights = [torch.tensor(draws.array(s), dtype=dtype, requires_grad=True) for s in SHAPES]
    optimizer = make_optimizer(rule, options, how, weights)
    scheduler = make_scheduler(optimizer, how)
    averages = averaged = None
    if "average" in how:
        averaged = torch.nn.ParameterList(weights)
        averages = swa_utils.AveragedModel(
            averaged, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(how["average"])
        )
    frozen = how.get("frozen", {"variable": -1, "from": 0, "to": 0})
    calls = how.get("accumulate", 1)
    largest = [w.detach().abs().double() for w in weights]
    snapshots = []
    for step in range(1, max(STEPS) + 1):
        for i, w in enumerate(weights):
            gradient = torch.tensor(draws.array(SHAPES[i]), dtype=dtype) / calls
            is_frozen = i == frozen["variable"] and frozen["from"] <= step <= frozen["to"]
            if not is_frozen:
                w.grad = gradient if w.grad is None else w.grad + gradient
        if step % calls == 0:
            if "clipNorm" in how:
                torch.nn.utils.clip_grad_norm_(weights, how["clipNorm"])
            if "clipValue" in how:
                torch.nn.utils.clip_grad_value_(weights, how["clipValue"])
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if scheduler:
                scheduler.step()
        if averages:
            averages.update_parameters(averaged)
        largest = [torch.maximum(m, w.detach().abs().double()) for m, w in zip(largest, weights)]
        if step in STEPS:
            held = list(averages.module.parameters()) if averages else weights
            snapshots.append([w.detach().double().numpy().copy() for w in held])
    return snapshots, largest


def run(rule, options, how):
    exact, largest = follow(rule, options, how, torch.float64)
    own, _ = follow(rule, options, how, torch.float32)
    errors = [
        float(np.max(np.abs(a - b) / m.numpy()))
        for here, there in zip(exact, own)
        for a, b, m in zip(here, there, largest)
    ]
    rounded = [[w.astype(np.float32) for w in snapshot] for snapshot in exact]
    row = {"source": "pytorch", "rule": rule, "options": options, "how": how}
    return {**row, "ownError": float(f"{max(errors):.1e}"), "snapshots": rounded}


# ----------------------------------------------------------------------------------------- schedules
# gradlock's kind and options, and PyTorch's schedule that is the same.


def one_cycle(**given):
    return lambda o: lr_scheduler.OneCycleLR(o, 0.1, cycle_momentum=False, **given)


SCHEDULES = [
    (
        "exponentialDecay",
        {"initialLearningRate": 0.1, "decaySteps": 1, "decayRate": 0.99},
        lambda o: lr_scheduler.ExponentialLR(o, gamma=0.99),
    ),
    (
        "exponentialDecay",
        {"initialLearningRate": 0.1, "decaySteps": 30, "decayRate": 0.8, "staircase": True},
        lambda o: lr_scheduler.StepLR(o, step_size=30, gamma=0.8),
    ),
    (
        # A boundary belongs to what is before it in Keras, to what is after it in PyTorch.
        "piecewiseConstantDecay",
        {"boundaries": [9, 19, 499], "values": [0.1, 0.05, 0.025, 0.0125]},
        lambda o: lr_scheduler.MultiStepLR(o, milestones=[10, 20, 500], gamma=0.5),
    ),
    (
        "inverseTimeDecay",
        {"initialLearningRate": 0.1, "decaySteps": 20, "decayRate": 0.5},
        lambda o: lr_scheduler.LambdaLR(o, lambda step: 1 / (1 + 0.5 * step / 20)),
    ),
    (
        "polynomialDecay",
        {"initialLearningRate": 0.1, "decaySteps": 100, "endLearningRate": 0.0, "power": 2.0},
        lambda o: lr_scheduler.PolynomialLR(o, total_iters=100, power=2.0),
    ),
    (
        "polynomialDecay",
        {"initialLearningRate": 0.1, "decaySteps": 60, "endLearningRate": 0.01},
        lambda o: lr_scheduler.LinearLR(o, start_factor=1.0, end_factor=0.1, total_iters=60),
    ),
    (
        "linearWarmup",
        {"initialLearningRate": 0.01, "warmupTarget": 0.1, "warmupSteps": 50},
        lambda o: lr_scheduler.LinearLR(o, start_factor=0.1, total_iters=50),
    ),
    (
        "cosineDecay",
        {"initialLearningRate": 0.1, "decaySteps": 1000, "alpha": 0.05},
        lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=1000, eta_min=0.005),
    ),
    (
        "cosineDecayRestarts",
        {"initialLearningRate": 0.1, "firstDecaySteps": 10, "tMul": 1, "alpha": 0.05},
        lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, T_0=10, eta_min=0.005),
    ),
    (
        "cosineDecayRestarts",
        {"initialLearningRate": 0.1, "firstDecaySteps": 10, "tMul": 2},
        lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, T_0=10, T_mult=2),
    ),
    ("oneCycle", {"maxLearningRate": 0.1, "totalSteps": 1001}, one_cycle(total_steps=1001)),
    (
        "oneCycle",
        {"maxLearningRate": 0.1, "totalSteps": 1001, "linear": True, "pctStart": 0.25},
        one_cycle(total_steps=1001, anneal_strategy="linear", pct_start=0.25),
    ),
    (
        "oneCycle",
        {
            "maxLearningRate": 0.1,
            "totalSteps": 1001,
            "threePhase": True,
            "divFactor": 10,
            "finalDivFactor": 100,
        },
        one_cycle(total_steps=1001, three_phase=True, div_factor=10, final_div_factor=100),
    ),
    (
        "oneCycle",
        {"maxLearningRate": 0.1, "totalSteps": 1001, "threePhase": True, "linear": True},
        one_cycle(total_steps=1001, three_phase=True, anneal_strategy="linear"),
    ),
]


RATE_STEPS = [0, 1, 2, 5, 9, 10, 11, 19, 20, 29, 30, 49, 50, 60, 99, 100, 101, 249, 499, 500, 999, 1000]


def rates(steps):
    """Rates in f64, as lists."""
    rows = []
    for kind, options, make in SCHEDULES:
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
        scheduler = make(optimizer)
        found = []
        for step in range(max(steps) + 1):
            if step in steps:
                found.append(float(optimizer.param_groups[0]["lr"]))
            optimizer.step()
            if step < max(steps):
                scheduler.step()
        rows.append({"kind": kind, "options": options, "rates": found})
    return rows


# -------------------------------------------------------------------------------------------- L-BFGS
# Losses of x, which the JavaScript test has as well. Coefficients are drawn, exact in f32.
LBFGS_SEED = 99


draws = Draws(LBFGS_SEED)
TARGET = torch.tensor(draws.array([12])).double()
FEATURES = torch.tensor(draws.array([24, 6])).double()
SIGNS = torch.tensor(np.sign(draws.array([24]))).double()


def quadratic(x):
    return ((1 + torch.arange(12).double()) * (x - TARGET) ** 2).sum() / 2


def valley(x):
    """Rosenbrock's, chained."""
    return ((10 * (x[1:] - x[:-1] ** 2)) ** 2 + (1 - x[:-1]) ** 2).sum()


def logistic(x):
    return torch.nn.functional.softplus(SIGNS * (FEATURES @ x)).sum() + (x**2).sum() / 20


LBFGS = [
    ("quadratic", quadratic, [0.5] * 12, {}),
    ("quadratic", quadratic, [0.5] * 12, {"historySize": 3}),
    ("valley", valley, [-1.2, 1.0, 0.5, -0.5, 1.5, 0.75], {}),
    ("logistic", logistic, [0.0] * 6, {}),
    ("logistic", logistic, [2.0, -1.0, 0.5, 1.0, -2.0, 1.5], {"historySize": 4}),
]
FIRST = 6


def run_lbfgs(name, loss, start, options):
    """The first iterations one by one, and the bottom with its smallest and largest curvature."""
    x = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS(
        [x],
        max_iter=1,
        max_eval=1 + 25,  # line searches may take what is left of it
        tolerance_change=0,
        tolerance_grad=0,
        history_size=options.get("historySize", 100),
        line_search_fn="strong_wolfe",
    )

    def closure():
        optimizer.zero_grad()
        value = loss(x)
        value.backward()
        return value

    path, evaluations = [], []
    for _ in range(FIRST):
        optimizer.step(closure)
        path.append(x.detach().numpy().astype(np.float32))
        # Each call computes once more where it starts.
        evaluations.append(optimizer.state[x]["func_evals"] - len(path) + 1)
    for _ in range(200):
        optimizer.step(closure)
    end = x.detach().clone()
    hessian = torch.autograd.functional.hessian(loss, end)
    return {
        "problem": name,
        "start": start,
        "options": options,
        "path": path,
        "evaluations": evaluations,
        "end": end.numpy().astype(np.float32),
        "loss": float(loss(end)),
        "curvatures": [float(f"{v:.3e}") for v in torch.linalg.eigvalsh(hessian)[[0, -1]]],
    }


def write_pytorch():
    head = {
        "versions": VERSIONS,
        "seed": SEED,
        "shapes": SHAPES,
        "steps": STEPS,
        "layout": "snapshots[step][variable], flat; the seed draws the weights, then the gradients of each step",
        "rateSteps": RATE_STEPS,
        "schedules": rates(RATE_STEPS),
        "lbfgsSeed": LBFGS_SEED,
        "lbfgs": [run_lbfgs(*row) for row in LBFGS],
    }
    write("pytorch.json", head, "runs", [run(*r) for r in RUNS])


if __name__ == "__main__":
    write_pytorch()
