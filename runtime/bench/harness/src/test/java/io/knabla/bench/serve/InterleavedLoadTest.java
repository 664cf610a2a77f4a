package io.knabla.bench.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.NginxServer;
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
                .contains("replica-json", "replica-binary", "gateway-json", "gateway-binary", "gateway-nginx")
                .doesNotHaveDuplicates();
    }

    @Test
    void comparesLatenciesToo() {
        List<LoadTarget> field = List.of(fake(TargetId.GATEWAY_ALONE, 30), fake(TargetId.NGINX_ALONE, 10));
        var plan = new InterleavedLoad.Plan(3, Duration.ZERO, Duration.ZERO, Cooldown.NONE);
        InterleavedLoad load = InterleavedLoad.run(field, plan, what -> {});

        Row row = Comparison.ALL.stream()
                .filter(one -> one.row().equals("gateway-nginx-p99"))
                .findFirst()
                .orElseThrow()
                .toRow(load);

        assertThat(row.value()).isEqualTo(2);
        assertThat(row.ratio()).isEqualTo(1);
        assertThat(row.title().unit()).isEqualTo("ms");
    }

    @Test
    void skippedRowSaysWhy() {
        var comparison = new Comparison("gateway-nginx", TargetId.GATEWAY_JSON, TargetId.NGINX_JSON, "at least 0.9");

        Row row = comparison.skipped(NginxServer.MISSING);

        assertThat(comparison.usesNginx()).isTrue();
        assertThat(row.title().goal())
                .startsWith("at least 0.9; skipped: nginx")
                .contains("apt-get install nginx-light");
        assertThat(row.spread().rounds()).isZero();
        assertThat(row.reference().name()).isEqualTo("nginx-json");
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
