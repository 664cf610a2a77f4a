package io.knabla.storage.s3;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Id of the write that created an object version and of the writes before it, stored in the object's metadata. After a
 * lost response or a duplicated request, a writer finds out from it whether its write succeeded.
 *
 * @param id of the write; {@link #WIDTH} characters
 * @param ancestors ids of the writes before it, newest first, without gaps, at most {@link #LONGEST}
 * @param complete whether the ancestors go back to the creation of the object
 */
record Lineage(String id, String ancestors, boolean complete) {
    /** 48 random bits: unique among the few hundred writes that an id is ever compared with. */
    static final int WIDTH = 8;

    /** S3 allows 2 KB of metadata in all ("Working with object metadata"); this takes 0.9 KB. */
    static final int LONGEST = 100;

    private static final String ID = "knabla-write";
    private static final String ANCESTORS = "knabla-after";

    /** End marks of the ancestor list: the header is never empty, because some servers drop empty headers. */
    private static final String COMPLETE = ".";

    private static final String CUT = "~";

    enum WriteOutcome {
        /** The write succeeded, whatever the response was. */
        WON,
        /** Another write came first; this one did not and cannot succeed. */
        LOST,
        /** The version to replace is still current; the request may still arrive. */
        PENDING,
        UNKNOWN
    }

    Lineage {
        if (id.length() != WIDTH || ancestors.length() % WIDTH != 0) {
            throw new IllegalArgumentException("not a lineage: '%s' after '%s'".formatted(id, ancestors));
        }
    }

    /** @param random 64 bits, of which 48 count */
    static String id(long random) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(random).array();
        return Base64.getUrlEncoder().encodeToString(bytes).substring(0, WIDTH);
    }

    /** Lineage of a write that creates the object. */
    static Lineage creation(String id) {
        return new Lineage(id, "", true);
    }

    /** Lineage of a write without a condition. */
    static Lineage unconditional(String id) {
        return new Lineage(id, "", false);
    }

    /** Lineage of the write {@code next}, which replaces this one. */
    Lineage successor(String next) {
        String all = id + ancestors;
        return all.length() <= LONGEST * WIDTH
                ? new Lineage(next, all, complete)
                : new Lineage(next, all.substring(0, LONGEST * WIDTH), false);
    }

    boolean contains(String write) {
        if (id.equals(write)) {
            return true;
        }
        for (int at = 0; at < ancestors.length(); at += WIDTH) {
            if (ancestors.startsWith(write, at)) {
                return true;
            }
        }
        return false;
    }

    Map<String, String> metadata() {
        return Map.of(ID, id, ANCESTORS, ancestors + (complete ? COMPLETE : CUT));
    }

    /** Reads the lineage of an object; derives an id from the etag if another tool wrote the object. */
    static Lineage of(Map<String, String> metadata, String etag) {
        String id = metadata.getOrDefault(ID, "");
        String after = metadata.getOrDefault(ANCESTORS, CUT);
        boolean complete = after.endsWith(COMPLETE);
        String ancestors = after.isEmpty() ? after : after.substring(0, after.length() - 1);
        boolean ours = id.length() == WIDTH && ancestors.length() % WIDTH == 0;
        return ours ? new Lineage(id, ancestors, complete) : unconditional(ofForeign(etag));
    }

    private static String ofForeign(String etag) {
        var sum = new CRC32C();
        etag.chars().forEach(sum::update);
        return id(sum.getValue() << 16);
    }

    /**
     * Determines the outcome of the conditional write {@code mine}. A creation counts as lost if the object was deleted
     * and created again by another writer since.
     *
     * @param mine lineage of the write: the version to replace, or none for a creation
     * @param found lineage of the current version
     * @param refused whether its only request was refused because the condition does not hold; then only a duplicate of
     *     it, made by a proxy, could have succeeded
     */
    static WriteOutcome outcome(Lineage mine, Optional<Lineage> found, boolean refused) {
        if (found.isPresent() && found.get().contains(mine.id())) {
            return WriteOutcome.WON;
        }
        if (refused) {
            return WriteOutcome.LOST;
        }
        if (mine.ancestors().isEmpty()) {
            return found.isEmpty()
                    ? WriteOutcome.PENDING
                    : found.get().complete() ? WriteOutcome.LOST : WriteOutcome.UNKNOWN;
        }
        String replaced = mine.ancestors().substring(0, WIDTH);
        if (found.isEmpty() || !found.get().contains(replaced)) {
            return WriteOutcome.UNKNOWN;
        }
        return found.get().id().equals(replaced) ? WriteOutcome.PENDING : WriteOutcome.LOST;
    }
}
