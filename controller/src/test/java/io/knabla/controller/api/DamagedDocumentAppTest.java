package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.oneOf;

import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class DamagedDocumentAppTest {
    private static final String API = "/api/v1";

    @Inject
    ObjectStore store;

    @Inject
    StoreCatalog catalog;

    private static void deploy() throws IOException {
        byte[] model = Files.readAllBytes(Path.of("../functions/samples/add-sub/add-sub.onnx"));
        String digest = Sha256.of(model).value();
        given().body(model).put(API + "/models/" + digest).then().statusCode(oneOf(200, 201));
        given().contentType("application/yaml")
                .body(utf8("""
                        apiVersion: knabla.dev/v1alpha1
                        kind: Function
                        metadata: {name: changed}
                        spec: {model: "%s"}
                        """.formatted(digest)))
                .post(API + "/functions")
                .then()
                .statusCode(201);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What is read is what was written, even if the change leaves valid JSON. */
    @Test
    void aFunctionWhoseDocumentWasChangedIsListedAsDamagedAndUnavailable() throws IOException {
        deploy();
        ObjectKey document = new ObjectKey("catalog/functions/default/changed.json");
        String good = new String(store.read(document).orElseThrow().bytes(), StandardCharsets.UTF_8);
        store.write(document, Content.of(utf8(good.replace("\"deleted\" : false", "\"deleted\" : true "))));
        catalog.refresh();
        try {
            given().get(API + "/functions")
                    .then()
                    .statusCode(200)
                    .body("items.find {it.name == 'changed'}.conditions[0].reason", equalTo("CatalogDamaged"))
                    .body("items.find {it.name == 'changed'}.conditions[0].message", containsString(document.path()));
            given().get(API + "/functions/default/changed")
                    .then()
                    .statusCode(503)
                    .contentType("application/problem+json")
                    .body("detail", containsString("Restore it"));
            given().get("/q/health/ready")
                    .then()
                    .statusCode(200)
                    .body("checks.find {it.name == 'catalog'}.data.damaged", equalTo(1));
        } finally {
            store.write(document, Content.of(utf8(good)));
            catalog.refresh();
        }
        given().get(API + "/functions/default/changed").then().statusCode(200);
        given().delete(API + "/functions/default/changed").then().statusCode(204);
    }
}
