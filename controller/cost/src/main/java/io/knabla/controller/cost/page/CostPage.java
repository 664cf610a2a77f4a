package io.knabla.controller.cost.page;

import io.knabla.controller.pages.HtmlPage;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes a cost report as an HTML page, in UTF-8, that loads nothing from other servers. Its content security policy
 * allows no script but its two.
 */
public final class CostPage {
    /** With whom the scripts of a page may speak. */
    private static final String LIVE = "'self'";

    private static final String COPY = "'none'";
    private static final String SCRIPT = "page.js";

    private CostPage() {}

    /**
     * Where a page asks for newer data.
     *
     * @param path of {@link #data} on the page's own server, with a query; that of the page's address is added
     * @param every time between two requests, at least one second
     */
    public record Reload(String path, Duration every) {}

    /** Writes a page of which people keep a copy: it holds all that it needs. */
    public static void write(CostPageInput input, OutputStream out) throws IOException {
        write(
                Map.of(
                        "policy", policy(),
                        "data", data(input),
                        "reload", "null",
                        "library", HtmlPage.charts().inline()),
                out);
    }

    /**
     * Writes a page without data that loads it, and loads it anew while it is open. Its server also answers
     * {@link HtmlPage#charts}, at their path.
     */
    public static void writeLive(Reload reload, OutputStream out) throws IOException {
        String json = "{\"path\":\"%s\",\"seconds\":%d}"
                .formatted(reload.path(), reload.every().toSeconds());
        write(
                Map.of(
                        "policy",
                        livePolicy(),
                        "data",
                        "null",
                        "reload",
                        json,
                        "library",
                        HtmlPage.charts().external()),
                out);
    }

    /** The content security policy of {@link #write}'s page, which it says itself, for the header of an answer. */
    public static String policy() throws IOException {
        return policy(COPY);
    }

    /** The same for {@link #writeLive}'s page. */
    public static String livePolicy() throws IOException {
        return policy(LIVE);
    }

    private static String policy(String connect) throws IOException {
        return HtmlPage.policy(connect, HtmlPage.charts().text(), HtmlPage.resource(CostPage.class, SCRIPT));
    }

    /** The page's data, as JSON that is safe within an HTML script element. */
    public static String data(CostPageInput input) {
        return HtmlPage.data(PageJson.of(input));
    }

    private static void write(Map<String, String> own, OutputStream out) throws IOException {
        Map<String, String> parts = new HashMap<>(own);
        parts.put("style", HtmlPage.resource(CostPage.class, "page.css"));
        parts.put("script", HtmlPage.resource(CostPage.class, SCRIPT));
        HtmlPage.write(HtmlPage.resource(CostPage.class, "page.html"), parts, out);
    }
}
