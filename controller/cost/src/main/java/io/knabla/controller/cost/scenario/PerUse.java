package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.LambdaBilling;
import io.knabla.controller.billing.LambdaUse;
import io.knabla.controller.billing.Period;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.price.LambdaRates;
import io.knabla.controller.price.Price;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Prices the requests on Lambda, whose instances take one request at a time. A replica's boot and load are charged as
 * one INIT in the month of its start, as Lambda <a
 * href="https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/">bills it since
 * 2025-08-01</a>, and for container images before that, too. The free allowance and the tiers of a month are those of
 * the account: all regions count together, in the order of their names.
 *
 * <p>GPUs are priced at the declared serverless offer, for the time of requests.
 */
final class PerUse {
    private final ScenarioInput input;
    private final ScenarioResultBuilder builder;
    private final Map<YearMonth, Map<String, List<Use>>> months = new TreeMap<>();
    private final Map<YearMonth, Instant> firstOf = new TreeMap<>();

    private static final List<String> INIT_PHASES = List.of("boot", "load");

    private record Use(ReplicaInterval replica, CostPart part, LambdaUse amount) {}

    PerUse(ScenarioInput input, ScenarioResultBuilder builder) {
        this.input = input;
        this.builder = builder;
    }

    void add() {
        List<ReplicaInterval> replicas = input.replicas();
        replicas.forEach(this::collect);
        months.forEach(this::addMonth);
        builder.assumeIfAny(
                Assumption.Kind.WORK_SPREAD_EVENLY,
                replicas.stream()
                        .filter(replica -> WorkInPeriod.spread(replica, input.period()))
                        .count());
        builder.assumeIfAny(
                Assumption.Kind.LAMBDA_ONE_INIT_PER_REPLICA,
                replicas.stream()
                        .filter(replica ->
                                !replica.time().start().isBefore(input.period().from()))
                        .count());
        builder.assumeIfAny(
                Assumption.Kind.REQUESTS_EQUALLY_LONG,
                replicas.stream()
                        .mapToLong(replica ->
                                WorkInPeriod.of(replica, input.period()).requests())
                        .sum());
    }

    private void collect(ReplicaInterval replica) {
        Optional<NodeInterval> node = input.rows().nodeOf(replica);
        OptionalInt memory = LambdaBilling.memoryMb(replica.requested());
        if (replica.requested().hasGpu()) {
            addGpu(replica);
        } else if (node.isEmpty()) {
            addUnpriced(Unpriced.Reason.UNKNOWN_REGION, replica, "Lambda, node " + replica.node());
        } else if (memory.isEmpty()) {
            addUnpriced(Unpriced.Reason.TOO_LARGE, replica, "Lambda, for " + replica.requested());
        } else {
            builder.assume(new Assumption(
                    Assumption.Kind.LAMBDA_MEMORY,
                    FunctionVersion.of(replica).toString(),
                    BigDecimal.valueOf(memory.getAsInt())));
            collectMonths(replica, node.get().region(), memory.getAsInt());
        }
    }

    private void collectMonths(ReplicaInterval replica, String region, int memoryMb) {
        Period period = input.period();
        Instant from = period.from();
        while (from.isBefore(period.until())) {
            YearMonth month = YearMonth.from(from.atOffset(ZoneOffset.UTC));
            Instant next =
                    month.plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
            Instant until = next.isBefore(period.until()) ? next : period.until();
            List<Use> uses =
                    months.computeIfAbsent(month, m -> new TreeMap<>()).computeIfAbsent(region, r -> new ArrayList<>());
            uses.add(requests(replica, memoryMb, new Period(from, until, period.readAt())));
            if (Interval.of(from, until).contains(replica.time().start())) {
                uses.add(init(replica, memoryMb));
            }
            firstOf.putIfAbsent(month, from);
            from = until;
        }
    }

    private static Use requests(ReplicaInterval replica, int memoryMb, Period period) {
        Work work = WorkInPeriod.of(replica, period);
        long millis = LambdaBilling.paidMillis(work.requests(), work.busyMillis());
        LambdaUse amount = new LambdaUse(work.requests(), LambdaBilling.gbSeconds(memoryMb, millis));
        return new Use(replica, CostPart.USE, amount);
    }

    private static Use init(ReplicaInterval replica, int memoryMb) {
        Duration init = INIT_PHASES.stream()
                .map(phase -> replica.startPhases().getOrDefault(phase, Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
        BigDecimal gbSeconds = LambdaBilling.gbSeconds(memoryMb, LambdaBilling.paidMillis(init));
        return new Use(replica, CostPart.COLD_START, new LambdaUse(0, gbSeconds));
    }

    private void addMonth(YearMonth month, Map<String, List<Use>> regions) {
        LambdaUse before = input.options().lambdaBefore().getOrDefault(month, LambdaUse.NONE);
        builder.assume(new Assumption(Assumption.Kind.LAMBDA_USED_BEFORE, month.toString(), before.gbSeconds()));
        for (Map.Entry<String, List<Use>> region : regions.entrySet()) {
            LambdaUse all = region.getValue().stream().map(Use::amount).reduce(LambdaUse.NONE, LambdaUse::plus);
            Optional<LambdaRates> rates =
                    input.book().lambda(region.getKey(), input.options().architecture(), firstOf.get(month));
            if (rates.isPresent()) {
                LambdaBilling.Bill bill = LambdaBilling.bill(all, before, rates.get());
                BigDecimal withoutFree = LambdaBilling.bill(
                                all, before, rates.get().withoutFree())
                        .total();
                builder.addFree(withoutFree.subtract(bill.total()));
                addRegion(region.getKey(), region.getValue(), bill);
                used(region.getKey(), rates.get());
            } else {
                region.getValue()
                        .forEach(use ->
                                addUnpriced(Unpriced.Reason.NO_LAMBDA_RATES, use.replica(), subject(region.getKey())));
            }
            before = before.plus(all);
        }
    }

    private void addRegion(String region, List<Use> uses, LambdaBilling.Bill bill) {
        List<BigDecimal> requests = Dollars.split(
                bill.requests(),
                uses.stream()
                        .map(use -> BigDecimal.valueOf(use.amount().requests()))
                        .toList());
        List<BigDecimal> durations = Dollars.split(
                bill.duration(),
                uses.stream().map(use -> use.amount().gbSeconds()).toList());
        for (int i = 0; i < uses.size(); i++) {
            BigDecimal usd = requests.get(i).add(durations.get(i));
            builder.add(CostLine.ofReplica(uses.get(i).replica(), uses.get(i).part(), usd));
        }
    }

    private void used(String region, LambdaRates rates) {
        builder.used("a request of " + subject(region), rates.perRequest());
        rates.tiers()
                .forEach(tier -> builder.used(
                        "a GB-second of %s %s"
                                .formatted(
                                        subject(region),
                                        tier.upToGbSeconds() == null
                                                ? "without bound"
                                                : String.format(Locale.ROOT, "up to %,.0f", tier.upToGbSeconds())),
                        tier.perGbSecond()));
    }

    private String subject(String region) {
        return "Lambda %s %s".formatted(region, input.options().architectureName());
    }

    private void addGpu(ReplicaInterval replica) {
        Map<String, Price> offers = input.book()
                .serverlessGpus(input.period().laterOf(replica.time().start()));
        Optional<Map.Entry<String, Price>> cheapest = offers.entrySet().stream()
                .min(Comparator.comparing((Map.Entry<String, Price> offer) ->
                                offer.getValue().usd())
                        .thenComparing(Map.Entry::getKey));
        if (cheapest.isEmpty()) {
            addUnpriced(Unpriced.Reason.NO_SERVERLESS_GPU_RATE, replica, "a serverless GPU");
            return;
        }
        if (offers.size() > 1) {
            builder.assume(new Assumption(
                    Assumption.Kind.SERVERLESS_GPU_CHEAPEST,
                    cheapest.get().getKey(),
                    BigDecimal.valueOf(offers.size())));
        }
        addGpu(replica, cheapest.get().getKey(), cheapest.get().getValue());
    }

    private void addGpu(ReplicaInterval replica, String offer, Price perGpuSecond) {
        Work work = WorkInPeriod.of(replica, input.period());
        BigDecimal seconds = BigDecimal.valueOf(work.busyMillis(), 3)
                .multiply(replica.requested().gpus());
        builder.used("a second of the serverless GPU " + offer, perGpuSecond);
        builder.add(CostLine.ofReplica(replica, CostPart.USE, Dollars.rounded(seconds.multiply(perGpuSecond.usd()))));
    }

    private void addUnpriced(Unpriced.Reason reason, ReplicaInterval replica, String subject) {
        Interval time = input.period().part(replica.time()).orElse(replica.time());
        builder.addUnpriced(new Unpriced(reason, replica.id(), subject, time));
    }
}
