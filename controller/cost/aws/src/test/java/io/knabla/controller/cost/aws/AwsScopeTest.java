package io.knabla.controller.cost.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AwsScopeTest {
    @Test
    void typesOfNodesAreAskedForInTheirRegionAndNamedOnesInAll() {
        AwsScope scope = AwsScope.of(
                List.of(
                        node("g5.xlarge", "eu-central-1"),
                        node("g5.xlarge", "eu-central-1"),
                        node("c7g.large", "us-east-1")),
                Set.of("ap-southeast-2"),
                Set.of("m5.large"));

        assertThat(scope.instanceTypes())
                .containsExactlyInAnyOrderEntriesOf(new TreeMap<>(Map.of(
                        "eu-central-1", new TreeSet<>(Set.of("g5.xlarge", "m5.large")),
                        "us-east-1", new TreeSet<>(Set.of("c7g.large", "m5.large")),
                        "ap-southeast-2", new TreeSet<>(Set.of("m5.large")))));
    }

    @Test
    void whatIsNotOfAwsIsLeftOut() {
        assertThat(AwsScope.of(
                                List.of(
                                        node("local", "local"),
                                        node("n1-standard-4", "us-east1"),
                                        node("", "us-east-1")),
                                Set.of("../secret"),
                                Set.of("m5.large"))
                        .instanceTypes())
                .isEmpty();
    }

    private static NodeInterval node(String type, String region) {
        return new NodeInterval(
                "id",
                "name",
                "cpu",
                CapacityType.SPOT,
                type,
                region,
                "zone",
                Resources.NONE,
                new Interval(Instant.EPOCH, Optional.empty()),
                NodeEnd.RUNNING);
    }
}
