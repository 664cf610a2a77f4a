"""Turns PyTorch's OpInfo entries into gradient fixtures (see cases.py for the layout).

  python opinfo.py                      all entries -> ../resources/opinfo/{opinfo.zip,coverage.json}
  python opinfo.py --only 'nn_func*'    some of them, reported to the terminal, nothing written
"""

import argparse
import fnmatch
import json
import multiprocessing
import sys
import time
import types
import unittest
import warnings
import zlib

import numpy as np

import cases

SAMPLES = 14  # how many samples of an entry are tried before it is given up
LARGEST = 500_000  # bytes of one case
FORWARD = 1e-3  # a forward further from torch than this is the exporter's fault, not ours


def op_db():
    # expecttest is imported by torch's test helpers and used by none of what we call.
    stub = types.ModuleType("expecttest")
    stub.TestCase = unittest.TestCase
    sys.modules.setdefault("expecttest", stub)
    import torch
    from torch.testing._internal.common_methods_invocations import op_db as entries
    return [e for e in entries if e.supports_autograd and torch.float32 in e.supported_backward_dtypes("cpu")]


def leaves(sample):
    """The tensors of a sample, and a function that puts others in their places."""
    import torch
    from torch.utils import _pytree
    flat, spec = _pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    at = [i for i, v in enumerate(flat) if isinstance(v, torch.Tensor)]

    def call(op, tensors):
        filled = list(flat)
        for i, t in zip(at, tensors):
            filled[i] = t
        first, args, kwargs = _pytree.tree_unflatten(filled, spec)
        out = sample.output_process_fn_grad(op(first, *args, **kwargs))
        outs = [t for t in _pytree.tree_leaves(out) if isinstance(t, torch.Tensor)]
        # The exporter writes complex numbers as pairs, too.
        return [torch.view_as_real(t.resolve_conj()) if t.is_complex() else t for t in outs]

    return [flat[i].detach().clone() for i in at], [flat[i].requires_grad for i in at], call


def module(op, call):
    import torch

    class Entry(torch.nn.Module):
        def forward(self, *tensors):
            return tuple(call(op, tensors))

    return Entry().eval()


def sample_case(entry, name, number, sample):
    import torch
    tensors, grads, call = leaves(sample)
    if any(t.is_complex() or t.layout != torch.strided for t in tensors):
        raise cases.Refused("input complex or not dense")
    wrt = [i for i, (t, g) in enumerate(zip(tensors, grads)) if g and t.dtype == torch.float32]
    if not wrt:
        raise cases.Refused("no differentiable input")
    if all(t.numel() == 0 for t in tensors):
        raise cases.Refused("input empty")
    if sum(t.numel() * 4 for t in tensors) > LARGEST:
        raise cases.Refused("inputs too large")
    outs = call(entry.op, [t.clone() for t in tensors])
    if any(o.dtype in (torch.bfloat16, torch.float16) for o in outs):
        raise cases.Refused("output in half precision")
    # Of several outputs those that are no real numbers (indices) only lose their cotangent.
    if not any(o.is_floating_point() for o in outs):
        raise cases.Refused("output not float")
    reference = Reference(entry.op, call, tensors, wrt, zlib.crc32(name.encode()) + number)
    if not reference.differentiable:
        raise cases.Refused("output not differentiable")
    model, exporter = export(entry.op, call, tensors)
    feeds = {f"x{i}": t.numpy() for i, t in enumerate(tensors)}
    try:
        got = cases.forward(model, feeds)
    except Exception as e:
        raise cases.Refused("ONNX Runtime: " + cases.short(e)) from e
    worst = max((cases.error(g, o.numpy(force=True)) for g, o in zip(got, outs)), default=0.0)
    if len(got) != len(outs) or not worst < FORWARD:
        raise cases.Refused(f"forward differs by {worst:.1e}")
    return reference.case(name, model, f"{exporter} exporter, sample {number}", tensors, worst)


def export(op, call, tensors):
    """By today's exporter, or, where it has no translation, by the older one, which many models in the field come from."""
    import torch
    names = [f"x{i}" for i in range(len(tensors))]
    outs = [f"y{i}" for i in range(len(call(op, [t.clone() for t in tensors])))]
    arguments = tuple(t.clone() for t in tensors)
    try:
        program = torch.onnx.export(module(op, call), arguments, dynamo=True, verbose=False, opset_version=cases.OPSET,
                                    input_names=names, output_names=outs)
        return cases.strip(program.model_proto), "dynamo"
    except Exception as e:
        reason = "not exportable: " + cases.short(e)
    try:
        import onnx
        buffer = cases.io.BytesIO()
        torch.onnx.export(module(op, call), arguments, buffer, dynamo=False, opset_version=cases.OPSET, input_names=names,
                          output_names=outs)
        return cases.strip(onnx.load_from_string(buffer.getvalue())), "legacy"
    except Exception as e:
        raise cases.Refused(reason) from e


class Reference:
    """What torch says: in float64 where it can, since that is what both float32 answers should be near."""

    def __init__(self, op, call, tensors, wrt, seed):
        import torch
        self.wrt = wrt
        generator = torch.Generator().manual_seed(seed)
        self.tangents = {i: torch.randn(tensors[i].shape, generator=generator) for i in wrt}
        outs = self._outputs(op, call, tensors, torch.float32)[1]
        self.float_outputs = [i for i, o in enumerate(outs) if o.requires_grad and o.is_floating_point()]
        self.differentiable = bool(self.float_outputs)
        self.outputs = [o.detach().numpy(force=True) for o in outs]
        if not self.differentiable:
            return
        self.cotangents = {i: torch.randn(outs[i].shape, generator=generator).to(outs[i].dtype) for i in self.float_outputs}
        single = self._gradients(op, call, tensors, torch.float32)
        try:
            double = self._gradients(op, call, tensors, torch.float64)
        except Exception:
            double = single
        self.error32 = max(cases.error(s, d) for s, d in zip(single, double))
        # Where double takes another branch (a kink, a float32-only constant) the float32 answer is the one to match.
        self.dtype = torch.float64 if double is not single and self.error32 < 1e-2 else torch.float32
        self.gradients = double if self.dtype == torch.float64 else single
        if not all(np.isfinite(g).all() for g in self.gradients):
            raise cases.Refused("gradient not finite")
        self.jvp, self.hvp = self._second(op, call, tensors)

    def _outputs(self, op, call, tensors, dtype):
        xs = [t.clone().to(dtype) if t.is_floating_point() else t.clone() for t in tensors]
        for i in self.wrt:
            xs[i].requires_grad_(True)
        # Operators that write into their input may not do so with a leaf.
        return xs, call(op, [x.clone() if i in self.wrt else x for i, x in enumerate(xs)])

    def _gradients(self, op, call, tensors, dtype, graph=False):
        import torch
        xs, outs = self._outputs(op, call, tensors, dtype)
        grads = torch.autograd.grad([outs[i] for i in self.float_outputs], [xs[i] for i in self.wrt],
                                    [self.cotangents[i].to(outs[i].dtype) for i in self.float_outputs],
                                    allow_unused=True, materialize_grads=True, create_graph=graph)
        return (xs, grads) if graph else [g.detach().numpy(force=True) for g in grads]

    def _second(self, op, call, tensors):
        import torch
        tangents = [self.tangents[i].to(self.dtype) for i in self.wrt]
        jvp = hvp = None
        try:
            def function(*active):
                xs = [t.to(self.dtype) if t.is_floating_point() else t for t in tensors]
                for i, x in zip(self.wrt, active):
                    xs[i] = x.clone()
                outs = call(op, xs)
                return [outs[i] for i in self.float_outputs]
            primals = tuple(tensors[i].to(self.dtype) for i in self.wrt)
            jvp = [t.numpy(force=True) for t in torch.func.jvp(function, primals, tuple(tangents))[1]]
        except Exception:
            pass
        if jvp is not None and not self._adjoint(jvp):
            return None, None
        try:
            xs, grads = self._gradients(op, call, tensors, self.dtype, graph=True)
            again = torch.autograd.grad([g for g in grads if g.requires_grad], [xs[i] for i in self.wrt],
                                        [t for g, t in zip(grads, tangents) if g.requires_grad],
                                        allow_unused=True, materialize_grads=True) if any(
                                            g.requires_grad for g in grads) else [torch.zeros_like(g) for g in grads]
            hvp = [t.numpy(force=True) for t in again]
            hvp = hvp if self._difference(op, call, tensors, tangents, hvp) else None
        except Exception:
            pass
        return jvp, hvp

    def _adjoint(self, jvp):
        """Whether cotangent · jvp = gradient · tangent: some operators' own forward mode is not that of their backward."""
        forward = sum(float((np.float64(j) * self.cotangents[i].double().numpy()).sum()) for i, j in zip(self.float_outputs, jvp))
        backward = sum(float((np.float64(g) * self.tangents[i].double().numpy()).sum()) for i, g in zip(self.wrt, self.gradients))
        size = sum(float(np.abs(np.float64(g) * self.tangents[i].double().numpy()).sum()) for i, g in zip(self.wrt, self.gradients))
        return all(np.isfinite(t).all() for t in jvp) and abs(forward - backward) <= 1e-4 * max(size, 1e-6)

    def _difference(self, op, call, tensors, tangents, hvp):
        """Whether the gradient changes along the tangent as stated, where float64 can tell."""
        if not all(np.isfinite(t).all() for t in hvp):
            return False
        if self.dtype != torch_double():
            return True
        step, ends = 1e-6, []
        for sign in (1, -1):
            moved = list(tensors)
            for i, t in zip(self.wrt, tangents):
                moved[i] = tensors[i].double() + sign * step * t
            ends.append(self._gradients(op, call, moved, self.dtype))
        change = [(a - b) / (2 * step) for a, b in zip(*ends)]
        largest = max(np.linalg.norm(t) for t in [*hvp, *change])
        return all(cases.error(c, t, floor=max(1e-2 * largest, 1e-3)) < 1e-2 for c, t in zip(change, hvp))

    def case(self, name, model, source, tensors, forward_error):
        c = cases.Case(name, model, source=source, error32=self.error32, forward=forward_error)
        present = {i.name for i in model.graph.input}
        for i, t in enumerate(tensors):
            if f"x{i}" in present:
                c.add("inputs", f"x{i}", t.numpy(), wrt=i in self.wrt)
        for i, o in enumerate(self.outputs):
            more = {"ct": c.attach(f"ct-{i}.npy", self.cotangents[i].numpy())} if i in self.float_outputs else {}
            c.add("outputs", model.graph.output[i].name, o, **more)
        for part, values in (("gradients", self.gradients), ("hvp", self.hvp)):
            for i, v in zip(self.wrt, values or []):
                c.add(part, f"x{i}", v.astype(np.float32))
        if self.jvp is not None or self.hvp is not None:
            for i in self.wrt:
                c.add("tangents", f"x{i}", self.tangents[i].numpy())
        for i, v in zip(self.float_outputs, self.jvp or []):
            c.add("jvp", model.graph.output[i].name, v.astype(self.outputs[i].dtype))
        return c


def torch_double():
    import torch
    return torch.float64


def samples(entry, name):
    """The first few, those with something to differentiate and with dimensions first."""
    import torch
    torch.manual_seed(zlib.crc32(name.encode()))
    found = []
    for number, s in enumerate(entry.sample_inputs("cpu", torch.float32, requires_grad=True)):
        found.append((number, s))
        if len(found) == 40:
            break

    def dull(numbered):
        tensors, grads, _ = leaves(numbered[1])
        active = [t for t, g in zip(tensors, grads) if g]
        return (not active, any(t.numel() == 0 for t in tensors), all(t.ndim == 0 for t in active), numbered[0])

    return sorted(found, key=dull)


def entry_case(entry, name):
    reasons = []
    for number, sample in samples(entry, name)[:SAMPLES]:
        try:
            c = sample_case(entry, name, number, sample)
            if c.bytes() > LARGEST:
                raise cases.Refused("case too large")
            return c, None
        except cases.Refused as e:
            reasons.append(str(e))
        except Exception as e:
            reasons.append("torch: " + cases.short(e))
    return None, reasons[0] if reasons else "no samples"


def worker(connection):
    import torch
    import logging
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    entries = {name_of(e): e for e in op_db()}
    connection.send("ready")
    while True:
        name = connection.recv()
        if name is None:
            return
        try:
            result = entry_case(entries[name], name)
        except Exception as e:
            result = (None, "torch: " + cases.short(e))
        connection.send(result)


def name_of(entry):
    return entry.formatted_name


class Slot:
    """One worker process, started again when an entry hangs or kills it."""

    def __init__(self):
        self.start()

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.connection, child = context.Pipe()
        self.process = context.Process(target=worker, args=(child,), daemon=True)
        self.process.start()
        child.close()
        assert self.connection.recv() == "ready"
        self.name = None

    def give(self, name):
        self.name, self.since = name, time.monotonic()
        self.connection.send(name)

    def answer(self, limit):
        """The answer, or None while there is none."""
        try:
            if self.connection.poll(0.05):
                return self.connection.recv()
        except EOFError:
            self.process.join()
            self.start()
            return None, "exporter crashed"
        if time.monotonic() - self.since > limit:
            self.process.kill()
            self.process.join()
            self.start()
            return None, f"no answer in {limit} s"
        return None


def run(names, processes, limit, report):
    results, todo = {}, list(reversed(names))
    slots = [Slot() for _ in range(processes)]
    for s in slots:
        if todo:
            s.give(todo.pop())
    while any(s.name for s in slots):
        for s in slots:
            if s.name is None:
                continue
            name, got = s.name, s.answer(limit)
            if got is None:
                continue
            results[name] = got
            report(name, got, len(results), len(names))
            s.name = None
            if todo:
                s.give(todo.pop())
    for s in slots:
        s.connection.send(None)
    return results


def coverage(results):
    import torch
    dropped = {n: r for n, (c, r) in sorted(results.items()) if c is None}
    return {"torch": torch.__version__, "opset": cases.OPSET, "tried": len(results), "exported": len(results) - len(dropped),
            "dropped": dropped}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--only")
    p.add_argument("--processes", type=int, default=2)
    p.add_argument("--limit", type=int, default=240)
    p.add_argument("--out", default=str(cases.RESOURCES / "opinfo"))
    a = p.parse_args()
    names = sorted({name_of(e) for e in op_db()})
    if a.only:
        names = [n for n in names if fnmatch.fnmatch(n, a.only)]

    def report(name, got, done, total):
        print(f"{done}/{total} {name}: {got[1] or 'ok ' + str(got[0].bytes())}", flush=True)

    results = run(names, a.processes, a.limit, report)
    c = coverage(results)
    print(f"tried {c['tried']}, exported {c['exported']}")
    if not a.only:
        folder = cases.pathlib.Path(a.out)
        cases.write(folder / "opinfo.zip", [case for case, _ in results.values() if case])
        (folder / "coverage.json").write_text(json.dumps(c, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
