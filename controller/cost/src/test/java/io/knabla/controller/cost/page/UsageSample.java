package io.knabla.controller.cost.page;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Made-up usage of a small team: one node on demand at all times, nodes on spot that come with the working day and are
 * interrupted now and then, and replicas that sleep at night.
 */
final class UsageSample {
    static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    private static final Instant FROM = Instant.parse("2026-09-06T22:00:00Z"); // a Monday in Berlin begins
    private static final PriceBook PRICES = BundledPrices.book();
    private static final String TYPE = "m5.xlarge";
    private static final long GIB = 1L << 30;
    private static final Resources NODE = new Resources(BigDecimal.valueOf(4), 16 * GIB, 0);
    private static final Map<String, Duration> START = Map.of(
            "place",
            Duration.ofMillis(40),
            "fetch",
            Duration.ofMillis(1900),
            "boot",
            Duration.ofMillis(310),
            "load",
            Duration.ofMillis(850));

    private final Random random = new Random(15);
    private final List<String> functions;

    /** Makes replicas of long periods rare: a report of 150,000 takes minutes. */
    private final int rarity;

    private final List<NodeInterval> nodes = new ArrayList<>();
    private final List<ReplicaInterval> replicas = new ArrayList<>();

    private UsageSample(List<String> functions, int days) {
        this.functions = functions;
        this.rarity = 1 + days / 20;
    }

    static final List<String> FUNCTIONS = List.of(
            "shop/rank",
            "shop/search-embed",
            "shop/fraud-score",
            "vision/digits",
            "vision/defects",
            "lab/forecast",
            "lab/train-step",
            "default/sentiment");

    /** Two weeks, priced with the bundled prices. */
    static CostPageInput twoWeeks() {
        return TwoWeeks.INPUT;
    }

    /** Priced once, since that takes seconds. */
    private static final class TwoWeeks {
        static final CostPageInput INPUT = input(14, FUNCTIONS, List.of());
    }

    static CostPageInput input(int days, List<String> functions, List<String> damages) {
        return priced(new UsageSample(functions, days).rows(days), days, damages);
    }

    private static CostPageInput priced(UsageRows rows, int days, List<String> damages) {
        Period period = Period.past(FROM, FROM.plus(Duration.ofDays(days)));
        return new CostPageInput(
                rows, period, ZONE, Scenarios.all(rows, period, PRICES, ScenarioOptions.DEFAULT), List.of(), damages);
    }

    /** A day of one node of a type without any price. */
    static CostPageInput withoutPrices() {
        UsageSample sample = new UsageSample(FUNCTIONS, 1);
        sample.node(CapacityType.ON_DEMAND, "unknown.large", FROM, FROM.plus(Duration.ofDays(1)), NodeEnd.RELEASED);
        return priced(new UsageRows(sample.nodes, sample.replicas), 1, List.of());
    }

    /** A day without usage. */
    static CostPageInput empty() {
        return priced(new UsageRows(List.of(), List.of()), 1, List.of());
    }

    private UsageRows rows(int days) {
        Instant end = FROM.plus(Duration.ofDays(days));
        node(CapacityType.ON_DEMAND, TYPE, FROM, end, NodeEnd.RELEASED);
        for (int day = 0; day < days; day++) {
            boolean weekend = day % 7 > 4;
            for (int i = 0; i < (weekend ? 1 : 4); i++) {
                Instant start = FROM.plus(Duration.ofMinutes(day * 1440L + 400 + random.nextInt(150) + 40L * i));
                boolean interrupted = random.nextInt(5) == 0;
                Duration life = Duration.ofMinutes(interrupted ? 60 + random.nextInt(200) : 380 + random.nextInt(260));
                node(
                        CapacityType.SPOT,
                        TYPE,
                        start,
                        start.plus(life),
                        interrupted ? NodeEnd.INTERRUPTED : NodeEnd.RELEASED);
            }
        }
        return new UsageRows(nodes, replicas);
    }

    private void node(CapacityType capacity, String type, Instant start, Instant end, NodeEnd why) {
        String id = "node-" + nodes.size();
        NodeInterval node = new NodeInterval(
                id,
                id,
                "cpu",
                capacity,
                type,
                "us-east-1",
                "use1-az" + (1 + nodes.size() % 3),
                NODE,
                Interval.of(start, end),
                why);
        nodes.add(node);
        for (int slot = 0; slot < 4; slot++) {
            slot(node, start, end);
        }
    }

    /** Replicas of one CPU, one after the other. */
    private void slot(NodeInterval node, Instant start, Instant end) {
        Instant at = start.plusSeconds(20 + random.nextInt(600));
        while (at.isBefore(end)) {
            Instant until = at.plusSeconds(240 + random.nextInt(4200));
            boolean cut = !until.isBefore(end);
            replica(node, Interval.of(at, cut ? end : until), cut && node.end() == NodeEnd.INTERRUPTED);
            at = until.plusSeconds(pause(until));
        }
    }

    /** Seconds until the next replica; long at night. */
    private int pause(Instant time) {
        int hour = time.atZone(ZONE).getHour();
        return 60 + rarity * random.nextInt(hour < 7 || hour > 19 ? 14_000 : 1_500);
    }

    private void replica(NodeInterval node, Interval time, boolean interrupted) {
        int which = (int) (functions.size() * Math.pow(random.nextDouble(), 1.7));
        String[] name = functions.get(which).split("/", 2);
        long seconds = time.duration(time.start()).toSeconds();
        long requests = seconds * (1 + which % 4);
        Resources used = new Resources(new BigDecimal("0." + (45 + random.nextInt(45))), 2 * GIB, 0);
        replicas.add(new ReplicaInterval(
                "replica-" + replicas.size(),
                name[0],
                name[1],
                1 + replicas.size() % 3,
                node.id(),
                new Resources(BigDecimal.ONE, 3 * GIB, 0),
                used,
                time,
                StartKind.COLD,
                START,
                new Work(
                        requests,
                        requests / 4000,
                        requests / 9000,
                        requests * 640,
                        seconds * (500 + random.nextInt(400))),
                interrupted ? ReplicaEnd.INTERRUPTED : ReplicaEnd.STOPPED));
    }
}
