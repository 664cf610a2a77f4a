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
         * The end of a file that a killed process was writing: a write that was not finished, and so never
         * acknowledged. Damage to the last record of such a file looks the same.
         */
        TORN_TAIL,
        /** Its bytes changed after they were acknowledged, or are not the ledger's: rows are missing. */
        CORRUPT,
        /** A file that a manifest names is gone: its rows are missing. */
        MISSING,
        /** A newer version of Knabla wrote it; it is read, but only a newer version may merge it. */
        NEWER
    }
}
