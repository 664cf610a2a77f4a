package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.knabla.functions.spec.Parsed.Valid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans {@code spec.tf} with Terraform: what the reader of function.yaml refuses is refused at the same path, and
 * nothing else. Runs in {@code ./knabla test terraform}.
 */
class FunctionModuleOnTerraform {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern MODULE = Pattern.compile("f(\\d+)[/\"]");
    private static final Pattern PATH = Pattern.compile("(?m)^(spec[^: ]*): ");
    private static final int GOOD_SPECS = 100;

    /** What HCL cannot say (hours of a day, time zones, keys of a map), and what Terraform refuses in its own words. */
    private static final List<String> BEYOND_IT = List.of(
            "'0 25 * * *'",
            "timezone: Berlin",
            "externalData: {../w",
            "externalData: {/w",
            ".nan",
            ".inf",
            "0x10",
            "Timeout:",
            "a b\\n",
            "model: [a]");

    private static final String FAULTS = """
            resource "terraform_data" "function" {
              lifecycle {
                precondition {
                  condition     = length(local.faults) == 0
                  error_message = join("\\n", local.faults)
                }
              }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void whatTheReaderRefusesIsRefusedAtTheSamePath() throws Exception {
        List<BadSpecs.Row> rows = BadSpecs.all().stream()
                .filter(row -> BEYOND_IT.stream().noneMatch(row.content()::contains))
                .toList();
        List<JsonNode> specs = new ArrayList<>();
        for (BadSpecs.Row row : rows) {
            specs.add(
                    YAML.readTree(row.document("model: s3://bucket/model.onnx")).get("spec"));
        }

        List<List<String>> refused = plan("first", specs);
        // Terraform comes to rules about several variables when no variable is refused.
        List<Integer> silent = IntStream.range(0, rows.size())
                .filter(at -> refused.get(at).isEmpty())
                .boxed()
                .toList();
        List<List<String>> later =
                plan("second", silent.stream().map(specs::get).toList());
        IntStream.range(0, silent.size()).forEach(at -> refused.set(silent.get(at), later.get(at)));

        assertThat(IntStream.range(0, rows.size()).boxed())
                .allSatisfy(at -> assertThat(refused.get(at))
                        .as(rows.get(at).content())
                        .anyMatch(path -> isAt(path, rows.get(at).path())));
    }

    /** An unknown key is reported at its mapping, an item at its list. */
    private static boolean isAt(String reported, String path) {
        return path.replaceAll("\\[\\d+]", "[]").startsWith(reported.replace(".*", ""));
    }

    @Test
    void whatTheReaderTakesIsNotRefused() throws Exception {
        var random = new Random(1);
        List<JsonNode> specs = Stream.generate(() -> FunctionYaml.toJson(RandomFunctions.resource(random)))
                .filter(FunctionModuleOnTerraform::isTakenByTheCluster)
                .limit(GOOD_SPECS)
                .map(document -> document.get("spec"))
                .toList();

        List<List<String>> refused = plan("good", specs);

        assertThat(IntStream.range(0, GOOD_SPECS).boxed())
                .allSatisfy(at -> assertThat(refused.get(at))
                        .as(specs.get(at).toPrettyString())
                        .isEmpty());
    }

    private static boolean isTakenByTheCluster(JsonNode document) {
        return FunctionYaml.parse(document.toString()) instanceof Valid
                && document.at("/spec/model").asText().matches("(sha256|s3):.*")
                && document.at("/spec/quantize/calibration").asText("s3:").matches("(sha256|s3):.*");
    }

    /** The paths that Terraform refuses of each spec. */
    private List<List<String>> plan(String name, List<JsonNode> specs) throws Exception {
        Path folder = Files.createDirectory(this.folder.resolve(name));
        var modules = new StringBuilder();
        for (int at = 0; at < specs.size(); at++) {
            Path module = Files.createDirectory(folder.resolve("f" + at));
            Files.copy(FunctionModuleTest.FILE, module.resolve("spec.tf"));
            Files.writeString(module.resolve("faults.tf"), FAULTS);
            modules.append("module \"f%d\" {\n  source = \"./f%d\"\n".formatted(at, at));
            specs.get(at)
                    .properties()
                    .forEach(key -> modules.append("  %s = jsondecode(%s)\n"
                            .formatted(
                                    key.getKey(), CelToHcl.quoted(key.getValue().toString()))));
            modules.append("}\n");
        }
        Files.writeString(folder.resolve("main.tf"), modules);
        terraform(folder, "init", "-input=false");
        List<List<String>> paths = new ArrayList<>();
        specs.forEach(_ -> paths.add(new ArrayList<>()));
        for (String line : terraform(folder, "plan", "-json", "-input=false")) {
            JsonNode diagnostic = JSON.readTree(line).path("diagnostic");
            Matcher module = MODULE.matcher(diagnostic.at("/range/filename").asText()
                    + diagnostic.at("/snippet/context").asText());
            if (module.find()) {
                List<String> here = paths.get(Integer.parseInt(module.group(1)));
                PATH.matcher(diagnostic.path("detail").asText()).results().forEach(path -> here.add(path.group(1)));
            }
        }
        return paths;
    }

    private static List<String> terraform(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("terraform"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        List<String> lines = process.inputReader().lines().toList();
        process.waitFor();
        return lines.stream().filter(line -> line.startsWith("{")).toList();
    }
}
