package io.knabla.controller.gc;

import io.knabla.controller.catalog.StateKeys;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectKey;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the collector knows how to judge, by where it lies; everything else in a store is left alone.
 *
 * <p>The order is the order in which garbage goes: what points at something goes before it. So a sweep that is cut off
 * anywhere never leaves a manifest without its blobs, nor a note that names a unit or a model that is gone.
 */
enum Kind {
    /** Which model a foreign place held. */
    SOURCES("sources/", null),
    /** Which unit the engine made of one. */
    OPTIMIZED("optimized/", ".json"),
    /** What packaging learnt of a unit. */
    ORIGINS("origins/", ".json"),
    /** That the engine has run a unit. */
    CHECKS("checks/", ".json"),
    UNITS("units/", ".json"),
    BLOBS("blobs/", ""),
    /** Files as they were uploaded: models, their external data, requests to calibrate with. */
    MODELS("models/", ""),
    /** Weights of training steps. */
    STATES(StateKeys.PREFIX, null),
    /** Uploads that were not taken in yet. */
    INCOMING("incoming/", null),
    /** What {@code doctor --store} tried, and left when it was killed. */
    DOCTOR("doctor/", null),
    /** What deploys left that ended without a word. */
    PINS(Pins.PREFIX, null);

    private final String prefix;

    /** What follows the digest in a name; null where names hold no digest. */
    private final String suffix;

    Kind(String prefix, String suffix) {
        this.prefix = prefix;
        this.suffix = suffix;
    }

    String prefix() {
        return prefix;
    }

    /** The field of a note in which it names something of the store; empty where it names nothing. */
    Optional<String> pointer() {
        return switch (this) {
            case SOURCES -> Optional.of("model");
            case OPTIMIZED -> Optional.of("optimized");
            case ORIGINS, CHECKS, UNITS, BLOBS, MODELS, STATES, INCOMING, DOCTOR, PINS -> Optional.empty();
        };
    }

    /** As people read it. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    ObjectKey key(Digest digest) {
        if (suffix == null) {
            throw new IllegalArgumentException(title() + " are not named by a digest");
        }
        return new ObjectKey(prefix + digest.hex() + suffix);
    }

    /** Empty for what this Knabla did not write. */
    static Optional<Kind> of(ObjectKey key) {
        return Stream.of(values()).filter(kind -> kind.has(key)).findFirst();
    }

    private boolean has(ObjectKey key) {
        if (!key.path().startsWith(prefix)) {
            return false;
        }
        return switch (this) {
            case SOURCES, INCOMING, DOCTOR, PINS -> true;
            case STATES -> StateKeys.function(key).isPresent();
            case OPTIMIZED, ORIGINS, CHECKS, UNITS, BLOBS, MODELS -> digest(key).isPresent();
        };
    }

    /** The digest in a name of this kind. */
    Optional<Digest> digest(ObjectKey key) {
        String path = key.path();
        if (suffix == null || !path.startsWith(prefix) || !path.endsWith(suffix)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Digest.ofHex(path.substring(prefix.length(), path.length() - suffix.length())));
        } catch (IllegalArgumentException | IndexOutOfBoundsException otherName) {
            return Optional.empty();
        }
    }
}
