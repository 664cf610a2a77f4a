package io.knabla.controller.simulate.spot.report;

import io.knabla.controller.pages.HtmlPage;
import io.knabla.controller.simulate.report.ComparisonPage;
import io.knabla.controller.simulate.spot.Comparison.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** Writes a comparison of spot policies as an HTML page. */
public final class SpotPage {
    private SpotPage() {}

    public static void write(List<Row> rows, OutputStream out) throws IOException {
        String script = HtmlPage.resource(SpotPage.class, "comparison.js");
        ComparisonPage.write("Spot policies compared", Map.of("rows", rows), script, out);
    }
}
