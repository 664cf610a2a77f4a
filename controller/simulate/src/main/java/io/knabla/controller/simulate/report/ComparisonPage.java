package io.knabla.controller.simulate.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.pages.HtmlPage;
import io.knabla.controller.pages.SharedScript;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Writes a comparison of policies as one HTML page: a chart and tables. */
public final class ComparisonPage {
    private ComparisonPage() {}

    /**
     * @param title without characters that HTML reserves
     * @param data for the script, in its {@code data}
     * @param script draws them with the functions of {@code comparison.js}
     */
    public static void write(String title, Object data, String script, OutputStream out) throws IOException {
        SharedScript library = HtmlPage.charts();
        String all = HtmlPage.resource(ComparisonPage.class, "comparison.js") + script;
        Map<String, String> parts = Map.of(
                "title",
                title,
                "policy",
                HtmlPage.policy("'none'", library.text(), all),
                "data",
                HtmlPage.data(json(data)),
                "library",
                library.inline(),
                "script",
                all);
        HtmlPage.write(HtmlPage.resource(ComparisonPage.class, "comparison.html"), parts, out);
    }

    private static String json(Object data) {
        try {
            return new ObjectMapper().writeValueAsString(data);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
