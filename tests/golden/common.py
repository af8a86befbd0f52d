"""What the generators share: Keras on TensorFlow's CPU, made reproducible, and files.py."""

import os

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
# oneDNN may sum in another order from one machine to the next.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from files import HERE, Draws, write  # noqa: E402, F401

VERSIONS = {"keras": keras.__version__, "tensorflow": tf.__version__, "numpy": np.__version__}
