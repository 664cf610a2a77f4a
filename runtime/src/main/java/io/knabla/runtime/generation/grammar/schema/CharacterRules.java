package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import io.knabla.runtime.generation.grammar.pattern.CharSet;
import io.knabla.runtime.generation.grammar.pattern.CharSet.Range;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Builds the states that read one character within a JSON string: in UTF-8, escaped only where it must be (RFC 8259,
 * section 7).
 */
final class CharacterRules {
    private static final int[] LAST_OF_LENGTH = {0x7f, 0x7ff, 0xffff, 0x10ffff};
    private static final int BITS = 6;
    private static final CharSet ASCII = CharSet.of(0, 0x7f);
    private static final CharSet CONTROLS = CharSet.of(0, 0x1f);

    /** Characters that are written as they are. */
    private static final CharSet PLAIN = CONTROLS.or(CharSet.of("\"\\")).not();

    /** All but control characters without a short escape, which hardly any text has. */
    static final CharSet USUAL = PLAIN.or(CharSet.of("\"\\\b\f\n\r\t"));

    private final AutomatonBuilder automaton;
    private final Map<CharSet, Integer> rules = new HashMap<>();

    CharacterRules(AutomatonBuilder automaton) {
        this.automaton = automaton;
    }

    /** Reads one of these characters, then goes on. */
    void read(int from, CharSet characters, int then) {
        CharSet simple = characters.and(PLAIN).and(ASCII);
        if (simple.equals(characters)) {
            bytes(from, simple, then);
        } else {
            automaton.call(from, rules.computeIfAbsent(characters, this::rule), then);
        }
    }

    private void bytes(int from, CharSet ascii, int to) {
        for (Range range : ascii.ranges()) {
            automaton.bytes(from, range.low(), range.high(), to);
        }
    }

    private int rule(CharSet characters) {
        int start = automaton.state();
        int end = automaton.state();
        automaton.accept(end);
        bytes(start, characters.and(PLAIN).and(ASCII), end);
        for (Range range : characters.and(ASCII.not()).ranges()) {
            utf8(start, range.low(), range.high(), end);
        }
        for (Range range : characters.and(PLAIN.not()).ranges()) {
            for (int one = range.low(); one <= range.high(); one++) {
                escape(start, one, end);
            }
        }
        return start;
    }

    private void escape(int from, int character, int end) {
        int letter = JsonText.shortEscape(character);
        String text = letter >= 0 ? "\\" + (char) letter : "\\u%04x".formatted(character);
        automaton.jump(automaton.text(from, text.getBytes(StandardCharsets.US_ASCII)), end);
    }

    /** Cuts a range into such whose bytes are independent of each other. */
    private void utf8(int from, int low, int high, int end) {
        for (int last : LAST_OF_LENGTH) {
            if (low <= last && last < high) {
                utf8(from, low, last, end);
                utf8(from, last + 1, high, end);
                return;
            }
        }
        for (int bits = BITS; bits <= 3 * BITS; bits += BITS) {
            int mask = (1 << bits) - 1;
            if ((low & ~mask) != (high & ~mask) && isCut(from, low, high, mask, end)) {
                return;
            }
        }
        product(from, low, high, end);
    }

    private boolean isCut(int from, int low, int high, int mask, int end) {
        if ((low & mask) != 0) {
            utf8(from, low, low | mask, end);
            utf8(from, (low | mask) + 1, high, end);
            return true;
        }
        if ((high & mask) != mask) {
            utf8(from, low, (high & ~mask) - 1, end);
            utf8(from, high & ~mask, high, end);
            return true;
        }
        return false;
    }

    private void product(int from, int low, int high, int end) {
        byte[] first = Character.toString(low).getBytes(StandardCharsets.UTF_8);
        byte[] last = Character.toString(high).getBytes(StandardCharsets.UTF_8);
        int at = from;
        for (int i = 0; i < first.length; i++) {
            int next = i == first.length - 1 ? end : automaton.state();
            automaton.bytes(at, first[i] & 0xff, last[i] & 0xff, next);
            at = next;
        }
    }
}
