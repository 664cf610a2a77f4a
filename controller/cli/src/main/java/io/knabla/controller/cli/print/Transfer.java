package io.knabla.controller.cli.print;

import java.time.Duration;
import java.util.Locale;

/**
 * Progress messages of one transfer.
 *
 * @param to total bytes; negative if unknown
 * @param from bytes that were present before the start
 */
record Transfer(Kind kind, String name, long from, long to) {
    /** A shorter transfer gets no rate: it would measure overhead, not bandwidth. */
    private static final Duration MIN_TIME_FOR_RATE = Duration.ofMillis(500);

    /** Kind of transfer, with its verbs. */
    enum Kind {
        UP("uploading", "uploaded"),
        DOWN("downloading", "downloaded"),
        DISK("writing", "wrote");

        private final String doing;
        private final String done;

        Kind(String doing, String done) {
            this.doing = doing;
            this.done = done;
        }
    }

    /** As in {@code uploading model.onnx}. */
    String title() {
        return kind.doing + " " + name;
    }

    String start() {
        String already = from > 0 ? ", %s are there already".formatted(Amounts.bytes(from)) : "";
        return to < 0 ? title() : "%s (%s%s)".formatted(title(), Amounts.bytes(to), already);
    }

    /**
     * @param at bytes present now, including {@code from}
     * @param elapsed since the start, above 0
     */
    String line(long at, Duration elapsed) {
        String rate = rate(at, elapsed);
        if (to < 0) {
            return "%s: %s, %s".formatted(title(), Amounts.bytes(at), rate);
        }
        return "%s: %d %%, %s of %s, %s, %s left"
                .formatted(
                        title(),
                        percent(at),
                        Amounts.bytes(at),
                        Amounts.bytes(to),
                        rate,
                        at > from ? Amounts.age(left(at, elapsed)) : "unknown time");
    }

    String end(long at, Duration elapsed) {
        if (at < to) {
            return "%s stopped at %s of %s".formatted(title(), Amounts.bytes(at), Amounts.bytes(to));
        }
        String whole = "%s %s: %s".formatted(kind.done, name, Amounts.bytes(at - from));
        return elapsed.compareTo(MIN_TIME_FOR_RATE) < 0
                ? whole
                : String.format(Locale.ROOT, "%s in %.1f s, %s", whole, elapsed.toMillis() / 1e3, rate(at, elapsed));
    }

    int percent(long at) {
        return to <= 0 ? 100 : (int) (100.0 * at / to);
    }

    private String rate(long at, Duration elapsed) {
        double seconds = Math.max(1e-3, elapsed.toNanos() / 1e9);
        return Amounts.bytes(Math.round((at - from) / seconds)) + "/s";
    }

    private Duration left(long at, Duration elapsed) {
        return Duration.ofNanos((long) ((double) elapsed.toNanos() * (to - at) / (at - from)));
    }
}
