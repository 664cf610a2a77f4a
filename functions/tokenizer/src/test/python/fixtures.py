"""Small tokenizers of every kind, and what Hugging Face's tokenizers make of texts with them.

  pip install tokenizers==0.23.3 sentencepiece==0.2.3
  python fixtures.py     -> ../resources/tokenizers/NAME.json, NAME.expected.json, texts.json
"""

import base64
import json
import os
import random
import sys
import tempfile

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import texts

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "resources", "tokenizers")

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace("{1,3}", "")
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DEEPSEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"


def train(tokenizer, trainer, sentences=texts.SENTENCES):
    tokenizer.train_from_iterator(sentences * 3, trainer)
    return tokenizer


def byte_level(vocabulary=500, **pre):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(**{"add_prefix_space": False, **pre})
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return tokenizer, trainers.BpeTrainer(vocab_size=vocabulary, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"], show_progress=False)


def split_byte_level(*patterns, normalizer=None, ignore_merges=False):
    tokenizer, trainer = byte_level()
    steps = [p if not isinstance(p, str) else pre_tokenizers.Split(Regex(p), "isolated") for p in patterns]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    if normalizer:
        tokenizer.normalizer = normalizer
    train(tokenizer, trainer)
    tokenizer.model.ignore_merges = ignore_merges
    return tokenizer


def gpt2():
    return train(*byte_level())


def roberta():
    tokenizer, trainer = byte_level(add_prefix_space=True)
    trainer.special_tokens = ["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True)]
    train(tokenizer, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def llama3():
    tokenizer = split_byte_level(LLAMA3, ignore_merges=True)
    tokenizer.add_special_tokens(["<|begin_of_text|>"])
    begin = tokenizer.token_to_id("<|begin_of_text|>")
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(
            single="<|begin_of_text|> $A", pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1", special_tokens=[("<|begin_of_text|>", begin)]
        ),
    ])
    return tokenizer


def qwen2():
    tokenizer = split_byte_level(QWEN2, normalizer=normalizers.NFC())
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    tokenizer.add_tokens([AddedToken("word", single_word=True), AddedToken("Å", normalized=True), AddedToken("[MASK]", rstrip=True, normalized=False)])
    return tokenizer


def o200k():
    return split_byte_level(O200K)


def deepseek():
    return split_byte_level(r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+", DEEPSEEK)


def bloom():
    return split_byte_level(BLOOM, pre_tokenizers.Digits(individual_digits=True))


def byte_fallback_bpe(model_only):
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=True)
    specials = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
    # A small alphabet: all other characters are bytes.
    train(tokenizer, trainers.BpeTrainer(vocab_size=520, limit_alphabet=80, special_tokens=specials, show_progress=False))
    spec = json.loads(tokenizer.to_str())
    spec["added_tokens"] = spec["added_tokens"][:3]
    spec["model"]["byte_fallback"] = spec["model"]["fuse_unk"] = True
    spec["pre_tokenizer"] = None
    if model_only:
        spec["model"]["merges"] = [" ".join(m) for m in spec["model"]["merges"]]
    tokenizer = Tokenizer.from_str(json.dumps(spec))
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    return tokenizer


def llama2():
    tokenizer = byte_fallback_bpe(True)
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return tokenizer


def mistral():
    tokenizer = byte_fallback_bpe(False)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return tokenizer


def unknowns():
    """BPE with unknown characters that are not fused, and the affixes of older models."""
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents(), normalizers.Strip(), normalizers.Replace(Regex(r"\d+"), "0")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("merged_with_previous")])
    return train(tokenizer, trainers.BpeTrainer(vocab_size=400, limit_alphabet=60, special_tokens=["[UNK]"], continuing_subword_prefix="##", end_of_word_suffix="</w>", show_progress=False))


def bert(lowercase=True):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    train(tokenizer, trainers.WordPieceTrainer(vocab_size=600, limit_alphabet=250, special_tokens=specials, show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def bert_cased():
    tokenizer = bert(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits()])
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    return tokenizer


def field(message, number):
    """Bytes of a field of a protocol buffer message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = varint()
        if key & 7 == 2:
            size = varint()
            if key >> 3 == number:
                return message[at : at + size]
            at += size
        elif key & 7 == 0:
            varint()
        else:
            at += {1: 8, 5: 4}[key & 7]
    return b""


def charsmap(rule):
    """Compiled normalization rules: the named ones of SentencePiece, or those of a file."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "corpus.txt")
        with open(corpus, "w") as out:
            out.write("\n".join(s.replace("\n", " ") for s in texts.SENTENCES))
        prefix = os.path.join(folder, "m")
        sentencepiece.SentencePieceTrainer.train(input=corpus, model_prefix=prefix, vocab_size=800, hard_vocab_limit=False, minloglevel=2, **rule)
        with open(prefix + ".model", "rb") as model:
            return field(field(model.read(), 3), 2)


def few_rules():
    """Rules like those of nmt_nfkc, but few: a map of all has 240 kB."""
    import unicodedata

    rules = {"\t": " ", "\n": " ", "\r": " ", "\u3000": " ", "\u00a0": " ", "\u200b": " ", "\u200d": "", "\u0085": " "}
    for c in list(range(0xFF01, 0xFF5F)) + list(range(0xFF66, 0xFF9E)) + [ord(c) for c in "½²①ⅷⅧﬁﬂﬃ㎏㍿™ℝ𝔘№℡"]:
        rules[chr(c)] = unicodedata.normalize("NFKC", chr(c))
    for base in "aeiouAOUgn":
        for mark in "\u0300\u0301\u0302\u0303\u0308":
            rules[base + mark] = unicodedata.normalize("NFKC", base + mark)
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        for source, target in rules.items():
            if source == target:
                continue
            file.write("%s\t%s\n" % (" ".join("%X" % ord(c) for c in source), " ".join("%X" % ord(c) for c in target)))
        file.flush()
        return charsmap({"normalization_rule_tsv": file.name})


def unigram(rules=None):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Precompiled(rules or few_rules())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=True)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    # Of few scripts, so that there are unknown characters.
    train(tokenizer, trainers.UnigramTrainer(vocab_size=500, special_tokens=specials, unk_token="<unk>", show_progress=False), texts.SENTENCES[:10])
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def unigram_bytes():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), normalizers.Replace(" ", "▁")])
    tokenizer.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_previous")
    specials = ["<unk>"] + [f"<0x{b:02X}>" for b in range(256)]
    train(tokenizer, trainers.UnigramTrainer(vocab_size=1000, special_tokens=specials, unk_token="<unk>", show_progress=False))
    spec = json.loads(tokenizer.to_str())
    spec["added_tokens"] = []
    vocabulary = [entry for entry in spec["model"]["vocab"] if len(entry[0]) > 1 or entry[0].isascii()]
    spec["model"].update(vocab=vocabulary, byte_fallback=True)
    tokenizer = Tokenizer.from_str(json.dumps(spec))
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Replace(Regex("▁+"), " ")])
    return tokenizer


ALL = [gpt2, roberta, llama3, qwen2, o200k, deepseek, bloom, llama2, mistral, unknowns, bert, bert_cased, unigram, unigram_bytes]


def expected(tokenizer, name):
    rng = random.Random(name)
    singles = []
    for text in texts.all_texts():
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        singles.append([ids, tokenizer.decode(ids, skip_special_tokens=False)])
    pairs = []
    for _ in range(8):
        a, b = rng.choice(texts.SENTENCES)[:20], rng.choice(texts.SENTENCES)[:20]
        for special in (False, True):
            both = tokenizer.encode(a, b, add_special_tokens=special)
            one = tokenizer.encode(a, add_special_tokens=special)
            pairs.append([a, b, special, both.ids, both.type_ids, one.ids, one.type_ids])
    decoded = []
    for _ in range(60):
        ids = [rng.randrange(tokenizer.get_vocab_size()) for _ in range(rng.randrange(14))]
        decoded.append([ids, tokenizer.decode(ids, skip_special_tokens=True)])
    return {"texts": singles, "pairs": pairs, "decoded": decoded}


def write(name, value):
    with open(os.path.join(OUT, name + ".json"), "w", encoding="utf-8") as out:
        json.dump(value, out, ensure_ascii=False, separators=(",", ":"))
        out.write("\n")


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    write("texts", texts.all_texts())
    for make in ALL:
        made = make()
        name = make.__name__
        print(name, made.get_vocab_size(), file=sys.stderr)
        write(name, json.loads(made.to_str()))
        write(name + ".expected", expected(made, name))
