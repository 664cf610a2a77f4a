package io.knabla.controller.cost.query;

import io.knabla.controller.price.DeclaredPrice;
import io.knabla.controller.price.DeclaredPrice.Offer;
import io.knabla.controller.price.DeclaredPrices;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceFaultsException;
import io.knabla.controller.price.PriceRow;
import io.knabla.functions.Fault;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the entries of a list {@code prices:}, in config.yaml or in a scenario file. */
final class DeclaredPriceReader {
    private static final List<String> EVERY = List.of("offer", "currency", "from", "until");

    private static final Map<String, List<String>> KEYS = new TreeMap<>(Map.of(
            "OnDemand", List.of("instanceType", "region", "perHour"),
            "Spot", List.of("instanceType", "region", "zoneId", "perHour"),
            "OwnMachine", List.of("instanceType", "region", "purchasePrice", "watts", "perKilowattHour", "years"),
            "ServerlessGpu", List.of("name", "perGpuSecond"),
            "FargateSpot", List.of("region", "architecture", "perVcpuHour", "perGbHour")));

    private final Map<String, String> entry;
    private final String path;
    private final List<Fault> faults;

    private DeclaredPriceReader(Map<String, String> entry, String path, List<Fault> faults) {
        this.entry = entry;
        this.path = path;
        this.faults = faults;
    }

    /** @param faults takes everything that is wrong; the result is of use only if there is nothing */
    static List<DeclaredPrice> read(List<Map<String, String>> entries, List<Fault> faults) {
        List<DeclaredPrice> prices = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            String path = "prices[%d]".formatted(i);
            int before = faults.size();
            DeclaredPrice price = new DeclaredPriceReader(entries.get(i), path + ".", faults).price();
            // A price that is refused already takes part in the next check under a name of its own, for the indexes.
            prices.add(
                    faults.size() == before
                            ? price
                            : DeclaredPrice.always(new DeclaredPrice.ServerlessGpu(path, BigDecimal.ZERO)));
        }
        addFaultsOfValues(prices, faults);
        return prices;
    }

    private static void addFaultsOfValues(List<DeclaredPrice> prices, List<Fault> faults) {
        try {
            DeclaredPrices.rows(prices, "prices", Instant.EPOCH);
        } catch (PriceFaultsException refused) {
            refused.faults().forEach(sentence -> {
                String[] parts = sentence.split(" ", 2);
                faults.add(new Fault(parts[0], parts[1]));
            });
        }
    }

    private DeclaredPrice price() {
        String kind = entry.getOrDefault("offer", "");
        List<String> own = KEYS.get(kind);
        if (own == null) {
            fault("offer", "is '%s'; allowed are %s".formatted(kind, String.join(", ", KEYS.keySet())));
            return null;
        }
        Set<String> unknown = new TreeSet<>(entry.keySet());
        unknown.removeAll(EVERY);
        unknown.removeAll(own);
        unknown.forEach(key -> fault(
                key,
                "is no key of the offer %s; known are %s, %s"
                        .formatted(kind, String.join(", ", EVERY), String.join(", ", own))));
        return new DeclaredPrice(offer(kind), entry.getOrDefault("currency", "USD"), time("from"), time("until"));
    }

    private Offer offer(String kind) {
        String type = entry.get("instanceType");
        String region = entry.getOrDefault("region", PriceRow.ANY);
        return switch (kind) {
            case "OnDemand" -> new DeclaredPrice.Instance(type, region, number("perHour"));
            case "Spot" ->
                new DeclaredPrice.SpotInstance(
                        type, region, entry.getOrDefault("zoneId", PriceRow.ANY), number("perHour"));
            case "OwnMachine" ->
                new DeclaredPrice.OwnMachine(
                        type,
                        region,
                        number("purchasePrice"),
                        number("watts"),
                        number("perKilowattHour"),
                        number("years"));
            case "ServerlessGpu" -> new DeclaredPrice.ServerlessGpu(entry.get("name"), number("perGpuSecond"));
            default ->
                new DeclaredPrice.FargateSpot(
                        region, architecture().orElse(null), number("perVcpuHour"), number("perGbHour"));
        };
    }

    private Optional<PriceBook.Architecture> architecture() {
        return Optional.ofNullable(entry.get("architecture")).flatMap(text -> {
            Optional<PriceBook.Architecture> known = ConstantNames.find(PriceBook.Architecture.values(), text);
            if (known.isEmpty()) {
                fault("architecture", "is '%s'; allowed are x86_64 and arm64".formatted(text));
            }
            return known;
        });
    }

    private BigDecimal number(String key) {
        String text = entry.get(key);
        try {
            return text == null ? null : new BigDecimal(text);
        } catch (NumberFormatException notOne) {
            fault(key, "is '%s'; write a number such as 0.25".formatted(text));
            return null;
        }
    }

    private Optional<Instant> time(String key) {
        try {
            // No clock: a price's time does not depend on when it is read.
            return Optional.ofNullable(entry.get(key))
                    .map(text -> new TimeExpression(Instant.MAX, ZoneOffset.UTC).parse(text));
        } catch (IllegalArgumentException malformed) {
            fault(key, "is '%s'; write a date such as 2026-11-23, or 2026-11-23T08:00:00Z".formatted(entry.get(key)));
            return Optional.empty();
        }
    }

    private void fault(String key, String message) {
        faults.add(new Fault(path + key, message));
    }
}
