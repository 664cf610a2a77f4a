package io.knabla.controller.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.training.FunctionClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores a platform from its bucket alone: a fresh machine continues where another stopped. */
class BucketIT {
    private static final String TRAINING = "digits-training";

    @TempDir
    Path folder;

    @Test
    void servesEveryFunctionFromAFreshHome() throws IOException {
        String request = Files.readString(FunctionClient.SAMPLES.resolve("add-sub/request.json"));
        String step = Files.readString(FunctionClient.SAMPLES.resolve(TRAINING).resolve("request.json"));
        try (var bucket = new Bucket(folder)) {
            JsonNode sum;
            JsonNode versions;
            try (var platform = bucket.platform("first")) {
                var functions = new FunctionClient(platform.address());
                functions.deploySample("add-sub");
                functions.deploySample(TRAINING);
                sum = functions.infer("add-sub", request).path("outputs");
                assertThat(steps(functions.infer(TRAINING, step))).isEqualTo(1);
                assertThat(steps(functions.infer(TRAINING, step))).isEqualTo(2);
                versions = versions(functions);
            }
            try (var platform = bucket.platform("second")) {
                var functions = new FunctionClient(platform.address());
                assertThat(functions.get("/api/v1/functions").path("items")).hasSize(2);
                assertThat(versions(functions)).isEqualTo(versions);
                assertThat(functions.infer("add-sub", request).path("outputs")).isEqualTo(sum);
                assertThat(steps(functions.infer(TRAINING, step))).isEqualTo(3);
                // Unchanged: nothing is packaged or checked again.
                functions.deploySample("add-sub");
                assertThat(versions(functions)).isEqualTo(versions);
            }
        }
    }

    /** Without the number of replicas, which says what runs at the moment of the question. */
    private static JsonNode versions(FunctionClient functions) {
        JsonNode versions = functions.get("/api/v1/functions/default/add-sub/versions");
        versions.path("items").forEach(version -> ((ObjectNode) version).remove("replicas"));
        return versions;
    }

    private static double steps(JsonNode answer) {
        return FunctionClient.numbers(FunctionClient.output(answer, "step"))[0];
    }
}
