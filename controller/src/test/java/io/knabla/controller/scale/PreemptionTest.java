package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.Preemption.IdleReplica;
import io.knabla.controller.scale.Preemption.Pending;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which idle replicas make room for versions whose requests wait. */
class PreemptionTest {
    /**
     * Pending versions are given by their capacity, draining replicas by their node's type, idle ones as
     * {@code name:type:milliseconds}.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # scenario                             | pending     | freeing  | idle                             | evicted
            the longest idle one                   | Mixed       | -        | a:Spot:700 b:Spot:900 c:Spot:800 | b
            one for each pending version           | Mixed Mixed | -        | a:Spot:700 b:Spot:900 c:Spot:800 | b c
            none if a slot becomes free anyway     | Mixed       | Spot     | a:Spot:700                       | -
            one slot becomes free, two are needed  | Mixed Mixed | Spot     | a:Spot:700 b:Spot:900            | b
            only on a node that the version may use| OnDemand    | Spot     | a:Spot:900 b:OnDemand:700        | b
            nothing suitable is idle               | OnDemand    | -        | a:Spot:900                       | -
            not between two requests of a client   | Mixed       | -        | a:Spot:499                       | -
            nothing waits                          | -           | -        | a:Spot:9000                      | -
            """)
    void evicts(String scenario, String pending, String freeing, String idle, String evicted) {
        List<Pending> versions = words(pending).stream()
                .map(capacity -> new Pending(
                        new VersionKey(Specs.id("waiting"), 1),
                        Specs.inference()
                                .placement(Pool.auto, Capacity.valueOf(capacity), 0)
                                .spec()))
                .toList();
        List<Node> slots = words(freeing).stream().map(PreemptionTest::node).toList();
        List<IdleReplica> replicas =
                words(idle).stream().map(PreemptionTest::replica).toList();

        assertThat(Preemption.decide(versions, slots, replicas))
                .extracting(eviction -> eviction.replica().id())
                .containsExactlyElementsOf(words(evicted));
    }

    @Test
    void saysWhy() {
        var pending = new Pending(
                new VersionKey(Specs.id("waiting"), 1), Specs.inference().spec());

        assertThat(Preemption.decide(List.of(pending), List.of(), List.of(replica("a:Spot:900"))))
                .singleElement()
                .satisfies(
                        eviction -> assertThat(eviction.reason())
                                .isEqualTo(
                                        "idle for 0.9 s, makes room on Spot for default/waiting version 1, which waits for a slot"));
    }

    private static List<String> words(String text) {
        return text == null ? List.of() : Arrays.asList(text.split(" "));
    }

    private static IdleReplica replica(String text) {
        String[] part = text.split(":");
        Duration idle = Duration.ofMillis(Long.parseLong(part[2]));
        return new IdleReplica(part[0], new VersionKey(Specs.id(part[0]), 1), node(part[1]), idle);
    }

    private static Node node(String type) {
        return new Node(type, Pool.cpu, CapacityType.valueOf(type), "local", "a", 1);
    }
}
