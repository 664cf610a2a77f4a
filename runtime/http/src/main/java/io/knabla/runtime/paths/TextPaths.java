package io.knabla.runtime.paths;

/**
 * Paths of operations on texts: of OpenAI's API, and vLLM's for tokens. All are called by POST. Constants, so that a
 * replica whose model has tensors need not load a class for them.
 */
public final class TextPaths {
    public static final String CHAT_COMPLETIONS = "/v1/chat/completions";
    public static final String COMPLETIONS = "/v1/completions";
    public static final String TOKENIZE = "/tokenize";

    private TextPaths() {}

    /** Whether a path is one of these. */
    public static boolean has(String path) {
        return path.equals(CHAT_COMPLETIONS) || path.equals(COMPLETIONS) || path.equals(TOKENIZE);
    }
}
