"""Small graphs with what exporters write more rarely: old and new opsets, control flow, local functions, number types,
weights in files of their own, strings, sequences. They are written down with onnx.parser and onnx.helper."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from zoo import RANDOM, case, write


def numbers(*shape, dtype=np.float32):
    return RANDOM.normal(size=shape).astype(dtype)


def weight(name, *shape, dtype=np.float32):
    return numpy_helper.from_array(numbers(*shape, dtype=dtype), name)


def text_case(name, text, initializers=(), **feeds):
    """A graph in ONNX's text format."""
    @case("graph-" + name)
    def run(folder):
        model = onnx.parser.parse_model(text)
        model.graph.initializer.extend(make() for make in initializers)
        return write(model, folder), feeds


text_case("if-and-loop", """
<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 3] x, int64 count, bool flag) => (float[N, 3] y, float[K, N, 3] steps) {
  yes = Constant<value = bool {1}>()
  y, steps = Loop(count, yes, x) <body = step (int64 i, bool go, float[N, 3] carried) => (bool still, float[N, 3] next, float[N, 3] out) {
    still = Identity(go)
    next = If(flag) <
      then_branch = t () => (float[N, 3] a) { a = Sin(carried) },
      else_branch = e () => (float[N, 3] b) { b = Add(carried, carried) }>
    out = Identity(next)
  }>
}""", x=numbers(2, 3), count=np.array(4, np.int64), flag=np.array(True))

text_case("scan", """
<ir_version: 8, opset_import: ["" : 17]>
g (float[T, 3] x) => (float[3] last, float[T, 3] sums) {
  zero = Constant<value = float[3] {0, 0, 0}>()
  last, sums = Scan<num_scan_inputs = 1, body = step (float[3] sum, float[3] row) => (float[3] next, float[3] out) {
    next = Add(sum, row)
    out = Identity(next)
  }>(zero, x)
}""", x=numbers(5, 3))

text_case("local-function", """
<ir_version: 9, opset_import: ["" : 18, "my.domain" : 1]>
g (float[N, 4] x) => (float[N, 4] y) {
  h = my.domain.SwishTwice<beta = 1.5>(x)
  y = my.domain.Swish<beta = 0.5>(h)
}
<domain: "my.domain", opset_import: ["" : 18]>
Swish <beta> (x) => (y) {
  b = Constant<value_float: float = @beta>()
  scaled = Mul(x, b)
  s = Sigmoid(scaled)
  y = Mul(x, s)
}
<domain: "my.domain", opset_import: ["" : 18, "my.domain" : 1]>
SwishTwice <beta> (x) => (y) {
  h = my.domain.Swish<beta: float = @beta>(x)
  y = my.domain.Swish<beta: float = @beta>(h)
}""", x=numbers(2, 4))

text_case("opset-7", """
<ir_version: 3, opset_import: ["" : 7]>
g (float[2, 3] x, float[3, 4] w) => (float[2, 4] y) {
  h = MatMul(x, w)
  y = Softmax<axis = 1>(h)
}""", x=numbers(2, 3), w=numbers(3, 4))

text_case("opset-23-attention", """
<ir_version: 11, opset_import: ["" : 23]>
g (float[B, 2, T, 8] q, float[B, 2, S, 8] k, float[B, 2, S, 8] v, float[8] scale) => (float[B, 2, T, 8] y) {
  a = Attention<is_causal = 1>(q, k, v)
  y = RMSNormalization<axis = -1>(a, scale)
}""", q=numbers(2, 2, 3, 8), k=numbers(2, 2, 3, 8), v=numbers(2, 2, 3, 8), scale=numbers(8))

text_case("names-of-tensorflow-1", """
<ir_version: 8, opset_import: ["" : 13]>
g (float["unk__6", 3] "serving_default_input_1:0") => (float["unk__6", 3] "StatefulPartitionedCall:0") {
  "StatefulPartitionedCall:0" = Tanh("serving_default_input_1:0")
}""", **{"serving_default_input_1:0": numbers(2, 3)})

text_case("names-in-unicode", """
<ir_version: 8, opset_import: ["" : 17]>
g (float["größe", 3] "eingänge/größe [m]") => (float["größe", 3] "出力") {
  "出力" = Relu("eingänge/größe [m]")
}""", **{"eingänge/größe [m]": numbers(2, 3)})

text_case("no-rows", """
<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 3] x, float[M, 3] past) => (float[K, 3] y, float[3] sum) {
  y = Concat<axis = 0>(past, x)
  axes = Constant<value = int64[1] {0}>()
  sum = ReduceSum<keepdims = 0>(past, axes)
}""", x=numbers(2, 3), past=numbers(0, 3))

text_case("integers", """
<ir_version: 8, opset_import: ["" : 17]>
g (int64[N] ids, int8[N] small, uint64[N] large, uint8[N] bytes) => (int64[N] rest, int64[K, 1] places, int64[U] once, uint64[N] same, int32[N] sum, uint8[N] shifted) {
  seven = Constant<value = int64[1] {7}>()
  rest = Mod(ids, seven)
  mask = Cast<to = 9>(rest)
  found = NonZero(mask)
  places = Transpose<perm = [1, 0]>(found)
  once = Unique<sorted = 1>(ids)
  same = Identity(large)
  wide = Cast<to = 6>(small)
  sum = Add(wide, wide)
  one = Constant<value = uint8[1] {1}>()
  shifted = BitShift<direction = "LEFT">(bytes, one)
}""", ids=np.array([2 ** 62 + 3, -9, 0, 7], np.int64), small=np.array([-128, 127, 0, 1], np.int8),
    large=np.array([2 ** 64 - 1, 2 ** 53 + 1, 0, 1], np.uint64), bytes=np.array([255, 1, 2, 3], np.uint8))

text_case("strings", """
<ir_version: 10, opset_import: ["" : 20]>
g (string[N] a, string[N] b) => (string[N] joined, bool[N] match, string[N, K] parts, int64[N] counts) {
  joined = StringConcat(a, b)
  match = RegexFullMatch<pattern = "[a-zü ]+">(a)
  parts, counts = StringSplit<delimiter = " ">(a)
}""", a=np.array(["one two", "drei für\u00e4 4", ""], object), b=np.array(["!", "\n", "'\""], object))

text_case("sequences", """
<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 4] x) => (seq(float[N, 2]) halves, float[N, 4] y) {
  halves = SplitToSequence<axis = 1>(x, two)
  y = ConcatFromSequence<axis = 1>(halves)
}""", [lambda: numpy_helper.from_array(np.array(2, np.int64), "two")], x=numbers(3, 4))

text_case("random", """
<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 4] x) => (float[N, 4] y) {
  n = RandomNormalLike<seed = 1.0>(x)
  z = Sub(n, n)
  y = Add(x, z)
}""", x=numbers(3, 4))

text_case("microsoft-operators", """
<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
g (float[N, 8] x) => (float[N, 8] y) {
  h = com.microsoft.BiasGelu(x, bias)
  y = com.microsoft.FusedMatMul<alpha = 0.5, transB = 1>(h, w)
}""", [lambda: weight("bias", 8), lambda: weight("w", 8, 8)], x=numbers(3, 8))


def typed_case(name, kind, dtype):
    """A layer whose inputs, weights and outputs have the type."""
    @case("graph-" + name)
    def run(folder):
        nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Tanh", ["h"], ["y"])]
        inputs = [helper.make_tensor_value_info("x", kind, ["n", 4])]
        outputs = [helper.make_tensor_value_info("y", kind, ["n", 3])]
        w = numpy_helper.from_array(numbers(4, 3, dtype=dtype), "w")
        graph = helper.make_graph(nodes, "g", inputs, outputs, [w])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        return write(model, folder), {"x": numbers(2, 4, dtype=dtype)}


typed_case("float16", TensorProto.FLOAT16, np.float16)
typed_case("float64", TensorProto.DOUBLE, np.float64)


def inside_case(name, kind, opset):
    """Floats outside, weights of the type inside."""
    @case("graph-" + name)
    def run(folder):
        w = helper.make_tensor("w", kind, [4, 3], numbers(4, 3).clip(-3, 3).ravel().tolist())
        nodes = [helper.make_node("Cast", ["w"], ["f"], to=TensorProto.FLOAT), helper.make_node("MatMul", ["x", "f"], ["y"])]
        graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])], [w])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
        return write(model, folder), {"x": numbers(2, 4)}


inside_case("bfloat16-weights", TensorProto.BFLOAT16, 17)
inside_case("float8-weights", TensorProto.FLOAT8E4M3FN, 19)
inside_case("int4-weights", TensorProto.INT4, 21)


@case("graph-external-files")
def external(folder):
    """Each weight in a file of its own, one of them in a subfolder."""
    nodes = [helper.make_node("Gemm", ["x", "a", "b"], ["h"]), helper.make_node("MatMul", ["h", "c"], ["y"])]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 32])],
        [weight("a", 64, 64), weight("b", 64), weight("c", 64, 32)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    file = folder / "model.onnx"
    onnx.save_model(model, str(file), save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)
    return file, {"x": numbers(2, 64)}


@case("graph-sparse-weights")
def sparse(folder):
    values = numpy_helper.from_array(np.array([1.5, -2, 3], np.float32), "w")
    places = numpy_helper.from_array(np.array([0, 5, 11], np.int64), "w_places")
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])])
    graph.sparse_initializer.append(helper.make_sparse_tensor(values, places, [4, 3]))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return write(model, folder), {"x": numbers(2, 4)}
