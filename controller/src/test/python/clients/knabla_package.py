"""The Python package of this repository: its wheel is built, and its tests run against the wheel alone.

PyTorch is large and not installed; its test runs with it where KNABLA_TEST_TORCH names a folder that holds it.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from targets import SERVER

PACKAGE = pathlib.Path(__file__).resolve().parents[5] / "runtime" / "python"


def pip(*arguments):
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *arguments], check=True)


with tempfile.TemporaryDirectory() as folder:
    installed = pathlib.Path(folder) / "installed"
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, str(PACKAGE))
    wheel, = pathlib.Path(folder).glob("knabla-*.whl")
    pip("install", "--no-deps", "--target", str(installed), str(wheel))
    path = os.pathsep.join([str(installed), *filter(None, [os.environ.get("KNABLA_TEST_TORCH")])])
    environment = {**os.environ, "PYTHONPATH": path, "KNABLA_SERVER": SERVER, "PYTHONDONTWRITEBYTECODE": "1"}
    sys.exit(subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", str(PACKAGE)], env=environment).returncode)
