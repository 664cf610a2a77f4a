package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.cli.print.Console;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PriceChecksTest {
    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");

    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private List<Finding> findings(Reply reply) {
        platform.on("GET /api/v1/costs/prices", reply);
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        var client = new PlatformClient(platform.url(), Optional.empty(), Console.plain(nowhere, nowhere), false);
        return new PriceChecks(client, NOW).findings();
    }

    @Test
    void freshAndCompletePricesAreGood() {
        List<Finding> findings = findings(Reply.ok("""
                {"newest": "2026-11-01T00:00:00Z", "refreshing": true, "unpriced": [], "damages": [],
                 "lastRefresh": {"at": "2026-11-01T00:00:00Z", "prices": 3, "failures": []}}
                """));

        assertThat(findings).extracting(Finding::grade).containsExactly(Grade.good, Grade.good, Grade.good);
        assertThat(findings)
                .extracting(Finding::found)
                .containsExactly(
                        "the newest are 12h old",
                        "every node of the last 24 hours has one",
                        "without failures at 2026-11-01T00:00:00Z");
    }

    @Test
    void oldMissingAndFailedPricesArePoor() {
        List<Finding> findings = findings(Reply.ok("""
                {"newest": "2026-07-20T13:44:30Z", "refreshing": true, "unpriced": ["abacus", "box on spot"],
                 "damages": ["prices/a.jsonl, line 2: is no price"],
                 "lastRefresh": {"at": "2026-11-01T00:00:00Z", "prices": 0, "failures": ["no rights", "b"]}}
                """));

        assertThat(findings).extracting(Finding::grade).containsOnly(Grade.poor);
        assertThat(findings)
                .extracting(Finding::found)
                .containsExactly(
                        "the newest are 103d old, so reports only assume them",
                        "instance types without a price: abacus, box on spot",
                        "2 failures at 2026-11-01T00:00:00Z: no rights",
                        "1 parts cannot be read: prices/a.jsonl, line 2: is no price");
        assertThat(findings).extracting(Finding::fix).noneMatch(String::isEmpty);
    }

    @Test
    void withoutRefreshThereIsNoLineAboutIt() {
        assertThat(findings(Reply.ok("{\"newest\": \"2026-11-01T00:00:00Z\", \"refreshing\": false}")))
                .extracting(Finding::check)
                .containsExactly("prices", "node prices");
    }

    @Test
    void aPlatformThatDoesNotAnswerIsNoProblem() {
        assertThat(findings(Reply.status(404, "{\"detail\": \"unknown path\"}")))
                .singleElement()
                .returns(Grade.good, Finding::grade)
                .extracting(Finding::found)
                .asString()
                .startsWith("not checked: ");
    }
}
