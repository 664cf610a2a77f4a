package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.billing.UsedPrice;
import io.knabla.controller.cost.scenario.Fault;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.price.Provenance;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sentences that say what a report rests on: missing prices, faults, assumptions, and sources of its prices. */
public final class CostNotes {
    private CostNotes() {}

    private record Source(Provenance.Quality quality, String text, LocalDate retrieved) {
        static final Comparator<Source> ORDER = Comparator.comparing(Source::quality)
                .thenComparing(Source::text)
                .thenComparing(Source::retrieved);

        static Source of(UsedPrice price) {
            Provenance from = price.price().provenance();
            return new Source(
                    from.quality(),
                    from.source(),
                    from.retrieved().atOffset(ZoneOffset.UTC).toLocalDate());
        }
    }

    /** Notes of a scenario, the most serious ones first; none of them repeats. */
    public static List<String> of(ScenarioResult result) {
        List<String> notes = new ArrayList<>();
        result.unpriced().stream()
                .collect(Collectors.groupingBy(
                        unpriced -> "%s for %s".formatted(words(unpriced.reason()), subject(unpriced)),
                        TreeMap::new,
                        Collectors.counting()))
                .forEach((what, count) ->
                        notes.add("not in the sum: %s (%d times); declare a price under prices: in config.yaml"
                                .formatted(what, count)));
        counted(result.faults().stream().map(Fault::kind).toList())
                .forEach((kind, count) -> notes.add("usage corrected: %s (%d rows)".formatted(kind, count)));
        result.assumptions()
                .forEach(assumption -> notes.add("assumed: %s%s"
                        .formatted(
                                assumption.subject().isEmpty() ? "" : assumption.subject() + ": ",
                                ReportTexts.of(assumption))));
        result.prices().stream()
                .collect(Collectors.groupingBy(Source::of, () -> new TreeMap<>(Source.ORDER), Collectors.counting()))
                .forEach((source, count) -> notes.add("prices: %d %s, from %s, retrieved %s"
                        .formatted(count, words(source.quality()), source.text(), source.retrieved())));
        if (result.freeTier().signum() > 0) {
            notes.add(ReportTexts.withoutFreeTier(result));
        }
        return List.copyOf(notes);
    }

    private static String subject(Unpriced unpriced) {
        return unpriced.subject().isBlank() ? "a node without an instance type" : unpriced.subject();
    }

    private static Map<String, Long> counted(List<? extends Enum<?>> kinds) {
        return kinds.stream().collect(Collectors.groupingBy(CostNotes::words, TreeMap::new, Collectors.counting()));
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
