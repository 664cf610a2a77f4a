package io.knabla.controller.cost.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a cost report as one HTML page, in UTF-8, that loads nothing from elsewhere. Its content security policy
 * allows no script but the page's own two.
 */
public final class CostPage {
    private static final Pattern MARKER = Pattern.compile("@@(\\w+)@@");

    private CostPage() {}

    /**
     * Where a page asks for newer data.
     *
     * @param path of {@link #data} on the page's own server, with a query; that of the page's address is added
     * @param every time between two requests, at least one second
     */
    public record Reload(String path, Duration every) {}

    /** Writes a page of which people keep a copy. */
    public static void write(CostPageInput input, OutputStream out) throws IOException {
        write(data(input), "'none'", "null", out);
    }

    /** Writes a page without data that loads it, and loads it anew while it is open. */
    public static void writeLive(Reload reload, OutputStream out) throws IOException {
        String json = "{\"path\":\"%s\",\"seconds\":%d}"
                .formatted(reload.path(), reload.every().toSeconds());
        write("null", "'self'", json, out);
    }

    /** The page's data, as JSON that is safe within an HTML script element. */
    public static String data(CostPageInput input) {
        // Within JSON, this character is in texts only. Escaped, no text can end the element.
        return PageJson.of(input).replace("<", "\\u003c");
    }

    private static void write(String data, String connect, String reload, OutputStream out) throws IOException {
        String library = resource("echarts.common.min.js");
        String script = resource("page.js");
        Map<String, String> parts = Map.of(
                "connect", connect,
                "hashes", hash(library) + " " + hash(script),
                "style", resource("page.css"),
                "reload", reload,
                "data", data,
                "library", library,
                "script", script);
        String template = resource("page.html");
        Matcher marker = MARKER.matcher(template);
        int end = 0;
        while (marker.find()) {
            out.write(template.substring(end, marker.start()).getBytes(StandardCharsets.UTF_8));
            out.write(parts.get(marker.group(1)).getBytes(StandardCharsets.UTF_8));
            end = marker.end();
        }
        out.write(template.substring(end).getBytes(StandardCharsets.UTF_8));
    }

    private static String hash(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = CostPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + name + ": build the module with Maven");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
