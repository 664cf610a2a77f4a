"""Writes what transformers answers for small decoders, one folder an architecture: config.json and expected.json.

The weights are not stored: each is a function of its name and index, which the test in Java computes again.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python decoders.py
"""

import json
import pathlib
import zlib

import numpy
import torch
import transformers

OUT = pathlib.Path(__file__).parents[1] / "resources/io/knabla/functions/decoder/decoders"
SIZES = dict(
    vocab_size=96, hidden_size=64, intermediate_size=48, num_hidden_layers=3, num_attention_heads=4,
    num_key_value_heads=2, head_dim=16, max_position_embeddings=128, bos_token_id=1, eos_token_id=2, pad_token_id=0,
)
PROMPTS = [[5, 17, 80, 33, 2, 9, 64], [90], [7, 7, 41, 12, 3, 55, 28, 61, 14, 70, 88]]
NEW_TOKENS = 64


def rope(**parameters):
    return dict(rope_parameters=dict(rope_theta=10000.0, **parameters))


CASES = {
    "llama": (transformers.LlamaConfig, {}),
    "llama3-rope": (transformers.LlamaConfig, rope(
        rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
        original_max_position_embeddings=32)),
    "llama-biased-tied": (transformers.LlamaConfig, dict(
        attention_bias=True, mlp_bias=True, tie_word_embeddings=True, **rope(rope_type="linear", factor=2.0))),
    "mistral": (transformers.MistralConfig, dict(sliding_window=9)),
    "qwen2": (transformers.Qwen2Config, dict(tie_word_embeddings=True)),
    "qwen2-window": (transformers.Qwen2Config, dict(
        use_sliding_window=True, sliding_window=5, max_window_layers=1)),
    "qwen3": (transformers.Qwen3Config, dict(head_dim=32, **rope(
        rope_type="yarn", factor=4.0, original_max_position_embeddings=32))),
    "phi3": (transformers.Phi3Config, dict(sliding_window=9)),
    "olmo2": (transformers.Olmo2Config, {}),
    "gemma2": (transformers.Gemma2Config, dict(
        sliding_window=6, query_pre_attn_scalar=16, attn_logit_softcapping=5.0, final_logit_softcapping=40.0,
        tie_word_embeddings=False)),
    "gemma3": (transformers.Gemma3TextConfig, dict(
        sliding_window=6, query_pre_attn_scalar=16, tie_word_embeddings=False,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"])),
    "gpt2": (transformers.GPT2Config, dict(n_inner=48)),
    "gpt2-scaled": (transformers.GPT2Config, dict(
        activation_function="gelu", scale_attn_by_inverse_layer_idx=True, reorder_and_upcast_attn=True,
        tie_word_embeddings=False, layer_norm_epsilon=1e-3)),
}
# GPT-2 has biases everywhere. As large as its weights they would choose the same token everywhere, whatever the text.
SMALL_BIASES = {"gpt2": 0.25, "gpt2-scaled": 0.25}
# What a class does not have: Phi-3 computes head_dim, GPT-2 takes the other names of the sizes that it has.
LEFT_OUT = {"phi3": ["head_dim"], **dict.fromkeys(
    ["gpt2", "gpt2-scaled"], ["head_dim", "num_key_value_heads", "intermediate_size"])}


def numbers(name, shape):
    """Uniform in (-1, 1), by the finalizer of MurmurHash3 over the index."""
    count = int(numpy.prod(shape))
    h = numpy.arange(count, dtype=numpy.uint32) + numpy.uint32(zlib.crc32(name.encode()))
    with numpy.errstate(over="ignore"):
        h ^= h >> numpy.uint32(16)
        h *= numpy.uint32(0x85EBCA6B)
        h ^= h >> numpy.uint32(13)
        h *= numpy.uint32(0xC2B2AE35)
        h ^= h >> numpy.uint32(16)
    return (h.astype(numpy.float64) / 2**31 - 1).astype(numpy.float32).reshape(shape)


def main():
    for case, (kind, changes) in CASES.items():
        sizes = {name: size for name, size in SIZES.items() if name not in LEFT_OUT.get(case, [])}
        config = kind(**{**sizes, **changes})
        model = transformers.AutoModelForCausalLM.from_config(
            config, attn_implementation="eager", dtype=torch.float32).eval()
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                factor = SMALL_BIASES.get(case, 1) if name.endswith(".bias") else 1
                parameter.copy_(factor * torch.from_numpy(numbers(name, tuple(parameter.shape))))
        folder = OUT / case
        folder.mkdir(parents=True, exist_ok=True)
        config.architectures = [type(model).__name__]
        (folder / "config.json").write_text(config.to_json_string())
        answers = []
        for prompt in PROMPTS:
            ids = torch.tensor([prompt])
            with torch.no_grad():
                logits = model(ids).logits[0, -1]
                text = model.generate(
                    ids, do_sample=False, max_new_tokens=NEW_TOKENS, min_new_tokens=NEW_TOKENS,
                    eos_token_id=None, attention_mask=torch.ones_like(ids))[0, len(prompt):]
            answers.append(dict(prompt=prompt, logits=[round(x, 6) for x in logits.tolist()], tokens=text.tolist()))
        shapes = {name: list(parameter.shape) for name, parameter in model.state_dict().items()
                  if not (config.tie_word_embeddings and name == "lm_head.weight")}
        expected = dict(shapes=shapes, answers=answers)
        if case in SMALL_BIASES:
            expected["biases"] = SMALL_BIASES[case]
        (folder / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")
        print(case, config.architectures, [len(set(a["tokens"])) for a in answers])


main()
