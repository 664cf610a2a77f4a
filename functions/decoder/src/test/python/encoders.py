"""Writes what sentence-transformers answers for small encoders, one folder each: its files without weights, and
expected.json.

The weights are not stored: each is a function of its name and index, which the test in Java computes again.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python encoders.py [CASE …]
"""

import json
import pathlib
import sys
import tempfile
import zlib

import numpy
import tokenizers
import torch
import transformers
from safetensors.torch import save_file
from sentence_transformers import CrossEncoder, SentenceTransformer
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

OUT = pathlib.Path(__file__).parents[1] / "resources/io/knabla/functions/decoder/encoders"
SIZES = dict(hidden_size=48, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4)
TEXTS = [
    "The quick brown fox jumps over the lazy dog.",
    "fox",
    "Übergrößenträger à Noël — naïve café, 25 °C",
    "быстрая лиса прыгает",
    "素早い茶色の狐 과 여우 ثعلب सियार 🦊",
    "a" * 40,
    "one two three four five six seven eight nine ten",
]
PAIRS = [(TEXTS[0], TEXTS[1]), (TEXTS[1], TEXTS[6]), (TEXTS[2], TEXTS[3]), (TEXTS[1], TEXTS[4])]


def pieces(special):
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(TEXTS, trainers.WordPieceTrainer(vocab_size=200, special_tokens=special))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def word_piece():
    tokenizer = pieces(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=96, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]", model_input_names=["input_ids", "token_type_ids", "attention_mask"])


def distil_pieces():
    tokenizer = word_piece()
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    return tokenizer


def mpnet_pieces():
    tokenizer = pieces(["<s>", "<pad>", "</s>", "[UNK]", "<mask>"])
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, False)
    return roberta_tokenizer(tokenizer, "[UNK]")


def bpe():
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator(TEXTS, trainers.BpeTrainer(
        vocab_size=320, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, False)
    tokenizer.decoder = decoders.ByteLevel()
    return roberta_tokenizer(tokenizer)


def modern_bpe():
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=True)
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"]
    tokenizer.train_from_iterator(TEXTS, trainers.BpeTrainer(
        vocab_size=320, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    # As ModernBERT's: runs of spaces are tokens, and a mask takes the space before it.
    tokenizer.add_tokens([tokenizers.AddedToken("  ", normalized=True)])
    tokenizer.add_special_tokens([tokenizers.AddedToken("[MASK]", lstrip=True)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    tokenizer.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=96, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]", model_input_names=["input_ids", "attention_mask"])


def unigram():
    tokenizer = tokenizers.Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(tokenizers.Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator(TEXTS, trainers.UnigramTrainer(
        vocab_size=150, special_tokens=special, unk_token="<unk>"))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    tokenizer.decoder = decoders.Metaspace()
    return roberta_tokenizer(tokenizer)


def roberta_tokenizer(tokenizer, unknown="<unk>"):
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=96, pad_token="<pad>", unk_token=unknown, cls_token="<s>",
        sep_token="</s>", mask_token="<mask>", bos_token="<s>", eos_token="</s>",
        model_input_names=["input_ids", "attention_mask"])


BERT = dict(max_position_embeddings=96)
ROBERTA = dict(max_position_embeddings=98, type_vocab_size=1, pad_token_id=1, bos_token_id=0, eos_token_id=2,
               layer_norm_eps=1e-5)
MPNET = dict(max_position_embeddings=98, pad_token_id=1, bos_token_id=0, eos_token_id=2)
# DistilBERT has names of its own for the sizes.
DISTILBERT = dict(dim=48, hidden_dim=64, n_layers=2, n_heads=4, max_position_embeddings=96)
# Windows of nine tokens, shorter than the texts.
MODERN = dict(max_position_embeddings=96, num_hidden_layers=5, local_attention=8, pad_token_id=0, bos_token_id=1,
              cls_token_id=1, eos_token_id=2, sep_token_id=2)
BIASED = dict(attention_bias=True, mlp_bias=True, norm_bias=True, hidden_activation="gelu_new",
              layer_types=["sliding_attention", "full_attention"] * 2 + ["sliding_attention"],
              rope_parameters=dict(full_attention=dict(rope_type="linear", factor=4.0, rope_theta=50000.0),
                                   sliding_attention=dict(rope_type="default", rope_theta=500.0)))
# The keys that transformers 4 wrote, as the hub has them.
VERSION_4 = dict(global_attn_every_n_layers=3, global_rope_theta=160000.0, local_rope_theta=10000.0,
                 position_embedding_type="absolute", layer_norm_eps=1e-05, local_attention=8)
SCORE = dict(num_labels=1)
# Tokens so far from each other that they share a bias.
FAR = " ".join(TEXTS[:1] * 5)
MASKED = ["cafe\u0301  and   a [MASK] behind the fox"]

NORMALIZE = "Normalize"
# As LaBSE has it, and as distiluse has it with more around it.
DENSE = dict(in_features=48, out_features=40, bias=True, activation_function="torch.nn.modules.activation.Tanh")
PLAIN = dict(in_features=48, out_features=64, bias=False, activation_function="torch.nn.modules.linear.Identity")
LAST = dict(in_features=64, out_features=32, bias=True, activation_function="torch.nn.modules.activation.GELU")

# Prompts whose tokens pooling leaves out, as INSTRUCTOR has them.
PROMPTS = {"query": "Represent the question: ", "document": "", "fox": "The quick brown "}

# name: (configuration, its changes, class of the model, tokenizer, mode of pooling and modules behind it)
CASES = {
    "bert": (transformers.BertConfig, BERT, transformers.BertModel, word_piece, ("mean", NORMALIZE)),
    "bert-max": (transformers.BertConfig, dict(hidden_act="relu", **BERT), transformers.BertForMaskedLM, word_piece,
                 ("max",)),
    "roberta": (transformers.RobertaConfig, ROBERTA, transformers.RobertaModel, bpe, ("cls", NORMALIZE)),
    "xlm-roberta": (transformers.XLMRobertaConfig, dict(hidden_act="gelu_new", **ROBERTA),
                    transformers.XLMRobertaModel, unigram, ("mean",)),
    "bert-score": (transformers.BertConfig, dict(
        sbert_ce_default_activation_function="torch.nn.modules.linear.Identity", **BERT, **SCORE),
        transformers.BertForSequenceClassification, word_piece, None),
    "roberta-score": (transformers.RobertaConfig, dict(**ROBERTA, **SCORE),
                      transformers.RobertaForSequenceClassification, bpe, None),
    "xlm-roberta-score": (transformers.XLMRobertaConfig, dict(**ROBERTA, **SCORE),
                          transformers.XLMRobertaForSequenceClassification, unigram, None),
    "mpnet": (transformers.MPNetConfig, MPNET, transformers.MPNetForMaskedLM, mpnet_pieces, ("mean", NORMALIZE)),
    "mpnet-score": (transformers.MPNetConfig, dict(**MPNET, **SCORE), transformers.MPNetForSequenceClassification,
                    mpnet_pieces, None),
    "distilbert": (transformers.DistilBertConfig, DISTILBERT, transformers.DistilBertModel, distil_pieces,
                   ("cls",)),
    "bert-dense": (transformers.BertConfig, BERT, transformers.BertModel, word_piece, ("cls", DENSE, NORMALIZE)),
    "distilbert-dense": (transformers.DistilBertConfig, DISTILBERT, transformers.DistilBertModel, distil_pieces,
                         ("mean", NORMALIZE, PLAIN, LAST)),
    "bert-prompt": (transformers.BertConfig, BERT, transformers.BertModel, word_piece, ("mean", PROMPTS, NORMALIZE)),
    "roberta-prompt": (transformers.RobertaConfig, ROBERTA, transformers.RobertaModel, bpe, ("cls", PROMPTS)),
    "mpnet-prompt": (transformers.MPNetConfig, MPNET, transformers.MPNetModel, mpnet_pieces, ("max", PROMPTS)),
    "modernbert": (transformers.ModernBertConfig, MODERN, transformers.ModernBertModel, modern_bpe,
                   ("cls", NORMALIZE)),
    "modernbert-biased": (transformers.ModernBertConfig, MODERN | BIASED, transformers.ModernBertForMaskedLM,
                          modern_bpe, ("mean",)),
    "modernbert-score": (transformers.ModernBertConfig, dict(
        classifier_pooling="mean", classifier_bias=True, classifier_activation="relu", **MODERN, **SCORE),
        transformers.ModernBertForSequenceClassification, modern_bpe, None),
    "distilbert-score": (transformers.DistilBertConfig, dict(**DISTILBERT, **SCORE),
                         transformers.DistilBertForSequenceClassification, distil_pieces, None),
}


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


def modules(folder, width, mode, steps):
    """Writes the files as the hub has them; returns the shapes of the modules' weights."""
    if PROMPTS in steps:
        steps = [step for step in steps if step != PROMPTS]
        (folder / "config_sentence_transformers.json").write_text(json.dumps(
            dict(prompts=PROMPTS, default_prompt_name="query")))
        prompt = dict(include_prompt=False)
    else:
        prompt = {}
    kinds = ["Transformer", "Pooling"] + [step if step == NORMALIZE else "Dense" for step in steps]
    paths = [""] + ["%d_%s" % (i, kind) for i, kind in enumerate(kinds) if i > 0]
    (folder / "modules.json").write_text(json.dumps([
        dict(idx=i, name=str(i), path=paths[i], type="sentence_transformers.models." + kind)
        for i, kind in enumerate(kinds)]))
    for path in paths[1:]:
        (folder / path).mkdir()
    (folder / "1_Pooling/config.json").write_text(json.dumps(
        {"word_embedding_dimension": width} | prompt
        | {"pooling_mode_" + key: mode in key for key in ("cls_token", "mean_tokens", "max_tokens")}))
    shapes = {}
    for path, step in zip(paths[2:], steps):
        if step != NORMALIZE:
            (folder / path / "config.json").write_text(json.dumps(step))
            own = {"linear.weight": [step["out_features"], step["in_features"]]}
            own |= {"linear.bias": [step["out_features"]]} if step["bias"] else {}
            save_file({name: torch.from_numpy(numbers(path + "/" + name, shape)) for name, shape in own.items()},
                      folder / path / "model.safetensors")
            shapes |= {path + "/" + name: shape for name, shape in own.items()}
    (folder / "sentence_bert_config.json").write_text(json.dumps(dict(max_seq_length=80, do_lower_case=False)))
    return shapes


def prompt(name):
    """Without a name no prompt, not the default one."""
    return dict(prompt_name=name) if name else dict(prompt="")


def lists(array):
    return [[float("%.7g" % x) for x in row] for row in array.reshape(len(array), -1)]


def main():
    chosen = sys.argv[1:] or CASES
    for case, (kind, changes, model_class, make, pooling) in ((case, CASES[case]) for case in chosen):
        tokenizer = make()
        config = kind(vocab_size=len(tokenizer), **(changes if "dim" in changes else SIZES | changes))
        model = model_class(config).eval()
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                parameter.copy_(torch.from_numpy(numbers(name, tuple(parameter.shape))))
        shapes = {name: list(parameter.shape) for name, parameter in model.named_parameters()}
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            if case == "modernbert":
                written = json.loads((folder / "config.json").read_text())
                written = {key: value for key, value in written.items() if key not in ("layer_types", "rope_parameters")}
                (folder / "config.json").write_text(json.dumps(written | VERSION_4))
            if pooling:
                shapes |= modules(folder, config.hidden_size, pooling[0], pooling[1:])
                loaded = SentenceTransformer(str(folder), device="cpu")
                inputs = TEXTS + [FAR] if case == "mpnet" else TEXTS + MASKED if make is modern_bpe else TEXTS
                names = [None] if PROMPTS not in pooling else [None, *PROMPTS]
                output = [row for name in names for row in loaded.encode(inputs, **prompt(name))]
                encoded = [tokenizer(PROMPTS.get(name, "") + text, truncation=False)
                           for name in names for text in inputs]
                prompts = [name for name in names for _ in inputs]
                inputs = inputs * len(names)
            else:
                loaded = CrossEncoder(str(folder), device="cpu")
                inputs, output = PAIRS, loaded.predict(PAIRS)
                encoded = [tokenizer(*pair, truncation=False) for pair in PAIRS]
                prompts = [None] * len(inputs)
            target = OUT / case
            for file in folder.rglob("*.json"):
                copy = target / file.relative_to(folder)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(json.dumps(json.loads(file.read_text())) + "\n")
        (target / "expected.json").write_text(json.dumps(dict(
            shapes=shapes, inputs=inputs, **(dict(prompts=prompts) if any(prompts) else {}), ids=[one["input_ids"] for one in encoded],
            outputs=lists(numpy.asarray(output))), ensure_ascii=False, separators=(",", ":")) + "\n")
        print(case, config.architectures, numpy.asarray(output).reshape(len(inputs), -1)[:, 0])


main()
