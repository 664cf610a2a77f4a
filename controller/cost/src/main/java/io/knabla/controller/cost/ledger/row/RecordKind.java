package io.knabla.controller.cost.ledger.row;

import java.util.Arrays;
import java.util.Optional;

/** Type of a row: node, replica or requests. Rows of one type have the same columns and share a Parquet file. */
public enum RecordKind {
    NODE("node", "nodes"),
    REPLICA("replica", "replicas"),
    REQUESTS("requests", "requests");

    private final String label;
    private final String folder;

    RecordKind(String label, String folder) {
        this.label = label;
        this.folder = folder;
    }

    /** Value of the field {@code kind} of a JSON line. */
    public String label() {
        return label;
    }

    /** Folder of its Parquet files below {@code usage/}. */
    public String folder() {
        return folder;
    }

    public static Optional<RecordKind> ofFolder(String folder) {
        return Arrays.stream(values())
                .filter(kind -> kind.folder.equals(folder))
                .findFirst();
    }
}
