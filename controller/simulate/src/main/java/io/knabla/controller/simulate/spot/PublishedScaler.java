package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.policy.Decision;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Plan;
import io.knabla.controller.spot.policy.PlanLine;
import io.knabla.controller.spot.policy.SpotPolicy;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Carries out each plan of a policy at once and as it is, as papers do. */
final class PublishedScaler implements FleetScaler {
    private final Scenario scenario;
    private final Cloud cloud;
    private final Optional<DeadlineJob> job;
    private final RandomGenerator random;
    private SpotPolicy policy;

    PublishedScaler(
            Scenario scenario, Cloud cloud, SpotPolicy policy, Optional<DeadlineJob> job, RandomGenerator random) {
        this.scenario = scenario;
        this.cloud = cloud;
        this.policy = policy;
        this.job = job;
        this.random = random;
    }

    @Override
    public void act(long now) {
        Demand target = Demand.of(scenario.target(now));
        Decision decision = policy.decide(
                new FleetState(
                        cloud.instant(now),
                        job.map(it -> target.withJob(it.progress())).orElse(target),
                        scenario.timing().coldStart(),
                        cloud.offers(now),
                        cloud.fleet.replicas(),
                        cloud.events),
                random);
        cloud.events.clear();
        policy = decision.next();
        apply(decision.plan(), now);
    }

    private void apply(Plan plan, long now) {
        for (PlanLine line : plan.lines()) {
            switch (line) {
                case PlanLine.Keep keep -> cloud.fleet.route(keep.replica(), keep.routed());
                case PlanLine.Drain drain -> cloud.fleet.drain(drain.replica(), now);
                case PlanLine.Launch launch -> cloud.launch(launch.offering(), now);
            }
        }
    }
}
