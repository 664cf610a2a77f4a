package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.policy.SpotPolicy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/** Runs policies on one scenario, each with several seeds, on all cores. */
public final class Comparison {
    private static final int DEADLINE_STARTS = 100;

    private Comparison() {}

    /**
     * Runs the policies and those of {@link Baselines#ALWAYS}, in this order. {@code Omniscient} is left out if the
     * target changes, and those that no function can choose where a platform carries decisions out.
     *
     * @param seeds number of seeds, one at least; the means are over them
     * @throws IllegalArgumentException if a policy is unknown
     */
    public static List<Row> run(Scenario scenario, List<String> policies, int seeds) {
        Set<String> names = new LinkedHashSet<>(policies);
        Baselines.ALWAYS.stream()
                .filter(name -> scenario.targets().isConstant() || !name.equals("Omniscient"))
                .filter(name -> Baselines.runsOn(scenario.platform(), name))
                .forEach(names::add);
        try (ExecutorService executor =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            List<CompletableFuture<Row>> rows = names.stream()
                    .map(name -> row(name, scenario, seeds, executor))
                    .toList();
            return rows.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException known ? known : failed;
        }
    }

    private static CompletableFuture<Row> row(String name, Scenario scenario, int seeds, ExecutorService executor) {
        CompletableFuture<SpotPolicy> policy =
                CompletableFuture.supplyAsync(() -> Baselines.of(name, scenario), executor);
        String trace = scenario.trace().name();
        if (name.equals("UniformProgress")) {
            return policy.thenApplyAsync(
                    it -> Row.ofDeadline(name, trace, DeadlineRuns.run(scenario, it, DEADLINE_STARTS, 0)), executor);
        }
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        LongStream.range(0, seeds)
                .forEach(seed ->
                        outcomes.add(policy.thenApplyAsync(it -> Simulation.run(scenario, it, seed), executor)));
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(_ -> Row.of(
                        name,
                        trace,
                        outcomes.stream().map(CompletableFuture::join).toList()));
    }

    /**
     * Means over the seeds of one policy.
     *
     * @param cost as a fraction of the same target on demand; of a job, of the same work on demand
     * @param costSpread greatest less smallest cost
     * @param availability share of the time in which the target was ready; of jobs, share that met the deadline
     * @param availabilityWorst smallest of all seeds
     * @param outage share of the time in which nothing was ready
     * @param failedRequests not answered within the timeout; of jobs, those that missed the deadline
     * @param requests of which they are; of jobs, their number
     * @param p50Seconds median time until the answer
     */
    public record Row(
            String policy,
            String trace,
            BigDecimal cost,
            BigDecimal costSpread,
            double availability,
            double availabilityWorst,
            double outage,
            double failedRequests,
            double requests,
            double retriedRequests,
            double p50Seconds,
            double p99Seconds,
            double spotShare,
            double launches,
            double refusedLaunches,
            double interruptions) {

        static Row of(String policy, String trace, List<Outcome> outcomes) {
            List<BigDecimal> costs =
                    outcomes.stream().map(Outcome::cost).sorted().toList();
            BigDecimal sum = costs.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            return new Row(
                    policy,
                    trace,
                    sum.divide(BigDecimal.valueOf(costs.size()), new MathContext(6)),
                    costs.getLast().subtract(costs.getFirst()).round(new MathContext(3)),
                    mean(outcomes, Outcome::availability),
                    outcomes.stream().mapToDouble(Outcome::availability).min().orElse(0),
                    mean(outcomes, Outcome::outage),
                    mean(outcomes, it -> it.requests().failed()),
                    mean(outcomes, it -> it.requests().arrived()),
                    mean(outcomes, it -> it.requests().retried()),
                    mean(outcomes, it -> it.requests().median().toMillis() / 1e3),
                    mean(outcomes, it -> it.requests().p99().toMillis() / 1e3),
                    mean(outcomes, Outcome::spotShare),
                    mean(outcomes, it -> it.launches().launched()),
                    mean(outcomes, it -> it.launches().refused()),
                    mean(outcomes, it -> it.launches().interrupted()));
        }

        static Row ofDeadline(String policy, String trace, DeadlineRuns.Summary jobs) {
            double met = 1 - (double) jobs.missed() / jobs.starts();
            double hours = jobs.spotHours() + jobs.onDemandHours();
            return new Row(
                    policy,
                    trace,
                    jobs.cost().round(new MathContext(6)),
                    BigDecimal.ZERO,
                    met,
                    met,
                    0,
                    jobs.missed(),
                    jobs.starts(),
                    0,
                    0,
                    0,
                    hours == 0 ? 0 : jobs.spotHours() / hours,
                    0,
                    0,
                    0);
        }

        private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> value) {
            double mean = outcomes.stream().mapToDouble(value).average().orElse(0);
            return Math.round(mean * 1e6) / 1e6;
        }
    }
}
