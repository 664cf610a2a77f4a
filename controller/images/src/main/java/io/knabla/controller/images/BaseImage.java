package io.knabla.controller.images;

import com.google.cloud.tools.jib.api.ImageReference;
import java.util.Optional;

/** Base of an image: the C and C++ libraries, users, and the configuration of name resolution. */
sealed interface BaseImage {
    /** Value of {@code --base} for this machine's own libraries. */
    String HOST = "host";

    /** An image in a registry. */
    record Named(ImageReference image) implements BaseImage {}

    /** This machine's own libraries. */
    record Host() implements BaseImage {}

    /** Reference of the base image; empty if it is not from a registry. */
    default Optional<ImageReference> reference() {
        return switch (this) {
            case Named(var image) -> Optional.of(image);
            case Host() -> Optional.empty();
        };
    }

    /** Name for messages and labels. */
    default String name() {
        return reference().map(ImageReference::toString).orElse(HOST);
    }
}
