package io.knabla.controller.cli.print;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

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
                new StandardStream(new FileOutputStream(FileDescriptor.out)),
                new StandardStream(new FileOutputStream(FileDescriptor.err)),
                terminals.contains("1") && !plain,
                terminals.contains("2") && !plain,
                terminals.contains("2"));
    }

    /** For pipes, files and tests. */
    public static Console plain(PrintStream out, PrintStream err) {
        return new Console(out, err, false, false, false);
    }

    public void print(String line, Object... values) {
        out.println(values.length == 0 ? line : line.formatted(values));
    }

    /** Why not all that was printed to {@code out} was written, in the system's words; empty if all was. */
    public Optional<String> unwritten() {
        if (!out.checkError()) {
            return Optional.empty();
        }
        return Optional.of(out instanceof StandardStream standard ? standard.failure() : "the stream is closed");
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
