package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Labels of an einsum equation with their sizes. An ellipsis becomes the labels {@code 0 1 2 …}.
 *
 * @param output one label per dimension
 */
public record EinsumLabels(Map<Character, Dim> sizes, String output) {
    private static final int MAX_EQUATION = 256;

    public static EinsumLabels of(OpContext op) {
        String equation = op.node().text("equation", "").replace(" ", "");
        if (equation.isEmpty() || equation.length() > MAX_EQUATION) {
            throw ShapeUnknownException.INSTANCE;
        }
        String[] sides = equation.split("->", -1);
        String[] terms = sides[0].split(",", -1);
        var sizes = new LinkedHashMap<Character, Dim>();
        var counts = new LinkedHashMap<Character, Integer>();
        String dots = "";
        for (int i = 0; i < terms.length; i++) {
            Shape shape = op.shape(i);
            int hidden = shape.rank() - terms[i].replace("...", "").length();
            String ellipsis = digits(terms[i].contains("...") ? hidden : 0);
            dots = ellipsis.length() > dots.length() ? ellipsis : dots;
            String term = terms[i].replace("...", ellipsis);
            for (int d = 0; d < shape.rank(); d++) {
                sizes.merge(term.charAt(d), shape.dim(d), (a, b) -> a.is(1) ? b : a);
                counts.merge(term.charAt(d), 1, Integer::sum);
            }
        }
        String output = sides.length > 1 ? sides[1].replace("...", dots) : implicit(counts, dots);
        return new EinsumLabels(sizes, output);
    }

    /** Cost of contracting everything at once: the product of all sizes. */
    public Dim points() {
        Dim points = Dim.ONE;
        for (Dim size : sizes.values()) {
            points = points.times(size);
        }
        return points;
    }

    private static String digits(int count) {
        return "0123456789".substring(0, Math.clamp(count, 0, 10));
    }

    private static String implicit(Map<Character, Integer> counts, String dots) {
        var once = new TreeSet<Character>();
        counts.forEach((label, count) -> {
            if (count == 1 && Character.isLetter(label)) {
                once.add(label);
            }
        });
        var output = new StringBuilder(dots);
        once.forEach(output::append);
        return output.toString();
    }
}
