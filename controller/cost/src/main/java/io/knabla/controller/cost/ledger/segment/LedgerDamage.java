package io.knabla.controller.cost.ledger.segment;

/**
 * A part of the ledger that could not be read.
 *
 * @param name key of the object, or name of the segment
 * @param detail what is wrong, where and how much
 */
public record LedgerDamage(String name, Type type, String detail) {
    /** What the damage means for the rows. */
    public enum Type {
        /**
         * One record that is only begun, at the end of a file that a killed process was writing: a write that was not
         * finished, and so never acknowledged.
         */
        TORN_TAIL,
        /** Its bytes changed after they were acknowledged, or are not the ledger's: rows are missing. */
        CORRUPT,
        /** A file that a manifest names is gone, or the manifest of files that are there: rows are missing. */
        MISSING,
        /** A newer version of Knabla wrote it; it is read, but only a newer version may merge it. */
        NEWER
    }
}
