package io.knabla.controller.clients;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Python clients of the protocols over HTTP and gRPC: each script checks what its client reads, and ends with an error
 * otherwise.
 */
class PythonClientsOnPlatform {
    private static final List<String> SCRIPTS =
            List.of("triton_http", "triton_grpc", "kserve_rest", "kserve_grpc", "tesseract");

    @TempDir
    static Path home;

    private static ClientTargets targets;

    @BeforeAll
    static void start() throws Exception {
        targets = new ClientTargets(home, Map.of("KNABLA_SHARED_MEMORY", "1"));
        for (String sample : List.of("add-sub", "exp")) {
            targets.add(sample);
        }
    }

    @AfterAll
    static void stop() {
        targets.close();
    }

    @TestFactory
    Stream<DynamicTest> agreesWithThePlatform() {
        return tests(targets.onPlatform());
    }

    @TestFactory
    Stream<DynamicTest> agreesWithABareReplica() {
        return tests(targets.bare());
    }

    private static Stream<DynamicTest> tests(Map<String, String> addresses) {
        return SCRIPTS.stream()
                .map(script -> DynamicTest.dynamicTest(script, () -> new PythonScript(script).run(addresses)));
    }
}
