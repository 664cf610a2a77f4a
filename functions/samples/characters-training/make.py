"""Writes untrained.onnx (random weights), the files of ../characters/model but its weights, and the expected first step.

The graph is a Llama as Hugging Face's transformers computes it, made of standard operators. Its initializers have the
names and layouts of LlamaForCausalLM, so the trained weights are a model.safetensors for ../characters/model.

Run: python make.py
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

HERE = Path(__file__).parent
MODEL = HERE.parent / "characters" / "model"
SEED = 20261128
# The printable characters of ASCII, and the end of a line.
ALPHABET = [chr(code) for code in range(32, 127)] + ["\n"]
CONTEXT = 128
WIDTH = 64
LAYERS = 2
HEADS = 4
HEAD_WIDTH = WIDTH // HEADS
NETWORK = 128
EPSILON = 1e-5
THETA = 10000.0
# A conversation is one text, which the model continues.
TEMPLATE = "{% for message in messages %}{{ message.content }}{% endfor %}"
# Finite, so that a masked place has no share and no NaN.
MASKED = -1e9


def shapes() -> dict:
    made = {"model.embed_tokens.weight": (len(ALPHABET), WIDTH)}
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        made[at + "input_layernorm.weight"] = (WIDTH,)
        for part in ["q", "k", "v", "o"]:
            made[f"{at}self_attn.{part}_proj.weight"] = (WIDTH, WIDTH)
        made[at + "post_attention_layernorm.weight"] = (WIDTH,)
        made[at + "mlp.gate_proj.weight"] = (NETWORK, WIDTH)
        made[at + "mlp.up_proj.weight"] = (NETWORK, WIDTH)
        made[at + "mlp.down_proj.weight"] = (WIDTH, NETWORK)
    made["model.norm.weight"] = (WIDTH,)
    made["lm_head.weight"] = (len(ALPHABET), WIDTH)
    return made


def weights() -> dict:
    """Norms begin at 1, matrices uniform in ±1/√fan_in, as PyTorch begins."""
    random = np.random.default_rng(SEED)
    made = {}
    for name, shape in shapes().items():
        bound = 1 / np.sqrt(shape[-1])
        values = random.uniform(-bound, bound, shape) if len(shape) > 1 else np.ones(shape)
        made[name] = values.astype(np.float32)
    return made


class Graph:
    """Adds nodes; each returns the name of its output."""

    def __init__(self) -> None:
        self.nodes = []

    def add(self, operator: str, *inputs: str, **attributes) -> str:
        name = f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], name, **attributes))
        return name

    def constant(self, values) -> str:
        return self.add("Constant", value=numpy_helper.from_array(np.asarray(values)))

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))

    def linear(self, x: str, weight: str) -> str:
        return self.add("MatMul", x, self.add("Transpose", weight, perm=[1, 0]))

    def norm(self, x: str, weight: str) -> str:
        square = self.add("Mul", x, x)
        mean = self.add("ReduceMean", square, axes=[-1], keepdims=1)
        root = self.add("Sqrt", self.add("Add", mean, self.number(EPSILON)))
        return self.add("Mul", self.add("Div", x, root), weight)

    def heads(self, x: str) -> str:
        parts = self.add("Reshape", x, self.integers(-1, CONTEXT, HEADS, HEAD_WIDTH))
        return self.add("Transpose", parts, perm=[0, 2, 1, 3])

    def rotated(self, x: str, cos: str, sin: str) -> str:
        half = HEAD_WIDTH // 2
        left = self.add("Slice", x, self.integers(0), self.integers(half), self.integers(3))
        right = self.add("Slice", x, self.integers(half), self.integers(HEAD_WIDTH), self.integers(3))
        turned = self.add("Concat", self.add("Neg", right), left, axis=3)
        return self.add("Add", self.add("Mul", x, cos), self.add("Mul", turned, sin))

    def attention(self, x: str, at: str, tables: tuple) -> str:
        cos, sin, mask = tables
        q, k, v = (self.heads(self.linear(x, f"{at}{part}_proj.weight")) for part in "qkv")
        q, k = self.rotated(q, cos, sin), self.rotated(k, cos, sin)
        scores = self.add("MatMul", q, self.add("Transpose", k, perm=[0, 1, 3, 2]))
        scaled = self.add("Mul", scores, self.number(HEAD_WIDTH**-0.5))
        shares = self.add("Softmax", self.add("Add", scaled, mask), axis=3)
        mixed = self.add("Transpose", self.add("MatMul", shares, v), perm=[0, 2, 1, 3])
        flat = self.add("Reshape", mixed, self.integers(-1, CONTEXT, WIDTH))
        return self.linear(flat, at + "o_proj.weight")

    def network(self, x: str, at: str) -> str:
        gate = self.linear(x, at + "gate_proj.weight")
        activated = self.add("Mul", gate, self.add("Sigmoid", gate))
        gated = self.add("Mul", activated, self.linear(x, at + "up_proj.weight"))
        return self.linear(gated, at + "down_proj.weight")


def tables() -> tuple:
    """Cosines and sines of the rotary positions, [positions, head width], and the causal mask."""
    frequencies = THETA ** (-np.arange(0, HEAD_WIDTH, 2) / HEAD_WIDTH)
    angles = np.outer(np.arange(CONTEXT), np.concatenate([frequencies, frequencies]))
    mask = np.triu(np.full((CONTEXT, CONTEXT), MASKED), 1)
    return tuple(values.astype(np.float32) for values in (np.cos(angles), np.sin(angles), mask))


def model() -> onnx.ModelProto:
    g = Graph()
    fixed = tuple(g.constant(table) for table in tables())
    x = g.add("Gather", "model.embed_tokens.weight", "characters", axis=0)
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        x = g.add("Add", x, g.attention(g.norm(x, at + "input_layernorm.weight"), at + "self_attn.", fixed))
        x = g.add("Add", x, g.network(g.norm(x, at + "post_attention_layernorm.weight"), at + "mlp."))
    transposed = g.add("Transpose", "lm_head.weight", perm=[1, 0])
    last = [g.norm(x, "model.norm.weight"), transposed]
    g.nodes.append(helper.make_node("MatMul", last, ["logits"], "logits"))
    graph = helper.make_graph(
        g.nodes,
        "characters",
        [helper.make_tensor_value_info("characters", TensorProto.INT64, ["batch", CONTEXT])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", CONTEXT, len(ALPHABET)])],
        [numpy_helper.from_array(values, name) for name, values in weights().items()],
    )
    made = helper.make_model(
        graph,
        producer_name="knabla-samples",
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(made, full_check=True)
    return made


def config() -> dict:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": len(ALPHABET),
        "hidden_size": WIDTH,
        "intermediate_size": NETWORK,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": EPSILON,
        "rope_theta": THETA,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "torch_dtype": "float32",
    }


def tokenizer() -> dict:
    """Byte-pair encoding without pairs: each character is a token."""
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {"type": "Fuse"},
        "model": {
            "type": "BPE",
            "vocab": {character: id for id, character in enumerate(ALPHABET)},
            "merges": [],
        },
    }


def tokens(text: str) -> np.ndarray:
    return np.array([ALPHABET.index(character) for character in text], np.int64)


def oip(name: str, datatype: str, values: np.ndarray) -> dict:
    return {
        "name": name,
        "datatype": datatype,
        "shape": list(values.shape),
        "data": values.ravel().tolist(),
    }


def cross_entropy(logits: np.ndarray, classes: np.ndarray) -> float:
    shifted = logits - logits.max(1, keepdims=True)
    logarithms = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    return -float(logarithms[np.arange(len(classes)), classes].mean())


def write(file: Path, document: dict, indent=None) -> None:
    file.write_text(json.dumps(document, indent=indent) + "\n")


def main() -> None:
    made = model()
    onnx.save(made, HERE / "untrained.onnx")
    MODEL.mkdir(parents=True, exist_ok=True)
    write(MODEL / "config.json", config(), 2)
    write(MODEL / "tokenizer.json", tokenizer(), 1)
    write(MODEL / "tokenizer_config.json", {"chat_template": TEMPLATE}, 2)
    text = tokens((HERE / "sonnets.txt").read_text())
    characters, following = text[:CONTEXT][None], text[1 : CONTEXT + 1][None]
    logits = ReferenceEvaluator(made).run(None, {"characters": characters})[0]
    loss = np.array([round(cross_entropy(logits[0], following[0]), 6)])
    inputs = [oip("characters", "INT64", characters), oip("next", "INT64", following)]
    outputs = [oip("loss", "FP32", loss), oip("step", "INT64", np.array([1]))]
    for output in outputs:
        output["shape"] = []
    wanted = [{"name": output["name"]} for output in outputs]
    write(HERE / "request.json", {"inputs": inputs, "outputs": wanted})
    write(HERE / "expected.json", {"outputs": outputs})


if __name__ == "__main__":
    main()
