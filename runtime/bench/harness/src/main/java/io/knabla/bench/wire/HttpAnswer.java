package io.knabla.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * One complete HTTP/1.1 response.
 *
 * @param head status line and fields, without the empty line
 */
public record HttpAnswer(String head, byte[] body) {
    public int status() {
        return Integer.parseInt(head.substring(9, 12));
    }

    public Optional<String> field(String name) {
        return field(head, name);
    }

    static Optional<String> field(String head, String name) {
        String start = name.toLowerCase(Locale.ROOT) + ":";
        return head.lines()
                .skip(1)
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                .map(line -> line.substring(start.length()).trim())
                .findFirst();
    }

    /** Offset of the tensor bytes in a binary response. */
    int tensorsAt() {
        return field(InferRequests.HEADER_LENGTH).map(Integer::parseInt).orElse(0);
    }

    /** Status line and start of the body, for error messages. */
    public String summary() {
        String text = new String(body, StandardCharsets.UTF_8);
        return head.lines().findFirst().orElse("no status line")
                + ": "
                + text.substring(0, Math.min(300, text.length()));
    }
}
