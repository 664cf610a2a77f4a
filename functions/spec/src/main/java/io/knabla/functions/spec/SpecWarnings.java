package io.knabla.functions.spec;

import io.knabla.functions.spec.FunctionSpec.Schedule;
import java.util.ArrayList;
import java.util.List;

/** What a user should know of a valid specification: it is deployed, and may not do what was meant. */
public final class SpecWarnings {
    private SpecWarnings() {}

    /** One sentence each; empty if there is nothing to say. */
    public static List<String> of(FunctionSpec spec) {
        List<String> warnings = new ArrayList<>();
        SpotTimeout.warning(spec).ifPresent(warnings::add);
        List<Schedule> schedule = spec.keepWarm().schedule();
        for (int i = 0; i < schedule.size(); i++) {
            ScheduleDates.warning(
                            "spec.keepWarm.schedule[%d].cron".formatted(i),
                            schedule.get(i).cron())
                    .ifPresent(warnings::add);
        }
        return warnings;
    }
}
