"""read_back.json: whether Keras reads the JSON that gradlock writes of the networks, and writes the same again.

    node tests/golden/write_networks.mjs | /path/to/python tests/golden/read_back.py

The first makes each network of networks.json and prints its toJSON(); Keras makes a model of that. Recorded: how many there
are, and which Keras refuses, writes otherwise, or gives other weights.
"""

import json
import sys

from common import VERSIONS, keras
from files import HERE


def bare(value):
    if isinstance(value, list):
        return [bare(each) for each in value]
    if not isinstance(value, dict):
        return value
    skipped = ("build_config", "compile_config")
    return {key: bare(each) for key, each in value.items()
            if key not in skipped and not (key == "mask" and each is None) and not (key == "training" and each is False)}


def differences(ours, theirs, path=""):
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [d for key in {*ours, *theirs} for d in differences(ours.get(key), theirs.get(key), f"{path}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [d for i, (a, b) in enumerate(zip(ours, theirs)) for d in differences(a, b, f"{path}.{i}")]
    return [] if ours == theirs else [f"{path}: {ours}, Keras {theirs}"]


def main():
    read, wrong = 0, {}
    for line in sys.stdin:
        row = json.loads(line)
        keras.backend.clear_session()
        try:
            model = keras.models.model_from_json(json.dumps(row["model"]))
        except Exception as error:  # noqa: BLE001  whatever Keras says is recorded
            wrong[row["seed"]] = str(error)[:200]
            continue
        found = differences(bare(row["model"]), bare(json.loads(model.to_json())))
        if [list(w.shape) for w in model.weights] != row["weights"]:
            found.append(f"weights {[list(w.shape) for w in model.weights]}")
        if found:
            wrong[row["seed"]] = found[:3]
        else:
            read += 1
    text = json.dumps({"versions": VERSIONS, "read": read, "wrong": wrong}, indent=1)
    (HERE / "read_back.json").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
