package io.knabla.runtime.engine;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A locale that a text operator needs and this machine lacks, parsed from an error message of ONNX Runtime. */
record MissingLocale(String name) {
    private static final Pattern MESSAGE = Pattern.compile("Failed to construct locale with name:([^:]+):");

    /** @param message message of the engine's exception; may be null */
    static Optional<MissingLocale> parse(String message) {
        Matcher matcher = MESSAGE.matcher(message == null ? "" : message);
        return matcher.find() ? Optional.of(new MissingLocale(matcher.group(1))) : Optional.empty();
    }

    String sentence() {
        return "the model's StringNormalizer needs the locale %s, which this machine lacks; install it (on Debian and Ubuntu: apt-get install locales, then locale-gen %s), or export the model with locale='C.UTF-8'"
                .formatted(name, name);
    }
}
