package io.knabla.controller.local.gateway;

import java.util.List;
import java.util.Map;

/** Builds the {@code Server-Timing} header of a response from the gateway's phases and the replica's header. */
final class ServerTiming {
    /** Shorter waits are noise: the replica's header is passed on unchanged. */
    private static final double WORTH_TELLING_MILLIS = 1;

    private static final List<String> START_PHASES = List.of("place", "fetch", "boot", "load");

    private ServerTiming() {}

    /**
     * @param waitedMillis from arrival until a replica was assigned
     * @param phases of the replica start that the request waited for; empty if it waited for none
     * @param replicas header of the replica's response; may be null
     * @return null if there is nothing to report
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
        // The rest of the wait was spent in a queue, here or in the replica.
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
        long tenths = Math.round(millis * 10);
        header.append(name).append(";dur=").append(tenths / 10).append('.').append(tenths % 10);
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
                            metric.substring(duration + 4).split(";", 2)[0].strip());
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
