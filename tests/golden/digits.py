"""Handwritten digits for the demo: UCI's 8x8 set (Alpaydin & Kaynak 1998, Optical Recognition of Handwritten Digits, CC
BY 4.0), the 1,797 test samples as scikit-learn brings them. A line a sample: 64 brightnesses, row by row, each 0 to 16 as
one character of 0-9 and a-g, then the digit that it shows."""

from sklearn.datasets import load_digits

from common import HERE

CHARACTERS = "0123456789abcdefg"


def write_digits():
    digits = load_digits()
    lines = [
        "".join(CHARACTERS[int(value)] for value in image) + str(label)
        for image, label in zip(digits.data, digits.target)
    ]
    (HERE.parents[1] / "web/scenes/shared/digits.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
