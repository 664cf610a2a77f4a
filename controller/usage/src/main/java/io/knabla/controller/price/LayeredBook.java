package io.knabla.controller.price;

import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
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
 * <p>A price that was published for the time comes before one that a higher book only computes, where spot is priced,
 * and both come before one that a higher book assumes for a time outside of its own.
 */
public final class LayeredBook implements PriceBook {
    private static final Set<Quality> KNOWN = EnumSet.complementOf(EnumSet.of(Quality.DEFAULT, Quality.ASSUMED));
    private static final Set<Quality> PUBLISHED =
            EnumSet.complementOf(EnumSet.of(Quality.DERIVED, Quality.DEFAULT, Quality.ASSUMED));
    private static final Set<Quality> ANY = EnumSet.allOf(Quality.class);

    private final List<PriceBook> books;

    /** @param books most trusted first */
    public LayeredBook(List<? extends PriceBook> books) {
        this.books = List.copyOf(books);
    }

    @Override
    public List<TimedPrice> onDemand(String instanceType, String region, Interval time) {
        return joined(book -> book.onDemand(instanceType, region, time), time, List.of(KNOWN, ANY));
    }

    @Override
    public List<TimedPrice> spot(String instanceType, String region, String zoneId, Interval time) {
        return joined(book -> book.spot(instanceType, region, zoneId, time), time, List.of(PUBLISHED, KNOWN, ANY));
    }

    /** @param ranks qualities that are asked for in all books before the next ones are */
    private List<TimedPrice> joined(
            Function<PriceBook, List<TimedPrice>> question, Interval time, List<Set<Quality>> ranks) {
        List<List<TimedPrice>> answers = books.stream().map(question).toList();
        List<TimedPrice> prices = List.of();
        for (Set<Quality> rank : ranks) {
            for (List<TimedPrice> answer : answers) {
                prices = TimedPrices.fill(prices, of(rank, answer), time);
            }
        }
        return prices;
    }

    private static List<TimedPrice> of(Set<Quality> qualities, List<TimedPrice> prices) {
        return prices.stream()
                .filter(price -> qualities.contains(price.perHour().provenance().quality()))
                .toList();
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
                .filter(answer -> KNOWN.contains(provenance.apply(answer).quality()))
                .findFirst()
                .or(() -> answers.stream().findFirst());
    }
}
