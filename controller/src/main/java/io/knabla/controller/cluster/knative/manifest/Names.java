package io.knabla.controller.cluster.knative.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.knabla.functions.unit.Sha256;

/** How the objects of a function are called. Its Route has the function's own name. */
public final class Names {
    /** Knative makes Services of these names, which are DNS labels. */
    private static final int LONGEST = 63;

    private static final int HASH = 5;

    /** Of {@code -v<version>-<hash>}, with the largest version number there is. */
    private static final int REVISION_SUFFIX =
            "-v".length() + Integer.toString(Integer.MAX_VALUE).length() + 1 + HASH;

    private Names() {}

    static String configuration(String function, Slot slot) {
        String suffix = "-" + slot;
        int room = LONGEST - REVISION_SUFFIX - suffix.length();
        if (function.length() <= room) {
            return function + suffix;
        }
        String hash = hash(function);
        String head = function.substring(0, room - HASH - 1).replaceFirst("-+$", "");
        return head + "-" + hash + suffix;
    }

    /** @param content what the revision consists of, in writing */
    static String revision(String configuration, int version, String content) {
        return configuration + "-v" + version + "-" + hash(content);
    }

    /** Of a function's Secret and of its ServiceAccount. */
    public static String companion(String function) {
        return function + "-knabla";
    }

    private static String hash(String text) {
        return Sha256.of(text.getBytes(UTF_8)).hex().substring(0, HASH);
    }
}
