package io.knabla.controller.warm.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The times of a cron expression of five fields in a time zone, as {@code PingSource} reads them. A local time that the
 * clocks skip or repeat when summer time begins or ends gives one tick at most.
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
        return times.nextExecution(time.atZone(zone)).map(next -> next.toInstant());
    }
}
