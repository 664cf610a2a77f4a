"""Whole models with random weights, exported by PyTorch, with the gradients of their inputs and of all parameters.

  python families.py [--only GLOB]   -> ../resources/families/{families.zip,coverage.json}

Each is exported as users are told to (optimize=False: every parameter under its own name) and, where marked, as the exporter does by
default, which merges equal initializers and folds BatchNorm; then only what is left under its own name has an expected gradient.
"""

import argparse
import fnmatch
import json
import logging
import warnings
from dataclasses import dataclass
from typing import Callable

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional as F

import cases
import nets

SEEDS = 12
FORWARD = 1e-5  # a forward further from torch than this is the exporter's fault, not ours
STEADY = 2e-6  # how far torch's float32 may be from its float64: beyond, a unit sits on a kink and any answer is a coin toss


@dataclass
class Family:
    build: Callable
    inputs: Callable
    default: bool = True  # export also with the exporter's optimiser
    dynamic: bool = False  # first dimension of every input left open
    second: bool = False  # smooth and small: expect jvp and hvp, too
    steady: float = STEADY
    trained: bool = True  # False: weights as initialised, so that the exporter merges equal ones


def tokens(high, *shape):
    return lambda: (torch.randint(0, high, shape),)


def reals(*shapes):
    return lambda: tuple(torch.randn(s) for s in shapes)


def labelled(shape, classes):
    return lambda: (torch.randn(shape), torch.randint(0, classes, shape[:1]))


def hugging(model, config, wrap=nets.Hugging, attention="eager", **settings):
    def build():
        import transformers
        c = getattr(transformers, config)(**settings)
        c._attn_implementation = attention
        return wrap(getattr(transformers, model)(c))
    return build


BERT = dict(vocab_size=40, hidden_size=24, num_hidden_layers=2, num_attention_heads=2, intermediate_size=48,
            max_position_embeddings=16, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
GPT2 = dict(vocab_size=40, n_embd=24, n_layer=2, n_head=2, n_positions=16, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
LLAMA = dict(vocab_size=40, hidden_size=24, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=32)
T5 = dict(vocab_size=40, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, relative_attention_num_buckets=8,
          relative_attention_max_distance=16, dropout_rate=0.0, decoder_start_token_id=0)

FAMILIES = {
    "linear_regression": Family(lambda: nets.WithLoss(nn.Linear(5, 1), nn.MSELoss()), reals((6, 5), (6, 1)), dynamic=True, second=True),
    "logistic_regression": Family(lambda: nets.WithLoss(nn.Linear(6, 1), nn.BCEWithLogitsLoss()),
                                  lambda: (torch.randn(8, 6), torch.rand(8, 1)), dynamic=True, second=True),
    "softmax_regression": Family(lambda: nets.WithLoss(nn.Linear(6, 4), nn.CrossEntropyLoss()), labelled((8, 6), 4), dynamic=True, second=True),
    # The exporter leaves the smoothing out.
    "softmax_regression_smoothed": Family(lambda: nets.WithLoss(nn.Linear(6, 4), nn.CrossEntropyLoss(label_smoothing=0.1)),
                                          labelled((8, 6), 4), default=False),
    "huber_regression": Family(lambda: nets.WithLoss(nets.mlp(nn.Tanh, (5, 6, 2)), nn.HuberLoss(delta=0.7)), reals((6, 5), (6, 2))),
    "poisson_regression": Family(lambda: nets.WithLoss(nn.Linear(5, 1), nn.PoissonNLLLoss()),
                                 lambda: (torch.randn(6, 5), torch.poisson(torch.full((6, 1), 2.0))), second=True),
    "mlp_relu": Family(lambda: nets.WithLoss(nets.mlp(nn.ReLU), nn.CrossEntropyLoss()), labelled((9, 7), 4), dynamic=True),
    "mlp_gelu": Family(lambda: nets.mlp(nn.GELU), reals((5, 7)), dynamic=True, second=True),
    "mlp_gelu_tanh": Family(lambda: nets.mlp(lambda: nn.GELU("tanh")), reals((5, 7)), second=True),
    "mlp_silu_dropout": Family(lambda: nets.mlp(nn.SiLU, dropout=0.3), reals((5, 7)), second=True),
    "mlp_tanh": Family(lambda: nets.WithLoss(nets.mlp(nn.Tanh), nn.MSELoss()), reals((5, 7), (5, 4)), second=True),
    "mlp_mish": Family(lambda: nets.mlp(nn.Mish), reals((5, 7))),
    "mlp_selu": Family(lambda: nets.mlp(nn.SELU), reals((5, 7))),
    "mlp_prelu": Family(lambda: nets.mlp(lambda: nn.PReLU(1)), reals((5, 7))),
    "mlp_normed": Family(lambda: nn.Sequential(nn.Linear(7, 12), nn.GroupNorm(3, 12), nn.Softplus(), nn.LayerNorm(12), nn.RMSNorm(12),
                                               nn.Linear(12, 4)), reals((5, 7)), second=True),
    "cnn": Family(nets.Cnn, reals((2, 3, 16, 16))),
    "cnn_1d": Family(lambda: nn.Sequential(nn.Conv1d(3, 6, 5, 2, 2), nn.GELU(), nn.AvgPool1d(2), nn.ConvTranspose1d(6, 4, 3, 2),
                                           nn.Flatten(), nn.LazyLinear(3)), reals((2, 3, 20))),
    "cnn_3d": Family(lambda: nn.Sequential(nn.Conv3d(2, 4, 3, padding=1), nn.Tanh(), nn.MaxPool3d(2), nn.Conv3d(4, 3, 2),
                                           nn.AdaptiveAvgPool3d(1), nn.Flatten()), reals((2, 2, 6, 6, 6))),
    "resnet": Family(nets.Resnet, reals((2, 3, 32, 32)), steady=4e-6),
    "resnet_loss": Family(lambda: nets.WithLoss(nets.Resnet(), nn.CrossEntropyLoss()), labelled((3, 3, 32, 32), 5), default=False, steady=4e-6),
    "mobilenet": Family(nets.mobilenet, reals((2, 3, 16, 16)), steady=4e-6),
    "convnext": Family(nets.ConvNext, reals((2, 3, 16, 16))),
    "unet_transpose": Family(nets.Unet, reals((1, 2, 16, 16)), steady=6e-6),
    "unet_bilinear": Family(lambda: nets.Unet("bilinear"), reals((1, 2, 16, 16)), steady=6e-6),
    "unet_nearest": Family(lambda: nets.Unet("nearest"), reals((1, 2, 16, 16)), default=False, steady=6e-6),
    "lstm": Family(lambda: nets.Recurrent(nn.LSTM), reals((2, 7, 5)), second=True),
    "lstm_deep_both": Family(lambda: nets.Recurrent(nn.LSTM, 2, True), reals((2, 5, 5))),
    "lstm_states": Family(lambda: nets.RecurrentState(nn.LSTM), reals((5, 2, 5), (1, 2, 6), (1, 2, 6))),
    "lstm_cells": Family(nets.CellLoop, tokens(9, 3, 4)),
    "gru": Family(lambda: nets.Recurrent(nn.GRU), reals((2, 7, 5)), second=True),
    "gru_deep_both": Family(lambda: nets.Recurrent(nn.GRU, 2, True), reals((2, 5, 5))),
    "gru_states": Family(lambda: nets.RecurrentState(nn.GRU), reals((5, 2, 5), (1, 2, 6))),
    "rnn": Family(lambda: nets.Recurrent(nn.RNN), reals((2, 7, 5))),
    "vit": Family(nets.Vit, reals((2, 3, 16, 16))),
    "encoder": Family(nets.TorchEncoder, tokens(11, 2, 6)),
    "bert": Family(hugging("BertModel", "BertConfig", **BERT), tokens(40, 2, 8)),
    "bert_masked": Family(hugging("BertModel", "BertConfig", nets.Masked, "sdpa", **BERT),
                          lambda: (torch.randint(0, 40, (2, 8)), (torch.arange(8) < torch.tensor([[8], [5]])).long())),
    "bert_loss": Family(hugging("BertForMaskedLM", "BertConfig", nets.HuggingLoss, **BERT),
                        lambda: (torch.randint(0, 40, (2, 8)), torch.randint(0, 40, (2, 8))), default=False),
    "distilbert": Family(hugging("DistilBertModel", "DistilBertConfig", vocab_size=40, dim=24, n_layers=2, n_heads=2, hidden_dim=48,
                                 max_position_embeddings=16, dropout=0.0, attention_dropout=0.0), tokens(40, 2, 8), default=False),
    "gpt2": Family(hugging("GPT2LMHeadModel", "GPT2Config", **GPT2), tokens(40, 2, 8)),
    "gpt2_fresh": Family(hugging("GPT2LMHeadModel", "GPT2Config", **GPT2), tokens(40, 2, 8), trained=False),
    "gpt2_sdpa": Family(hugging("GPT2LMHeadModel", "GPT2Config", attention="sdpa", **GPT2), tokens(40, 2, 8), dynamic=True),
    "gpt2_loss": Family(hugging("GPT2LMHeadModel", "GPT2Config", nets.HuggingLoss, **GPT2),
                        lambda: (torch.randint(0, 40, (2, 8)), torch.randint(0, 40, (2, 8))), default=False),
    "llama": Family(hugging("LlamaForCausalLM", "LlamaConfig", **LLAMA), tokens(40, 2, 8)),
    "llama_sdpa": Family(hugging("LlamaForCausalLM", "LlamaConfig", attention="sdpa", **LLAMA), tokens(40, 2, 8), default=False),
    "llama_loss": Family(hugging("LlamaForCausalLM", "LlamaConfig", nets.HuggingLoss, **LLAMA),
                         lambda: (torch.randint(0, 40, (2, 8)), torch.randint(0, 40, (2, 8))), default=False),
    "qwen2": Family(hugging("Qwen2ForCausalLM", "Qwen2Config", **LLAMA), tokens(40, 2, 8), default=False),
    "gemma": Family(hugging("GemmaForCausalLM", "GemmaConfig", head_dim=8, **LLAMA), tokens(40, 2, 8), default=False),
    "t5": Family(hugging("T5ForConditionalGeneration", "T5Config", **T5),
                 lambda: (torch.randint(0, 40, (2, 6)), torch.randint(0, 40, (2, 5)))),
    "t5_gated": Family(hugging("T5EncoderModel", "T5Config", feed_forward_proj="gated-gelu", **T5), tokens(40, 2, 6), default=False),
    "vae": Family(nets.Vae, reals((4, 8), (4, 3)), second=True),
    "factors": Family(nets.Factors, lambda: (torch.randint(0, 8, (6,)), torch.randint(0, 10, (6,)))),
    "graph_convolution": Family(nets.GraphConv, lambda: (torch.randn(6, 4), torch.randint(0, 6, (2, 11)))),
    "pendulum": Family(nets.Odes, reals((5, 2)), second=True),
}


def trained(model):
    """Moves zeros and ones of the initialisation a little, each its own way, as training does."""
    with torch.no_grad():
        for p in model.parameters():
            if p.numel() > 1 and p.unique().numel() == 1:
                p.add_(0.1 * torch.randn(p.shape))


class Reference:
    def __init__(self, model, inputs, seed):
        self.model, self.inputs = model, inputs
        self.active = {f"x{i}": x for i, x in enumerate(inputs) if x.is_floating_point()}
        self.parameters = dict(model.named_parameters())
        generator = torch.Generator().manual_seed(seed)
        outs = self.run(torch.float32, self.values(torch.float32))
        self.outputs = [o.detach() for o in outs]
        self.cotangents = [torch.ones(()) if o.ndim == 0 else torch.randn(o.shape, generator=generator) for o in outs]
        if outs[0].ndim == 0:  # a loss inside: its prediction is output only
            self.cotangents = self.cotangents[:1]
        self.tangents = {n: torch.randn(v.shape, generator=generator) for n, v in self.values(torch.float32).items()}
        single = self.gradients(torch.float32)
        self.expected = self.gradients(torch.float64)
        largest = max(np.linalg.norm(e) for e in self.expected.values())
        self.error32 = max(cases.error(single[n], self.expected[n], floor=1e-3 * largest) for n in single)

    def values(self, dtype):
        return {n: v.detach().to(dtype) for n, v in {**self.active, **self.parameters}.items()}

    def run(self, dtype, values):
        xs = [values.get(f"x{i}", x) for i, x in enumerate(self.inputs)]
        own = {n: values[n] for n in self.parameters}
        own |= {n: b.to(dtype) if b.is_floating_point() else b for n, b in self.model.named_buffers()}
        out = torch.func.functional_call(self.model, own, tuple(xs))
        return [o for o in (out if isinstance(out, (tuple, list)) else [out])]

    def scalar(self, dtype):
        def function(values):
            outs = self.run(dtype, values)
            return sum((o * c.to(dtype)).sum() for o, c in zip(outs, self.cotangents))
        return function

    def gradients(self, dtype):
        values = {n: v.requires_grad_() for n, v in self.values(dtype).items()}
        grads = torch.autograd.grad(self.scalar(dtype)(values), list(values.values()), allow_unused=True, materialize_grads=True)
        return {n: g.numpy() for n, g in zip(values, grads)}

    def second(self):
        values, tangents = self.values(torch.float64), {n: t.double() for n, t in self.tangents.items()}
        attention = torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH)
        with attention:
            jvp = torch.func.jvp(lambda v: self.run(torch.float64, v)[:len(self.cotangents)], (values,), (tangents,))[1]
            hvp = torch.func.jvp(torch.func.grad(self.scalar(torch.float64)), (values,), (tangents,))[1]
        return [t.numpy() for t in jvp], {n: t.numpy() for n, t in hvp.items()}


def steady(name, family):
    """The first seed whose gradient torch itself agrees about in both precisions."""
    best = None
    for seed in range(SEEDS):
        torch.manual_seed(seed)
        model = family.build().eval()
        inputs = family.inputs()
        with torch.no_grad():
            model(*inputs)
        model.requires_grad_(True)
        if family.trained:
            trained(model)
        reference = Reference(model, inputs, seed)
        if best is None or reference.error32 < best.error32:
            best = reference
        if best.error32 < family.steady:
            break
    return best


def export(reference, family, optimize):
    shapes = None
    if family.dynamic:
        shapes = (tuple({0: torch.export.Dim.DYNAMIC} for _ in reference.inputs),) if star(reference.model) else tuple(
            {0: torch.export.Dim.DYNAMIC} for _ in reference.inputs)
    names = [f"x{i}" for i in range(len(reference.inputs))]
    outs = [f"y{i}" for i in range(len(reference.outputs))]
    program = torch.onnx.export(reference.model, tuple(reference.inputs), dynamo=True, verbose=False, opset_version=cases.OPSET,
                                optimize=optimize, input_names=names, output_names=outs, dynamic_shapes=shapes)
    return cases.strip(program.model_proto)


def star(model):
    import inspect
    return any(p.kind == p.VAR_POSITIONAL for p in inspect.signature(model.forward).parameters.values())


def case(name, family, reference, optimize):
    model = export(reference, family, optimize)
    got = cases.forward(model, {f"x{i}": x.numpy() for i, x in enumerate(reference.inputs)})
    worst = max(cases.error(g, o.numpy()) for g, o in zip(got, reference.outputs))
    if not worst < FORWARD:
        raise cases.Refused(f"forward differs by {worst:.1e}")
    c = cases.Case(name, model, source=f"PyTorch {torch.__version__}, optimize={optimize}", error32=reference.error32, forward=worst,
                   dynamic=family.dynamic)
    present = {i.name for i in model.graph.input}
    for i, x in enumerate(reference.inputs):
        if f"x{i}" in present:
            c.add("inputs", f"x{i}", x.numpy(), wrt=f"x{i}" in reference.active)
    for i, o in enumerate(reference.outputs):
        more = {"ct": c.attach(f"ct-{i}.npy", reference.cotangents[i].numpy())} if i < len(reference.cotangents) else {}
        c.add("outputs", model.graph.output[i].name, o.numpy(), **more)
    reference.merged = optimize
    known = own(model, reference)
    if optimize:
        known = {n: ours for n, ours in known.items() if n in reference.active or confirmed(model, reference, n, ours)}
    if not known:
        raise cases.Refused("nothing left under its own name")
    for n, ours in known.items():
        c.add("gradients", n, reference.expected[ours].astype(np.float32))
    if family.second and set(known.values()) == set(reference.expected):
        jvp, hvp = reference.second()
        for n, ours in known.items():
            c.add("tangents", n, reference.tangents[ours].numpy())
            c.add("hvp", n, hvp[ours].astype(np.float32))
        for i, v in enumerate(jvp):
            c.add("jvp", model.graph.output[i].name, v.astype(np.float32))
    return c


def own(model, reference):
    """Inputs and parameters that the file still holds untouched: its name for each -> ours."""
    from onnx import numpy_helper
    held = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    values = {n: p.detach().numpy() for n, p in reference.parameters.items()}
    aliases = {n: [m for m, q in reference.model.named_parameters(remove_duplicate=False) if q is p and m in held]
               for n, p in reference.parameters.items()}
    found = {n: n for n in reference.active}
    for n, names in aliases.items():
        twins = [m for m in values if m != n and m not in held and np.array_equal(values[m], values[n])]
        if len(names) == 1 and np.array_equal(held[names[0]], values[n]) and not (reference.merged and twins):
            found[names[0]] = n
    return found


def confirmed(model, reference, name, ours):
    """Whether the file's loss moves with the tensor as torch's does: the exporter's optimiser may have computed a part of it in advance."""
    gradient = reference.expected[ours].astype(np.float64)
    norm = np.linalg.norm(gradient)
    if norm == 0:
        return False
    tensor = next(t for t in model.graph.initializer if t.name == name)
    start, kept = onnx.numpy_helper.to_array(tensor).astype(np.float64), tensor.SerializeToString()
    step = 1e-2 * max(np.linalg.norm(start), 1e-3) / norm
    values = []
    for sign in (1, -1):
        tensor.CopyFrom(onnx.numpy_helper.from_array((start + sign * step * gradient).astype(np.float32), name))
        got = cases.forward(model, {f"x{i}": x.numpy() for i, x in enumerate(reference.inputs)})
        values.append(sum(float((o.astype(np.float64) * c.numpy()).sum()) for o, c in zip(got, reference.cotangents)))
    tensor.ParseFromString(kept)
    return abs((values[0] - values[1]) / (2 * step * norm**2) - 1) < 0.02


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--only", default="*")
    a = p.parse_args()
    packed, failed = [], {}
    for name, family in FAMILIES.items():
        if not fnmatch.fnmatch(name, a.only):
            continue
        reference = steady(name, family)
        for optimize in ([False, True] if family.default else [False]):
            full = name + ("_optimized" if optimize else "")
            try:
                c = case(full, family, reference, optimize)
                packed.append(c)
                print(f"{full}: ok, {c.bytes()} bytes, float32 {c.about['error32']:.1e}, forward {c.about['forward']:.1e}, "
                      f"{len(c.about['gradients'])} of {len(reference.expected)} gradients"
                      + (", second order" if "hvp" in c.about else ""), flush=True)
            except Exception as e:
                failed[full] = cases.short(e)
                print(f"{full}: {failed[full]}", flush=True)
    if a.only == "*":
        cases.write(cases.RESOURCES / "families" / "families.zip", packed)
        about = {"torch": torch.__version__, "exported": len(packed), "failed": failed}
        (cases.RESOURCES / "families" / "coverage.json").write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
