package io.knabla.functions.chat.syntax;

import java.util.Arrays;

/** Text of a template with line ends of one form, and its lines. */
final class Source {
    final String text;
    private final int[] lineStarts;

    Source(String source) {
        String lines = source.replace("\r\n", "\n").replace('\r', '\n');
        // Jinja drops one line end at the end.
        text = lines.endsWith("\n") ? lines.substring(0, lines.length() - 1) : lines;
        int[] starts = new int[1 + (int) text.chars().filter(c -> c == '\n').count()];
        for (int i = 1; i < starts.length; i++) {
            starts[i] = text.indexOf('\n', starts[i - 1]) + 1;
        }
        lineStarts = starts;
    }

    Position at(int offset) {
        int found = Arrays.binarySearch(lineStarts, offset);
        int line = found >= 0 ? found : -found - 2;
        return new Position(line + 1, offset - lineStarts[line] + 1);
    }
}
