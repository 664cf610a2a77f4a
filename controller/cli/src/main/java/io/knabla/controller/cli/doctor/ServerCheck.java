package io.knabla.controller.cli.doctor;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.http.TimedHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Checks that a Knabla platform answers at the address of the settings ({@code KNABLA_SERVER}). */
final class ServerCheck {
    private static final String CHECK = "server";
    private static final String FUNCTIONS = "/api/v1/functions";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private ServerCheck() {}

    static Finding check(String server, Optional<String> token) {
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            String url = server.contains("://") ? server : "http://" + server;
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url).resolve(FUNCTIONS)).timeout(PATIENCE);
            token.ifPresent(secret -> request.setHeader("Authorization", "Bearer " + secret));
            return finding(server, TimedHttp.send(http, request.build(), BodyHandlers.ofString()));
        } catch (IOException | IllegalArgumentException unreachable) {
            return Finding.bad(
                    CHECK,
                    "%s does not answer: %s".formatted(server, unreachable),
                    "start it with ./knabla up, or correct KNABLA_SERVER or leave it out");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "interrupted while asking %s", server);
        }
    }

    private static Finding finding(String server, HttpResponse<String> answer) {
        if (answer.statusCode() == 200 && answer.body().contains("\"items\"")) {
            return Finding.good(CHECK, server + " answers");
        }
        return switch (answer.statusCode()) {
            case 401, 403 ->
                Finding.bad(
                        CHECK,
                        "%s refuses this (%d)".formatted(server, answer.statusCode()),
                        "set KNABLA_TOKEN to the platform's token");
            default ->
                Finding.bad(
                        CHECK,
                        "%s answers, but not as Knabla does (GET %s: %d)"
                                .formatted(server, FUNCTIONS, answer.statusCode()),
                        "correct KNABLA_SERVER");
        };
    }
}
