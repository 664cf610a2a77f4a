package io.knabla.functions.compiler.interpreter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Kernel of Einsum; an ellipsis becomes the labels {@code 0 1 2 …}. */
final class Einsum {
    private static final int MAX_EQUATION = 256;

    private Einsum() {}

    static NdArray run(Call call) {
        String equation = call.text("equation", "").replace(" ", "");
        if (equation.isEmpty() || equation.length() > MAX_EQUATION) {
            throw new EvaluationException("an equation of %d characters".formatted(equation.length()));
        }
        String[] sides = equation.split("->", -1);
        List<String> terms = terms(call, sides[0].split(",", -1));
        Map<Character, Integer> sizes = sizes(call, terms);
        String output = sides.length > 1 ? explicit(sides[1], terms) : implicit(terms);
        return contracted(call, terms, sizes, output);
    }

    private static List<String> terms(Call call, String[] written) {
        if (written.length != call.inputs().size()) {
            throw new EvaluationException("an equation of %d terms for %d inputs"
                    .formatted(written.length, call.inputs().size()));
        }
        var terms = new ArrayList<String>();
        for (int i = 0; i < written.length; i++) {
            int hidden = call.input(i).rank() - written[i].replace("...", "").length();
            if (hidden < 0 || hidden > 0 && !written[i].contains("...")) {
                throw new EvaluationException("term %s for rank %d"
                        .formatted(written[i], call.input(i).rank()));
            }
            terms.add(written[i].replace("...", dots(hidden)));
        }
        return terms;
    }

    /** Ellipses align at their ends: {@code 9} is always the last axis. */
    private static String dots(int count) {
        return "0123456789".substring(10 - count);
    }

    private static Map<Character, Integer> sizes(Call call, List<String> terms) {
        var sizes = new LinkedHashMap<Character, Integer>();
        for (int i = 0; i < terms.size(); i++) {
            for (int d = 0; d < terms.get(i).length(); d++) {
                int size = call.input(i).dim(d);
                int known = sizes.getOrDefault(terms.get(i).charAt(d), 1);
                if (known != 1 && size != 1 && known != size) {
                    throw new EvaluationException(
                            "label %s is %d and %d".formatted(terms.get(i).charAt(d), known, size));
                }
                sizes.put(terms.get(i).charAt(d), known == 1 ? size : known);
            }
        }
        return sizes;
    }

    private static String explicit(String written, List<String> terms) {
        int hidden = 0;
        for (String term : terms) {
            hidden = Math.max(
                    hidden, (int) term.chars().filter(Character::isDigit).count());
        }
        return written.replace("...", dots(hidden));
    }

    private static String implicit(List<String> terms) {
        var counts = new TreeMap<Character, Integer>();
        for (String term : terms) {
            for (char label : term.toCharArray()) {
                counts.merge(label, 1, Integer::sum);
            }
        }
        var output = new StringBuilder();
        counts.forEach((label, count) -> output.append(Character.isDigit(label) || count == 1 ? label : ""));
        return output.toString();
    }

    /** Iterates over all labels: those of the output first, then the summed ones. */
    private static NdArray contracted(Call call, List<String> terms, Map<Character, Integer> sizes, String output) {
        var order = new StringBuilder(output);
        sizes.keySet().stream().filter(l -> output.indexOf(l) < 0).forEach(order::append);
        int[] all = order.chars().map(label -> sizes.get((char) label)).toArray();
        call.spend(Arrays.stream(all).asLongStream().toArray());
        int[] dims = Arrays.copyOf(all, output.length());
        double[] sums = new double[Dims.size(call.checkedDims(dims))];
        int[][] positions = new int[terms.size()][];
        for (int i = 0; i < terms.size(); i++) {
            positions[i] = Dims.walk(all, strides(call.input(i), terms.get(i), order), 0);
        }
        int summed = sums.length == 0 ? 0 : Dims.size(all) / sums.length;
        for (int at = 0; at < sums.length * summed; at++) {
            double product = 1;
            for (int i = 0; i < positions.length; i++) {
                product *= call.input(i).real(positions[i][at]);
            }
            sums[at / summed] += product;
        }
        return call.input(0).element().isFloat()
                ? NdArray.reals(call.input(0).element(), dims, sums)
                : call.whole(call.input(0).element(), dims, i -> (long) sums[i]);
    }

    private static int[] strides(NdArray input, String term, CharSequence order) {
        int[] own = Dims.strides(input.dims());
        int[] strides = new int[order.length()];
        for (int l = 0; l < strides.length; l++) {
            for (int d = 0; d < term.length(); d++) {
                // A label that occurs twice walks the diagonal.
                strides[l] += term.charAt(d) == order.charAt(l) && input.dim(d) != 1 ? own[d] : 0;
            }
        }
        return strides;
    }
}
