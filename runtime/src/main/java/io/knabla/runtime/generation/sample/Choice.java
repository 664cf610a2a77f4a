package io.knabla.runtime.generation.sample;

import io.knabla.runtime.generation.GeneratedToken;

/** What came of choosing a token. */
public sealed interface Choice {
    record Chosen(GeneratedToken token) implements Choice {}

    /** A logit is NaN or infinite, or the bias excludes all tokens. */
    record NotFinite() implements Choice {}
}
