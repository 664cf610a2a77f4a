#!/usr/bin/env bash
# Packs what run.sh needs on a machine with a GPU, which then needs neither a JDK nor this checkout:
#   pack.sh [--arch 75|80|86|89|90|120] OUT     the provider cut to one architecture: the loads are 46 and 25 MB
#   pack.sh --whole OUT                         the whole provider, should a device refuse a cut one
# OUT gets provider.tar.xz, replica.tar.xz, run.sh and measure.py. Build first: mvn package -DskipTests, or any ./knabla verb.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)

fail() {
  echo "pack.sh: $*" >&2
  exit 2
}

arch=
case ${1:-} in
  --arch) arch=${2:-}; shift 2 || fail "--arch takes a number: 75, 80, 86, 89, 90 or 120" ;;
  --whole) shift ;;
  *) arch=90 ;;
esac
case $arch in '' | 75 | 80 | 86 | 89 | 90 | 120) ;; *) fail "--arch is '$arch'; the provider has code for 75, 80, 86, 89, 90 and 120" ;; esac
[ $# = 1 ] || fail "write one folder for the loads, such as: pack.sh --arch 90 /tmp/loads"
out=$1
java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
replica=$root/runtime/target/replica
[ -f "$replica/replica.jar" ] || fail "$replica/replica.jar is missing; build first: mvn package -DskipTests"
libraries=$root/controller/target/quarkus-app/lib/main
[ -d "$libraries" ] || fail "$libraries is missing; build first: mvn package -DskipTests"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# 1: the provider, which the tests of the GPU download once, checked.
fake=$("$root/runtime/gpu-fake/prepare")
[ -n "$fake" ] || fail "the provider could not be prepared, see above"
capi=$work/provider/onnxruntime/capi
mkdir -p "$capi"
cp -L "$fake"/onnxruntime/capi/*.so* "$capi/"
if [ -n "$arch" ]; then
  python3 "$here/cut.py" "$arch" "$capi/libonnxruntime_providers_cuda.so"
fi
tar -C "$work/provider" -cf - . | xz -T0 -6 >"$out/provider.tar.xz"

# 2: a JVM with what the replica uses, the replica, and the samples as units.
mkdir "$work/load"
modules=$("$java_home/bin/jdeps" --print-module-deps --ignore-missing-deps --multi-release 25 "$replica/replica.jar")
"$java_home/bin/jlink" --add-modules "$modules" --vm server --strip-debug --no-header-files --no-man-pages --output "$work/load/jvm"
mkdir "$work/load/replica"
cp "$replica/replica.jar" "$work/load/replica/"
cp -r "$replica/native" "$work/load/replica/"
"$java_home/bin/java" --sun-misc-unsafe-memory-access=allow -cp "$libraries/*" "$here/PackUnits.java" "$root/functions/samples" "$work/load"
tar -C "$work/load" -cf - . | xz -T0 -6 >"$out/replica.tar.xz"

cp "$here/run.sh" "$here/measure.py" "$out/"
ls -l "$out"
