package io.knabla.controller.local.gateway;

import io.knabla.runtime.http.HttpHeaders;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.RequestTrace;
import io.knabla.runtime.relay.EndToEndHeaders;
import io.knabla.runtime.shm.SharedRegions;

/** Headers between client and replica; credentials are not passed on. */
final class Headers {
    static final String START = "Knabla-Start";
    static final String VERSION = "Knabla-Version";
    static final String TOKEN = "Knabla-Replica-Token";
    static final String SERVER_TIMING = "Server-Timing";

    private Headers() {}

    static StringBuilder forReplica(HttpRequest from, Endpoint to) {
        RequestTrace trace = from.trace();
        StringBuilder lines = new StringBuilder(512);
        lines.append("Host: ").append(to.authority).append("\r\n");
        EndToEndHeaders.append(from.headers(), name -> isOfClient(name) || trace.replaces(name), lines);
        lines.append(trace.headerLines());
        return lines.append(TOKEN).append(": ").append(to.replica.token()).append("\r\n");
    }

    private static boolean isOfClient(String name) {
        return switch (name.length()) {
            case 4 -> name.equalsIgnoreCase("Host");
            case 13 -> name.equalsIgnoreCase("Authorization");
            case 20 -> name.equalsIgnoreCase(TOKEN) || name.equalsIgnoreCase(SharedRegions.HEADER);
            default -> false;
        };
    }

    /** @param timing replaces the replica's; may be null */
    static StringBuilder forClient(HttpHeaders from, String timing) {
        StringBuilder lines = new StringBuilder(256);
        EndToEndHeaders.append(from, name -> isOfGateway(name) || RequestTrace.isRepeated(name), lines);
        if (timing != null) {
            lines.append(SERVER_TIMING).append(": ").append(timing).append("\r\n");
        }
        return lines;
    }

    private static boolean isOfGateway(String name) {
        return switch (name.length()) {
            case 12 -> name.equalsIgnoreCase(START);
            case 13 -> name.equalsIgnoreCase(SERVER_TIMING);
            case 14 -> name.equalsIgnoreCase(VERSION);
            default -> false;
        };
    }
}
