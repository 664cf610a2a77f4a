package io.knabla.runtime.openai;

/** The two forms of completion: of a chat, and of a text. */
enum CompletionKind {
    CHAT("chatcmpl-", "chat.completion", "chat.completion.chunk"),
    TEXT("cmpl-", "text_completion", "text_completion");

    private final String idPrefix;
    private final String object;
    private final String chunk;

    CompletionKind(String idPrefix, String object, String chunk) {
        this.idPrefix = idPrefix;
        this.object = object;
        this.chunk = chunk;
    }

    String id(String unique) {
        return idPrefix + unique;
    }

    /** Type of a whole answer. */
    String object() {
        return object;
    }

    /** Type of a piece of a streamed answer. */
    String chunk() {
        return chunk;
    }
}
