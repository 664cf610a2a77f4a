package io.knabla.functions.graph;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One dimension: a size, the model's name for a size, a sum of products of these, or nothing known. Equal sizes are
 * equal records wherever arithmetic can tell. Contents of integer tensors are followed in the same terms and may be
 * negative, which no dimension is.
 */
public sealed interface Dim {
    Dim UNKNOWN = new Unknown();
    Dim ZERO = new Known(0);
    Dim ONE = new Known(1);

    record Known(long size) implements Dim {
        @Override
        public String toString() {
            return Long.toString(size);
        }
    }

    /** Equal names are equal sizes within one run. */
    record Symbol(String name) implements Dim, Atom {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * What arithmetic makes of names, such as {@code 2*n + 1}; never just a number or a name.
     *
     * @param terms at least one, in {@link Polynomial}'s order; the first has an atom
     */
    record Expression(List<Term> terms) implements Dim {
        public Expression {
            terms = List.copyOf(terms);
        }

        @Override
        public String toString() {
            return terms.stream()
                    .map(Term::toString)
                    .collect(Collectors.joining(" + "))
                    .replace("+ -", "- ");
        }
    }

    record Unknown() implements Dim {
        @Override
        public String toString() {
            return "?";
        }
    }

    /** A product; without atoms just the factor. */
    record Term(long factor, List<Atom> atoms) {
        public Term {
            atoms = List.copyOf(atoms);
        }

        @Override
        public String toString() {
            String product = atoms.stream().map(Atom::toString).collect(Collectors.joining("*"));
            return product.isEmpty()
                    ? Long.toString(factor)
                    : factor == 1 ? product : factor == -1 ? "-" + product : factor + "*" + product;
        }
    }

    /** What products are made of. */
    sealed interface Atom permits Symbol, Quotient {}

    /** Rounded down. */
    record Quotient(Dim above, Dim below) implements Atom {
        @Override
        public String toString() {
            return bracketed(above) + "/" + bracketed(below);
        }

        private static String bracketed(Dim dim) {
            return dim instanceof Expression ? "(" + dim + ")" : dim.toString();
        }
    }

    static Dim of(long size) {
        return size < 0 ? UNKNOWN : new Known(size);
    }

    default boolean is(long size) {
        return this instanceof Known known && known.size == size;
    }

    /** The size, or {@code otherwise} where it is not known. */
    default long or(long otherwise) {
        return this instanceof Known known ? known.size : otherwise;
    }

    default boolean known() {
        return this instanceof Known;
    }

    /** Whether it is a size that has one value within a run, be it a number or not. */
    default boolean fixed() {
        return !(this instanceof Unknown);
    }

    default Dim plus(Dim other) {
        if (this instanceof Known a && other instanceof Known b) {
            return new Known(clamp(clamp(a.size) + clamp(b.size)));
        }
        return is(0) ? other : other.is(0) ? this : Polynomial.plus(this, other, 1);
    }

    default Dim minus(Dim other) {
        if (this instanceof Known a && other instanceof Known b) {
            return new Known(clamp(clamp(a.size) - clamp(b.size)));
        }
        return other.is(0) ? this : Polynomial.plus(this, other, -1);
    }

    default Dim times(Dim other) {
        if (this instanceof Known a && other instanceof Known b) {
            long high = Math.multiplyHigh(a.size, b.size);
            long low = a.size * b.size;
            boolean fits = high == 0 && low >= 0 || high == -1 && low < 0;
            return new Known(fits ? clamp(low) : high < 0 ? -MAX : MAX);
        }
        return is(1) ? other : other.is(1) ? this : Polynomial.times(this, other);
    }

    /** Rounded down; dividing by nothing answers {@link #UNKNOWN}. */
    default Dim dividedBy(Dim other) {
        if (other.is(0)) {
            return UNKNOWN;
        }
        if (equals(other) && fixed()) {
            return ONE;
        }
        if (this instanceof Known a && other instanceof Known b) {
            return new Known(Math.floorDiv(a.size, b.size));
        }
        return other.is(1) ? this : Polynomial.quotient(this, other);
    }

    /** Rounded up. */
    default Dim dividedUp(Dim other) {
        return plus(other).minus(ONE).dividedBy(other);
    }

    /** Whether it is surely greater than {@code other}, given that no named size is below 0. */
    default boolean exceeds(Dim other) {
        return switch (minus(other)) {
            case Known(var difference) -> difference > 0;
            case Symbol _, Unknown _ -> false;
            case Expression(var terms) ->
                terms.stream().allMatch(term -> term.factor > 0)
                        && terms.getLast().atoms.isEmpty();
        };
    }

    /** With other sizes in place of the names. */
    default Dim replaced(Function<Symbol, Dim> names) {
        return switch (this) {
            case Known known -> known;
            case Unknown unknown -> unknown;
            case Symbol symbol -> names.apply(symbol);
            case Expression(var terms) -> {
                Dim sum = ZERO;
                for (Term term : terms) {
                    Dim product = new Known(term.factor);
                    for (Atom atom : term.atoms) {
                        product = product.times(replaced(atom, names));
                    }
                    sum = sum.plus(product);
                }
                yield sum;
            }
        };
    }

    private static Dim replaced(Atom atom, Function<Symbol, Dim> names) {
        return switch (atom) {
            case Symbol symbol -> names.apply(symbol);
            case Quotient(var above, var below) -> above.replaced(names).dividedBy(below.replaced(names));
        };
    }

    /** No product of sizes goes beyond this, so that sums of many cannot overflow. */
    long MAX = 1L << 60;

    private static long clamp(long size) {
        return Math.clamp(size, -MAX, MAX);
    }
}
