package io.knabla.controller.cost.page;

import io.knabla.controller.billing.UsedPrice;
import io.knabla.controller.cost.report.ReportTexts;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.price.Provenance;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Prices of one subject from one source: those of spot change many times a day.
 *
 * @param lowest in US dollars
 * @param changes number of different prices, less one
 * @param retrieved when the source was last asked
 * @param scenarios names of those that the prices are in
 */
record PriceSummary(
        String subject,
        Provenance.Quality quality,
        String source,
        BigDecimal lowest,
        BigDecimal highest,
        int changes,
        Instant retrieved,
        List<String> scenarios) {
    private record Key(String subject, Provenance.Quality quality, String source) {}

    private record Use(UsedPrice used, String scenario) {
        private Key key() {
            Provenance from = used.price().provenance();
            return new Key(used.subject(), from.quality(), from.source());
        }
    }

    /** Summaries in the order of their subjects. */
    static List<PriceSummary> of(List<ScenarioResult> results) {
        return results.stream()
                .flatMap(result ->
                        result.prices().stream().map(used -> new Use(used, ReportTexts.of(result.scenario()))))
                .collect(Collectors.groupingBy(Use::key))
                .entrySet()
                .stream()
                .map(entry -> of(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(PriceSummary::subject)
                        .thenComparing(PriceSummary::quality)
                        .thenComparing(PriceSummary::source))
                .toList();
    }

    private static PriceSummary of(Key key, List<Use> uses) {
        List<BigDecimal> usd =
                uses.stream().map(use -> use.used().price().usd()).sorted().toList();
        List<Instant> retrieved = uses.stream()
                .map(use -> use.used().price().provenance().retrieved())
                .toList();
        return new PriceSummary(
                key.subject(),
                key.quality(),
                key.source(),
                usd.getFirst(),
                usd.getLast(),
                (int) usd.stream()
                                .map(BigDecimal::stripTrailingZeros)
                                .distinct()
                                .count()
                        - 1,
                Collections.max(retrieved),
                uses.stream().map(Use::scenario).distinct().toList());
    }
}
