package io.knabla.storage.s3.client;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads settings by name and collects their faults; an empty value counts as unset. */
final class SettingValues {
    private static final Pattern DURATION = Pattern.compile("([1-9]\\d{0,8})(ms|s|m)");

    private final Map<String, String> environment;
    private final List<String> faults = new ArrayList<>();

    SettingValues(Map<String, String> environment) {
        this.environment = environment;
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** The first allowed value is the default. */
    String choice(String name, String... allowed) {
        String value = text(name).orElse(allowed[0]);
        if (!List.of(allowed).contains(value)) {
            fault(name, value, "one of " + String.join(", ", allowed));
        }
        return value;
    }

    /** Returns the value of the first of these names that is set. */
    Optional<URI> address(String... names) {
        for (String name : names) {
            Optional<String> value = text(name);
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
        fault(name, value, "an address such as https://s3.example.com or http://127.0.0.1:9000");
        return Optional.empty();
    }

    Optional<Path> certificates(String name) {
        Optional<Path> file = text(name).map(Path::of);
        file.ifPresent(pem -> checkCertificates(name, pem));
        return file;
    }

    private void checkCertificates(String name, Path pem) {
        if (!Files.isReadable(pem)) {
            fault(name, pem.toString(), "a file that can be read");
            return;
        }
        try {
            TrustManagers.with(pem);
        } catch (IllegalArgumentException unusable) {
            fault(
                    name,
                    pem.toString(),
                    "a PEM file of certificates (-----BEGIN CERTIFICATE-----): " + unusable.getMessage());
        }
    }

    Duration duration(String name, Duration otherwise) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        Matcher parts = DURATION.matcher(value.get());
        if (!parts.matches()) {
            fault(name, value.get(), "a whole number > 0 with its unit: 500ms, 30s, 2m");
            return otherwise;
        }
        long number = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    int number(String name, int otherwise, int from, int to) {
        Optional<String> value = text(name);
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
        fault(name, value.get(), "a whole number from " + from + " to " + to);
        return otherwise;
    }

    /** Reports a fault if {@code name} is set without {@code other}. */
    void needs(String name, String other) {
        if (text(name).isPresent() && text(other).isEmpty()) {
            faults.add("%s is set and %s is not; set both".formatted(name, other));
        }
    }

    void fault(String name, String value, String allowed) {
        faults.add("%s is '%s', allowed is %s".formatted(name, value, allowed));
    }

    void throwFaults() {
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("the settings of S3 cannot be used: " + String.join("; ", faults));
        }
    }
}
