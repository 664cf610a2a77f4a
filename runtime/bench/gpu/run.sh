#!/usr/bin/env bash
# Measures Knabla on an NVIDIA GPU, in less than 8 minutes: run.sh [FOLDER], where FOLDER has what pack.sh made (default: the
# folder of this file). Needs Linux x86-64, NVIDIA's driver 580 or newer, Python 3.9 or newer, tar, xz; CUDA 13 and cuDNN 9 of a
# PyTorch for cu130, or in KNABLA_CUDA_HOME as docs/gpu.md installs them. Each step has a limit, and one that fails ends no other.
# Exit code 0: all steps passed; 1: some did not; 3: there is no GPU that can be used.
set -euo pipefail
loads=$(cd "${1:-$(dirname "$0")}" && pwd)

fail() {
  echo "run.sh: $*" >&2
  exit 2
}

[ "$(uname -sm)" = "Linux x86_64" ] || fail "this needs Linux on x86-64, and here is $(uname -sm)"
for tool in python3 tar xz; do command -v "$tool" >/dev/null || fail "$tool is missing; install it"; done
for load in provider.tar.xz replica.tar.xz measure.py; do
  [ -f "$loads/$load" ] || fail "$loads/$load is missing; make it with pack.sh"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cuda"
tar -C "$work" -xJf "$loads/replica.tar.xz"
tar -C "$work/cuda" -xJf "$loads/provider.tar.xz"

# Where pip puts NVIDIA's libraries: below the folder that the user names, or among the packages of this Python.
packages=${KNABLA_CUDA_HOME:-$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')}
export LD_LIBRARY_PATH="$packages/nvidia/cu13/lib:$packages/nvidia/cudnn/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export KNABLA_CUDA_HOME=$work/cuda
status=0
python3 "$loads/measure.py" "$work" || status=$?
exit "$status"
