package io.knabla.runtime.paths;

import java.util.List;

/**
 * Paths of operations on texts: of OpenAI's API, and vLLM's for tokens and ranks. All are called by POST. Constants, so
 * that a replica whose model has tensors need not load a class for them.
 */
public final class TextPaths {
    public static final String CHAT_COMPLETIONS = "/v1/chat/completions";
    public static final String COMPLETIONS = "/v1/completions";
    public static final String TOKENIZE = "/tokenize";
    public static final String EMBEDDINGS = "/v1/embeddings";
    public static final String RERANK = "/rerank";
    public static final String V1_RERANK = "/v1/rerank";

    /** What was read of a prompt: none of those, for only replicas of another function call it. */
    public static final String PREFIX_BLOCKS = "/prefix-blocks";

    private TextPaths() {}

    /** All of these. */
    public static List<String> all() {
        return List.of(CHAT_COMPLETIONS, COMPLETIONS, TOKENIZE, EMBEDDINGS, RERANK, V1_RERANK);
    }

    /** Whether the answer of a path, which may be below a function's root, can be a stream of events. */
    public static boolean mayStream(String path) {
        return path.endsWith(CHAT_COMPLETIONS) || path.endsWith(COMPLETIONS);
    }

    /** Whether a path is one of these. */
    public static boolean has(String path) {
        return switch (path) {
            case CHAT_COMPLETIONS, COMPLETIONS, TOKENIZE, EMBEDDINGS, RERANK, V1_RERANK -> true;
            default -> false;
        };
    }
}
