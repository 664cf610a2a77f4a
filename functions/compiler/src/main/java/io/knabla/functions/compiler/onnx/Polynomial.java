package io.knabla.functions.compiler.onnx;

import io.knabla.functions.compiler.onnx.Dim.Atom;
import io.knabla.functions.compiler.onnx.Dim.Expression;
import io.knabla.functions.compiler.onnx.Dim.Known;
import io.knabla.functions.compiler.onnx.Dim.Quotient;
import io.knabla.functions.compiler.onnx.Dim.Symbol;
import io.knabla.functions.compiler.onnx.Dim.Term;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Canonical form of symbolic sizes: a sum that has each product of atoms once, higher degrees first. A result that
 * grows too large becomes unknown, which bounds the cost for every model.
 */
final class Polynomial {
    private static final int MAX_ATOMS = 48;
    private static final int MAX_NAME = 128;
    private static final int MAX_DIVISION_STEPS = 16;

    /** By degree, then alphabetically; multiplication preserves this order, as exact division requires. */
    private static final Comparator<List<Atom>> ORDER =
            Comparator.<List<Atom>>comparingInt(atoms -> -atoms.size()).thenComparing(Polynomial::alphabetically);

    private final TreeMap<List<Atom>, Long> terms = new TreeMap<>(ORDER);

    private Polynomial() {}

    static Dim plus(Dim a, Dim b, long factor) {
        return guarded(() -> of(a).add(of(b), factor, List.of()).dim());
    }

    static Dim times(Dim a, Dim b) {
        return guarded(() -> of(a).times(of(b)).dim());
    }

    static Dim quotient(Dim a, Dim b) {
        return guarded(() -> floor(of(a), of(b)));
    }

    private static Dim guarded(Supplier<Dim> arithmetic) {
        try {
            return arithmetic.get();
        } catch (ArithmeticException _) {
            // Too large, or made of something unknown.
            return Dim.UNKNOWN;
        }
    }

    private static Polynomial of(Dim dim) {
        var sum = new Polynomial();
        switch (dim) {
            case Known(var size) -> sum.add(List.of(), size);
            case Symbol symbol -> sum.add(List.of(symbol), 1);
            case Expression(var terms) -> terms.forEach(t -> sum.add(t.atoms(), t.factor()));
            case Dim.Unknown _ -> throw new ArithmeticException();
        }
        return sum;
    }

    private void add(List<Atom> atoms, long factor) {
        long sum = Math.addExact(terms.getOrDefault(atoms, 0L), factor);
        if (sum == 0) {
            terms.remove(atoms);
        } else {
            terms.put(atoms, sum);
        }
    }

    private Polynomial add(Polynomial other, long factor, List<Atom> atoms) {
        other.terms.forEach((o, f) -> add(product(o, atoms), Math.multiplyExact(f, factor)));
        return this;
    }

    private Polynomial times(Polynomial other) {
        if ((long) terms.size() * other.terms.size() > MAX_ATOMS) {
            throw new ArithmeticException();
        }
        var product = new Polynomial();
        terms.forEach((atoms, factor) -> product.add(other, factor, atoms));
        return product;
    }

    private static List<Atom> product(List<Atom> a, List<Atom> b) {
        var all = new ArrayList<Atom>(a);
        all.addAll(b);
        all.sort(Comparator.comparing(Atom::toString));
        return List.copyOf(all);
    }

    private Dim dim() {
        if (terms.isEmpty()) {
            return Dim.ZERO;
        }
        List<Atom> first = terms.firstKey();
        if (terms.size() == 1 && first.isEmpty()) {
            return new Known(terms.get(first));
        }
        if (terms.size() == 1 && terms.get(first) == 1 && first.size() == 1) {
            if (first.getFirst() instanceof Symbol symbol) {
                return symbol;
            }
        }
        var list = new ArrayList<Term>();
        terms.forEach((atoms, factor) -> list.add(new Term(factor, atoms)));
        var expression = new Expression(list);
        if (weight(expression) > MAX_ATOMS) {
            throw new ArithmeticException();
        }
        return expression;
    }

    /** Number of atoms, including those inside quotients. */
    private static int weight(Dim dim) {
        return switch (dim) {
            case Known _, Dim.Unknown _ -> 0;
            case Symbol(var name) -> name.length() > MAX_NAME ? MAX_ATOMS + 1 : 1;
            case Expression(var terms) -> {
                int sum = terms.size();
                for (Term term : terms) {
                    for (Atom atom : term.atoms()) {
                        sum += weight(atom);
                    }
                }
                yield sum;
            }
        };
    }

    private static int weight(Atom atom) {
        return switch (atom) {
            case Symbol symbol -> weight((Dim) symbol);
            case Quotient(var above, var below) -> 1 + weight(above) + weight(below);
        };
    }

    private static Dim floor(Polynomial above, Polynomial below) {
        Polynomial exact = divided(above, below);
        if (exact != null) {
            return exact.dim();
        }
        return below.dim() instanceof Known(var divisor) && divisor > 0
                ? floor(above, divisor)
                : atom(above.dim(), below.dim());
    }

    private static Dim atom(Dim above, Dim below) {
        var quotient = new Polynomial();
        quotient.add(List.of(new Quotient(above, below)), 1);
        return quotient.dim();
    }

    /** Moves whole multiples of the divisor out of the quotient: (4n + 7)/4 is n + 1 + 3/4, so n + 1. */
    private static Dim floor(Polynomial above, long divisor) {
        var whole = new Polynomial();
        var rest = new Polynomial();
        above.terms.forEach((atoms, factor) -> {
            whole.add(atoms, Math.floorDiv(factor, divisor));
            rest.add(atoms, Math.floorMod(factor, divisor));
        });
        long common = divisor;
        for (Map.Entry<List<Atom>, Long> term : rest.terms.entrySet()) {
            common = term.getKey().isEmpty() ? common : gcd(common, term.getValue());
        }
        var reduced = new Polynomial();
        for (Map.Entry<List<Atom>, Long> term : rest.terms.entrySet()) {
            reduced.add(term.getKey(), Math.floorDiv(term.getValue(), common));
        }
        Dim left = reduced.dim();
        return whole.dim().plus(left instanceof Known ? Dim.ZERO : nested(left, divisor / common));
    }

    /** (n/2)/3 is n/6. */
    private static Dim nested(Dim above, long divisor) {
        if (above instanceof Expression(var terms)
                && terms.size() == 1
                && terms.getFirst().factor() == 1
                && terms.getFirst().atoms().size() == 1
                && terms.getFirst().atoms().getFirst() instanceof Quotient(var inner, var by)
                && by instanceof Known(var first)) {
            return atom(inner, new Known(Math.multiplyExact(first, divisor)));
        }
        return divisor == 1 ? above : atom(above, new Known(divisor));
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** The exact quotient, or null if there is none. */
    private static Polynomial divided(Polynomial above, Polynomial below) {
        List<Atom> leading = below.terms.firstKey();
        long factor = below.terms.get(leading);
        var quotient = new Polynomial();
        var rest = new Polynomial().add(above, 1, List.of());
        for (int i = 0; i < MAX_DIVISION_STEPS && !rest.terms.isEmpty(); i++) {
            List<Atom> first = rest.terms.firstKey();
            long times = rest.terms.get(first);
            var atoms = new ArrayList<>(first);
            boolean divides = times % factor == 0;
            for (Atom atom : leading) {
                divides &= atoms.remove(atom);
            }
            if (!divides) {
                return null;
            }
            quotient.add(List.copyOf(atoms), times / factor);
            rest.add(below, -(times / factor), atoms);
        }
        return rest.terms.isEmpty() ? quotient : null;
    }

    private static int alphabetically(List<Atom> a, List<Atom> b) {
        for (int i = 0; i < a.size(); i++) {
            int order = a.get(i).toString().compareTo(b.get(i).toString());
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
