package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.cost.report.Amount;
import io.knabla.controller.cost.report.CostReport;
import io.knabla.controller.cost.report.CostReports;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.Workload;
import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.standin.StandInCluster;
import io.knabla.controller.standin.ToyWorkload;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second kind of workload on a laptop: it takes a slot, costs money and ends with its node. */
class ToyWorkloadTest {
    private static final Node NODE = new Node("rented", Pool.cpu, CapacityType.OnDemand, "m5.large", "use1-az4", 1);

    @TempDir
    Path home;

    private final Toy toy = new Toy();
    private LocalCluster cluster;
    private NodeDrills drills;

    /** Ends when it is interrupted. */
    private final class Toy implements LocalWorkload {
        private boolean ended;

        @Override
        public Workload workload() {
            return ToyWorkload.on("rented");
        }

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public void interrupt() {
            ended = true;
            cluster.remove(workload().id(), ReplicaEnd.FAILED);
        }
    }

    @BeforeEach
    void add() {
        cluster = StandInCluster.open(home, List.of(NODE));
        drills = new NodeDrills(cluster, new CapacitySignals(), InstantSource.system(), Duration.ofHours(1));
        cluster.add(toy);
    }

    @AfterEach
    void close() {
        drills.close();
        cluster.close();
    }

    private ReplicaInterval used() {
        assertThat(cluster.usage().replicas()).hasSize(1);
        return cluster.usage().replicas().getFirst();
    }

    @Test
    void takesASlotUntilItEnds() {
        assertThat(cluster.workloads()).containsExactly(ToyWorkload.on("rented"));
        assertThat(cluster.replicas()).isEmpty();

        cluster.remove(toy.workload().id(), ReplicaEnd.STOPPED);
        assertThat(cluster.workloads()).isEmpty();
        assertThat(used().end()).isEqualTo(ReplicaEnd.STOPPED);
    }

    @Test
    void endsWithItsNodeAndIsRecordedAsInterrupted() {
        drills.interrupt("rented", Duration.ZERO);

        assertThat(toy.hasEnded()).isTrue();
        assertThat(cluster.workloads()).isEmpty();
        assertThat(used().end()).isEqualTo(ReplicaEnd.INTERRUPTED);
    }

    @Test
    void costsMoneyUnderANameThatNoFunctionHas() {
        UsageSource usage = cluster.usage();
        Instant start = used().time().start();
        Period hour = Period.past(start, start.plusSeconds(3600));
        CostReports.Question question = new CostReports.Question(
                hour,
                ZoneOffset.UTC,
                EnumSet.of(Dimension.FUNCTION),
                Scenario.AS_IT_RAN,
                EnumSet.of(Scenario.ALL_ON_DEMAND));
        CostReport report = CostReports.of(
                        question,
                        new UsageRows(usage.nodes(), usage.replicas(), List.of()),
                        BundledPrices.book(),
                        ScenarioOptions.DEFAULT)
                .get(Dimension.FUNCTION);

        assertThat(used().requested().vcpus()).isEqualByComparingTo(new BigDecimal("0.5"));
        assertThat(report.table().rows())
                .filteredOn(row -> row.group().name().equals("shop/toy/digits"))
                .singleElement()
                .satisfies(row -> assertThat(row.cost())
                        .isInstanceOfSatisfying(
                                Amount.Whole.class,
                                cost -> assertThat(cost.usd()).isPositive()));
    }
}
