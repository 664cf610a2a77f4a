package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./knabla spot} against a platform with prepared answers. */
class SpotTest {
    private static final String WARNED = """
            {"items": [{"name": "spot-a", "capacityType": "Spot", "zone": "local-a", "slots": 8, "used": 2,
              "warning": {"kind": "INTERRUPTION_WARNING", "until": "2026-01-01T00:00:00Z", "secondsLeft": 119}}]}
            """;

    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private CommandResult run(String... args) {
        List<String> all = new ArrayList<>(List.of("spot"));
        all.addAll(List.of(args));
        all.addAll(List.of("--server", platform.url()));
        return CommandResult.knabla(all.toArray(String[]::new));
    }

    @Test
    void interruptSendsTheNoticeAndShowsTheNodes() {
        String line = "POST /api/v1/nodes/local-a/interruption";
        platform.on(line, Reply.ok(WARNED));

        CommandResult result = run("interrupt", "local-a", "--notice", "2m");

        assertThat(result.lastLine()).matches("spot-a +local-a +2 +INTERRUPTION_WARNING +119");
        assertThat(platform.asked(line).text().replaceAll("\\s", "")).isEqualTo("{\"noticeSeconds\":120}");
    }

    @Test
    void chaosInterruptsNodesInUseThatAreNotWarned() {
        platform.on("GET /api/v1/nodes", Reply.ok("""
                        {"items": [{"name": "spot-a", "capacityType": "Spot", "used": 1, "warning": {"kind": "GONE"}},
                          {"name": "spot-b", "capacityType": "Spot", "used": 1},
                          {"name": "spot-c", "capacityType": "Spot", "used": 0},
                          {"name": "od", "capacityType": "OnDemand", "used": 1}]}
                        """)).on("POST /api/v1/nodes/spot-b/interruption", Reply.ok(WARNED));

        CommandResult result = run("chaos", "--rate", "50/s", "--for", "1s", "--notice", "0s");

        assertThat(result.status()).isZero();
        assertThat(result.lastLine()).matches("\\d+ interruptions");
        assertThat(platform.lines()).contains("POST /api/v1/nodes/spot-b/interruption");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chaos --rate often",
                "chaos --rate 0/s",
                "chaos",
                "interrupt a --notice soon",
                "interrupt a --notice 1ms",
                "interrupt",
                ""
            })
    void refusesWrongUse(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" ")).status())
                .isEqualTo(ExitCodes.USAGE_ERROR);
    }
}
