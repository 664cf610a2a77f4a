package io.knabla.controller.simulate.verbs;

import static io.knabla.controller.simulate.verbs.Calls.knabla;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cli.CommandResult;
import io.knabla.controller.cli.FakePlatform;
import io.knabla.controller.cli.FakePlatform.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./knabla simulate spot --from-ledger} against a platform with prepared answers. */
class SimulateSpotLedgerTest {
    private static final String SQL = "POST /api/v1/costs/sql?from=7d&tz=UTC";
    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private CommandResult replay(String... more) {
        List<String> args =
                new ArrayList<>(List.of("simulate", "spot", "--from-ledger", "--from", "7d", "--tz", "UTC", "--seeds"));
        args.addAll(List.of("1", "--server", platform.url()));
        args.addAll(List.of(more));
        return knabla(args.toArray(String[]::new));
    }

    private void answer(String nodes, String replicas, String requests) {
        platform.on(SQL, rows(nodes), rows(replicas), rows(requests));
    }

    private static Reply rows(String rows) {
        return Reply.ok("{\"rows\": [%s]}".formatted(rows));
    }

    private static String minutes(String function, int count) {
        List<String> rows = new ArrayList<>();
        for (int minute = 0; minute < count; minute++) {
            rows.add("[\"default\", \"%s\", %d, 60, 1, 6000]".formatted(function, minute * 60_000));
        }
        return String.join(",", rows);
    }

    @Test
    void theOwnHistoryIsReplayedUnderOtherPolicies() throws JsonProcessingException {
        answer(
                "[\"zone-a\", 0, 3600000, \"INTERRUPTED\", \"local\"], [\"zone-a\", 3900000, null, \"RUNNING\", \"local\"]",
                "[\"default\", \"f\", 0, 3600000, \"SPOT\", \"zone-a\"],"
                        + " [\"default\", \"f\", 3600000, 7200000, \"ON_DEMAND\", \"zone-a\"],"
                        + " [\"other\", \"f\", 0, 7200000, \"SPOT\", \"zone-a\"]",
                minutes("f", 120));

        CommandResult result = replay("--function", "default/f", "-o", "json");

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.err()).contains("(local)", "3 times");
        JsonNode document = new ObjectMapper().readTree(result.out());
        assertThat(document.at("/recorded/cost").decimalValue()).isEqualByComparingTo("0.666667");
        assertThat(document.at("/recorded/interruptions").asInt()).isEqualTo(1);
        assertThat(document.at("/recorded/failed").asInt()).isEqualTo(120);
        assertThat(document.path("rows").findValuesAsText("policy")).startsWith("Adaptive", "OnDemandOnly");
    }

    @Test
    void aHistoryWithoutSpotNodesIsTold() {
        answer("", "", minutes("f", 2));

        CommandResult result = replay();

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("no spot node in this time", "--from");
    }

    @ParameterizedTest
    @CsvSource({
        "--from-ledger --trace x, neither --trace nor --zones",
        "--function default/f, needs --from-ledger",
        "--from 7d, need --from-ledger",
        "--from-ledger --policy Omniscient, target that does not change"
    })
    void wrongUseIsToldWhatIsAllowed(String options, String fault) {
        CommandResult result = knabla(("simulate spot " + options).split(" "));

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains(fault);
    }
}
