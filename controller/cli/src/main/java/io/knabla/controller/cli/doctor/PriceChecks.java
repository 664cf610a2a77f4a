package io.knabla.controller.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Amounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Checks the prices of a running platform, which its reports of costs rest on. */
public record PriceChecks(PlatformClient platform, Instant now) {
    private static final String PRICES = "prices";

    /** Reports mark list prices that are older as assumed. */
    private static final Duration OLD = Duration.ofDays(90);

    public List<Finding> findings() {
        try {
            return findings(platform.get("/costs/prices"));
        } catch (CliFailure unanswered) {
            // Whether a platform runs is for other checks.
            return List.of(Finding.good(PRICES, "not checked: " + unanswered.getMessage()));
        }
    }

    private List<Finding> findings(JsonNode status) {
        List<Finding> findings = new ArrayList<>();
        findings.add(age(status));
        findings.add(complete(status.path("unpriced")));
        if (status.path("refreshing").asBoolean()) {
            findings.add(refresh(status.path("lastRefresh")));
        }
        JsonNode damages = status.path("damages");
        if (!damages.isEmpty()) {
            findings.add(Finding.poor(
                    "price files",
                    "%d parts cannot be read: %s"
                            .formatted(damages.size(), damages.path(0).asText()),
                    "delete these files; the next refresh writes them again"));
        }
        return findings;
    }

    private Finding age(JsonNode status) {
        Instant newest = Instant.parse(status.path("newest").asText());
        Duration age = Duration.between(newest, now);
        String found = "the newest are %s old".formatted(Amounts.age(age));
        return age.compareTo(OLD) <= 0
                ? Finding.good(PRICES, found)
                : Finding.poor(
                        PRICES,
                        found + ", so reports only assume them",
                        "set priceRefresh: {every: 24h} in config.yaml, or state them there under prices:");
    }

    private static Finding complete(JsonNode unpriced) {
        String types = StreamSupport.stream(unpriced.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(", "));
        return types.isEmpty()
                ? Finding.good("node prices", "every node of the last 24 hours has one")
                : Finding.poor(
                        "node prices",
                        "instance types without a price: " + types,
                        "correct instanceType under nodes: in config.yaml, or state their prices under prices:");
    }

    private static Finding refresh(JsonNode last) {
        JsonNode failures = last.path("failures");
        if (failures.isEmpty()) {
            return Finding.good(
                    "price refresh",
                    last.has("at") ? "without failures at " + last.path("at").asText() : "none yet");
        }
        return Finding.poor(
                "price refresh",
                "%d failures at %s: %s"
                        .formatted(
                                failures.size(),
                                last.path("at").asText(),
                                failures.path(0).asText()),
                "give the controller terraform/policies/prices.json, or correct priceRefresh in config.yaml");
    }
}
