"""Write the golden files of pre-trained networks anew, and the weights that are committed: `make golden-pretrained`.

The packages are those that fetch.mjs has fetched. Each of these files runs alone too.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent

for name in ["xception", "minilm"]:
    subprocess.run([sys.executable, "-B", HERE / f"{name}.py"], check=True)
