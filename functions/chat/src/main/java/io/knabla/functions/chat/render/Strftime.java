package io.knabla.functions.chat.render;

import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats the present time as C's {@code strftime} does in English. */
final class Strftime {
    private static final int LONGEST = 200;

    private Strftime() {}

    static String format(String form, Clock clock) {
        if (form.length() > LONGEST) {
            throw RefusedException.of("the format of strftime_now has more than %d characters", LONGEST);
        }
        ZonedDateTime now = ZonedDateTime.now(clock);
        var text = new StringBuilder();
        for (int at = 0; at < form.length(); at++) {
            char c = form.charAt(at);
            if (c != '%' || at + 1 == form.length()) {
                text.append(c);
                continue;
            }
            boolean plain = form.charAt(at + 1) == '-' && at + 2 < form.length();
            at += plain ? 2 : 1;
            String field = field(form.charAt(at), now);
            text.append(plain ? field.replaceFirst("^0+(?=.)", "") : field);
        }
        return text.toString();
    }

    private static String field(char code, ZonedDateTime now) {
        String pattern = switch (code) {
            case 'Y' -> "uuuu";
            case 'y' -> "uu";
            case 'm' -> "MM";
            case 'd' -> "dd";
            case 'B' -> "MMMM";
            case 'b' -> "MMM";
            case 'A' -> "EEEE";
            case 'a' -> "EEE";
            case 'H' -> "HH";
            case 'I' -> "hh";
            case 'M' -> "mm";
            case 'S' -> "ss";
            case 'p' -> "a";
            case 'j' -> "DDD";
            case 'F' -> "uuuu-MM-dd";
            case 'T' -> "HH:mm:ss";
            case '%' -> "'%'";
            default ->
                throw RefusedException.of(
                        "%%%c in strftime_now is not supported; supported are Y y m d B b A a H I M S p j F T %%",
                        code);
        };
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(now);
    }
}
