package io.knabla.controller.spot.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Reads events of EC2 and AWS Health as EventBridge sends them, see <a
 * href="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitoring-instance-termination-notices.html">Spot instance
 * interruption notices</a> and <a
 * href="https://docs.aws.amazon.com/health/latest/ug/aws-health-events-eventbridge-schema.html">AWS Health events</a>.
 * Pure.
 */
final class InstanceEvents {
    /** Between a warning and the end of an instance that is stopped or terminated. */
    private static final Duration NOTICE = Duration.ofMinutes(2);

    /** A recommended instance that still runs then is as good as any other. */
    private static final Duration LAPSE = Duration.ofHours(1);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** By {@code detail-type}. */
    private static final Map<String, BiFunction<Instant, JsonNode, List<CapacitySignal>>> READERS = Map.of(
            "EC2 Spot Instance Interruption Warning", InstanceEvents::interruption,
            "EC2 Capacity Reservation Instance Interruption Warning", InstanceEvents::interruption,
            "EC2 Instance Rebalance Recommendation", InstanceEvents::rebalance,
            "EC2 Instance State-change Notification", InstanceEvents::stateChange,
            "AWS Health Event", InstanceEvents::health);

    /** All {@code detail-type}s that say something. */
    static final Set<String> TYPES = READERS.keySet();

    private InstanceEvents() {}

    /** What an event says. */
    sealed interface Parsed {
        /** @param signals of instances, by their ids; empty if it tells nothing of their ends */
        record Understood(List<CapacitySignal> signals) implements Parsed {}

        /** @param why it is none of these events */
        record Malformed(String why) implements Parsed {}
    }

    static Parsed parse(String body) {
        try {
            JsonNode event = JSON.readTree(body);
            var reader = READERS.get(text(event, "detail-type"));
            return new Parsed.Understood(
                    reader == null
                            ? List.of()
                            : reader.apply(Instant.parse(text(event, "time")), required(event, "detail")));
        } catch (JsonProcessingException | DateTimeException | IllegalArgumentException bad) {
            return new Parsed.Malformed(
                    String.valueOf(bad.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static List<CapacitySignal> interruption(Instant time, JsonNode detail) {
        // One that hibernates begins to at once.
        boolean isAtOnce = text(detail, "instance-action").equals("hibernate");
        return List.of(new CapacitySignal(
                text(detail, "instance-id"), Kind.INTERRUPTION_WARNING, isAtOnce ? time : time.plus(NOTICE)));
    }

    private static List<CapacitySignal> rebalance(Instant time, JsonNode detail) {
        return List.of(new CapacitySignal(text(detail, "instance-id"), Kind.REBALANCE_RECOMMENDED, time.plus(LAPSE)));
    }

    private static List<CapacitySignal> stateChange(Instant time, JsonNode detail) {
        String instance = text(detail, "instance-id");
        return switch (text(detail, "state")) {
            case "stopping", "shutting-down" -> List.of(new CapacitySignal(instance, Kind.INTERRUPTION_WARNING, time));
            case "stopped", "terminated" -> List.of(new CapacitySignal(instance, Kind.GONE, time.plus(LAPSE)));
            default -> List.of();
        };
    }

    private static List<CapacitySignal> health(Instant time, JsonNode detail) {
        if (!text(detail, "service").equals("EC2")
                || !text(detail, "eventTypeCategory").equals("scheduledChange")) {
            return List.of();
        }
        Instant start = ZonedDateTime.parse(text(detail, "startTime"), DateTimeFormatter.RFC_1123_DATE_TIME)
                .toInstant();
        List<CapacitySignal> signals = new ArrayList<>();
        required(detail, "affectedEntities")
                .forEach(entity ->
                        signals.add(new CapacitySignal(text(entity, "entityValue"), Kind.INTERRUPTION_WARNING, start)));
        return signals;
    }

    private static String text(JsonNode object, String field) {
        JsonNode value = required(object, field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("'%s' is no text but %s".formatted(field, value.getNodeType()));
        }
        return value.textValue();
    }

    private static JsonNode required(JsonNode object, String field) {
        JsonNode value = object.get(field);
        if (value == null) {
            throw new IllegalArgumentException("it has no '%s'".formatted(field));
        }
        return value;
    }
}
