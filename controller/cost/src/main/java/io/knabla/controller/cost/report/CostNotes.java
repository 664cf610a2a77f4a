package io.knabla.controller.cost.report;

import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.billing.UsedPrice;
import io.knabla.controller.cost.price.Provenance;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.Fault;
import io.knabla.controller.cost.scenario.ScenarioResult;
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
        result.assumptions().forEach(assumption -> notes.add("assumed: " + sentence(assumption)));
        result.prices().stream()
                .collect(Collectors.groupingBy(Source::of, () -> new TreeMap<>(Source.ORDER), Collectors.counting()))
                .forEach((source, count) -> notes.add("prices: %d %s, from %s, retrieved %s"
                        .formatted(count, words(source.quality()), source.text(), source.retrieved())));
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

    private static String sentence(Assumption assumption) {
        String value = Decimals.plain(assumption.value());
        String of = assumption.subject().isEmpty() ? "" : " of " + assumption.subject();
        return switch (assumption.kind()) {
            case SAME_TIME_UNDER_OTHER_OFFER -> value + " nodes would have run for the same time";
            case INTERRUPTION_SHARE_STATED -> "interruptions add a share of %s, as you state".formatted(value);
            case INTERRUPTION_SHARE_MEASURED -> "interruptions add a share of %s, as measured here".formatted(value);
            case INTERRUPTION_SHARE_UNKNOWN ->
                "interruptions add nothing, since none was measured; state interruptionShare in a --scenario file";
            case USE_NOT_MEASURED ->
                "%s replicas used all that they reserved, since use was not measured".formatted(value);
            case WORK_SPREAD_EVENLY -> "requests of %s replicas are spread evenly over their life".formatted(value);
            case REQUESTS_EQUALLY_LONG -> "%s requests took equally long within their replica".formatted(value);
            case LAMBDA_MEMORY -> "Lambda memory%s is %s MB".formatted(of, value);
            case LAMBDA_ONE_INIT_PER_REPLICA ->
                "Lambda would start as often as replicas did, %s times".formatted(value);
            case SERVERLESS_GPU_CHEAPEST -> "the cheapest of %s declared serverless GPUs".formatted(value);
            case LAMBDA_USED_BEFORE -> "the account used %s GB-seconds of Lambda before".formatted(value);
            case FARGATE_VCPUS -> "a Fargate task%s has %s vCPUs".formatted(of, value);
            case FARGATE_MEMORY -> "a Fargate task%s has %s MiB".formatted(of, value);
            case COMMITTED_STATED -> "%s instances%s are committed, as you state".formatted(value, of);
            case COMMITTED_PEAK -> "%s instances%s are committed, the peak of the period".formatted(value, of);
            case KEPT_WARM_ON_SAME_NODE ->
                "a warm replica%s runs %s s more, on the node of its last one".formatted(of, value);
        };
    }
}
