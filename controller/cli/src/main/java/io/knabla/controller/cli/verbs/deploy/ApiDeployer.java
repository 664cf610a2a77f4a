package io.knabla.controller.cli.verbs.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.cli.client.Upload;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.models.LocalModel;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.function.ReadinessWaiter;
import io.knabla.controller.cli.verbs.traffic.PresentTraffic;
import io.knabla.functions.unit.Digest;
import java.net.HttpURLConnection;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Deploys through the control API only: on a laptop, or to a platform named by its address. */
final class ApiDeployer implements FunctionDeployer {
    private final PlatformClient platform;
    private final Progress progress;

    ApiDeployer(PlatformClient platform, Progress progress) {
        this.platform = platform;
        this.progress = progress;
    }

    @Override
    public ObjectNode deploy(FunctionFile function, Duration patience) {
        ObjectNode deployed = post(function);
        if (patience.isPositive()) {
            new ReadinessWaiter(platform, progress, patience)
                    .await(
                            function.namespace(),
                            function.name(),
                            deployed.path("version").asInt());
        }
        return deployed;
    }

    @Override
    public Optional<PresentTraffic> traffic(FunctionFile function) {
        String path = PlatformClient.functionPath(function.namespace(), function.name());
        PlatformResponse answer = platform.api("GET", path, BodyPublishers.noBody(), Map.of());
        return answer.status() == HttpURLConnection.HTTP_NOT_FOUND
                        && answer.json().has("detail")
                ? Optional.empty()
                : Optional.of(PresentTraffic.ofView(platform.expectSuccess(answer, "GET " + path)));
    }

    /** Posts the function; if the platform reports missing files, uploads them and posts again. */
    private ObjectNode post(FunctionFile function) {
        progress.step("packaging " + function.name());
        PlatformResponse answer = platform.sendRaw("POST", "/functions", function.document());
        JsonNode missing = answer.json().path("missing");
        if (answer.status() == 409 && missing.isArray() && function.model().isPresent()) {
            upload(missing, function.model().get(), new Upload(platform, progress));
            progress.step("packaging " + function.name());
            answer = platform.sendRaw("POST", "/functions", function.document());
        }
        if (answer.status() == 409 && missing.isArray() && function.model().isEmpty()) {
            throw CliFailure.failed(
                    "the platform has no model %s. Write the path of its file in spec.model; it is then uploaded.",
                    missing.path(0).asText());
        }
        JsonNode body = platform.expectSuccess(answer, "POST /functions");
        if (body instanceof ObjectNode deployed) {
            return deployed;
        }
        throw CliFailure.failed("%s answered POST /functions without a JSON object", platform.server());
    }

    private static void upload(JsonNode missing, LocalModel local, Upload upload) {
        for (JsonNode item : missing) {
            var digest = new Digest(item.asText());
            Path file = local.files().get(digest);
            if (file == null) {
                throw CliFailure.failed(
                        "the platform asks for %s, which is no file of this model. The model may"
                                + " have changed meanwhile: deploy again.",
                        digest);
            }
            upload.send(digest, file);
        }
    }
}
