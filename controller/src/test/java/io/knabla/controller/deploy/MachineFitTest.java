package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is told of sizes on a machine of 2 cores and 24 GiB. */
class MachineFitTest {
    private static final long GIB = 1L << 30;

    private static Resources resources(long milliCpu, long bytes) {
        return new Resources(Optional.of(milliCpu), Optional.of(bytes), 0);
    }

    private static List<String> warnings(Resources declared) {
        return MachineFit.warnings(declared, 2, 24 * GIB);
    }

    @Test
    void tellsOfEachResourceThatTheWholeMachineDoesNotHave() {
        assertThat(warnings(resources(900_000, 4096 * GIB)))
                .satisfiesExactly(
                        cpu -> assertThat(cpu)
                                .startsWith("spec.resources.cpu is 900, but this machine has 2 cores")
                                .contains("computes with 2 threads"),
                        memory -> assertThat(memory)
                                .startsWith("spec.resources.memory is 4Ti, but this machine has 24576 MiB"));
        assertThat(warnings(resources(2001, 24 * GIB)))
                .singleElement()
                .asString()
                .contains("cpu is 2001m");
        assertThat(warnings(resources(2000, 24 * GIB + 1)))
                .singleElement()
                .asString()
                .contains("memory");
    }

    @Test
    void saysNothingOfWhatTheMachineHasNorOfAuto() {
        assertThat(warnings(resources(2000, 24 * GIB))).isEmpty();
        assertThat(warnings(new Resources(Optional.empty(), Optional.empty(), 0)))
                .isEmpty();
    }

    @Test
    void saysNothingOnACluster() {
        Resources vast = resources(1_000_000, 16L << 40);

        assertThat(new MachineFit(DefaultSettings.settings()).warnings(vast)).hasSize(2);
        assertThat(new MachineFit(DefaultSettings.with(Map.of("knabla.cluster.kind", "Knative"))).warnings(vast))
                .isEmpty();
    }
}
