package io.knabla.controller.cost.ledger.row;

import java.io.IOException;

/** Thrown if bytes are not a row: no JSON, an unknown kind, or a value outside of its bounds. */
public final class RowFormatException extends IOException {
    RowFormatException(String line, Throwable cause) {
        super("not a row of usage: '%s': %s".formatted(shortened(line), cause.getMessage()), cause);
    }

    private static String shortened(String line) {
        return line.length() <= 200 ? line : line.substring(0, 200) + "…";
    }
}
