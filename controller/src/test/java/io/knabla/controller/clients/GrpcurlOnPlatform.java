package io.knabla.controller.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.servers.GoPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** grpcurl, which knows no proto file: it asks by reflection what there is. Skipped where Go is missing. */
class GrpcurlOnPlatform {
    private static final String SERVICE = "inference.GRPCInferenceService";

    @TempDir
    static Path home;

    private static ClientTargets targets;
    private static Path grpcurl;

    @BeforeAll
    static void start() throws Exception {
        grpcurl = GoPrograms.install("grpcurl 1.9.3", "github.com/fullstorydev/grpcurl/cmd/grpcurl", "1.9.3");
        targets = new ClientTargets(home, Map.of());
        targets.add("add-sub");
    }

    @AfterAll
    static void stop() {
        if (targets != null) {
            targets.close();
        }
    }

    static Stream<String> addresses() {
        return Stream.of(targets.onPlatform().get("server"), targets.bare().get("add-sub"))
                .map(url -> url.replaceFirst("^http://", "").replaceFirst("/$", ""));
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void learnsTheServiceAndCallsIt(String address) throws Exception {
        assertThat(run(address, "list")).contains(SERVICE, "grpc.health.v1.Health");
        assertThat(run(address, "list", SERVICE)).contains(SERVICE + ".ModelInfer");
        assertThat(run(address, "describe", "inference.ModelInferRequest"))
                .contains("repeated bytes raw_input_contents = 7;");
        assertThat(run(address, "grpc.health.v1.Health/Check")).contains("SERVING");

        String input =
                "{\"name\":\"INPUT%d\",\"datatype\":\"INT32\",\"shape\":[1,16],\"contents\":{\"int_contents\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}}";
        String request =
                "{\"model_name\":\"add-sub\",\"inputs\":[%s,%s]}".formatted(input.formatted(0), input.formatted(1));
        assertThat(run(List.of("-d", request), address, SERVICE + "/ModelInfer"))
                .contains("\"modelName\": \"add-sub\"", "\"name\": \"OUTPUT1\"");
    }

    private static String run(String... arguments) throws IOException, InterruptedException {
        return run(List.of(), arguments);
    }

    private static String run(List<String> options, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(grpcurl.toString(), "-plaintext", "-max-time", "60"));
        command.addAll(options);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
