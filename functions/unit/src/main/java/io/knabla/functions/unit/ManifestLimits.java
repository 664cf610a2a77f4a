package io.knabla.functions.unit;

/**
 * Maximum sizes of a unit's manifest and of the names and lists in it. Packaging, writing and reading share them, so no
 * unit is stored that a replica then refuses.
 */
public final class ManifestLimits {
    /** Characters of the name of a tensor or of a variable dimension; exporters write some hundreds at most. */
    public static final int NAME = 1024;

    /** Inputs, outputs or state tensors of one graph. */
    public static final int TENSORS = 10_000;

    /** Additional graphs, and settings of a training step. */
    public static final int ENTRIES = 64;

    /** Named files of a unit without graphs. */
    public static final int FILES = 1000;

    public static final int DIMENSIONS = 64;

    /** Enough for about 100,000 weights. */
    public static final int BYTES = 16 << 20;

    private ManifestLimits() {}
}
