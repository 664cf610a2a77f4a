package io.knabla.functions.spec;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;

/** Decides whether a valid cron expression has a date at all: 30 February has none. */
final class ScheduleDates {
    /** The year after it is a leap year, so that what has a date has one soon. */
    private static final ZonedDateTime START = ZonedDateTime.of(1999, 12, 31, 23, 59, 0, 0, ZoneOffset.UTC);

    private ScheduleDates() {}

    /**
     * @param path of the expression in the file
     * @return empty if there is a date
     */
    static Optional<String> warning(String path, String cron) {
        return hasDate(cron)
                ? Optional.empty()
                : Optional.of(
                        "%s is '%s', a date that no year has: it never begins; correct its day or month, or remove it"
                                .formatted(path, cron));
    }

    private static boolean hasDate(String cron) {
        var parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
        return ExecutionTime.forCron(parser.parse(cron)).nextExecution(START).isPresent();
    }
}
