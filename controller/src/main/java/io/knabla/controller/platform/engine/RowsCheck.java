package io.knabla.controller.platform.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.unit.RowsFinding;

/**
 * What the engine check found out about joining the rows of several requests.
 *
 * @param reason for people; a clause that can follow a colon, empty for {@link RowsFinding#INDEPENDENT}
 */
public record RowsCheck(RowsFinding finding, String reason) {
    /** Of a check that said nothing of rows. */
    public static final RowsCheck UNKNOWN =
            new RowsCheck(RowsFinding.NOT_CHECKED, "the replica program is of another version of Knabla");

    /** Reads the member {@code rows} of the check's event. */
    static RowsCheck read(JsonNode rows) {
        return RowsFinding.parse(rows.path("finding").asText())
                .map(finding -> new RowsCheck(finding, rows.path("reason").asText()))
                .orElse(UNKNOWN);
    }
}
