package io.knabla.controller.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes HTML pages that load nothing from other servers. */
public final class HtmlPage {
    private static final Pattern MARKER = Pattern.compile("@@(\\w+)@@");

    private HtmlPage() {}

    /** Writes a template, in UTF-8, with a part in place of each {@code @@name@@}. Parts are taken as they are. */
    public static void write(String template, Map<String, String> parts, OutputStream out) throws IOException {
        Matcher marker = MARKER.matcher(template);
        int end = 0;
        while (marker.find()) {
            out.write(template.substring(end, marker.start()).getBytes(StandardCharsets.UTF_8));
            out.write(parts.get(marker.group(1)).getBytes(StandardCharsets.UTF_8));
            end = marker.end();
        }
        out.write(template.substring(end).getBytes(StandardCharsets.UTF_8));
    }

    /** JSON that is safe within an HTML script element. */
    public static String data(String json) {
        // Within JSON, this character is in texts only. Escaped, no text can end the element.
        return json.replace("<", "\\u003c");
    }

    /**
     * The content security policy of a page that runs these scripts and no other, and loads nothing from other servers.
     *
     * @param connect with whom its scripts may speak: {@code 'none'} or {@code 'self'}
     */
    public static String policy(String connect, String... scripts) {
        String hashes = Arrays.stream(scripts).map(HtmlPage::hash).collect(Collectors.joining(" "));
        return "default-src 'none'; script-src %1$s; style-src 'unsafe-inline'; img-src data:; connect-src %2$s; form-action %2$s; base-uri 'none'"
                .formatted(hashes, connect);
    }

    private static String hash(String script) {
        return "'sha256-" + Base64.getEncoder().encodeToString(sha256(script)) + "'";
    }

    static byte[] sha256(String script) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /** Apache ECharts. */
    public static SharedScript charts() throws IOException {
        return new SharedScript(resource(HtmlPage.class, "echarts.common.min.js"));
    }

    /** A text beside a class. */
    public static String resource(Class<?> beside, String name) throws IOException {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + name + ": build the module with Maven");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
