package io.knabla.controller.cli.print;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Output streams of a command. Only terminals get colours and live lines; the launcher reports which streams are
 * terminals, because Java cannot check them separately.
 */
public record Console(PrintStream out, PrintStream err, boolean colourOut, boolean colourErr, boolean live) {

    public static Console ofProcess() {
        Map<String, String> environment = System.getenv();
        String terminals = environment.getOrDefault("KNABLA_TERMINAL", "");
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(environment.get("TERM"));
        return new Console(
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                terminals.contains("1") && !plain,
                terminals.contains("2") && !plain,
                terminals.contains("2"));
    }

    /** Java would write question marks for what the locale lacks, which in C is all but ASCII. */
    private static PrintStream utf8(FileDescriptor stream) {
        return new PrintStream(new BufferedOutputStream(new FileOutputStream(stream)), true, StandardCharsets.UTF_8);
    }

    /** For pipes, files and tests. */
    public static Console plain(PrintStream out, PrintStream err) {
        return new Console(out, err, false, false, false);
    }

    public void print(String line, Object... values) {
        out.println(values.length == 0 ? line : line.formatted(values));
    }

    public void error(String message) {
        err.println((colourErr ? Colour.RED.paint("knabla:") : "knabla:") + " " + message);
    }

    public String paint(Colour colour, String text) {
        return colourOut ? colour.paint(text) : text;
    }

    /** Text styles, each with one meaning. */
    public enum Colour {
        GREEN(32),
        YELLOW(33),
        RED(31),
        BOLD(1),
        DIM(2);

        private final int code;

        Colour(int code) {
            this.code = code;
        }

        String paint(String text) {
            return "\033[" + code + "m" + text + "\033[0m";
        }
    }
}
