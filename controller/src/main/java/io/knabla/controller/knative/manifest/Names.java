package io.knabla.controller.knative.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.functions.unit.Sha256;

/** Names the Kubernetes objects of a function. Its Route has the function's own name. */
public final class Names {
    /** Longest DNS label: Knative creates Services with these names. */
    private static final int LONGEST = 63;

    private static final int HASH = 5;

    /** Length of {@code -v<version>-<hash>} with the largest version number. */
    private static final int REVISION_SUFFIX =
            "-v".length() + Integer.toString(Integer.MAX_VALUE).length() + 1 + HASH;

    private Names() {}

    static String configuration(String function, CapacitySlot slot) {
        String suffix = "-" + slot;
        int room = LONGEST - REVISION_SUFFIX - suffix.length();
        if (function.length() <= room) {
            return function + suffix;
        }
        String hash = hash(function);
        String head = function.substring(0, room - HASH - 1).replaceFirst("-+$", "");
        return head + "-" + hash + suffix;
    }

    /** @param content the serialised revision template */
    static String revision(String configuration, int version, String content) {
        return configuration + "-v" + version + "-" + hash(content);
    }

    /** Name of a function's Secret and ServiceAccount. */
    public static String companion(String function) {
        return function + "-knabla";
    }

    private static String hash(String text) {
        return Sha256.of(text.getBytes(UTF_8)).hex().substring(0, HASH);
    }
}
