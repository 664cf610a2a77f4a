package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.Version;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Tests rollouts under random sequences of user, node and Knative events: Knative rejects nothing, served requests
 * always have a target, and the final state matches the catalog. {@link KnativeModel} and {@link SimulatedFunction}
 * check each step.
 */
class RolloutPropertyTest {
    private static final int KINDS = 10;
    private static final List<String> SUPPLIES = List.of("cpu-on-demand", "cpu-on-demand,cpu-spot", "cpu-spot", "");

    @Property(tries = 150)
    void convergesToCatalog(@ForAll @Size(max = 25) List<@IntRange(max = 10 * 24 - 1) Integer> happenings) {
        SimulatedFunction world = new SimulatedFunction().deploy(specs(0));
        boolean served = false;
        for (int happening : happenings) {
            happen(world, happening % KINDS, happening / KINDS);
            world.step();
            assertThat(served && world.knative.served().isEmpty())
                    .as("requests that went somewhere go somewhere")
                    .isFalse();
            served = !world.knative.served().isEmpty();
        }

        world.mayReplace(true).settle();

        assertThat(world.servedVersions()).isEqualTo(wish(world));
        assertThat(world.knative.served().keySet())
                .allMatch(name -> world.knative
                        .revisions()
                        .get(name)
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage()
                        .equals(world.image()));
        assertThat(world.next().isConverged()).isTrue();
    }

    private static void happen(SimulatedFunction world, int kind, int detail) {
        List<String> revisions = List.copyOf(world.knative.revisions().keySet());
        switch (kind) {
            case 0 -> world.deploy(specs(detail));
            case 1 -> split(world, detail);
            case 2 -> world.traffic();
            case 3 -> world.forget(detail);
            case 4 -> world.supply(SUPPLIES.get(detail % SUPPLIES.size()));
            case 5 -> world.image("replica:" + detail % 3);
            case 6 -> turn(world, revisions, detail, "True", "");
            case 7 -> turn(world, revisions, detail, "False", "ProgressDeadlineExceeded");
            case 8 -> turn(world, revisions, detail, "False", "Unschedulable");
            default -> world.mayReplace(detail % 2 == 0);
        }
    }

    private static void turn(SimulatedFunction world, List<String> revisions, int detail, String ready, String reason) {
        if (!revisions.isEmpty()) {
            world.knative.setReady(revisions.get(detail % revisions.size()), ready, reason);
        }
    }

    private static void split(SimulatedFunction world, int detail) {
        Version first = world.versions().get(detail % world.versions().size());
        Version last = world.versions().getLast();
        if (first.equals(last)) {
            world.traffic(new TrafficTarget(first.number(), 100));
        } else {
            world.traffic(
                    new TrafficTarget(first.number(), 100 - 4 * detail), new TrafficTarget(last.number(), 4 * detail));
        }
    }

    private static Specs specs(int detail) {
        return switch (detail % 4) {
            case 0 -> Specs.inference();
            case 1 -> Specs.inference().placement(Pool.cpu, Capacity.Mixed, 1);
            case 2 -> Specs.inference().placement(Pool.cpu, Capacity.Spot, 0);
            default ->
                Specs.inference()
                        .placement(Pool.auto, Capacity.OnDemand, 0)
                        .scaling(1, 3, 2, Duration.ofSeconds(detail));
        };
    }

    private static Map<Integer, Integer> wish(SimulatedFunction world) {
        List<TrafficTarget> traffic = world.traffic;
        Map<Integer, Integer> wish = new TreeMap<>();
        if (traffic.isEmpty()) {
            wish.put(world.versions().getLast().number(), 100);
        }
        traffic.stream()
                .filter(target -> target.percent() > 0)
                .forEach(target -> wish.put(target.version().orElseThrow(), target.percent()));
        return wish;
    }
}
