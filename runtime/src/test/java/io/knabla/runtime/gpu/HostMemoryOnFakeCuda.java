package io.knabla.runtime.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Inputs and outputs lie in memory that the GPU reads and writes by itself. */
@Timeout(120)
class HostMemoryOnFakeCuda extends GpuReplicas {
    private static final int ROW = 64 * Float.BYTES;
    private static final int REQUESTS = 200;

    private List<String> after(int from) throws IOException {
        return fake.log().subList(from, fake.log().size());
    }

    @Test
    void copiesAreDirectAndMemoryIsUsedAgain() throws Exception {
        try (var replica = start(Map.of())) {
            int port = ready(replica);
            // Of rows more than one, for which memory is larger than what is pooled with its shape.
            for (int rows : List.of(1, 2000, 1)) {
                int before = fake.log().size();
                assertThat(call(port, rows).statusCode()).isEqualTo(200);
                assertThat(after(before)).contains("direct 1 " + rows * ROW, "direct 2 " + rows * ROW);
            }
            int before = fake.log().size();
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(call(port, 1 + 1999 * (i % 2)).statusCode()).isEqualTo(200);
            }
            assertThat(after(before)).noneMatch(line -> line.startsWith("pinned"));
            assertThat(after(before))
                    .filteredOn(line -> line.startsWith("direct"))
                    .hasSize(2 * REQUESTS);
        }
    }

    /** Of what the largest run took, at least its inputs; and the rest when the model is closed. */
    @Test
    void idleReplicaGivesDeviceMemoryBack() throws Exception {
        try (var process = new DeviceProcess(fake.replica(unit.environment()))) {
            assertThat(process.ask("load")).isEqualTo("loaded");
            assertThat(process.ask("run 2000")).startsWith("ran");
            long most = held();

            assertThat(process.ask("idle")).isEqualTo("gave back");

            assertThat(held()).isLessThan(most - 2000 * ROW);
            assertThat(process.ask("run 1")).isEqualTo("ran " + ROW);
            assertThat(process.ask("close")).isEqualTo("closed");
            assertThat(held()).isZero();
        }
    }

    /** The refusal leaves no error behind that the engine would take for its own. */
    @Test
    void plainMemoryServesWhereNoneIsGiven() throws Exception {
        fake.set("pinned-error", 2);
        try (var replica = start(Map.of())) {
            int port = ready(replica);
            assertThat(fake.log()).containsSequence("not pinned 4096", "cleared 2");
            int before = fake.log().size();
            for (int i = 0; i < 3; i++) {
                assertThat(call(port, 1).statusCode()).isEqualTo(200);
            }
            assertThat(after(before)).contains("copy 1 " + ROW).noneMatch(line -> line.startsWith("direct"));
        }
    }
}
