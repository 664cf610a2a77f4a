package io.knabla.controller.config;

import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import org.eclipse.microprofile.config.spi.Converter;

/** Converts the text of a setting, such as 90s, 15m or 400d, to a time; refuses a negative one. */
public class TimeConverter implements Converter<Duration> {
    /** Refuses zero too. */
    public static final class Positive extends TimeConverter {
        @Override
        public Duration convert(String text) {
            Duration time = super.convert(text);
            if (time != null && time.isZero()) {
                throw new IllegalArgumentException("it must be longer than zero");
            }
            return time;
        }
    }

    /** @throws IllegalArgumentException if it is no such time */
    @Override
    public Duration convert(String text) {
        Duration time = DurationConverter.parseDuration(text);
        if (time != null && time.isNegative()) {
            throw new IllegalArgumentException("a time cannot be negative");
        }
        return time;
    }
}
