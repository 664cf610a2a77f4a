package io.knabla.bench.cold;

import io.knabla.bench.report.Rounding;
import io.knabla.bench.statistics.PairedSamples;
import io.knabla.bench.statistics.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Computes the details of a report row: medians over the rounds for subject and reference, and ratios of CPU and
 * memory.
 */
public final class StartDetails {
    private StartDetails() {}

    public static Map<String, Object> of(InterleavedStarts.Rounds rounds) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("subject", medians(rounds.all(), InterleavedStarts.Round::subject));
        details.put("reference_details", medians(rounds.all(), InterleavedStarts.Round::reference));
        for (String figure : List.of("cpu_ms", "rss_peak_mb", "pss_mb")) {
            for (String prefix : List.of("", "each_")) {
                ratio(rounds.all(), prefix + figure, details);
            }
        }
        details.put("repeated_rounds", rounds.repeated());
        details.put("disturbed_rounds", rounds.disturbed());
        return details;
    }

    private static Map<String, Double> medians(
            List<InterleavedStarts.Round> rounds, Function<InterleavedStarts.Round, StartMeasurement> side) {
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String name : side.apply(rounds.getFirst()).details().keySet()) {
            List<Double> values = rounds.stream()
                    .map(round -> side.apply(round).details().get(name))
                    .filter(value -> value != null)
                    .toList();
            medians.put(name, Rounding.significant(Samples.of(values).median()));
        }
        return medians;
    }

    private static void ratio(List<InterleavedStarts.Round> rounds, String name, Map<String, Object> details) {
        var paired = new PairedSamples();
        for (InterleavedStarts.Round round : rounds) {
            double subject = round.subject().details().getOrDefault(name, 0.0);
            double reference = round.reference().details().getOrDefault(name, 0.0);
            if (subject > 0 && reference > 0) {
                paired.add(subject, reference);
            }
        }
        if (paired.rounds() > 0) {
            String title = name.replaceAll("_(ms|mb)$", "") + "_ratio";
            details.put(title, Rounding.significant(paired.ratios().median()));
        }
    }
}
