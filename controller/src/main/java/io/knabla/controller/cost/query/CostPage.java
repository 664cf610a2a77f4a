package io.knabla.controller.cost.query;

import java.io.IOException;
import java.io.OutputStream;

/** Writes a report as one HTML page. */
public interface CostPage {
    /** @param out stays open */
    void write(CostAnswer answer, OutputStream out) throws IOException;
}
