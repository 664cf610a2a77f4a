package io.knabla.bench.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.machine.Rest;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TournamentTest {
    @Test
    void everyRowComparesTwoMeasuredTargets() {
        List<Contender> field = List.of(fake(Player.REPLICA_JSON, 30), fake(Player.QUARKUS_REST, 10));
        var plan = new Tournament.Plan(3, Duration.ZERO, Duration.ZERO, Rest.NONE);
        Tournament load = Tournament.play(field, plan, what -> {});

        Row row = new Comparison("replica-json", Player.REPLICA_JSON, Player.QUARKUS_REST, "goal").in(load);

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

    private static Contender fake(Player player, double rate) {
        return new Contender() {
            @Override
            public Player player() {
                return player;
            }

            @Override
            public Window run(Duration window) {
                return new Window(rate, 1, 2, 3, 0);
            }
        };
    }
}
