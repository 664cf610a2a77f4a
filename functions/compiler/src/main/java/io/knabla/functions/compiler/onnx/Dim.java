package io.knabla.functions.compiler.onnx;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Size of one tensor dimension: a number, a symbol, a sum of products of symbols, or unknown. Equal sizes are equal
 * records wherever arithmetic can decide it. The contents of integer tensors are tracked with the same type and may be
 * negative, although a dimension never is.
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

    /** A named size; equal names mean equal sizes within one run. */
    record Symbol(String name) implements Dim, Atom {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Sum of products of symbols, such as {@code 2*n + 1}; never a plain number or a single symbol.
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

    /** A factor times a product of atoms; without atoms a plain number. */
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

    /** Indivisible factor of a product: a symbol or a quotient. */
    sealed interface Atom permits Symbol, Quotient {}

    /** Quotient of two sizes, rounded down. */
    record Quotient(Dim numerator, Dim denominator) implements Atom {
        @Override
        public String toString() {
            return bracketed(numerator) + "/" + bracketed(denominator);
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

    /** The size as a number, or {@code otherwise} if it is symbolic or unknown. */
    default long or(long otherwise) {
        return this instanceof Known known ? known.size : otherwise;
    }

    default boolean known() {
        return this instanceof Known;
    }

    /** Whether the size is a number or a symbolic expression and therefore has one value within a run. */
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

    /** Quotient rounded down; division by zero gives {@link #UNKNOWN}. */
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

    /** Quotient rounded up. */
    default Dim ceilDividedBy(Dim other) {
        return plus(other).minus(ONE).dividedBy(other);
    }

    /** Whether it is provably greater than {@code other}, assuming that symbols are at least 0. */
    default boolean exceeds(Dim other) {
        return switch (minus(other)) {
            case Known(var difference) -> difference > 0;
            case Symbol _, Unknown _ -> false;
            case Expression(var terms) ->
                terms.stream().allMatch(term -> term.factor > 0)
                        && terms.getLast().atoms.isEmpty();
        };
    }

    /** Substitutes a size for each symbol. */
    default Dim substitute(Function<Symbol, Dim> names) {
        return switch (this) {
            case Known known -> known;
            case Unknown unknown -> unknown;
            case Symbol symbol -> names.apply(symbol);
            case Expression(var terms) -> {
                Dim sum = ZERO;
                for (Term term : terms) {
                    Dim product = new Known(term.factor);
                    for (Atom atom : term.atoms) {
                        product = product.times(substitute(atom, names));
                    }
                    sum = sum.plus(product);
                }
                yield sum;
            }
        };
    }

    private static Dim substitute(Atom atom, Function<Symbol, Dim> names) {
        return switch (atom) {
            case Symbol symbol -> names.apply(symbol);
            case Quotient(var above, var below) -> above.substitute(names).dividedBy(below.substitute(names));
        };
    }

    /** Bound on the magnitude of every size; sums of many sizes therefore cannot overflow. */
    long MAX = 1L << 60;

    private static long clamp(long size) {
        return Math.clamp(size, -MAX, MAX);
    }
}
