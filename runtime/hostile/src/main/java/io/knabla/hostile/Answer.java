package io.knabla.hostile;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One HTTP response; status 0 stands for bytes that are no response. */
record Answer(int status, String head, String body) {
    private static final Pattern RETRY_AFTER = Pattern.compile("\r\nretry-after: *(\\d+)\r\n");

    boolean isRefusal() {
        return status >= 400;
    }

    /** When to call again, if the server is too busy now (RFC 9110, 10.2.3). */
    Optional<Duration> retryAfter() {
        Matcher seconds = RETRY_AFTER.matcher(lowerCaseHead());
        return (status == 429 || status == 503) && seconds.find()
                ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds.group(1))))
                : Optional.empty();
    }

    boolean closes() {
        return lowerCaseHead().contains("\r\nconnection: close");
    }

    private String lowerCaseHead() {
        return head.toLowerCase(Locale.ROOT);
    }
}
