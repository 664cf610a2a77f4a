package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform.Reply;
import org.junit.jupiter.api.Test;

class DamagedFunctionsTest {
    @Test
    void listSaysWhichDocumentsAreDamaged() {
        FakePlatform platform = new FakePlatform();
        platform.on("GET /api/v1/functions", Reply.ok("""
                {"items": [{"name": "digits", "namespace": "default", "type": null, "created": null, "unit": null,
                  "url": "http://localhost/functions/default/digits", "latestVersion": 0, "traffic": [],
                  "conditions": [{"type": "Ready", "status": "False", "reason": "CatalogDamaged",
                                  "message": "digits.json is damaged, by 100%"}]}]}
                """));

        CommandResult list = CommandResult.knabla("list", "-o", "wide", "--server", platform.url());

        assertThat(list.lastLine()).matches("digits +default +False \\(CatalogDamaged\\) +0 +0 .*-");
        assertThat(list.err()).contains("digits.json is damaged, by 100%");
        platform.close();
    }
}
