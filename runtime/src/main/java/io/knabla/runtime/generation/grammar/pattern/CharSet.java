package io.knabla.runtime.generation.grammar.pattern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Set of characters (Unicode code points, without surrogates).
 *
 * @param ranges ascending, neither overlapping nor touching
 */
public record CharSet(List<Range> ranges) {
    private static final int LAST = 0x10ffff;

    public static final CharSet ALL = new CharSet(List.of(new Range(0, 0xd7ff), new Range(0xe000, LAST)));
    public static final CharSet NONE = new CharSet(List.of());

    /** Both ends are included. */
    public record Range(int low, int high) {}

    public CharSet {
        ranges = List.copyOf(ranges);
    }

    public static CharSet of(int low, int high) {
        return new CharSet(List.of(new Range(low, high))).and(ALL);
    }

    /** The characters of a text. */
    public static CharSet of(String characters) {
        return characters.codePoints().mapToObj(one -> of(one, one)).reduce(NONE, CharSet::or);
    }

    /** The characters of all these ranges, in any order. */
    public static CharSet of(List<Range> any) {
        List<Range> merged = new ArrayList<>();
        for (Range range :
                any.stream().sorted(Comparator.comparingInt(Range::low)).toList()) {
            Range last = merged.isEmpty() ? null : merged.getLast();
            if (last == null || range.low > last.high + 1) {
                merged.add(range);
            } else if (range.high > last.high) {
                merged.set(merged.size() - 1, new Range(last.low, range.high));
            }
        }
        return new CharSet(merged).and(ALL);
    }

    public boolean contains(int character) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (ranges.get(middle).high < character) {
                low = middle + 1;
            } else if (ranges.get(middle).low > character) {
                high = middle - 1;
            } else {
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public CharSet or(CharSet other) {
        return not().and(other.not()).not();
    }

    public CharSet and(CharSet other) {
        List<Range> both = new ArrayList<>();
        int mine = 0;
        int its = 0;
        while (mine < ranges.size() && its < other.ranges.size()) {
            Range a = ranges.get(mine);
            Range b = other.ranges.get(its);
            if (Math.max(a.low, b.low) <= Math.min(a.high, b.high)) {
                both.add(new Range(Math.max(a.low, b.low), Math.min(a.high, b.high)));
            }
            if (a.high < b.high) {
                mine++;
            } else {
                its++;
            }
        }
        return new CharSet(both);
    }

    /** All others. */
    public CharSet not() {
        List<Range> gaps = new ArrayList<>();
        int next = 0;
        for (Range range : ranges) {
            if (range.low > next) {
                gaps.add(new Range(next, range.low - 1));
            }
            next = range.high + 1;
        }
        if (next <= LAST) {
            gaps.add(new Range(next, LAST));
        }
        return new CharSet(gaps).and(ALL);
    }
}
