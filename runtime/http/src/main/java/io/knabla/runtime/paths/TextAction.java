package io.knabla.runtime.paths;

/** An operation on texts, with its path: of OpenAI's API, and vLLM's for tokens. All are called by POST. */
public enum TextAction {
    CHAT_COMPLETIONS("/v1/chat/completions"),
    COMPLETIONS("/v1/completions"),
    TOKENIZE("/tokenize");

    private static final TextAction[] ALL = values();

    private final String path;

    TextAction(String path) {
        this.path = path;
    }

    /** The action at {@code path}; null if it is none of these. */
    public static TextAction of(String path) {
        for (TextAction action : ALL) {
            if (action.path.equals(path)) {
                return action;
            }
        }
        return null;
    }

    public String path() {
        return path;
    }
}
