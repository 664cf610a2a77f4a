package io.knabla.controller.app;

import io.knabla.storage.StorageException;
import io.smallrye.config.ConfigValidationException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Says why the platform does not start. */
final class StartFailure {
    private static final Pattern UNREADABLE = Pattern.compile(
            "config property knabla\\.(\\S+) with the config value \"(.*)\" threw an Exception whilst being converted (?:SRCFG\\d+: )?(.*)");

    private StartFailure() {}

    /**
     * The sentence of the store if it failed, or of who met an error of the file system, because these have the place
     * and the remedy; all settings that cannot be read; else the first cause.
     */
    static String sentence(Throwable error) {
        List<Throwable> causes = Stream.iterate(error, cause -> cause != null, Throwable::getCause)
                .toList();
        return causes.stream()
                .filter(StorageException.class::isInstance)
                .findFirst()
                .map(Throwable::getMessage)
                .orElseGet(() -> causes.stream()
                        .filter(UncheckedIOException.class::isInstance)
                        .findFirst()
                        .map(met -> "%s (%s)".formatted(met.getMessage(), met.getCause()))
                        .orElseGet(() -> ofConfig(causes.getLast())));
    }

    private static String ofConfig(Throwable cause) {
        return cause instanceof ConfigValidationException faults
                ? IntStream.range(0, faults.getProblemCount())
                        .mapToObj(i -> setting(faults.getProblem(i).getMessage()))
                        .collect(Collectors.joining("; "))
                : cause.toString();
    }

    private static String setting(String problem) {
        Matcher unreadable = UNREADABLE.matcher(problem);
        if (!unreadable.find()) {
            return problem;
        }
        String path = Pattern.compile("-([a-z])")
                .matcher(unreadable.group(1))
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
        return "the setting %s is '%s' (%s), see ./knabla explain config.%s"
                .formatted(path, unreadable.group(2), unreadable.group(3), path.replaceAll("\\[\\d+]", ""));
    }
}
