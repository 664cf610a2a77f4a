package io.knabla.controller.spot.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.aws.InstanceEvents.Parsed.Malformed;
import io.knabla.controller.spot.aws.InstanceEvents.Parsed.Understood;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as AWS documents them; account and instance ids are those of its documentation. */
class InstanceEventsTest {
    private static final String INSTANCE = "i-1234567890abcdef0";

    private static CapacitySignal only(String body) {
        return ((Understood) InstanceEvents.parse(body)).signals().getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "interruption.json, INTERRUPTION_WARNING, 2026-08-26T14:12:05Z",
        "hibernation.json, INTERRUPTION_WARNING, 2026-08-26T14:10:05Z",
        "reservation.json, INTERRUPTION_WARNING, 2026-08-26T14:12:05Z",
        "rebalance.json, REBALANCE_RECOMMENDED, 2026-08-26T15:10:05Z",
        "shutting-down.json, INTERRUPTION_WARNING, 2026-08-26T14:10:05Z",
        "terminated.json, GONE, 2026-08-26T15:10:05Z",
        "health.json, INTERRUPTION_WARNING, 2026-09-05T15:10:09Z"
    })
    void announcementsHaveAnInstanceAndATime(String file, Kind kind, Instant until) {
        assertThat(only(Events.read(file))).isEqualTo(new CapacitySignal(INSTANCE, kind, until));
    }

    @ParameterizedTest
    @ValueSource(strings = {"running.json", "health-issue.json", "other.json"})
    void otherEventsTellNothing(String file) {
        assertThat(InstanceEvents.parse(Events.read(file))).isEqualTo(new Understood(List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                                                         | end-of-input",
                "[]                                                        | no 'detail-type'",
                "{\"detail-type\": 7}                                      | is no text but NUMBER",
                "{\"detail-type\": \"EC2 Instance Rebalance Recommendation\"} | no 'time'",
            })
    void whatIsNoEventIsRefusedWithAReason(String body, String why) {
        assertThat(InstanceEvents.parse(body))
                .isInstanceOfSatisfying(
                        Malformed.class, bad -> assertThat(bad.why()).contains(why));
    }

    /** Terraform routes these types of events to the queue. */
    @Test
    void everyTypeThatTerraformRoutesIsRead() throws Exception {
        Path signals = Path.of(System.getProperty("basedir"), "../../../terraform/aws/signals.tf");
        List<String> routed = Pattern.compile("type = \"([^\"]+)\"")
                .matcher(Files.readString(signals))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(routed).containsExactlyInAnyOrderElementsOf(InstanceEvents.TYPES);
    }

    @Test
    void aTimeThatIsNoneIsRefused() {
        String body = Events.read("interruption.json").replace("2026-08-26T14:10:05Z", "yesterday");
        assertThat(InstanceEvents.parse(body)).isInstanceOf(Malformed.class);
    }
}
