"""read_back.json: whether Keras reads the JSON that gradlock writes of the networks, and writes the same again.

    node tests/golden/write_networks.mjs | build/golden/bin/python tests/golden/read_back.py

The first makes each network of networks.json and prints its toJSON(); Keras makes a model of that. Recorded: the digest of
networks.json, how many networks there are, and which Keras refuses, writes otherwise, gives other weights, trains other
weights of, or predicts otherwise than networks.json has it.

Two things that Keras writes otherwise are the same models, and are not compared as text. Keras forgets whether a Sequential is
frozen, its own JSON's too: which weights are trained is compared. It writes what masks are made of as layers, where its own JSON
has none: predictions are compared.
"""

import hashlib
import json
import sys

from common import VERSIONS, keras, np
from files import HERE
from layers_common import many
from networks import given_of, one

# As in layers-networks.test.js, of networks in f32 on both sides; the second for x - tanh(x).
MOST, CANCELLED, LEAST = 16 * 2.0**-24, 32, 1 / 8


def bare(value):
    if isinstance(value, list):
        return [bare(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: bare(each) for key, each in value.items()
             if key not in ("build_config", "compile_config", "mask") and not (key == "training" and each is False)}
    if isinstance(found.get("layers"), list):
        found["layers"] = [layer for layer in found["layers"] if not layer["module"].startswith("keras.src.ops.")]
    if found.get("class_name") == "Sequential":
        del found["config"]["trainable"]
    return found


def differences(ours, theirs, path=""):
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [d for key in {*ours, *theirs} for d in differences(ours.get(key), theirs.get(key), f"{path}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [d for i, (a, b) in enumerate(zip(ours, theirs)) for d in differences(a, b, f"{path}.{i}")]
    return [] if ours == theirs else [f"{path}: {ours}, Keras {theirs}"]


def predicted_otherwise(row, model):
    """What is not as networks.json has it."""
    weights, xs, _, _ = given_of(row["seed"], model, row, row["words"], row["holes"])
    model.set_weights(weights)
    for y, (name, values, scale) in zip(many(model(one(xs), training=False)), row["results"]):
        most = MOST * max(scale, LEAST) * (CANCELLED if "tanh_shrink" in json.dumps(model.get_config()) else 1)
        worst = np.max(np.abs(np.reshape(y, -1) - np.array(values)))
        if not worst <= most:
            yield f"{name}: off by {worst / most} of what is allowed"


def main():
    read, wrong = 0, {}
    networks = (HERE / "networks.json").read_bytes()
    golden = {row["seed"]: row for row in json.loads(networks)["networks"]}
    for line in sys.stdin:
        row = json.loads(line)
        keras.backend.clear_session()
        try:
            model = keras.models.model_from_json(json.dumps(row["model"]))
        except Exception as error:  # noqa: BLE001  whatever Keras says is recorded
            wrong[row["seed"]] = str(error)[:200]
            continue
        found = differences(bare(row["model"]), bare(json.loads(model.to_json())))
        for key, ours in (("weights", model.weights), ("trained", model.trainable_weights)):
            if [list(w.shape) for w in ours] != row[key]:
                found.append(f"{key} {[list(w.shape) for w in ours]}")
        if row["seed"] in golden:
            found += predicted_otherwise(golden[row["seed"]], model)
        if found:
            wrong[row["seed"]] = found[:3]
        else:
            read += 1
    head = {"versions": VERSIONS, "networks": hashlib.sha256(networks).hexdigest()}
    text = json.dumps({**head, "read": read, "wrong": wrong}, indent=1)
    (HERE / "read_back.json").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
