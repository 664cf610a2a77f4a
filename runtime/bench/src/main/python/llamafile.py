"""Writes a Llama of Hugging Face's form as a file of llama.cpp (GGUF), with a vocabulary of made-up words."""

import json

import gguf
import numpy as np
from safetensors.numpy import load_file

NAMES = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
         "mlp.down_proj": "ffn_down"}


def interleaved(weight, heads):
    """llama.cpp rotates neighbouring values of a head, Hugging Face those of its halves."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def tensors(folder, config):
    for name, weight in load_file(folder / "model.safetensors").items():
        if name == "model.embed_tokens.weight":
            yield "token_embd.weight", weight
        elif name == "model.norm.weight":
            yield "output_norm.weight", weight
        else:
            _, _, layer, rest = name.split(".", 3)
            part = rest.removesuffix(".weight")
            if part == "self_attn.q_proj":
                weight = interleaved(weight, config["num_attention_heads"])
            if part == "self_attn.k_proj":
                weight = interleaved(weight, config["num_key_value_heads"])
            yield f"blk.{layer}.{NAMES[part]}.weight", weight


def vocabulary(writer, size):
    special = ["<unk>", "<s>", "</s>"]
    octets = [f"<0x{octet:02X}>" for octet in range(256)]
    words = [f"w{i}" for i in range(size - len(special) - len(octets))]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(special + octets + words)
    writer.add_token_scores([0.0] * size)
    kinds = gguf.TokenType
    writer.add_token_types([kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL] + [kinds.BYTE] * 256 + [kinds.NORMAL] * len(words))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)


def write(folder, precision, file):
    config = json.loads((folder / "config.json").read_text())
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_rope_freq_base(config["rope_theta"])
    vocabulary(writer, config["vocab_size"])
    small = gguf.GGMLQuantizationType.Q4_0
    for name, weight in tensors(folder, config):
        if precision == "int4" and weight.ndim == 2:
            writer.add_tensor(name, gguf.quants.quantize(weight.astype(np.float32), small), raw_dtype=small)
        else:
            writer.add_tensor(name, weight.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
