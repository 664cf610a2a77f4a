package io.knabla.storage.settings;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Reads settings by variable name and collects their faults. The first source with a value decides; a blank value
 * counts as absent. Every replica starts with this class, so it loads as few others as possible.
 */
public final class SettingsReader {
    private final List<Supplier<Map<String, String>>> sources;
    private final List<String> faults = new ArrayList<>();

    /**
     * @param sources by variable name, strongest first: flags, environment, {@code config.yaml}; a source is opened
     *     only when those before it lack a value
     */
    public SettingsReader(List<Supplier<Map<String, String>>> sources) {
        this.sources = List.copyOf(sources);
    }

    public static SettingsReader of(Map<String, String> environment) {
        return new SettingsReader(List.of(() -> environment));
    }

    /** Names in any source, including those with a blank value. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        sources.forEach(source -> names.addAll(source.get().keySet()));
        return names;
    }

    /** The value as it stands. */
    public Optional<String> text(String name) {
        for (Supplier<Map<String, String>> source : sources) {
            String value = source.get().get(name);
            if (value != null && !value.isBlank()) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    /** The value without surrounding white space, such as the final newline of a secret's file. */
    public Optional<String> stripped(String name) {
        return text(name).map(String::strip);
    }

    /** Reports a fault and returns an empty text if the setting is absent. */
    public String required(String name) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            report(name + " is not set");
        }
        return value.orElse("");
    }

    /** Reports a fault and returns {@code otherwise} if the value is no number within the bounds, both inclusive. */
    public int number(String name, int otherwise, int from, int to) {
        Optional<String> value = stripped(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value.get());
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, like a number out of bounds.
        }
        reject(name, value.get(), "a whole number from " + from + " to " + to);
        return otherwise;
    }

    /** Whether the setting is 1; absent counts as 0. */
    public boolean flag(String name) {
        return choice(name, "0", "1").equals("1");
    }

    /** The first allowed value is the default. */
    public String choice(String name, String... allowed) {
        String value = stripped(name).orElse(allowed[0]);
        if (List.of(allowed).contains(value)) {
            return value;
        }
        reject(name, value, "one of " + String.join(", ", allowed));
        return allowed[0];
    }

    public Duration duration(String name, Duration otherwise) {
        Optional<String> value = stripped(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        Optional<Duration> duration = DurationParser.parse(value.get());
        if (duration.isEmpty()) {
            reject(name, value.get(), DurationParser.ALLOWED);
        }
        return duration.orElse(otherwise);
    }

    /** The HTTP address in the first of these settings that has a value. */
    public Optional<URI> address(String... names) {
        for (String name : names) {
            Optional<String> value = stripped(name);
            if (value.isPresent()) {
                return parseAddress(name, value.get());
            }
        }
        return Optional.empty();
    }

    private Optional<URI> parseAddress(String name, String value) {
        try {
            URI uri = URI.create(value);
            String scheme = String.valueOf(uri.getScheme());
            if (List.of("http", "https").contains(scheme) && uri.getHost() != null) {
                return Optional.of(uri);
            }
        } catch (IllegalArgumentException malformed) {
            // Reported below, like an address without a host.
        }
        reject(name, value, "an address such as https://s3.example.com or http://127.0.0.1:9000");
        return Optional.empty();
    }

    /** Reports a fault if {@code name} is set without {@code other}. */
    public void needs(String name, String other) {
        if (text(name).isPresent() && text(other).isEmpty()) {
            report("%s is set and %s is not; set both".formatted(name, other));
        }
    }

    /** Reports a value that is none of the allowed. */
    public void reject(String name, String value, String allowed) {
        report("%s is '%s', allowed is %s".formatted(name, value, allowed));
    }

    /** Adds a sentence to the faults, once: a setting may be read twice. */
    public void report(String fault) {
        if (!faults.contains(fault)) {
            faults.add(fault);
        }
    }

    /** In the order of reading. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /** @throws IllegalArgumentException that lists every fault after the headline, if there is one */
    public void throwFaults(String headline) {
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(headline + ": " + String.join("; ", faults));
        }
    }
}
