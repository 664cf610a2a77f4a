package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs Terraform in a copy of {@code terraform/examples/functions}. Where there is no Terraform, or no provider of
 * Kubernetes, the test class is skipped and says so.
 */
final class Terraform implements ExecutionCondition {
    private static final List<String> COPIED = List.of(
            "terraform/examples/functions", "terraform/modules/function", "functions/samples/digits/digits.onnx");

    private final Map<String, String> environment = new HashMap<>();
    private Path example;
    private String lacking;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (example == null) {
            lacking = prepare();
        }
        if (lacking.isEmpty()) {
            return ConditionEvaluationResult.enabled("Terraform runs");
        }
        System.out.printf("cluster test: SKIPPED %s: %s%n", context.getDisplayName(), lacking);
        return ConditionEvaluationResult.disabled(lacking);
    }

    /** Returns what is missing; empty if nothing is. */
    private String prepare() {
        try {
            Path root = Files.createTempDirectory("knabla-terraform");
            example = root.resolve(COPIED.getFirst());
            for (String part : COPIED) {
                Path copy = root.resolve(part);
                Files.createDirectories(copy.getParent());
                Path source = TestCluster.ROOT.resolve(part);
                Ran.of(List.of("cp", "-r", source.toString(), copy.toString()), Map.of(), "")
                        .good();
            }
            String mirrors = TestCluster.ROOT.resolve("terraform/mirrors").toString();
            Path providers = Files.writeString(
                    root.resolve("cli.tfrc"),
                    Ran.of(List.of(mirrors), Map.of(), "").good().out());
            environment.put("TF_CLI_CONFIG_FILE", providers.toString());
            environment.put("TF_IN_AUTOMATION", "true");
            environment.put("TF_INPUT", "0");
            Ran init = run("init");
            return init.status() == 0 ? "" : "terraform init: " + init.err().strip();
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        } catch (UncheckedIOException absent) {
            return "there is no terraform on PATH: https://developer.hashicorp.com/terraform/install";
        }
    }

    /** For all that follows: a variable of the environment. */
    void set(String name, String value) {
        environment.put(name, value);
    }

    Ran run(String... arguments) {
        return run(Map.of(), arguments);
    }

    Ran run(Map<String, String> more, String... arguments) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        List<String> command = Stream.concat(
                        Stream.of("terraform", "-chdir=" + example, arguments[0], "-no-color"),
                        Stream.of(arguments).skip(1))
                .toList();
        return Ran.of(command, all, "");
    }

    /** Adds a file to the example, or replaces it; modules that it uses are ready then. */
    void write(String file, String text) throws IOException {
        Files.writeString(example.resolve(file), text);
        run("init").good();
    }

    void delete(String file) throws IOException {
        Files.delete(example.resolve(file));
    }

    /** Replaces a text that the example's main file has. */
    void edit(String from, String to) throws IOException {
        String before = Files.readString(example.resolve("main.tf"));
        if (!before.contains(from)) {
            throw new AssertionError("main.tf has no " + from);
        }
        write("main.tf", before.replace(from, to));
    }
}
