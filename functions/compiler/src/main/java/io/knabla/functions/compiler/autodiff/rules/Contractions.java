package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Derivative rule of Einsum. The adjoint of an operand is the contraction of dY with all other operands, labelled as
 * the operand is. Labels that only the operand has are broadcast; repeated ones fill a diagonal.
 */
final class Contractions {
    private static final String DOTS = "...";

    private Contractions() {}

    static void register(Map<String, Rule> table) {
        table.put("Einsum", Contractions::einsum);
    }

    private static List<Value> einsum(RuleContext at, Op op, List<Value> dy) {
        Equation equation =
                Equation.of(op.attributes().text("equation", ""), op.inputs().size());
        var adjoints = new ArrayList<Value>();
        for (int i = 0; i < op.inputs().size(); i++) {
            adjoints.add(at.needsAdjoint(op, i) ? adjoint(at, op, equation, i, dy.getFirst()) : null);
        }
        return adjoints;
    }

    private static Value adjoint(RuleContext at, Op op, Equation equation, int index, Value dy) {
        Value x = op.input(index);
        Term wanted = equation.inputs.get(index);
        Set<Character> found = new LinkedHashSet<>(equation.output.labels());
        boolean dotted = equation.output.dotted();
        for (int i = 0; i < equation.inputs.size(); i++) {
            if (i != index) {
                found.addAll(equation.inputs.get(i).labels());
            }
        }
        var present = new LinkedHashSet<>(wanted.labels());
        present.retainAll(found);
        Value contracted = contracted(at, op, equation, index, dy, new Term(dotted, present));
        int dots = contracted.rank() - present.size();
        int own = wanted.dotted ? x.rank() - wanted.text.size() : 0;
        var leading = new ArrayList<Long>();
        for (long axis = 0; axis < dots - own; axis++) {
            leading.add(axis);
        }
        Value summed = at.reduceSum(contracted, leading, false);
        return placed(at, x, wanted, List.copyOf(present), summed);
    }

    /** Contracts to the labels of {@code to}, the dots first. */
    private static Value contracted(RuleContext at, Op op, Equation equation, int index, Value dy, Term to) {
        boolean scalar = equation.output.text.isEmpty() && !equation.output.dotted;
        var values = new ArrayList<Value>();
        var terms = new ArrayList<Term>();
        if (!scalar) {
            values.add(dy);
            terms.add(equation.output);
        }
        for (int i = 0; i < equation.inputs.size(); i++) {
            if (i != index) {
                values.add(op.input(i));
                terms.add(equation.inputs.get(i));
            }
        }
        if (values.isEmpty()) {
            return dy;
        }
        boolean dotted = terms.stream().anyMatch(Term::dotted);
        String text =
                terms.stream().map(Term::toString).collect(Collectors.joining(",")) + "->" + new Term(dotted, to.text);
        Value product = at.op("Einsum", Attributes.of("equation", text), values.toArray(Value[]::new));
        return scalar ? at.mul(product, dy) : product;
    }

    /** Moves the dots and {@code present} labels to the axes of {@code x}. */
    private static Value placed(RuleContext at, Value x, Term wanted, List<Character> present, Value compact) {
        int dots = compact.rank() - present.size();
        var order = new ArrayList<Long>();
        var seen = new ArrayList<Character>();
        var more = new ArrayList<Long>();
        int from = compact.rank();
        int own = wanted.dotted ? x.rank() - wanted.text.size() : 0;
        for (int i = 0; i <= wanted.text.size(); i++) {
            if (wanted.dotted && i == wanted.dots) {
                for (long axis = dots - own; axis < dots; axis++) {
                    order.add(axis);
                }
            }
            if (i == wanted.text.size()) {
                break;
            }
            char label = wanted.text.get(i);
            if (present.contains(label) && !seen.contains(label)) {
                order.add((long) dots + present.indexOf(label));
            } else {
                more.add((long) from);
                order.add((long) from++);
            }
            seen.add(label);
        }
        Value spread = at.transpose(at.unsqueeze(compact, more), order);
        if (more.isEmpty()) {
            return at.unbroadcast(spread, x);
        }
        Value full = at.unbroadcast(at.expand(spread, at.shapeOf(x)), x);
        return diagonals(at, x, wanted, full);
    }

    private static Value diagonals(RuleContext at, Value x, Term wanted, Value full) {
        Value masked = full;
        for (int i = 0; i < wanted.text.size(); i++) {
            int first = wanted.text.indexOf(wanted.text.get(i));
            if (first != i) {
                Value same = at.equal(
                        counted(at, x, wanted.axis(first, x.rank())), counted(at, x, wanted.axis(i, x.rank())));
                masked = at.mul(masked, at.indicator(same, x));
            }
        }
        return masked;
    }

    /** 0, 1, … along an axis; the axes after it have size 1. */
    private static Value counted(RuleContext at, Value x, int axis) {
        var behind = new ArrayList<Long>();
        for (long i = 1; i < x.rank() - axis; i++) {
            behind.add(i);
        }
        return at.unsqueeze(at.indices(at.sizeOf(x, axis)), behind);
    }

    private record Equation(List<Term> inputs, Term output) {

        static Equation of(String text, int operands) {
            String plain = text.replace(" ", "");
            int arrow = plain.indexOf("->");
            String left = arrow < 0 ? plain : plain.substring(0, arrow);
            var inputs = new ArrayList<Term>();
            for (String term : left.split(",", -1)) {
                inputs.add(Term.of(term));
            }
            if (inputs.size() != operands) {
                throw new io.knabla.functions.compiler.ir.UnsupportedOperatorException(
                        "its equation '%s' is for %d operands, and it has %d".formatted(text, inputs.size(), operands));
            }
            return new Equation(inputs, arrow < 0 ? implied(inputs) : Term.of(plain.substring(arrow + 2)));
        }

        /** The implicit output: the dots, then the labels that appear once, sorted. */
        private static Term implied(List<Term> inputs) {
            var counts = new TreeMap<Character, Integer>();
            inputs.forEach(term -> term.text.forEach(c -> counts.merge(c, 1, Integer::sum)));
            counts.values().removeIf(count -> count > 1);
            return new Term(inputs.stream().anyMatch(Term::dotted), new ArrayList<>(counts.keySet()), 0);
        }
    }

    /**
     * The labels of one tensor.
     *
     * @param dots index of the label that the dots precede, if there are any
     */
    private record Term(boolean dotted, List<Character> text, int dots) {

        Term(boolean dotted, Collection<Character> text) {
            this(dotted, List.copyOf(text), 0);
        }

        static Term of(String text) {
            int dots = text.indexOf(DOTS);
            var labels = text.replace(DOTS, "").chars().mapToObj(c -> (char) c).toList();
            return new Term(dots >= 0, labels, Math.max(dots, 0));
        }

        Set<Character> labels() {
            return new LinkedHashSet<>(text);
        }

        /** Axis of the label at {@code index} in a tensor of this rank. */
        int axis(int index, int rank) {
            return dotted && index >= dots ? index + rank - text.size() : index;
        }

        @Override
        public String toString() {
            var written = new StringBuilder();
            for (int i = 0; i <= text.size(); i++) {
                if (dotted && i == dots) {
                    written.append(DOTS);
                }
                if (i < text.size()) {
                    written.append(text.get(i));
                }
            }
            return written.toString();
        }
    }
}
