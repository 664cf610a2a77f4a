package io.knabla.controller.warm.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * The times of a cron expression of five fields in a time zone, as {@code PingSource} reads them. Local times that the
 * clocks skip when summer time begins give one tick, when the clocks go on; of those that they repeat when it ends, the
 * first counts.
 */
public final class CronTimes {
    private final ExecutionTime times;
    private final ZoneId zone;

    private CronTimes(ExecutionTime times, ZoneId zone) {
        this.times = times;
        this.zone = zone;
    }

    /** @throws IllegalArgumentException if the expression is not valid */
    public static CronTimes of(String cron, ZoneId zone) {
        CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
        return new CronTimes(ExecutionTime.forCron(parser.parse(cron)), zone);
    }

    /** The first tick after a time; empty if there is none. */
    public Optional<Instant> after(Instant time) {
        // Local times without the clocks' changes, as they are in UTC.
        Optional<ZonedDateTime> local =
                times.nextExecution(LocalDateTime.ofInstant(time, zone).atZone(ZoneOffset.UTC));
        while (local.isPresent()) {
            Instant tick = instant(local.get().toLocalDateTime());
            if (tick.isAfter(time)) {
                return Optional.of(tick);
            }
            local = times.nextExecution(local.get());
        }
        return Optional.empty();
    }

    private Instant instant(LocalDateTime local) {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        return change != null && change.isGap()
                ? change.getInstant()
                : local.atZone(zone).toInstant();
    }
}
