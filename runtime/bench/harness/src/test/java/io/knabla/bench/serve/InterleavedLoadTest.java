package io.knabla.bench.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterleavedLoadTest {
    @Test
    void everyRowComparesTwoMeasuredTargets() {
        List<LoadTarget> field = List.of(fake(TargetId.REPLICA_JSON, 30), fake(TargetId.QUARKUS_REST, 10));
        var plan = new InterleavedLoad.Plan(3, Duration.ZERO, Duration.ZERO, Cooldown.NONE);
        InterleavedLoad load = InterleavedLoad.run(field, plan, what -> {});

        Row row = new Comparison("replica-json", TargetId.REPLICA_JSON, TargetId.QUARKUS_REST, "goal").toRow(load);

        assertThat(row.ratio()).isEqualTo(3);
        assertThat(row.value()).isEqualTo(30);
        assertThat(row.reference().name()).isEqualTo("quarkus-rest-default");
        assertThat(row.spread().rounds()).isEqualTo(3);
    }

    @Test
    void hasDocumentedRows() {
        assertThat(Comparison.ALL)
                .extracting(Comparison::row)
                .contains("replica-json", "replica-binary", "gateway-json", "gateway-binary")
                .doesNotHaveDuplicates();
    }

    @Test
    void bareLoopRunsTheModel(@TempDir Path folder) {
        BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("m.onnx"));

        Window window = new BareLoop(model).run(Duration.ofMillis(100));

        assertThat(window.perSecond()).isPositive();
        assertThat(window.p50Millis()).isPositive();
    }

    private static LoadTarget fake(TargetId player, double rate) {
        return new LoadTarget() {
            @Override
            public TargetId player() {
                return player;
            }

            @Override
            public Window run(Duration window) {
                return new Window(rate, 1, 2, 3, 0);
            }
        };
    }
}
