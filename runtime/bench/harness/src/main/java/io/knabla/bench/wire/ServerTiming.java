package io.knabla.bench.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the {@code Server-Timing} header of a response. */
public final class ServerTiming {
    private static final Pattern PHASE = Pattern.compile("([\\w-]+);dur=([0-9.]+)");

    private ServerTiming() {}

    /** Milliseconds by phase name with suffix {@code _ms}; empty without the header. */
    public static Map<String, Double> phases(HttpAnswer answer) {
        Map<String, Double> phases = new LinkedHashMap<>();
        Matcher phase = PHASE.matcher(answer.field("Server-Timing").orElse(""));
        while (phase.find()) {
            phases.put(phase.group(1) + "_ms", Double.parseDouble(phase.group(2)));
        }
        return phases;
    }
}
