package io.knabla.controller.cli.verbs.cost;

import io.knabla.controller.cli.client.PlatformClient;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options that say which time a question about costs is about. */
public final class PeriodOptions {
    @Option(
            names = "--from",
            paramLabel = "TIME",
            completionCandidates = StartWords.class,
            description = "Start: -24h, 7d, today, yesterday, this-month, last-month, a date such as 2026-11-23, or a"
                    + " time such as 2026-11-23T08:00:00+01:00 (default: 24 hours ago).")
    String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            completionCandidates = StartWords.class,
            description =
                    "End, which is not included: as for --from; a day or month ends where it starts (default: now).")
    String to;

    @Option(
            names = "--period",
            paramLabel = "PERIOD",
            completionCandidates = Periods.class,
            description = "In place of --from and --to: ${COMPLETION-CANDIDATES}; as far as it is over.")
    String period;

    @Option(
            names = "--tz",
            paramLabel = "ZONE",
            description =
                    "Time zone of dates, months, days and hours, such as Europe/Berlin (default: that of this machine).")
    String zone = ZoneId.systemDefault().getId();

    static final class Periods extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Periods() {
            super(List.of("today", "yesterday", "this-month", "last-month"));
        }
    }

    static final class StartWords extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        StartWords() {
            super(new Periods());
            add("now");
        }
    }

    /** Whether a start or an end is written. */
    public boolean hasBound() {
        return from != null || to != null;
    }

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
        if (period != null) {
            parameters.put("period", period);
        }
        return "/costs" + below
                + parameters.entrySet().stream()
                        .map(each -> each.getKey() + "=" + PlatformClient.pathSegment(each.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }
}
