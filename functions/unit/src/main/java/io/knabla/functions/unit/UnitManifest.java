package io.knabla.functions.unit;

import java.util.Map;

/**
 * Lists the files of a unit, and says what kind of function they make. The unit's digest is the SHA-256 of this
 * document's canonical JSON, so it determines every byte that a replica runs.
 */
public sealed interface UnitManifest permits GraphManifest, FileManifest {
    /** Version of this document: the lowest that can express its content; a reader refuses newer ones. */
    int schema();

    /** Name of the type of function that this unit was packaged as, such as {@code Inference}. */
    String type();

    /** The files of the materialised unit by name, without {@value UnitStore#MANIFEST}. */
    Map<String, Blob> files();

    /** Bytes of the unit's files. */
    default long bytes() {
        long sum = 0;
        for (Blob file : files().values()) {
            sum += file.size();
        }
        return sum;
    }

    /**
     * The graphs of a unit that the engine runs on tensors.
     *
     * @throws UnitException for a unit of another kind
     */
    GraphManifest graphs();
}
