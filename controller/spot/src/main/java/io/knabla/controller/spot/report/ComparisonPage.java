package io.knabla.controller.spot.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cost.page.HtmlPage;
import io.knabla.controller.spot.simulate.Comparison.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Writes a comparison as one HTML page that loads nothing from elsewhere. */
public final class ComparisonPage {
    private ComparisonPage() {}

    public static void write(List<Row> rows, OutputStream out) throws IOException {
        String library = HtmlPage.charts();
        String script = HtmlPage.resource(ComparisonPage.class, "comparison.js");
        Map<String, String> parts = Map.of(
                "hashes",
                HtmlPage.hash(library) + " " + HtmlPage.hash(script),
                "data",
                HtmlPage.data(json(rows)),
                "library",
                library,
                "script",
                script);
        HtmlPage.write(HtmlPage.resource(ComparisonPage.class, "comparison.html"), parts, out);
    }

    private static String json(List<Row> rows) {
        try {
            return new ObjectMapper().writeValueAsString(Map.of("rows", rows));
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
