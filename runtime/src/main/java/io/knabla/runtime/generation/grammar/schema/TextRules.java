package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import io.knabla.runtime.generation.grammar.pattern.CharSet;
import io.knabla.runtime.generation.grammar.pattern.Dfa;
import io.knabla.runtime.generation.grammar.pattern.PatternParser;
import io.knabla.runtime.generation.grammar.pattern.WorkBudget;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** States that read strings, texts of regular expressions, and constants. */
final class TextRules {
    private record Bounds(int least, int most) {}

    private record Expression(String text, Bounds length, boolean quoted) {}

    private final AutomatonBuilder automaton;
    private final CharacterRules characters;
    private final WorkBudget budget = new WorkBudget();
    private final Map<Bounds, Integer> strings = new HashMap<>();
    private final Map<Expression, Integer> expressions = new HashMap<>();

    TextRules(AutomatonBuilder automaton) {
        this.automaton = automaton;
        this.characters = new CharacterRules(automaton);
    }

    /**
     * A string of any characters.
     *
     * @param most -1 for any number
     */
    int string(int least, int most) {
        return strings.computeIfAbsent(new Bounds(least, most), this::string);
    }

    private int string(Bounds length) {
        int start = automaton.state();
        int end = automaton.state();
        automaton.accept(end);
        var chain = new RepetitionStates(automaton, length.least(), length.most());
        int last = length.most() < 0 ? length.least() : length.most();
        int at = chain.state(0);
        quote(start, at);
        for (int count = 0; count <= last; count++) {
            if (count >= length.least()) {
                quote(at, end);
            }
            boolean repeats = count == last;
            int next = repeats ? at : chain.state(count + 1);
            if (!repeats || length.most() < 0) {
                characters.read(at, CharacterRules.USUAL, next);
            }
            at = next;
        }
        return start;
    }

    private void quote(int from, int to) {
        automaton.bytes(from, '"', '"', to);
    }

    /** The rest of a string, after its opening quote and any characters. */
    void stringRest(int from, int end) {
        quote(from, end);
        characters.read(from, CharacterRules.USUAL, from);
    }

    /**
     * A text in which a regular expression is found.
     *
     * @param quoted whether it is a string
     * @throws io.knabla.runtime.generation.grammar.pattern.BadPatternException if the expression cannot be read
     */
    int expression(String text, int least, int most, boolean quoted) {
        var expression = new Expression(text, new Bounds(least, most), quoted);
        Integer known = expressions.get(expression);
        if (known == null) {
            known = automaton(Dfa.of(PatternParser.parse(text), least, most, budget), quoted);
            expressions.put(expression, known);
        }
        return known;
    }

    private int automaton(List<Dfa.State> states, boolean quoted) {
        int[] numbers = states.stream().mapToInt(_ -> automaton.state()).toArray();
        int end = automaton.state();
        automaton.accept(end);
        for (int i = 0; i < numbers.length; i++) {
            int from = numbers[i];
            for (Map.Entry<Integer, CharSet> next : states.get(i).next().entrySet()) {
                characters.read(from, next.getValue(), numbers[next.getKey()]);
            }
            if (states.get(i).accepts() && quoted) {
                quote(from, end);
            } else if (states.get(i).accepts()) {
                automaton.accept(from);
            }
        }
        if (!quoted) {
            return numbers[0];
        }
        int start = automaton.state();
        quote(start, numbers[0]);
        return start;
    }

    /** Any one of these texts, as they are. */
    int constants(Collection<byte[]> texts) {
        Map<Long, Integer> tree = new HashMap<>();
        int start = automaton.state();
        for (byte[] text : texts) {
            int at = start;
            for (byte one : text) {
                int from = at;
                at = tree.computeIfAbsent((long) at << Byte.SIZE | one & 0xff, _ -> byteAfter(from, one));
            }
            automaton.accept(at);
        }
        return start;
    }

    private int byteAfter(int from, byte one) {
        int next = automaton.state();
        automaton.bytes(from, one & 0xff, one & 0xff, next);
        return next;
    }
}
