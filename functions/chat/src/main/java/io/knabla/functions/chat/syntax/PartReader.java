package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.value.Whitespace;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a template into its parts. White space is removed as Jinja does with {@code trim_blocks} and
 * {@code lstrip_blocks}: the line end after a tag, and the white space of its line before it.
 */
final class PartReader {
    private static final Pattern BEGIN = Pattern.compile("\\{[{%#]");
    private static final Pattern RAW =
            Pattern.compile("\\{%[-+]?\\s*raw\\s*(?:-%}\\s*|%})", Pattern.UNICODE_CHARACTER_CLASS);
    private static final Pattern END_RAW =
            Pattern.compile("\\{%[-+]?\\s*endraw\\s*(?:\\+%}|-%}\\s*|%}\\n?)", Pattern.UNICODE_CHARACTER_CLASS);

    private final Source source;
    private final String text;
    private final Faults faults;
    private final List<Part> parts = new ArrayList<>();
    private int from;

    private PartReader(Source source, Faults faults) {
        this.source = source;
        this.text = source.text;
        this.faults = faults;
    }

    static List<Part> read(String template, Faults faults) {
        var reader = new PartReader(new Source(template), faults);
        reader.run();
        return reader.parts;
    }

    private void run() {
        Matcher begin = BEGIN.matcher(text);
        while (begin.find(from)) {
            int at = begin.start();
            data(at);
            switch (text.charAt(at + 1)) {
                case '#' -> comment(at);
                case '{' -> output(at);
                default -> tag(at);
            }
        }
        add(from, text.length());
    }

    /** Adds the text before the tag at {@code end}, without the white space that the tag removes. */
    private void data(int end) {
        char sign = end + 2 < text.length() ? text.charAt(end + 2) : ' ';
        String data = text.substring(from, end);
        if (sign == '-') {
            add(from, from + Whitespace.trimmedEnd(data, 0));
        } else if (sign != '+' && text.charAt(end + 1) != '{') {
            int line = data.lastIndexOf('\n') + 1;
            boolean whole = line > 0 || from == 0 || text.charAt(from - 1) == '\n';
            add(from, whole && Whitespace.trimmedEnd(data, line) == line ? from + line : end);
        } else {
            add(from, end);
        }
    }

    private void add(int begin, int end) {
        if (end > begin) {
            parts.add(new Part.Data(source.at(begin), text.substring(begin, end)));
        }
    }

    private void comment(int at) {
        int begin = afterSign(at);
        int end = text.indexOf("#}", begin);
        if (end < 0) {
            unclosed(at, "comment", "#}");
            return;
        }
        char sign = end > begin ? text.charAt(end - 1) : ' ';
        from = afterBlock(end + 2, sign);
    }

    private int afterBlock(int end, char sign) {
        if (sign == '-') {
            return Whitespace.skip(text, end);
        }
        boolean line = sign != '+' && end < text.length() && text.charAt(end) == '\n';
        return line ? end + 1 : end;
    }

    private void tag(int at) {
        Matcher raw = RAW.matcher(text).region(at, text.length());
        if (raw.lookingAt()) {
            raw(at, raw.end());
            return;
        }
        var tokens = new TokenReader(source, faults, "%}");
        int end = tokens.read(afterSign(at));
        if (end < 0) {
            unclosed(at, "tag", "%}");
            return;
        }
        parts.add(new Part.Tag(source.at(at), tokens.tokens()));
        from = afterBlock(end, tokens.sign());
    }

    private void raw(int at, int begin) {
        Matcher end = END_RAW.matcher(text);
        if (!end.find(begin)) {
            unclosed(at, "tag raw", "{% endraw %}");
            return;
        }
        from = begin;
        data(end.start());
        from = end.end();
    }

    private void output(int at) {
        var tokens = new TokenReader(source, faults, "}}");
        int end = tokens.read(afterSign(at));
        if (end < 0) {
            unclosed(at, "expression", "}}");
            return;
        }
        parts.add(new Part.Output(source.at(at), tokens.tokens()));
        from = tokens.sign() == '-' ? Whitespace.skip(text, end) : end;
    }

    private int afterSign(int at) {
        int first = at + 2;
        return first < text.length() && "-+".indexOf(text.charAt(first)) >= 0 ? first + 1 : first;
    }

    private void unclosed(int at, String what, String end) {
        faults.add(source.at(at), "this %s has no end; close it by %s", what, end);
        from = text.length();
    }
}
