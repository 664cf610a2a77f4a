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

class FunctionsCheckTest {
    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private Finding finding(Reply reply) {
        platform.on("GET /api/v1/functions", reply);
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        var client = new PlatformClient(platform.url(), Optional.empty(), Console.plain(nowhere, nowhere), false);
        return new FunctionsCheck(client).finding();
    }

    @Test
    void functionsThatCanBeCalledAreGood() {
        assertThat(finding(Reply.ok("""
                {"items": [{"name": "a", "conditions": [{"type": "Ready", "status": "False", "reason": "Starting"}]}]}
                """))).isEqualTo(Finding.good("functions", "the documents of all 1 are whole"));
    }

    @Test
    void aDamagedDocumentIsBadAndItsSentenceIsTold() {
        Finding finding = finding(Reply.ok("""
                {"items": [{"name": "a", "conditions": []},
                           {"name": "b", "conditions": [{"type": "Ready", "status": "False",
                             "reason": "CatalogDamaged", "message": "document b.json is damaged"}]}]}
                """));
        assertThat(finding.grade()).isEqualTo(Grade.bad);
        assertThat(finding.found()).isEqualTo("1 of 2 cannot be called: document b.json is damaged");
        assertThat(finding.fix()).isNotEmpty();
    }
}
