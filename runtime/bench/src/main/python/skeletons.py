"""Exports the models of bench autodiff without their weights: each large tensor holds the recipe it is made by (see stream.py).

  python skeletons.py     -> ../../../harness/src/main/resources/autodiff/NAME.onnx
"""

import logging
import pathlib
import warnings

import onnx
import torch
from onnx import numpy_helper

import stream
import workloads

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "harness/src/main/resources/autodiff"
RECIPE = "recipe: "


def inputs(given):
    recipes = {}
    for seed, (name, (kind, bound, shape)) in enumerate(given.items(), 1000):
        recipes[name] = (f"below {bound} {seed}" if kind == "below" else f"uniform {-bound} {bound} {seed}", shape)
    return recipes


def skeleton(build, given):
    model = build().eval()
    tensors = {n: t for n, t in [*model.named_parameters(), *model.named_buffers()] if t.is_floating_point()}
    kept = {"cos", "sin"}
    recipes = {}
    with torch.no_grad():
        for seed, (name, tensor) in enumerate(tensors.items()):
            if name not in kept:
                low, high = workloads.spread(name, tensor)
                recipes[name] = f"uniform {low!r} {high!r} {seed}"
                tensor.copy_(torch.from_numpy(stream.tensor(recipes[name], tuple(tensor.shape))))
    feeds = {n: torch.from_numpy(stream.tensor(r, s)) for n, (r, s) in inputs(given).items()}
    program = torch.onnx.export(model, tuple(feeds.values()), dynamo=True, verbose=False, opset_version=20, optimize=False,
                                input_names=list(feeds), output_names=["loss"])
    with torch.no_grad():
        loss = float(model(*feeds.values()))
    return emptied(program.model_proto, recipes, inputs(given), loss)


def emptied(model, recipes, given, loss):
    strip(model)
    for t in model.graph.initializer:
        if t.name in recipes and len(t.raw_data) > 256:
            del t.float_data[:]
            t.ClearField("raw_data")
            t.doc_string = RECIPE + recipes[t.name]
    for value in model.graph.input:
        value.doc_string = RECIPE + given[value.name][0]
    entry = model.metadata_props.add()
    entry.key, entry.value = "loss", repr(loss)
    return model


def strip(model):
    model.doc_string = ""
    del model.metadata_props[:]
    for thing in [*model.graph.node, *model.graph.value_info, *model.graph.input, *model.graph.output, *model.graph.initializer]:
        thing.doc_string = ""
        del thing.metadata_props[:]
    for function in model.functions:
        del function.metadata_props[:]
        for node in function.node:
            node.doc_string = ""
            del node.metadata_props[:]


def recipe(thing):
    return thing.doc_string[len(RECIPE):] if thing.doc_string.startswith(RECIPE) else None


def filled(model):
    """The weights and inputs of a skeleton by name."""
    weights = {t.name: stream.tensor(recipe(t), tuple(t.dims)) if recipe(t) else numpy_helper.to_array(t) for t in model.graph.initializer}
    feeds = {v.name: stream.tensor(recipe(v), [d.dim_value for d in v.type.tensor_type.shape.dim]) for v in model.graph.input}
    return weights, feeds


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (build, given) in workloads.WORKLOADS.items():
        model = skeleton(build, given)
        (FOLDER / f"{name}.onnx").write_bytes(model.SerializeToString())
        print(name, model.ByteSize(), "bytes,", len(model.graph.node), "nodes, loss", model.metadata_props[0].value, flush=True)


if __name__ == "__main__":
    main()
