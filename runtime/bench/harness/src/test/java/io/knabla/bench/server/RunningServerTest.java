package io.knabla.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.ProcessUsage;
import io.knabla.bench.wire.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RunningServerTest {
    static final Duration POLL = Duration.ofMillis(1);

    final SplittableRandom random = new SplittableRandom();

    @Test
    void retriesUntilAnswerIsOk() {
        try (RunningServer running = RunningServer.start(new TinyServer("right"), random, POLL)) {
            assertThat(running.times().answer().status()).isEqualTo(200);
            assertThat(running.times().connectMillis()).isPositive();
            assertThat(running.times().answerMillis())
                    .isGreaterThan(running.times().connectMillis());
            assertThat(ProcessUsage.of(running.child().pid()).peakRssMb()).isPositive();
        }
    }

    @Test
    void reportsOutputOfServerThatExits() {
        Server failing = new Failing(new TinyServer("right"));

        assertThatThrownBy(() -> RunningServer.start(failing, random, POLL))
                .hasMessageContaining("failing gave no right answer")
                .hasMessageContaining("NumberFormatException");
    }

    @Test
    void readsPhasesFromReadyEventOnly() {
        String output = """
                {"event":"listening","port":1}
                {"event":"ready","phases":{"boot":1.5,"load":2}}
                """;

        assertThat(ReadyEvent.phases(output)).isEqualTo(Map.of("boot", 1.5, "load", 2.0));
        assertThat(ReadyEvent.phases("")).isEmpty();
    }

    record Failing(TinyServer tiny) implements Server {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        public ChildProcess.Command command(int port) {
            var arguments = new ArrayList<>(tiny.command(port).arguments());
            arguments.set(arguments.indexOf(Integer.toString(port)), "no-port");
            return new ChildProcess.Command(arguments, Map.of());
        }

        @Override
        public Call call(int port) {
            return tiny.call(port);
        }

        @Override
        public Map<String, Double> phases(String output) {
            return Map.of();
        }
    }
}
