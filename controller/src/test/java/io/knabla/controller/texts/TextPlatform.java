package io.knabla.controller.texts;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.Sha256;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The assembled platform with functions whose models are folders, called by JSON. */
final class TextPlatform implements AutoCloseable {
    static final JsonMapper JSON = new JsonMapper();

    /** Replicas that call each other have no use for it. */
    private static final String TOKEN = "of people";

    private final HttpClient http = HttpClient.newHttpClient();
    private final PlatformProcess process;

    /** @param home an empty folder */
    TextPlatform(Path home) throws IOException {
        this(home, Map.of());
    }

    /** @param environment settings besides the home */
    TextPlatform(Path home, Map<String, String> environment) throws IOException {
        Map<String, String> guarded = new TreeMap<>(environment);
        guarded.put("KNABLA_TOKEN", TOKEN);
        process = PlatformProcess.start(home, guarded);
    }

    HttpResponse<String> deploy(String name, FunctionType type, Path model) throws IOException, InterruptedException {
        return post("/api/v1/functions", uploaded(name, type, model).toString());
    }

    /** @param small folder of a model that drafts */
    HttpResponse<String> deployWithDraft(String name, Path model, Path small) throws IOException, InterruptedException {
        ObjectNode function = uploaded(name, FunctionType.Generation, model);
        ObjectNode spec = function.withObject("spec");
        spec.putObject("generation")
                .putObject("speculation")
                .put("type", "Draft")
                .put("model", "./small/");
        for (String file : FolderFiles.ofDraft(small)) {
            spec.withObject("externalData")
                    .put(FolderFiles.draftLocation("./small/", file), upload(small.resolve(file)));
        }
        return post("/api/v1/functions", function.toString());
    }

    /** @param reader function that reads the prompts */
    HttpResponse<String> deployWithPrefill(String name, Path model, String reader)
            throws IOException, InterruptedException {
        ObjectNode function = uploaded(name, FunctionType.Generation, model);
        function.withObject("spec").putObject("generation").putObject("prefill").put("function", reader);
        return post("/api/v1/functions", function.toString());
    }

    HttpResponse<String> deployWithInt8Cache(String name, Path model) throws IOException, InterruptedException {
        ObjectNode function = uploaded(name, FunctionType.Generation, model);
        function.withObject("spec").putObject("generation").putObject("kvCache").put("type", "Int8");
        return post("/api/v1/functions", function.toString());
    }

    private ObjectNode uploaded(String name, FunctionType type, Path model) throws IOException, InterruptedException {
        ObjectNode function = function(name, type, upload(model.resolve(FolderFiles.CONFIG)));
        ObjectNode others = function.withObject("spec").putObject("externalData");
        for (String file : FolderFiles.others(model, type)) {
            others.put(file, upload(model.resolve(file)));
        }
        return function;
    }

    /** @param folder {@code s3://…/} */
    HttpResponse<String> deployFromBucket(String name, FunctionType type, String folder)
            throws IOException, InterruptedException {
        return post("/api/v1/functions", function(name, type, folder).toString());
    }

    private static ObjectNode function(String name, FunctionType type, String model) {
        ObjectNode function = JSON.createObjectNode();
        function.put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        function.putObject("metadata").put("name", name);
        function.putObject("spec").put("type", type.name()).put("model", model);
        return function;
    }

    private String upload(Path file) throws IOException, InterruptedException {
        try (var in = Files.newInputStream(file)) {
            String digest = Sha256.of(in).value();
            send("/api/v1/models/" + digest, "PUT", BodyPublishers.ofFile(file));
            return digest;
        }
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(path, "GET", BodyPublishers.noBody());
    }

    HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return send(path, "DELETE", BodyPublishers.noBody());
    }

    HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return send(path, "POST", BodyPublishers.ofString(json));
    }

    private HttpResponse<String> send(String path, String method, BodyPublisher body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(process.address().resolve(path))
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + TOKEN)
                        .method(method, body)
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.close();
        http.close();
    }
}
