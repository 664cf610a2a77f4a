package io.knabla.controller.gateway;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The {@code Server-Timing} header of an answer: the gateway's phases and the replica's own. */
final class ServerTiming {
    /** Below this a wait is noise, and the replica's own header is passed on as it is. */
    private static final double WORTH_TELLING_MILLIS = 1;

    private static final List<String> START_PHASES = List.of("place", "fetch", "boot", "load");

    private ServerTiming() {}

    /**
     * @param waitedMillis from arrival to when a replica took it
     * @param phases of the start that it waited for; empty if it waited for none
     * @param replicas what the replica answered; may be null
     * @return null where there is nothing to say
     */
    static String merge(double waitedMillis, Map<String, Double> phases, String replicas) {
        if (phases.isEmpty() && waitedMillis < WORTH_TELLING_MILLIS) {
            return replicas;
        }
        double started = 0;
        StringBuilder header = new StringBuilder();
        for (String phase : START_PHASES) {
            Double millis = phases.get(phase);
            if (millis != null) {
                started += millis;
                append(header, phase, millis);
            }
        }
        // What the start does not explain was waiting, here or in the replica.
        double queue = Math.max(0, waitedMillis - started) + duration(replicas, "queue");
        StringBuilder all = new StringBuilder();
        append(all, "queue", queue);
        if (!header.isEmpty()) {
            all.append(", ").append(header);
        }
        if (replicas != null) {
            for (String metric : replicas.split(",")) {
                if (!name(metric).equals("queue") && !metric.isBlank()) {
                    all.append(", ").append(metric.strip());
                }
            }
        }
        return all.toString();
    }

    private static void append(StringBuilder header, String name, double millis) {
        if (!header.isEmpty()) {
            header.append(", ");
        }
        header.append(name).append(";dur=").append(String.format(Locale.ROOT, "%.1f", millis));
    }

    private static double duration(String header, String wanted) {
        if (header == null) {
            return 0;
        }
        for (String metric : header.split(",")) {
            int duration = metric.indexOf("dur=");
            if (name(metric).equals(wanted) && duration > 0) {
                try {
                    return Double.parseDouble(
                            metric.substring(duration + 4).split(";")[0].strip());
                } catch (NumberFormatException strange) {
                    return 0;
                }
            }
        }
        return 0;
    }

    private static String name(String metric) {
        int semicolon = metric.indexOf(';');
        return (semicolon < 0 ? metric : metric.substring(0, semicolon)).strip();
    }
}
