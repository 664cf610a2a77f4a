package io.knabla.controller.warm.policy;

import io.knabla.controller.warm.schedule.CronTimes;
import java.util.Optional;

/**
 * What is known of a function without its requests.
 *
 * @param timer the schedule that calls the function, if that is its only trigger
 */
public record FunctionProfile(String name, StartCost start, Optional<CronTimes> timer) {
    public static FunctionProfile of(String name, StartCost start) {
        return new FunctionProfile(name, start, Optional.empty());
    }
}
