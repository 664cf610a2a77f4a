package io.knabla.bench.report;

import io.knabla.bench.statistics.PairedSamples;
import io.knabla.bench.statistics.Samples;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Result of one comparison. Values are medians over rounds; {@code ratio} and {@code spread} are of the per-round
 * quotients.
 *
 * @param details further figures by name: phases, CPU, memory, latencies
 */
public record Row(
        Title title, double value, Reference reference, double ratio, Spread spread, Map<String, Object> details) {
    /** Name and unit of a comparison, and its goal in words. */
    public record Title(String name, String unit, String goal) {
        public Title withGoal(String other) {
            return new Title(name, unit, other);
        }
    }

    /** Name and median of the reference in the comparison. */
    public record Reference(String name, double value) {}

    /** Number of rounds, and smallest and largest quotient. */
    public record Spread(int rounds, double min, double max) {}

    public Row {
        // Not Map.copyOf: the details are printed in insertion order.
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** A row that could not be measured here; its goal says why, over 0 rounds. */
    public static Row skipped(Title title, String reference, String reason) {
        var why = new Title(title.name(), title.unit(), "%s; skipped: %s".formatted(title.goal(), reason));
        return new Row(why, 0, new Reference(reference, 0), 0, new Spread(0, 0, 0), Map.of());
    }

    public static Row of(Title title, PairedSamples measured, String reference, Map<String, Object> details) {
        Samples ratios = measured.ratios();
        return new Row(
                title,
                Rounding.significant(measured.subject().median()),
                new Reference(
                        reference, Rounding.significant(measured.reference().median())),
                Rounding.significant(ratios.median()),
                new Spread(measured.rounds(), Rounding.significant(ratios.min()), Rounding.significant(ratios.max())),
                details);
    }
}
