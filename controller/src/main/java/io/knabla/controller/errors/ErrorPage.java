package io.knabla.controller.errors;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The page that explains every {@link ErrorKind}, as HTML that needs no other file. */
public final class ErrorPage {
    public static final String PATH = "/docs/errors";

    private static final String PAGE = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Errors of Knabla</title>
            <style>body {font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em}
            :target {background: #fff3c4}</style></head>
            <body><h1>Errors of Knabla</h1>
            <p>The member <code>type</code> of an error leads to one of these. Its <code>detail</code> or <code>error</code> says
            what was wrong in this case, where, and what to do.</p>
            %s</body></html>
            """;

    private static final String KIND = """
            <h2 id="%s">%s</h2>
            <p>%s</p>
            <p><b>What to do:</b> %s</p>
            """;

    private ErrorPage() {}

    public static String html() {
        return PAGE.formatted(Arrays.stream(ErrorKind.values())
                .map(kind -> KIND.formatted(kind.slug(), kind.title(), kind.cause(), kind.remedy()))
                .collect(Collectors.joining()));
    }
}
