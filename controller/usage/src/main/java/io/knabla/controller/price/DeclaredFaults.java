package io.knabla.controller.price;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds everything that is wrong with declared prices. */
final class DeclaredFaults {
    /** Beyond these a number is a typing error, and sums of such numbers could take all memory. */
    private static final BigDecimal LARGEST = new BigDecimal("1000000000");

    private static final int MOST_DECIMALS = 18;

    private final List<String> faults = new ArrayList<>();
    private final String path;

    private DeclaredFaults(String path) {
        this.path = path;
    }

    static List<String> of(List<DeclaredPrice> prices) {
        List<String> faults = new ArrayList<>();
        Map<List<Object>, String> seen = new HashMap<>();
        for (int i = 0; i < prices.size(); i++) {
            DeclaredFaults one = new DeclaredFaults(path(i));
            one.check(prices.get(i));
            if (one.faults.isEmpty()) {
                one.checkUnique(prices.get(i), seen);
            }
            faults.addAll(one.faults);
        }
        return faults;
    }

    static String path(int index) {
        return "prices[%d]".formatted(index);
    }

    private void check(DeclaredPrice price) {
        if (!DeclaredPrices.CURRENCY.equals(price.currency())) {
            add("currency", "is %s; allowed is USD: convert the price".formatted(price.currency()));
        }
        price.until()
                .filter(until ->
                        price.from().isPresent() && !price.from().orElseThrow().isBefore(until))
                .ifPresent(until -> add(
                        "until",
                        "is %s, but must be after from, which is %s"
                                .formatted(until, price.from().orElseThrow())));
        switch (price.offer()) {
            case DeclaredPrice.Instance it -> {
                place(it.instanceType(), it.region());
                amount("perHour", it.perHour());
            }
            case DeclaredPrice.SpotInstance it -> {
                place(it.instanceType(), it.region());
                name("zoneId", it.zoneId());
                amount("perHour", it.perHour());
            }
            case DeclaredPrice.OwnMachine it -> machine(it);
            case DeclaredPrice.ServerlessGpu it -> {
                name("name", it.name());
                amount("perGpuSecond", it.perGpuSecond());
            }
            case DeclaredPrice.FargateSpot it -> fargateSpot(it);
        }
    }

    private void machine(DeclaredPrice.OwnMachine machine) {
        place(machine.instanceType(), machine.region());
        amount("purchasePrice", machine.purchasePrice());
        amount("watts", machine.watts());
        amount("perKilowattHour", machine.perKilowattHour());
        amount("years", machine.years());
        if (machine.years() != null && machine.years().signum() == 0) {
            add("years", "is 0, but a machine must last longer to have an hourly price");
        }
    }

    private void fargateSpot(DeclaredPrice.FargateSpot spot) {
        name("region", spot.region());
        if (spot.architecture() == null) {
            add("architecture", "is missing; allowed are x86_64 and arm64");
        }
        amount("perVcpuHour", spot.perVcpuHour());
        amount("perGbHour", spot.perGbHour());
    }

    private void place(String instanceType, String region) {
        name("instanceType", instanceType);
        name("region", region);
    }

    private void name(String field, String value) {
        if (value == null || value.isBlank()) {
            add(field, "is missing; give its name");
        }
    }

    private void amount(String field, BigDecimal value) {
        if (value == null) {
            add(field, "is missing; give a number from 0");
        } else if (value.signum() < 0 || value.compareTo(LARGEST) > 0 || Math.abs(value.scale()) > MOST_DECIMALS) {
            add(field, "is %s; allowed is 0 to 1000000000 with at most 18 decimals".formatted(value));
        }
    }

    private void checkUnique(DeclaredPrice price, Map<List<Object>, String> seen) {
        String first = seen.putIfAbsent(List.of(key(price.offer()), price.from()), path);
        if (first != null) {
            faults.add("%s states the price of %s for the same time again; keep one".formatted(path, first));
        }
    }

    private static List<Object> key(DeclaredPrice.Offer offer) {
        return switch (offer) {
            case DeclaredPrice.Instance it -> List.of("instance", it.instanceType(), it.region());
            case DeclaredPrice.OwnMachine it -> List.of("instance", it.instanceType(), it.region());
            case DeclaredPrice.SpotInstance it -> List.of("spot", it.instanceType(), it.region(), it.zoneId());
            case DeclaredPrice.ServerlessGpu it -> List.of("gpu", it.name());
            case DeclaredPrice.FargateSpot it -> List.of("fargate", it.region(), it.architecture());
        };
    }

    private void add(String field, String problem) {
        faults.add("%s.%s %s".formatted(path, field, problem));
    }
}
