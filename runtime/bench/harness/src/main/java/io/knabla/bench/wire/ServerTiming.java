package io.knabla.bench.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an answer says in {@code Server-Timing} about where its time went. */
public final class ServerTiming {
    private static final Pattern PHASE = Pattern.compile("([\\w-]+);dur=([0-9.]+)");

    private ServerTiming() {}

    /** Milliseconds under the phase's name and {@code _ms}; empty when the answer does not say. */
    public static Map<String, Double> phases(HttpAnswer answer) {
        Map<String, Double> phases = new LinkedHashMap<>();
        Matcher phase = PHASE.matcher(answer.field("Server-Timing").orElse(""));
        while (phase.find()) {
            phases.put(phase.group(1) + "_ms", Double.parseDouble(phase.group(2)));
        }
        return phases;
    }
}
