package io.knabla.bench.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UsageFleetTest {
    private static final UsageFleet.Shape SMALL = new UsageFleet.Shape(4, 20, 60);

    private static List<List<UsageRecord>> hours() {
        UsageFleet fleet = new UsageFleet(SMALL);
        return IntStream.range(0, 6).mapToObj(fleet::hour).toList();
    }

    @Test
    void isAlwaysTheSame() {
        assertThat(hours()).isEqualTo(hours());
    }

    @Test
    void anHourHasTheRowsThatStartInIt() {
        List<List<UsageRecord>> hours = hours();
        for (int hour = 0; hour < hours.size(); hour++) {
            Instant start = UsageFleet.START.plus(Duration.ofHours(hour));
            assertThat(hours.get(hour))
                    .isNotEmpty()
                    .allMatch(row -> Interval.of(start, start.plusSeconds(3600)).contains(row.start()));
        }
    }

    @Test
    void aReplicaRunsWithinItsNodesTimeAndServesWithinItsOwn() {
        List<UsageRecord> rows = new ArrayList<>();
        hours().forEach(rows::addAll);
        Map<String, UsageRecord> byId = rows.stream().collect(Collectors.toMap(UsageRecord::id, Function.identity()));
        assertThat(rows.stream().map(UsageRecord::kind)).contains(RecordKind.values());
        for (UsageRecord row : rows) {
            if (row instanceof UsageRecord.Replica replica) {
                NodeInterval node =
                        ((UsageRecord.Node) byId.get(replica.interval().node())).interval();
                assertThat(row.start()).isAfterOrEqualTo(node.time().start());
                assertThat(row.end().orElseThrow())
                        .isBeforeOrEqualTo(node.time().end().orElseThrow());
            } else if (row instanceof UsageRecord.Requests minute) {
                UsageRecord replica = byId.get(minute.minute().replica());
                assertThat(row.start()).isBetween(replica.start(), replica.end().orElseThrow());
            }
        }
    }
}
