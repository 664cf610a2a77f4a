package io.knabla.controller.cost.ledger.segment;

/**
 * Something of the ledger that could not be read, or not whole.
 *
 * @param name key of the object, or name of the segment
 * @param detail what is wrong, where and how much
 */
public record Damage(String name, Type type, String detail) {
    /** What the damage means for the rows. */
    public enum Type {
        /** A write that was not finished, and so never acknowledged: no row is lost. */
        TORN_TAIL,
        /** Its bytes changed after they were acknowledged, or are not the ledger's: rows are missing. */
        CORRUPT,
        /** A file that a manifest names is gone: its rows are missing. */
        MISSING,
        /** A newer version of Knabla wrote it; it is read, but only a newer version may merge it. */
        NEWER
    }
}
