package io.knabla.storage;

import java.io.IOException;
import java.util.Locale;

/**
 * Thrown if a store operation fails: outage, full disk, missing permission. No object was partly written. Programs
 * decide by {@link #kind}, people read the message: the problem, then its cure.
 */
public final class StorageException extends RuntimeException {
    /** Kind of failure, as far as a caller may act on it. */
    public enum Kind {
        /** No answer, an outage, or any other failure; a retry may help. */
        UNAVAILABLE,
        /** The store does not know the credentials, there are none, or they lack a right. */
        ACCESS_DENIED,
        CREDENTIALS_EXPIRED,
        BUCKET_MISSING,
        /** An object is gone, replaced, unreadable, or not what was written. */
        BAD_OBJECT,
        /** The disk, or the quota on it, is used up. */
        DISK_FULL
    }

    private final Kind kind;
    private final String problem;
    private final String cure;

    /**
     * @param problem what failed and where, with its punctuation
     * @param cure what to do about it; empty if the problem says it
     */
    public StorageException(Kind kind, String problem, String cure, Throwable cause) {
        super(cure.isEmpty() ? problem : problem + " " + cure, cause);
        this.kind = kind;
        this.problem = problem;
        this.cure = cure;
    }

    public StorageException(Kind kind, String problem, String cure) {
        this(kind, problem, cure, null);
    }

    public Kind kind() {
        return kind;
    }

    /** Whether it concerns one object, and others may be read all the same. */
    public boolean isOfOneObject() {
        return kind == Kind.BAD_OBJECT;
    }

    public String problem() {
        return problem;
    }

    public String cure() {
        return cure;
    }

    /** Whether a disk is full or its quota used up; the JVM reports both by the system's text only. */
    public static boolean isDiskFull(IOException failed) {
        String said = String.valueOf(failed.getMessage()).toLowerCase(Locale.ROOT);
        return said.contains("no space left") || said.contains("quota exceeded");
    }
}
