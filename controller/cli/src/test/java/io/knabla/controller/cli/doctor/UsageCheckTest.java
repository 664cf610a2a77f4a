package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.cli.print.Console;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UsageCheckTest {
    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private Finding finding(Reply reply) {
        platform.on("GET /api/v1/costs/damages", reply);
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        var client = new PlatformClient(platform.url(), Optional.empty(), Console.plain(nowhere, nowhere), false);
        return new UsageCheck(client).finding();
    }

    @Test
    void wholeUsageIsGood() {
        assertThat(finding(Reply.ok("{\"items\": []}"))).isEqualTo(Finding.good("usage", "whole"));
    }

    @Test
    void damageIsPoorAndNamesItsPlace() {
        Finding finding = finding(Reply.ok("""
                {"items": [{"name": "2026112305-w-00000000", "type": "CORRUPT", "detail": "its 9 bytes are no record"},
                           {"name": "b", "type": "MISSING", "detail": "it is gone"}]}
                """));
        assertThat(finding.grade()).isEqualTo(Grade.poor);
        assertThat(finding.found()).contains("2 parts", "2026112305-w-00000000: its 9 bytes are no record");
        assertThat(finding.fix()).isNotEmpty();
    }

    @Test
    void aPlatformThatDoesNotAnswerIsNoProblem() {
        assertThat(finding(Reply.status(404, "{\"detail\": \"unknown path\"}")))
                .returns(Grade.good, Finding::grade)
                .extracting(Finding::found)
                .asString()
                .startsWith("not checked: ");
    }
}
