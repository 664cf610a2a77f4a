package io.knabla.runtime.generation.grammar.pattern;

import java.util.List;

/** A regular expression that a whole text must be. */
public sealed interface Pattern {
    Pattern EMPTY = new Sequence(List.of());
    Pattern ANYTHING = new Repeat(new One(CharSet.ALL), 0, Repeat.UNBOUNDED);

    /** One of these characters. */
    record One(CharSet characters) implements Pattern {}

    /** One after the other. */
    record Sequence(List<Pattern> parts) implements Pattern {
        public Sequence {
            parts = List.copyOf(parts);
        }
    }

    /** Any one of these. */
    record Choice(List<Pattern> options) implements Pattern {
        public Choice {
            options = List.copyOf(options);
        }
    }

    /** @param most {@link #UNBOUNDED} for any number */
    record Repeat(Pattern part, int least, int most) implements Pattern {
        public static final int UNBOUNDED = -1;
    }
}
