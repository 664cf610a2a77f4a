package io.knabla.controller.cost.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.knabla.controller.cost.budget.Budget;
import io.knabla.controller.cost.budget.BudgetPeriod;
import io.knabla.controller.cost.budget.BudgetStatus;
import io.knabla.controller.cost.report.Amount;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BudgetAlertsTest {
    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    /** In place of a status: the receiver sends one, and never the end of its answer. */
    private static final int STALLED = 0;

    private Instant now = NOON;
    private Duration timeout = Duration.ofMinutes(1);
    private final ObjectStore store = new MemoryObjectStore(() -> now);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> events = new ArrayList<>();
    private final List<JsonNode> posted = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Integer> answers = new ArrayDeque<>();
    private HttpServer receiver;
    private BigDecimal spent = BigDecimal.ZERO;

    @BeforeEach
    void receive() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            JsonNode body = new ObjectMapper().readTree(exchange.getRequestBody());
            int status = answers.isEmpty() ? 204 : answers.pop();
            if (status == 204) {
                posted.add(body);
            }
            if (status == STALLED) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
                return;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
        store.close();
    }

    private BudgetStatus status() {
        URI address = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/alerts");
        Budget budget = new Budget(
                "shop",
                Optional.of("resize"),
                BigDecimal.TEN,
                BudgetPeriod.DAY,
                List.of(new BigDecimal("0.8"), BigDecimal.ONE),
                Optional.of(address));
        return new BudgetStatus(budget, BudgetPeriod.DAY.around(now), new Amount.Whole(spent), now);
    }

    /** Another controller of the same store. */
    private BudgetAlerts controller() {
        return new BudgetAlerts(
                () -> List.of(status()),
                store,
                List.of((function, reason, message) -> events.add(function + " " + reason + ": " + message)),
                new BudgetWebhook(Duration.ofMillis(1), timeout),
                meters,
                () -> now,
                true);
    }

    private void checkAt(String usd) throws IOException {
        spent = new BigDecimal(usd);
        controller().check();
    }

    @Test
    void givesEachAlertOnceInEachPeriod() throws IOException {
        checkAt("7.99");
        assertThat(posted).isEmpty();
        checkAt("8");
        checkAt("8.5");
        assertThat(posted).singleElement().satisfies(alert -> {
            assertThat(alert.path("budget").asText()).isEqualTo("function shop/resize");
            assertThat(alert.path("spentUsd").asInt()).isEqualTo(8);
            assertThat(alert.path("forecastUsd").asInt()).isEqualTo(16);
            assertThat(alert.path("alertAt").asDouble()).isEqualTo(0.8);
        });
        checkAt("12");
        assertThat(posted).hasSize(2);
        assertThat(events)
                .containsExactly(
                        "shop/resize BudgetAlert: the function shop/resize has spent 8.00 of its 10 USD of this day, 80%;"
                                + " alerts are set at 80%",
                        "shop/resize BudgetAlert: the function shop/resize has spent 12.00 of its 10 USD of this day, 120%;"
                                + " alerts are set at 100%");
        now = NOON.plus(Duration.ofDays(1));
        checkAt("12");
        assertThat(posted).hasSize(4);
    }

    @Test
    void triesAWebhookAgainAndAgainAtTheNextLook() throws IOException {
        answers.addAll(List.of(503, 429, 500, 503));
        checkAt("8");
        assertThat(posted).isEmpty();
        assertThat(events).isEmpty();
        answers.add(503);
        checkAt("8");
        assertThat(posted).hasSize(1);
        assertThat(events).hasSize(1);
    }

    @Test
    void aReceiverThatStallsStopsNoAlert() throws IOException {
        timeout = Duration.ofSeconds(2);
        answers.add(STALLED);
        checkAt("8");
        assertThat(posted).hasSize(1);
    }

    @Test
    void givesAgainWhatAControllerGaveWhenItWasKilled() throws IOException {
        checkAt("8");
        try (Stream<ObjectInfo> records = store.list("budgets/alerts/")) {
            store.write(records.findFirst().orElseThrow().key(), Content.of(new byte[0]));
        }
        checkAt("8");
        assertThat(posted).hasSize(1);
        now = NOON.plus(Duration.ofMinutes(6));
        checkAt("8");
        checkAt("8");
        assertThat(posted).hasSize(2);
    }

    @Test
    void doesNotRepeatWhatTheReceiverRefuses() throws IOException {
        answers.addAll(List.of(400, 204));
        checkAt("8");
        assertThat(answers).hasSize(1);
        checkAt("8");
        assertThat(posted).hasSize(1);
    }

    @Test
    void metersTheSpentShare() throws IOException {
        checkAt("2.5");
        assertThat(meters.get("knabla.budget.spent.share")
                        .tag("budget", "function shop/resize")
                        .gauge()
                        .value())
                .isEqualTo(0.25);
    }
}
