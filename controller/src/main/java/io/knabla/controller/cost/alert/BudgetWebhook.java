package io.knabla.controller.cost.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.knabla.controller.cost.budget.BudgetDecider.Alert;
import io.knabla.controller.http.TimedHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Posts an alert of a budget as JSON. Tries again while the receiver is unreachable, busy or failing. */
final class BudgetWebhook {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int TOO_MANY = 429;

    private final RetryPolicy<Object> retries;
    private final Duration timeout;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    BudgetWebhook() {
        this(Duration.ofSeconds(1), TIMEOUT);
    }

    /**
     * @param pause before the second try; doubled before each further one
     * @param timeout of each try
     */
    BudgetWebhook(Duration pause, Duration timeout) {
        this.timeout = timeout;
        retries = RetryPolicy.builder()
                .handle(IOException.class)
                .withMaxAttempts(4)
                .withBackoff(pause, pause.multipliedBy(8))
                .build();
    }

    /** @throws IOException if it was not accepted */
    void post(Alert alert, URI address) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body(alert)))
                .build();
        try {
            int status = Failsafe.with(retries).get(() -> send(request));
            if (status / 100 != 2) {
                throw new IOException("it answered with status " + status);
            }
        } catch (FailsafeException failed) {
            throw new IOException(String.valueOf(failed.getCause()), failed);
        }
    }

    private int send(HttpRequest request) throws IOException, InterruptedException {
        int status = TimedHttp.send(http, request, BodyHandlers.discarding()).statusCode();
        if (status >= 500 || status == TOO_MANY) {
            throw new IOException("it answered with status " + status);
        }
        return status;
    }

    private static String body(Alert alert) throws JsonProcessingException {
        var status = alert.status();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", alert.id());
        body.put("message", alert.sentence());
        body.put("budget", status.budget().subject());
        body.put("period", status.budget().period().name().toLowerCase(Locale.ROOT));
        body.put("periodStart", status.period().start().toString());
        body.put("amountUsd", status.budget().amount());
        body.put("spentUsd", status.spent().priced());
        status.forecast().ifPresent(usd -> body.put("forecastUsd", usd));
        body.put("alertAt", alert.share());
        return JSON.writeValueAsString(body);
    }
}
