"""Writes the table of kernels that ONNX Runtime's CUDA provider registers, which the compiler reads.

    python cuda_kernels.py cuda-kernels.tsv.gz

Needs the packages onnx and onnxruntime-gpu; all providers of the latter must load, on a machine without a GPU with stand-ins of
the CUDA libraries. One line for each operator, range of opsets and set of kernels, with five columns: domain, operator,
first and last opset (inclusive, the last one 0 if open), types by position, positions in host memory. A position is i or
o with the number of an input or output. A position in host memory is one whose tensor the kernel reads or writes on
the CPU; ONNX Runtime does not tell it, so it is found by opening sessions (host_positions).
"""
import collections
import gzip
import re
import sys

import onnx
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as state
from onnx import TensorProto, helper

OPEN = 2147483647
# Operators with a graph or a sequence, which host_positions cannot make; read in the provider's sources.
STATED = {
    "If": "i0", "Loop": "i0 i1", "Upsample": "i1", "SequenceAt": "i1", "SequenceErase": "i1",
    "SequenceInsert": "i2", "SequenceLength": "o0", "Shape": "o0", "Size": "o0", "Dropout": "i1 i2",
    "com.microsoft.GroupQueryAttention": "i6", "Clip": "",
}
PRODUCERS = {  # operators without a CUDA kernel, by the type that they give
    "tensor(float)": ("Sinh", TensorProto.FLOAT), "tensor(int64)": ("BitwiseNot", TensorProto.INT64),
    "tensor(int32)": ("BitwiseNot", TensorProto.INT32), "tensor(uint8)": ("BitwiseNot", TensorProto.UINT8),
    "tensor(bool)": ("RegexFullMatch", TensorProto.STRING),
}
DEFAULTS = {"INT": 1, "FLOAT": 1.0, "INTS": [1, 1], "FLOATS": [1.0], "STRING": "ij->ij"}


def kernels():
    """(domain, operator) -> [(first version, last version, {constraint: types})]"""
    found = collections.defaultdict(list)
    for kernel in state.get_all_opkernel_def():
        if kernel.provider == "CUDAExecutionProvider":
            first, last = kernel.version_range
            found[kernel.domain, kernel.op_name].append((first, last, dict(kernel.type_constraints)))
    return found


def schemas():
    """(domain, operator) -> schemas by ascending version"""
    found = collections.defaultdict(dict)
    for schema in state.get_all_operator_schema():
        found[schema.domain, schema.name][schema.since_version] = schema
    return {key: [versions[v] for v in sorted(versions)] for key, versions in found.items()}


def runs(first, last, since):
    """Whether ONNX Runtime takes a kernel for a node whose schema has this version."""
    return first == since or (first < since <= last and last != OPEN)


def position(schema, constraint):
    """The first position whose type the constraint states."""
    for side, parameters in (("i", schema.inputs), ("o", schema.outputs)):
        for index, parameter in enumerate(parameters):
            if parameter.typeStr == constraint:
                return f"{side}{index}"
    return None


def short(types):
    """Element types; a sequence counts as its elements."""
    return frozenset(re.findall(r"\w+", t)[-1] for t in types)


def merged(rows):
    """Joins rows that differ in the types of one position."""
    rows = [dict(row) for row in {tuple(sorted(row.items())) for row in rows}]
    for key in sorted({k for row in rows for k in row}):
        groups = collections.defaultdict(set)
        for row in rows:
            rest = tuple(sorted((k, v) for k, v in row.items() if k != key))
            groups[rest, key in row] |= row.get(key, frozenset())
        rows = [dict(rest) | ({key: frozenset(types)} if has else {}) for (rest, has), types in groups.items()]
    return rows


def host_positions(schema, constraints):
    """The inputs for which ONNX Runtime inserts no copy, although they come from the CPU; None if that cannot be seen."""
    nodes, inputs, names = [], [], []
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    for index, parameter in enumerate(schema.inputs):
        types = constraints.get(parameter.type_str, allowed.get(parameter.type_str, [parameter.type_str]))
        kind = next((t for t in PRODUCERS if t in types), None)
        if kind is None:
            return None
        operator, element = PRODUCERS[kind]
        extra = {"pattern": "a"} if operator == "RegexFullMatch" else {}
        inputs.append(helper.make_tensor_value_info(f"g{index}", element, None))
        nodes.append(helper.make_node(operator, [f"g{index}"], [f"x{index}"], **extra))
        names.append(f"x{index}")
    attributes = {n: DEFAULTS.get(str(a.type).split(".")[-1]) for n, a in schema.attributes.items() if a.required}
    if any(value is None for value in attributes.values()):
        return None
    for count in (len(schema.outputs), 1):
        outputs = [f"y{i}" for i in range(count)]
        node = helper.make_node(schema.name, names, outputs, name="probe", **attributes)
        graph = helper.make_graph(nodes + [node], "g", inputs, [helper.make_empty_tensor_value_info(o) for o in outputs])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.optimized_model_filepath = "placed.onnx"
        try:
            onnxruntime.InferenceSession(
                model.SerializeToString(), options, providers=["CUDAExecutionProvider", "CPUExecutionProvider"])
        except Exception:
            continue
        placed = next(n for n in onnx.load("placed.onnx").graph.node if n.name == "probe")
        kept = [f"i{i}" for i, name in enumerate(names) if name in placed.input]
        return kept if len(kept) < len(names) or schema.name in ("Range", "ConstantOfShape") else []
    return None


def host(domain, operator, constraints, cache={}):
    key = f"{domain}.{operator}" if domain else operator
    if key in STATED:
        return STATED[key]
    if domain:
        return ""
    if key not in cache:
        try:
            schema = onnx.defs.get_schema(operator, 23, "")
            cache[key] = " ".join(host_positions(schema, constraints) or [])
        except onnx.defs.SchemaError:
            cache[key] = ""
    return cache[key]


def lines():
    known = schemas()
    for (domain, operator), registered in sorted(kernels().items()):
        if domain == "com.ms.internal.nhwc" or operator.startswith("Memcpy"):
            continue
        versions = known.get((domain, operator), [])
        for index, schema in enumerate(versions):
            last = versions[index + 1].since_version - 1 if index + 1 < len(versions) else 0
            rows = []
            for first, final, constraints in registered:
                if runs(first, final, schema.since_version):
                    placed = {position(schema, c): short(types) for c, types in constraints.items()}
                    placed.pop(None, None)
                    rows.append(placed)
            positions = host(domain, operator, registered[-1][2]) if rows else ""
            count = len(schema.inputs)
            positions = " ".join(p for p in positions.split() if p[0] == "o" or int(p[1:]) < count)
            for row in merged(rows):
                types = ";".join(f"{k}={','.join(sorted(v))}" for k, v in sorted(row.items()))
                yield "\t".join((domain, operator, str(schema.since_version), str(last), types, positions))


if __name__ == "__main__":
    onnxruntime.set_default_logger_severity(4)
    with open(sys.argv[1], "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
        packed.write(("\n".join(sorted(lines())) + "\n").encode())
