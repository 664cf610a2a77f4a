package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds the states that read the name of a property which the schema does not name. After the beginning of one of
 * these it goes on with another character of ASCII; the few names that go on otherwise there are never written.
 */
final class OtherPropertyNames {
    private static final int HEXADECIMAL_DIGITS = 4;

    /** Bytes of the given strings, as a tree. */
    private static final class Node {
        final Map<Integer, Node> next = new TreeMap<>();
    }

    /**
     * A place within the given strings.
     *
     * @param escaped whether a backslash is before it
     * @param missing bytes of the present character that follow
     */
    private record Place(Node node, int state, boolean escaped, int missing) {
        boolean isBetweenCharacters() {
            return !escaped && missing == 0;
        }
    }

    private final AutomatonBuilder automaton;
    private final Rules rules;
    private final Deque<Place> open = new ArrayDeque<>();

    OtherPropertyNames(AutomatonBuilder automaton, Rules rules) {
        this.automaton = automaton;
        this.rules = rules;
    }

    /** @param names with their quotes */
    void read(int from, List<byte[]> names, int then) {
        int rest = automaton.state();
        rules.stringRest(rest, then);
        int first = automaton.state();
        automaton.bytes(from, '"', '"', first);
        open.add(new Place(tree(names).next.get((int) '"'), first, false, 0));
        while (!open.isEmpty()) {
            Place place = open.remove();
            if (place.isBetweenCharacters()) {
                leave(place, rest, then);
            }
            place.node().next.forEach((label, child) -> goOn(place, label, child));
        }
    }

    private static Node tree(List<byte[]> names) {
        Node root = new Node();
        for (byte[] name : names) {
            Node at = root;
            for (byte one : name) {
                at = at.next.computeIfAbsent(one & 0xff, _ -> new Node());
            }
        }
        return root;
    }

    /** Goes on as none of the given strings does. */
    private void leave(Place place, int rest, int then) {
        var others = new BitSet();
        others.set(' ', 0x80);
        others.clear('"');
        others.clear('\\');
        place.node().next.keySet().forEach(others::clear);
        for (int low = others.nextSetBit(0); low >= 0; ) {
            int end = others.nextClearBit(low);
            automaton.bytes(place.state(), low, end - 1, rest);
            low = others.nextSetBit(end);
        }
        if (!place.node().next.containsKey((int) '"')) {
            automaton.bytes(place.state(), '"', '"', then);
        }
    }

    private void goOn(Place from, int label, Node child) {
        boolean ends = label == '"' && from.isBetweenCharacters();
        if (ends) {
            return;
        }
        int state = automaton.state();
        automaton.bytes(from.state(), label, label, state);
        boolean escapes = label == '\\' && from.isBetweenCharacters();
        open.add(new Place(child, state, escapes, missing(from, label)));
    }

    private static int missing(Place from, int label) {
        if (from.missing() > 0) {
            return from.missing() - 1;
        }
        if (from.escaped()) {
            return label == 'u' ? HEXADECIMAL_DIGITS : 0;
        }
        // The first byte of UTF-8 begins with as many ones as the character has bytes.
        return label < 0x80 ? 0 : Integer.numberOfLeadingZeros(~(label << 24)) - 1;
    }
}
