"""A peer of ./knabla bench generation: opens the model of a folder, then generates whenever it reads a line.

  python generation.py PEER FOLDER PRECISION BATCH PROMPT TOKENS THREADS

PEER is torch (transformers, eager), genai (onnxruntime-genai) or llamacpp (llama.cpp's server, by xllamacpp); FOLDER a decoder as Hugging Face's
hub has it; PRECISION fp32 or int4 (llama.cpp's Q4_0). BATCH prompts of PROMPT tokens each are continued by TOKENS tokens, the most probable ones.
Prints "ready", then the seconds of each batch, prompts included.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor


def prompts(vocabulary, batch, length):
    """As the harness has them: ids above those that a tokenizer may treat specially."""
    return [[300 + (7919 * row + 104729 * at) % (vocabulary - 300) for at in range(length)] for row in range(batch)]


class Torch:
    def __init__(self, folder, precision, asked):
        import torch
        from transformers import AutoModelForCausalLM

        torch.set_num_threads(asked.threads)
        self.torch, self.asked = torch, asked
        self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa")
        self.ids = torch.tensor(asked.prompts)

    def run(self):
        tokens = self.asked.tokens
        with self.torch.inference_mode():
            out = self.model.generate(self.ids, attention_mask=self.torch.ones_like(self.ids), max_new_tokens=tokens, min_new_tokens=tokens,
                                      do_sample=False, pad_token_id=0)
        return out[:, self.ids.shape[1]:].tolist()


class Genai:
    def __init__(self, folder, precision, asked):
        import onnxruntime_genai as genai

        self.genai, self.asked = genai, asked
        self.folder = tempfile.TemporaryDirectory()
        builder = [sys.executable, "-m", "onnxruntime_genai.models.builder", "-i", str(folder), "-o", self.folder.name, "-p", precision, "-e", "cpu"]
        subprocess.run([*builder, "-c", self.folder.name], check=True, stdout=sys.stderr)
        self.limit_threads()
        self.model = genai.Model(self.folder.name)

    def limit_threads(self):
        file = pathlib.Path(self.folder.name) / "genai_config.json"
        config = json.loads(file.read_text())
        config["model"]["decoder"]["session_options"]["intra_op_num_threads"] = self.asked.threads
        file.write_text(json.dumps(config))

    def run(self):
        asked = self.asked
        params = self.genai.GeneratorParams(self.model)
        length = len(asked.prompts[0]) + asked.tokens
        params.set_search_options(batch_size=len(asked.prompts), max_length=length, min_length=length, do_sample=False)
        generator = self.genai.Generator(self.model, params)
        generator.append_tokens(asked.prompts)
        while not generator.is_done():
            generator.generate_next_token()
        return [generator.get_sequence(row)[len(asked.prompts[0]):].tolist() for row in range(len(asked.prompts))]


class LlamaCpp:
    def __init__(self, folder, precision, asked):
        import llamafile
        import xllamacpp

        self.folder = tempfile.TemporaryDirectory()
        file = pathlib.Path(self.folder.name) / "model.gguf"
        llamafile.write(folder, precision, file)
        self.asked = asked
        params = xllamacpp.CommonParams()
        params.model.path = str(file)
        params.n_parallel = len(asked.prompts)
        params.n_ctx = len(asked.prompts) * 512
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = asked.threads
        self.server = xllamacpp.Server(params)
        self.callers = ThreadPoolExecutor(len(asked.prompts))

    def one(self, prompt):
        body = {"prompt": prompt, "max_tokens": self.asked.tokens, "temperature": 0, "ignore_eos": True, "cache_prompt": False}
        answer = self.server.handle_completions(body)
        if answer["usage"]["completion_tokens"] != self.asked.tokens:
            raise SystemExit(f"llama.cpp generated {answer['usage']}")
        return [int(word) + 259 for word in answer["choices"][0]["text"].split("w")[1:]]

    def run(self):
        return list(self.callers.map(self.one, self.asked.prompts))


class Asked:
    def __init__(self, prompts, tokens, threads):
        self.prompts, self.tokens, self.threads = prompts, tokens, threads


def main():
    peer, folder, precision = sys.argv[1:4]
    batch, prompt, tokens, threads = map(int, sys.argv[4:8])
    vocabulary = json.loads((pathlib.Path(folder) / "config.json").read_text())["vocab_size"]
    player = {"torch": Torch, "genai": Genai, "llamacpp": LlamaCpp}[peer](
        pathlib.Path(folder), precision, Asked(prompts(vocabulary, batch, prompt), tokens, threads))
    text = player.run()
    print("ready", json.dumps(text[0][:8]), flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        player.run()
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
