package io.knabla.functions.tokenizer.spec;

import java.util.List;

/** A tokenizer without its vocabulary. */
public record TokenizerSpec(
        List<AddedToken> added,
        Normalizer normalizer,
        PreTokenizer preTokenizer,
        Model model,
        Template template,
        Decoder decoder) {
    public TokenizerSpec {
        added = List.copyOf(added);
    }
}
