package io.knabla.hostile;

/** One HTTP response; status 0 stands for bytes that are no response. */
record Answer(int status, String head, String body) {
    boolean isRefusal() {
        return status >= 400;
    }

    /** Whether the server is too busy now and says when to call again (RFC 9110, 10.2.3). */
    boolean asksToRepeat() {
        return (status == 429 || status == 503) && has("retry-after:");
    }

    boolean closes() {
        return has("connection: close");
    }

    private boolean has(String header) {
        return head.toLowerCase(java.util.Locale.ROOT).contains("\r\n" + header);
    }
}
