package io.knabla.bench.report;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a report as text: one line per comparison, with its details below; then what failed. */
public final class ReportTable {
    private ReportTable() {}

    public static String write(Report report) {
        var text = new StringBuilder();
        text.append("bench %s on %s%n".formatted(report.bench(), report.host()));
        for (Row row : report.rows()) {
            text.append('\n').append(headline(row));
            row.details().forEach((name, value) -> text.append("    %-18s %s%n".formatted(name, plain(value))));
        }
        report.failed().forEach(row -> text.append("%n%s: failed: %s%n".formatted(row.name(), row.reason())));
        return text.toString();
    }

    private static String headline(Row row) {
        return String.format(
                Locale.ROOT,
                "%s: ratio %s (%s to %s over %d rounds); %s %s against %s of %s%n    %-18s %s%n",
                row.title().name(),
                plain(row.ratio()),
                plain(row.spread().min()),
                plain(row.spread().max()),
                row.spread().rounds(),
                plain(row.value()),
                row.title().unit(),
                plain(row.reference().value()),
                row.reference().name(),
                "goal",
                row.title().goal());
    }

    private static String plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + " " + plain(entry.getValue()))
                    .collect(Collectors.joining(", "));
        }
        if (value instanceof Double number && number == Math.rint(number)) {
            return Long.toString(number.longValue());
        }
        return String.valueOf(value);
    }
}
