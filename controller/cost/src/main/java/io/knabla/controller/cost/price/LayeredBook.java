package io.knabla.controller.cost.price;

import io.knabla.controller.cost.price.Provenance.Quality;
import io.knabla.controller.cost.usage.Interval;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Asks several books in their order and answers with the first that knows: declared over refreshed over bundled.
 *
 * <p>A price that was published for the time comes before one that a higher book only assumes or computes.
 */
public final class LayeredBook implements PriceBook {
    private static final Set<Quality> GUESSED = EnumSet.of(Quality.DERIVED, Quality.DEFAULT);

    private final List<PriceBook> books;

    /** @param books most trusted first */
    public LayeredBook(List<? extends PriceBook> books) {
        this.books = List.copyOf(books);
    }

    @Override
    public Optional<Price> onDemand(String instanceType, String region, Instant at) {
        return first(book -> book.onDemand(instanceType, region, at), Price::provenance);
    }

    @Override
    public List<SpotPrice> spot(String instanceType, String region, String zoneId, Interval time) {
        List<List<SpotPrice>> answers = books.stream()
                .map(book -> book.spot(instanceType, region, zoneId, time))
                .toList();
        List<SpotPrice> prices = List.of();
        for (List<SpotPrice> answer : answers) {
            prices = SpotParts.fill(
                    prices, answer.stream().filter(LayeredBook::isKnown).toList(), time);
        }
        for (List<SpotPrice> answer : answers) {
            prices = SpotParts.fill(prices, answer, time);
        }
        return prices;
    }

    @Override
    public Optional<Price> committed(String instanceType, String region, Commitment commitment, Instant at) {
        return first(book -> book.committed(instanceType, region, commitment, at), Price::provenance);
    }

    @Override
    public Optional<LambdaRates> lambda(String region, Architecture architecture, Instant at) {
        return first(
                book -> book.lambda(region, architecture, at),
                rates -> rates.tiers().getFirst().perGbSecond().provenance());
    }

    @Override
    public Optional<FargateRates> fargate(String region, Architecture architecture, Instant at) {
        return first(
                        book -> book.fargate(region, architecture, at),
                        rates -> rates.onDemand().perVcpuHour().provenance())
                .map(rates -> new FargateRates(rates.onDemand(), fargateSpot(region, architecture, at)));
    }

    @Override
    public Optional<FargateRates.Rate> fargateSpot(String region, Architecture architecture, Instant at) {
        return first(
                book -> book.fargateSpot(region, architecture, at),
                rate -> rate.perVcpuHour().provenance());
    }

    @Override
    public Map<String, Price> serverlessGpus(Instant at) {
        Map<String, Price> prices = new HashMap<>();
        books.forEach(book -> book.serverlessGpus(at).forEach(prices::putIfAbsent));
        return Map.copyOf(prices);
    }

    private <T> Optional<T> first(Function<PriceBook, Optional<T>> question, Function<T, Provenance> provenance) {
        List<T> answers = books.stream().map(question).flatMap(Optional::stream).toList();
        return answers.stream()
                .filter(answer -> provenance.apply(answer).quality() != Quality.DEFAULT)
                .findFirst()
                .or(() -> answers.stream().findFirst());
    }

    private static boolean isKnown(SpotPrice price) {
        return !GUESSED.contains(price.perHour().provenance().quality());
    }
}
