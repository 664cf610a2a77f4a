package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.client.PlatformClient;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options that say which time a question about costs is about. */
final class PeriodOptions {
    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Start: -24h, 7d, today, a date such as 2026-11-23, or a time such as"
                    + " 2026-11-23T08:00:00+01:00 (default: 24 hours ago).")
    String from;

    @Option(names = "--to", paramLabel = "TIME", description = "End, which is not included (default: now).")
    String to;

    @Option(
            names = "--tz",
            paramLabel = "ZONE",
            description = "Time zone of dates, days and hours, such as Europe/Berlin (default: that of this machine).")
    String zone = ZoneId.systemDefault().getId();

    /** Path below {@code /costs} with these options and others; those that are null are left out. */
    String path(String below, Map<String, String> others) {
        Map<String, String> parameters = new TreeMap<>(others);
        parameters.put("tz", zone);
        if (from != null) {
            parameters.put("from", from);
        }
        if (to != null) {
            parameters.put("to", to);
        }
        return "/costs" + below
                + parameters.entrySet().stream()
                        .map(each -> each.getKey() + "=" + PlatformClient.pathSegment(each.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }
}
