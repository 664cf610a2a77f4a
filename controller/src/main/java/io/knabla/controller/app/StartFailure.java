package io.knabla.controller.app;

import io.knabla.storage.StorageException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Says why the platform does not start. */
final class StartFailure {
    private StartFailure() {}

    /**
     * The sentence of the store if it failed, or of who met an error of the file system, because these have the place
     * and the remedy; else that of the first cause.
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
                        .orElseGet(() -> causes.getLast().toString()));
    }
}
