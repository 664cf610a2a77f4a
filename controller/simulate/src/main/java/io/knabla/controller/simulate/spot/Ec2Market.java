package io.knabla.controller.simulate.spot;

import io.knabla.controller.billing.Ec2Billing;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.billing.Period;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.ZoneIds;
import io.knabla.controller.spot.policy.Regions;
import io.knabla.controller.spot.policy.ZoneOffer;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Instances of one type at the prices of a price book, billed by the rules of EC2. */
public final class Ec2Market implements Market {
    private final PriceBook book;
    private final String instanceType;
    private final Period period;
    private final NavigableMap<Instant, List<ZoneOffer>> offers = new TreeMap<>();

    /**
     * @param time of the simulation, with an end
     * @throws IllegalArgumentException that names every zone without a price for a part of the time
     */
    public Ec2Market(PriceBook book, String instanceType, List<String> zones, Interval time) {
        this.book = book;
        this.instanceType = instanceType;
        this.period = Period.past(time.start(), time.end().orElseThrow());
        offer(zones, time);
    }

    private void offer(List<String> zones, Interval time) {
        List<NavigableMap<Instant, Double>> spot =
                prices(zones, time, (zone, span) -> book.spot(instanceType, region(zone), zone, span), "on spot");
        List<NavigableMap<Instant, Double>> onDemand =
                prices(zones, time, (zone, span) -> book.onDemand(instanceType, region(zone), span), "on demand");
        List<Instant> times = Stream.of(spot, onDemand)
                .flatMap(List::stream)
                .flatMap(prices -> prices.keySet().stream())
                .distinct()
                .toList();
        for (Instant at : times) {
            List<ZoneOffer> now = new ArrayList<>();
            for (int zone = 0; zone < zones.size(); zone++) {
                now.add(ZoneOffer.of(
                        zones.get(zone),
                        spot.get(zone).floorEntry(at).getValue(),
                        onDemand.get(zone).floorEntry(at).getValue()));
            }
            offers.put(at, List.copyOf(now));
        }
    }

    private List<NavigableMap<Instant, Double>> prices(
            List<String> zones,
            Interval time,
            BiFunction<String, Interval, List<PriceBook.TimedPrice>> lookup,
            String what) {
        List<NavigableMap<Instant, Double>> prices = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (String zone : zones) {
            NavigableMap<Instant, Double> line = new TreeMap<>();
            lookup.apply(zone, time).forEach(part -> line.put(part.time().start(), usd(part.perHour())));
            if (line.floorKey(time.start()) == null) {
                unknown.add(zone);
            }
            prices.add(line);
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("no price of %s %s is known at %s in %s"
                    .formatted(
                            instanceType, what, time.start(), unknown.stream().collect(Collectors.joining(", "))));
        }
        return prices;
    }

    /** @param zone name or id */
    private static String region(String zone) {
        return ZoneIds.region(zone).orElseGet(() -> Regions.of(zone));
    }

    private static double usd(Price price) {
        return price.usd().doubleValue();
    }

    @Override
    public List<ZoneOffer> offers(List<String> zones, Instant at) {
        return offers.floorEntry(at).getValue();
    }

    @Override
    public BigDecimal bill(BilledInstance life) {
        NodeInterval node = new NodeInterval(
                life.id(),
                life.id(),
                "",
                life.offering().capacity(),
                instanceType,
                region(life.offering().zone()),
                life.offering().zone(),
                Resources.NONE,
                Interval.of(life.start(), life.end()),
                life.how());
        NodeBill bill = Ec2Billing.asBought(node, period, book);
        return bill.total();
    }
}
