package io.knabla.controller.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks whether functions can compute on an NVIDIA GPU of this machine. The replica's own program tells: it opens the
 * libraries as a replica does.
 */
public final class GpuCheck {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GPU = "GPU";

    private final Path replicaArgs;
    private final Map<String, String> environment;

    /**
     * @param root of the checkout, or of what was installed
     * @param environment of this process, by which a replica finds its libraries
     */
    public GpuCheck(Path root, Map<String, String> environment) {
        this.replicaArgs = root.resolve("runtime/target/replica/replica.args");
        this.environment = Map.copyOf(environment);
    }

    /** Whether a folder of CUDA libraries is named, so that a check of the machine includes its GPU. */
    boolean isAskedFor() {
        return !environment.getOrDefault("KNABLA_CUDA_HOME", "").isBlank();
    }

    /** One for each library that is missing, in the order of repair; or one about the device. */
    public List<Finding> findings() {
        try {
            return report().map(GpuCheck::findings).orElseGet(() -> List.of(failed("it ended without a report")));
        } catch (IOException failed) {
            return List.of(failed(failed.getMessage()));
        }
    }

    private Optional<JsonNode> report() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "@" + replicaArgs, "gpu")
                .redirectError(Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put("ORT_DISABLE_TELEMETRY", "1");
        Process replica = builder.start();
        replica.getOutputStream().close();
        String output = new String(replica.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output.lines()
                .flatMap(line -> event(line).stream())
                .filter(event -> event.path("event").asText().equals("gpu"))
                .findFirst();
    }

    /** Libraries may print other lines. */
    private static Optional<JsonNode> event(String line) {
        try {
            return Optional.ofNullable(JSON.readTree(line)).filter(JsonNode::isObject);
        } catch (JsonProcessingException noEvent) {
            return Optional.empty();
        }
    }

    private static List<Finding> findings(JsonNode report) {
        List<Finding> findings = new ArrayList<>();
        boolean usable = true;
        for (JsonNode missing : report.path("missing")) {
            boolean required = missing.path("required").asBoolean();
            usable &= !required;
            findings.add(missing(missing, required));
        }
        String trouble = report.path("trouble").asText();
        if (!trouble.isEmpty()) {
            findings.add(Finding.bad(GPU, trouble, "look with nvidia-smi"));
        } else if (usable) {
            findings.addFirst(Finding.good(
                    GPU,
                    "functions can compute on it; libraries are looked for in %s first"
                            .formatted(report.path("home").asText())));
        }
        return findings;
    }

    private static Finding missing(JsonNode missing, boolean required) {
        String library = missing.path("library").asText();
        String found = missing.path("found").asText();
        String fix = missing.path("fix").asText();
        return required
                ? Finding.bad(library, found, fix)
                : Finding.poor(library, found + "; models of convolutions need it", fix);
    }

    private static Finding failed(String why) {
        return Finding.bad(
                GPU,
                "the replica's program could not tell: " + why,
                "remove target/knabla.stamp and run any verb: it builds again");
    }
}
