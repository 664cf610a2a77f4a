package io.knabla.storage.s3;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Which write made an object, and which writes it was built on; kept in the object's own metadata. It tells a writer
 * whose answer got lost, or whose request arrived twice, what became of it.
 *
 * @param id of the write; {@link #WIDTH} characters
 * @param ancestors ids of the writes before it, newest first, without gaps, at most {@link #LONGEST}
 * @param complete whether the ancestors go back to where nothing was
 */
record Lineage(String id, String ancestors, boolean complete) {
    /** 48 random bits: enough to be told from the few hundred writes it is ever compared with. */
    static final int WIDTH = 8;

    /** S3 allows 2 KB of metadata in all ("Working with object metadata"); this takes 0.9 KB. */
    static final int LONGEST = 100;

    private static final String ID = "knabla-write";
    private static final String ANCESTORS = "knabla-after";

    /** How a list of ancestors ends: never empty, as some servers drop an empty header. */
    private static final String COMPLETE = ".";

    private static final String CUT = "~";

    enum Fate {
        /** The write happened, whatever was answered. */
        WON,
        /** Another write came first; this one did not happen and can no longer. */
        LOST,
        /** What it was to replace is still there; it may yet arrive. */
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

    /** Where nothing was. */
    static Lineage first(String id) {
        return new Lineage(id, "", true);
    }

    /** Over whatever was there. */
    static Lineage anywhere(String id) {
        return new Lineage(id, "", false);
    }

    /** The write {@code next} that replaces this one. */
    Lineage then(String next) {
        String all = id + ancestors;
        return all.length() <= LONGEST * WIDTH
                ? new Lineage(next, all, complete)
                : new Lineage(next, all.substring(0, LONGEST * WIDTH), false);
    }

    boolean knows(String write) {
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

    /** Of an object as found; one that others wrote is known by its etag. */
    static Lineage of(Map<String, String> metadata, String etag) {
        String id = metadata.getOrDefault(ID, "");
        String after = metadata.getOrDefault(ANCESTORS, CUT);
        boolean complete = after.endsWith(COMPLETE);
        String ancestors = after.isEmpty() ? after : after.substring(0, after.length() - 1);
        boolean ours = id.length() == WIDTH && ancestors.length() % WIDTH == 0;
        return ours ? new Lineage(id, ancestors, complete) : anywhere(ofForeign(etag));
    }

    private static String ofForeign(String etag) {
        var sum = new CRC32C();
        etag.chars().forEach(sum::update);
        return id(sum.getValue() << 16);
    }

    /**
     * What became of the conditional write {@code mine}. A creation that happened, was deleted and then made anew by
     * another counts as lost.
     *
     * @param mine its lineage: what it was to replace, or that nothing was to be there
     * @param found what is there now
     * @param refused whether its only request was answered with "the condition does not hold"; then only a request that
     *     something on the way repeated could have done otherwise
     */
    static Fate fate(Lineage mine, Optional<Lineage> found, boolean refused) {
        if (found.isPresent() && found.get().knows(mine.id())) {
            return Fate.WON;
        }
        if (refused) {
            return Fate.LOST;
        }
        if (mine.ancestors().isEmpty()) {
            return found.isEmpty() ? Fate.PENDING : found.get().complete() ? Fate.LOST : Fate.UNKNOWN;
        }
        String replaced = mine.ancestors().substring(0, WIDTH);
        if (found.isEmpty() || !found.get().knows(replaced)) {
            return Fate.UNKNOWN;
        }
        return found.get().id().equals(replaced) ? Fate.PENDING : Fate.LOST;
    }
}
