package io.knabla.functions.chat.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the faults of one template; keeps the first 100. */
final class Faults {
    private static final int MOST = 100;
    private static final int LONGEST_QUOTE = 40;

    private final List<TemplateFault> kept = new ArrayList<>();

    void add(TemplateFault fault) {
        if (kept.size() < MOST) {
            kept.add(fault);
        }
    }

    void add(Position at, String message, Object... arguments) {
        add(new TemplateFault(at, message.formatted(arguments)));
    }

    /** In the order of their places. */
    List<TemplateFault> list() {
        return kept.stream()
                .sorted(Comparator.comparingInt(
                                (TemplateFault fault) -> fault.at().line())
                        .thenComparingInt(fault -> fault.at().column()))
                .toList();
    }

    static String quote(String text) {
        String cut = text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "…" : text;
        return "'" + cut.replace("\n", "\\n") + "'";
    }
}
