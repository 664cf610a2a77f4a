package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.LambdaBilling;
import io.knabla.controller.cost.billing.LambdaUse;
import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.price.LambdaRates;
import io.knabla.controller.cost.price.Price;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.cost.usage.Work;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Prices the requests on Lambda, whose instances take one request at a time. The free allowance and the tiers of a
 * month are those of the account: all regions count together, in the order of their names.
 */
final class PerUse {
    private final ScenarioInput input;
    private final Outcome outcome;
    private final Map<YearMonth, Map<String, List<Use>>> months = new TreeMap<>();
    private final Map<YearMonth, Instant> firstOf = new TreeMap<>();

    private record Use(ReplicaInterval replica, LambdaUse amount) {}

    PerUse(ScenarioInput input, Outcome outcome) {
        this.input = input;
        this.outcome = outcome;
    }

    void add() {
        List<ReplicaInterval> replicas = input.replicas();
        replicas.forEach(this::collect);
        months.forEach(this::addMonth);
        outcome.assumeIfAny(
                Assumption.Kind.WORK_SPREAD_EVENLY,
                replicas.stream()
                        .filter(replica -> WorkInPeriod.spread(replica, input.period()))
                        .count());
        outcome.assumeIfAny(
                Assumption.Kind.LAMBDA_START_NOT_CHARGED,
                replicas.stream()
                        .filter(replica ->
                                !replica.time().start().isBefore(input.period().from()))
                        .count());
        outcome.assumeIfAny(
                Assumption.Kind.REQUESTS_EQUALLY_LONG,
                replicas.stream()
                        .mapToLong(replica ->
                                WorkInPeriod.of(replica, input.period()).requests())
                        .sum());
    }

    private void collect(ReplicaInterval replica) {
        Optional<NodeInterval> node = input.rows().nodeOf(replica);
        OptionalInt memory = LambdaBilling.memoryMb(replica.requested());
        if (replica.requested().gpus() > 0) {
            addGpu(replica);
        } else if (node.isEmpty()) {
            without(Unpriced.Reason.UNKNOWN_REGION, replica, "Lambda, node " + replica.node());
        } else if (memory.isEmpty()) {
            without(Unpriced.Reason.TOO_LARGE, replica, "Lambda, for " + replica.requested());
        } else {
            outcome.assume(new Assumption(
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
            Work work = WorkInPeriod.of(replica, new Period(from, until, period.readAt()));
            long millis = LambdaBilling.paidMillis(work.requests(), work.busyMillis());
            LambdaUse amount = new LambdaUse(work.requests(), LambdaBilling.gbSeconds(memoryMb, millis));
            months.computeIfAbsent(month, m -> new TreeMap<>())
                    .computeIfAbsent(region, r -> new ArrayList<>())
                    .add(new Use(replica, amount));
            firstOf.putIfAbsent(month, from);
            from = until;
        }
    }

    private void addMonth(YearMonth month, Map<String, List<Use>> regions) {
        LambdaUse before = input.options().lambdaBefore().getOrDefault(month, LambdaUse.NONE);
        outcome.assume(new Assumption(Assumption.Kind.LAMBDA_USED_BEFORE, month.toString(), before.gbSeconds()));
        for (Map.Entry<String, List<Use>> region : regions.entrySet()) {
            LambdaUse all = region.getValue().stream().map(Use::amount).reduce(LambdaUse.NONE, LambdaUse::plus);
            Optional<LambdaRates> rates =
                    input.book().lambda(region.getKey(), input.options().architecture(), firstOf.get(month));
            if (rates.isPresent()) {
                addRegion(region.getKey(), region.getValue(), LambdaBilling.bill(all, before, rates.get()));
                used(region.getKey(), rates.get());
            } else {
                region.getValue()
                        .forEach(use ->
                                without(Unpriced.Reason.NO_LAMBDA_RATES, use.replica(), "Lambda " + region.getKey()));
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
            outcome.add(CostLine.ofReplica(uses.get(i).replica(), CostPart.USE, usd));
        }
    }

    private void used(String region, LambdaRates rates) {
        outcome.used("a request of Lambda " + region, rates.perRequest());
        rates.tiers()
                .forEach(tier -> outcome.used(
                        "a GB-second of Lambda %s %s"
                                .formatted(
                                        region,
                                        tier.upToGbSeconds() == null
                                                ? "without bound"
                                                : "up to "
                                                        + tier.upToGbSeconds().toPlainString()),
                        tier.perGbSecond()));
    }

    private void addGpu(ReplicaInterval replica) {
        Optional<Price> rate = input.options().serverlessGpuHour();
        if (rate.isEmpty()) {
            without(Unpriced.Reason.NO_SERVERLESS_GPU_RATE, replica, "a serverless GPU");
            return;
        }
        Work work = WorkInPeriod.of(replica, input.period());
        BigDecimal seconds = BigDecimal.valueOf(work.busyMillis(), 3)
                .multiply(BigDecimal.valueOf(replica.requested().gpus()));
        outcome.used("an hour of a serverless GPU", rate.get());
        outcome.add(CostLine.ofReplica(
                replica,
                CostPart.USE,
                Dollars.ofHourly(seconds.multiply(rate.get().usd()))));
    }

    private void without(Unpriced.Reason reason, ReplicaInterval replica, String subject) {
        Interval time = input.period().part(replica.time()).orElse(replica.time());
        outcome.without(new Unpriced(reason, replica.id(), subject, time));
    }
}
