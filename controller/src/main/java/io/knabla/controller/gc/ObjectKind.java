package io.knabla.controller.gc;

import io.knabla.controller.catalog.StateKeys;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectKey;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kinds of objects that the collector may delete, by key prefix. All other objects are kept.
 *
 * <p>The constants are in deletion order: an object is deleted before the objects that it refers to. A sweep that stops
 * anywhere leaves no manifest without its blobs and no note that refers to a deleted unit or model.
 */
enum ObjectKind {
    /** Note of the model that an external location held. */
    SOURCES("sources/", null),
    /** Note of the optimized unit that the engine produced from a unit. */
    OPTIMIZED("optimized/", ".json"),
    /** Note that packaging wrote about a unit. */
    ORIGINS("origins/", ".json"),
    /** Note that the engine has run a unit. */
    CHECKS("checks/", ".json"),
    UNITS("units/", ".json"),
    BLOBS("blobs/", ""),
    /** Uploaded files: models, their external data, calibration requests. */
    MODELS("models/", ""),
    /** Weights of training steps. */
    STATES(StateKeys.PREFIX, null),
    /** Uploads that no deploy has taken over yet. */
    INCOMING("incoming/", null),
    /** Test objects of a {@code doctor --store} run that was killed. */
    DOCTOR("doctor/", null),
    /** Leases of deploys that ended without releasing them. */
    PINS(DeployLeases.PREFIX, null);

    private final String prefix;

    /** Follows the digest in a key; null if keys contain no digest. */
    private final String suffix;

    ObjectKind(String prefix, String suffix) {
        this.prefix = prefix;
        this.suffix = suffix;
    }

    String prefix() {
        return prefix;
    }

    /** Field in which a note refers to another object; empty if the kind refers to none. */
    Optional<String> pointer() {
        return switch (this) {
            case SOURCES -> Optional.of("model");
            case OPTIMIZED -> Optional.of("optimized");
            case ORIGINS, CHECKS, UNITS, BLOBS, MODELS, STATES, INCOMING, DOCTOR, PINS -> Optional.empty();
        };
    }

    /** Name in reports. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    ObjectKey key(Digest digest) {
        if (suffix == null) {
            throw new IllegalArgumentException(title() + " are not named by a digest");
        }
        return new ObjectKey(prefix + digest.hex() + suffix);
    }

    /** Empty for keys that this version of Knabla did not write. */
    static Optional<ObjectKind> of(ObjectKey key) {
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

    /** Digest in a key of this kind. */
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
