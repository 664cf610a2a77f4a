package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.standin.Specs;
import io.knabla.storage.StorageException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers see of a function whose document in the catalog cannot be used. */
class DamagedFunctionTest {
    private GatewayFixture knabla;

    @TempDir
    Path home;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(1 << 20, 1 << 20, 32 << 20, 3));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    @Test
    void itIsUnavailableWithTheSentenceAndKeepsItsReplicasUntilTheDocumentIsRestored() throws Exception {
        FunctionRecord record = Specs.inference().record("digits", Instant.now());
        knabla.deploy(record);
        assertThat(knabla.send(knabla.infer("digits")).statusCode()).isEqualTo(200);
        List<Replica> running = knabla.replicas("digits", Replica.State.READY);

        knabla.catalog.damage(CatalogException.unreadable(
                Specs.id("digits"),
                new StorageException(StorageException.Kind.BAD_OBJECT, "digits.json is a folder.", "Move it away.")));
        for (HttpRequest.Builder request : List.of(
                knabla.infer("digits"),
                HttpRequest.newBuilder(knabla.uri("/v2/models/digits")),
                HttpRequest.newBuilder(knabla.uri("/functions/default/digits/v2/health/ready")))) {
            HttpResponse<String> answer = knabla.send(request);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("digits.json is a folder. Move it away.", "function-damaged");
        }
        assertThat(knabla.replicas("digits", Replica.State.READY)).isEqualTo(running);

        knabla.deploy(record);
        assertThat(knabla.send(knabla.infer("digits")).statusCode()).isEqualTo(200);
    }
}
