package io.knabla.controller.cli.images;

import com.google.cloud.tools.jib.api.ImageReference;
import java.util.Optional;

/** What lies below our layers: the C and C++ libraries, and names for users and hosts. */
sealed interface Base {
    /** How {@code --base} names this machine's own libraries. */
    String HOST = "host";

    /** An image in a registry. */
    record Named(ImageReference image) implements Base {}

    /** This machine's own libraries. */
    record Host() implements Base {}

    /** Where it comes from; empty where from no registry. */
    default Optional<ImageReference> reference() {
        return switch (this) {
            case Named(var image) -> Optional.of(image);
            case Host() -> Optional.empty();
        };
    }

    /** For people. */
    default String name() {
        return reference().map(ImageReference::toString).orElse(HOST);
    }
}
