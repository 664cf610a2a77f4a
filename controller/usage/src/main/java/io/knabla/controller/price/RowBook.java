package io.knabla.controller.price;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Price book over an immutable set of price rows.
 *
 * <p>A row holds from its start to the start of the next row of its key, or until its source is too old: list prices 90
 * days after it was read, spot prices and their averages 7 days, a commitment for its term. A row that states its end
 * replaces the others of its key until then. A spot price that is not known is replaced by the region's average. At
 * other times a list price (on demand, Lambda, Fargate) and an average of spot prices are answered with quality
 * {@link Provenance.Quality#DEFAULT} and their date in the source; others are absent.
 */
public final class RowBook implements PriceBook {
    private record Machine(String type, String region) {}

    private record Zone(String type, String region, String zone) {}

    private record Term(String type, String region, Commitment commitment) {}

    private record Service(String region, Architecture architecture) {}

    private final Map<Machine, Timeline<Price>> onDemand;
    private final Map<Zone, Timeline<Price>> spot;
    private final Map<Machine, Timeline<Price>> average;
    private final Map<Term, Timeline<Price>> committed;
    private final Map<Service, Timeline<LambdaRates>> lambda;
    private final Map<Service, Timeline<FargateRates.Rate>> fargate;
    private final Map<Service, Timeline<FargateRates.Rate>> fargateSpot;
    private final Map<String, Timeline<Price>> serverlessGpu;

    /** @param rows of two with the same key and start, the one retrieved later counts */
    public RowBook(Collection<? extends PriceRow> rows) {
        List<? extends PriceRow> sorted = rows.stream()
                .sorted(Comparator.comparing(row -> row.provenance().retrieved()))
                .toList();
        onDemand = index(
                sorted,
                PriceRow.OnDemand.class,
                row -> new Machine(row.instanceType(), row.region()),
                PriceRow.OnDemand::perHour);
        spot = index(
                sorted,
                PriceRow.Spot.class,
                row -> new Zone(row.instanceType(), row.region(), row.zone()),
                PriceRow.Spot::perHour);
        average = index(
                sorted,
                PriceRow.SpotAverage.class,
                row -> new Machine(row.instanceType(), row.region()),
                PriceRow.SpotAverage::perHour);
        committed = index(
                sorted,
                PriceRow.Committed.class,
                row -> new Term(row.instanceType(), row.region(), row.commitment()),
                PriceRow.Committed::perHour);
        lambda = index(
                sorted,
                PriceRow.Lambda.class,
                row -> new Service(row.region(), row.architecture()),
                PriceRow.Lambda::rates);
        fargate = index(
                sorted,
                PriceRow.Fargate.class,
                row -> new Service(row.region(), row.architecture()),
                PriceRow.Fargate::rate);
        fargateSpot = index(
                sorted,
                PriceRow.FargateSpot.class,
                row -> new Service(row.region(), row.architecture()),
                PriceRow.FargateSpot::rate);
        serverlessGpu = index(
                sorted,
                PriceRow.ServerlessGpu.class,
                PriceRow.ServerlessGpu::offer,
                PriceRow.ServerlessGpu::perGpuSecond);
    }

    @Override
    public List<TimedPrice> onDemand(String instanceType, String region, Interval time) {
        List<Timeline<Price>> lines = lines(onDemand, machines(instanceType, region));
        return filledAssumed(filled(List.of(), lines, time), lines, time, OutdatedPrices::price);
    }

    @Override
    public List<TimedPrice> spot(String instanceType, String region, String zoneId, Interval time) {
        List<Timeline<Price>> averages = lines(average, machines(instanceType, region));
        List<TimedPrice> known = filled(List.of(), lines(spot, zones(instanceType, region, zoneId)), time);
        return filledAssumed(filled(known, averages, time), averages, time, OutdatedPrices::spotAverage);
    }

    @Override
    public Optional<Price> committed(String instanceType, String region, Commitment commitment, Instant at) {
        Stream<Term> terms = Stream.of(region, PriceRow.ANY).map(place -> new Term(instanceType, place, commitment));
        return known(lines(committed, terms), at);
    }

    @Override
    public Optional<LambdaRates> lambda(String region, Architecture architecture, Instant at) {
        return list(lines(lambda, services(region, architecture)), at, OutdatedPrices::lambda);
    }

    @Override
    public Optional<FargateRates> fargate(String region, Architecture architecture, Instant at) {
        return list(lines(fargate, services(region, architecture)), at, OutdatedPrices::rate)
                .map(rate -> new FargateRates(rate, fargateSpot(region, architecture, at)));
    }

    @Override
    public Optional<FargateRates.Rate> fargateSpot(String region, Architecture architecture, Instant at) {
        return known(lines(fargateSpot, services(region, architecture)), at);
    }

    @Override
    public Map<String, Price> serverlessGpus(Instant at) {
        Map<String, Price> prices = new TreeMap<>();
        serverlessGpu.forEach((offer, line) -> line.at(at).ifPresent(price -> prices.put(offer, price)));
        return prices;
    }

    private static Stream<Machine> machines(String type, String region) {
        return Stream.of(region, PriceRow.ANY).map(place -> new Machine(type, place));
    }

    private static Stream<Zone> zones(String type, String region, String zone) {
        return Stream.of(
                new Zone(type, region, zone),
                new Zone(type, region, PriceRow.ANY),
                new Zone(type, PriceRow.ANY, zone),
                new Zone(type, PriceRow.ANY, PriceRow.ANY));
    }

    private static Stream<Service> services(String region, Architecture architecture) {
        return Stream.of(region, PriceRow.ANY).map(place -> new Service(place, architecture));
    }

    private static List<TimedPrice> filled(List<TimedPrice> prices, List<Timeline<Price>> lines, Interval time) {
        Instant until = TimedPrices.endOf(time);
        return filled(prices, lines, time, line -> line.within(time.start(), until), UnaryOperator.identity());
    }

    private static List<TimedPrice> filledAssumed(
            List<TimedPrice> prices, List<Timeline<Price>> lines, Interval time, UnaryOperator<Price> marked) {
        Instant until = TimedPrices.endOf(time);
        return filled(prices, lines, time, line -> line.extrapolated(time.start(), until), marked);
    }

    private static List<TimedPrice> filled(
            List<TimedPrice> prices,
            List<Timeline<Price>> lines,
            Interval time,
            Function<Timeline<Price>, List<Timeline.Part<Price>>> parts,
            UnaryOperator<Price> marked) {
        List<TimedPrice> all = prices;
        for (Timeline<Price> line : lines) {
            List<TimedPrice> more = parts.apply(line).stream()
                    .map(part -> new TimedPrice(part.time(), marked.apply(part.value())))
                    .toList();
            all = TimedPrices.fill(all, more, time);
        }
        return all;
    }

    private static <K, V> List<Timeline<V>> lines(Map<K, Timeline<V>> index, Stream<K> keys) {
        return keys.map(index::get).filter(Objects::nonNull).toList();
    }

    private static <V> Optional<V> known(List<Timeline<V>> lines, Instant at) {
        return lines.stream().flatMap(line -> line.at(at).stream()).findFirst();
    }

    private static <V> Optional<V> list(List<Timeline<V>> lines, Instant at, UnaryOperator<V> assumed) {
        return known(lines, at)
                .or(() -> lines.stream()
                        .flatMap(line -> line.extrapolated(at).stream())
                        .findFirst()
                        .map(assumed));
    }

    private static <R extends PriceRow, K, V> Map<K, Timeline<V>> index(
            List<? extends PriceRow> rows, Class<R> kind, Function<R, K> key, Function<R, V> value) {
        return rows.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .collect(groupingBy(key, collectingAndThen(toList(), same -> timeline(same, value))));
    }

    private static <R extends PriceRow, V> Timeline<V> timeline(List<R> rows, Function<R, V> value) {
        return new Timeline<>(rows.stream()
                .map(row -> new Timeline.Entry<>(
                        row.time(), PriceValidity.of(row), value.apply(row), PriceValidity.extrapolates(row)))
                .toList());
    }
}
