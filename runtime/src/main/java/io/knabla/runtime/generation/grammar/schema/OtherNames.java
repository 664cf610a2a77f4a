package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.network.NetworkBuilder;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads strings that are none of given ones. After the beginning of one of these it goes on with another character of
 * ASCII; the few names that go on otherwise there are never written.
 */
final class OtherNames {
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

    private final NetworkBuilder network;
    private final Rules rules;
    private final Deque<Place> open = new ArrayDeque<>();

    OtherNames(NetworkBuilder network, Rules rules) {
        this.network = network;
        this.rules = rules;
    }

    /** @param names with their quotes */
    void read(int from, List<byte[]> names, int then) {
        int rest = network.state();
        rules.stringRest(rest, then);
        int first = network.state();
        network.bytes(from, '"', '"', first);
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
            network.bytes(place.state(), low, end - 1, rest);
            low = others.nextSetBit(end);
        }
        if (!place.node().next.containsKey((int) '"')) {
            network.bytes(place.state(), '"', '"', then);
        }
    }

    private void goOn(Place from, int label, Node child) {
        boolean ends = label == '"' && from.isBetweenCharacters();
        if (ends) {
            return;
        }
        int state = network.state();
        network.bytes(from.state(), label, label, state);
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
