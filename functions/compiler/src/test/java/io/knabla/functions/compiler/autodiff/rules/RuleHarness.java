package io.knabla.functions.compiler.autodiff.rules;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Checks the derivative rules of a small graph. In double precision on the reference evaluator: the adjoint against a
 * central difference along a random direction, the Jacobian-vector product against the adjoint, and the derivative of
 * the gradient graph itself against a central difference. Then the same graphs in single precision on ONNX Runtime
 * against those results. Runs with known sizes, and again with sizes known at run time only if {@link #symbolic}
 * selects some.
 *
 * <pre>new RuleHarness().normal(2, 3).normal(3, 4).symbolic(0, 0).check("MatMul");</pre>
 */
final class RuleHarness {
    private static final double STEP = 1e-5;
    private static final double TIGHT = 1e-6;
    private static final double SINGLE = 1e-3;

    /** Builds a graph from its inputs; outputs that are not floats are left out. */
    @FunctionalInterface
    interface Maker {
        List<Value> make(Ops code, List<Value> inputs);
    }

    private record Given(NdArray value, boolean differentiated, Set<Integer> symbolic) {}

    private final List<Given> inputs = new ArrayList<>();
    private final Random random = new Random(20);
    private boolean engine = true;
    private boolean second = true;

    /** An input of standard normal elements. */
    RuleHarness normal(int... dims) {
        return differentiated(
                dims, random.doubles(size(dims), -1, 1).map(RuleHarness::bell).toArray());
    }

    private static double bell(double uniform) {
        return 2 * uniform * uniform * uniform + uniform;
    }

    /** Elements between two bounds. */
    RuleHarness uniform(double from, double to, int... dims) {
        return differentiated(dims, random.doubles(size(dims), from, to).toArray());
    }

    /** Elements that all differ by much more than the step, in random order: no ties, no kinks close by. */
    RuleHarness spread(int... dims) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, size(dims)).boxed().toList());
        Collections.shuffle(order, random);
        double half = size(dims) / 2.0 - 0.3;
        return differentiated(
                dims, order.stream().mapToDouble(i -> (i - half) * 0.1).toArray());
    }

    RuleHarness differentiated(int[] dims, double... values) {
        inputs.add(new Given(NdArray.reals(ElementType.DOUBLE, dims, values), true, new HashSet<>()));
        return this;
    }

    /** An input that is not differentiated; floats must be DOUBLE, and are converted for single precision. */
    RuleHarness fixed(NdArray value) {
        inputs.add(new Given(value, false, new HashSet<>()));
        return this;
    }

    /** An optional input left out. */
    RuleHarness absent() {
        inputs.add(new Given(null, false, new HashSet<>()));
        return this;
    }

    /** Makes sizes of an input along axes symbolic in a further check; axis a of all inputs has the same size. */
    RuleHarness symbolic(int input, int... axes) {
        IntStream.of(axes).forEach(inputs.get(input).symbolic::add);
        return this;
    }

    /** Skips ONNX Runtime, for operators that it has no kernel for. */
    RuleHarness withoutEngine() {
        engine = false;
        return this;
    }

    /** Skips second derivatives, for operators that are differentiable only once. */
    RuleHarness onlyOnce() {
        second = false;
        return this;
    }

    void check(String type) {
        check(type, Attributes.NONE);
    }

    void check(String type, Attributes attributes) {
        check(type, attributes, 1);
    }

    /** One operator, with all its float outputs. */
    void check(String type, Attributes attributes, int outputs) {
        check((code, given) -> code.builder()
                .op(Op.Spec.of(type, attributes, given), outputs)
                .outputs()
                .subList(0, outputs));
    }

    void check(Maker maker) {
        check(maker, false);
        if (inputs.stream().anyMatch(given -> !given.symbolic.isEmpty())) {
            check(maker, true);
        }
    }

    private void check(Maker maker, boolean open) {
        Dag dag = dag(maker, ElementType.DOUBLE, open);
        Map<String, NdArray> feeds = feeds();
        Map<String, NdArray> values = Interpreter.run(dag, feeds);
        Map<String, NdArray> point = new HashMap<>(feeds);
        dag.outputs().keySet().forEach(name -> point.put("ct:" + name, random(values.get(name))));
        List<String> wrt = wrt();
        Dag vjp = vjp(dag, wrt);
        Map<String, NdArray> gradients = Interpreter.run(vjp, point);

        difference(dag, point, wrt, gradients);
        forward(dag, point, wrt, gradients);
        Dag twice = second ? twice(vjp, point, gradients) : null;
        if (engine) {
            single(vjp(dag(maker, ElementType.FLOAT, open), wrt), point, gradients, "first order");
            if (second) {
                Dag singleTwice = secondOf(vjp(dag(maker, ElementType.FLOAT, open), wrt));
                single(singleTwice, point, Interpreter.run(twice, point), "second order");
            }
        }
    }

    private static Dag vjp(Dag dag, List<String> wrt) {
        var targets = wrt.stream()
                .map(n -> new GradientTarget(n, dag.inputs().get(n)))
                .toList();
        Dag vjp = Transforms.vjp(dag, List.copyOf(dag.outputs().keySet()), targets, UnreachablePolicy.ZERO);
        var gradients = new LinkedHashMap<>(vjp.outputs());
        gradients.keySet().removeIf(name -> !name.endsWith("_grad"));
        return vjp.withOutputs(gradients);
    }

    /** Derivative of the gradients with respect to everything they depend on. */
    private static Dag secondOf(Dag vjp) {
        var reals = vjp.inputs().entrySet().stream()
                .filter(e -> e.getKey().startsWith("ct:") || vjp.outputs().containsKey(e.getKey() + "_grad"))
                .map(Map.Entry::getKey)
                .toList();
        return vjp(vjp, reals);
    }

    private void difference(Dag dag, Map<String, NdArray> point, List<String> wrt, Map<String, NdArray> gradients) {
        Map<String, NdArray> direction = new HashMap<>();
        wrt.forEach(name -> direction.put(name, random(point.get(name))));
        double expected = slope(dag, point, direction);
        double found = 0;
        for (String name : wrt) {
            found += dot(gradients.get(name + "_grad"), direction.get(name));
        }
        agree("adjoint against a difference", found, expected, TIGHT);
    }

    /** Of the outputs weighted by {@code ct:<output>}, along a direction. */
    private static double slope(Dag dag, Map<String, NdArray> point, Map<String, NdArray> direction) {
        return (weighted(dag, moved(point, direction, STEP), point)
                        - weighted(dag, moved(point, direction, -STEP), point))
                / (2 * STEP);
    }

    private static double weighted(Dag dag, Map<String, NdArray> at, Map<String, NdArray> weights) {
        double sum = 0;
        for (Map.Entry<String, NdArray> y : Interpreter.run(dag, at).entrySet()) {
            sum += dot(y.getValue(), weights.get("ct:" + y.getKey()));
        }
        return sum;
    }

    private void forward(Dag dag, Map<String, NdArray> point, List<String> wrt, Map<String, NdArray> gradients) {
        var targets = wrt.stream()
                .map(n -> new GradientTarget(n, dag.inputs().get(n)))
                .toList();
        Dag jvp = Transforms.jvp(dag, List.copyOf(dag.outputs().keySet()), targets);
        var feeds = new HashMap<>(point);
        double expected = 0;
        for (String name : wrt) {
            feeds.put("tan:" + name, random(point.get(name)));
            expected += dot(gradients.get(name + "_grad"), feeds.get("tan:" + name));
        }
        Map<String, NdArray> tangents = Interpreter.run(jvp, feeds);
        double found = 0;
        for (String name : dag.outputs().keySet()) {
            found += dot(tangents.get("jvp:" + name), point.get("ct:" + name));
        }
        agree("Jacobian-vector product against the adjoint", found, expected, 1e-9);
    }

    /** Adds random cotangents of the gradients to the point. */
    private Dag twice(Dag vjp, Map<String, NdArray> point, Map<String, NdArray> gradients) {
        gradients.forEach((name, gradient) -> point.put("ct:" + name, random(gradient)));
        Dag twice = secondOf(vjp);
        Map<String, NdArray> direction = new HashMap<>();
        var found = Interpreter.run(twice, point);
        double slope = 0;
        for (String output : found.keySet()) {
            String name = output.substring(0, output.length() - "_grad".length());
            direction.put(name, random(point.get(name)));
            slope += dot(found.get(output), direction.get(name));
        }
        agree("second order against a difference", slope, slope(vjp, point, direction), TIGHT);
        return twice;
    }

    private static void single(Dag dag, Map<String, NdArray> point, Map<String, NdArray> expected, String what) {
        var feeds = new HashMap<String, NdArray>();
        point.forEach((name, value) -> feeds.put(name, single(value)));
        Map<String, NdArray> found;
        try {
            found = OnnxRuntime.run(Exporter.write(dag), feeds);
        } catch (OrtException failed) {
            throw new AssertionError(what + " on ONNX Runtime: " + failed.getMessage(), failed);
        }
        expected.forEach((name, value) -> {
            NdArray got = found.get(name);
            assertThat(got.dims()).as(what + " " + name).isEqualTo(value.dims());
            double scale = Math.sqrt(dot(value, value)) + 1e-2 * Math.sqrt(1 + value.size());
            double error = 0;
            for (int i = 0; i < value.size(); i++) {
                error += Math.pow(got.real(i) - value.real(i), 2);
            }
            assertThat(Math.sqrt(error) / scale)
                    .as("%s, %s on ONNX Runtime: %s instead of %s", what, name, got, value)
                    .isLessThan(SINGLE);
        });
    }

    private Dag dag(Maker maker, ElementType real, boolean open) {
        var builder = new Builder(20);
        var named = new LinkedHashMap<String, Value>();
        for (int i = 0; i < inputs.size(); i++) {
            Given given = inputs.get(i);
            if (given.value != null) {
                named.put("x" + i, builder.input("x" + i, type(given, real, open)));
            }
        }
        List<Value> arguments = new ArrayList<>();
        IntStream.range(0, inputs.size()).forEach(i -> arguments.add(named.get("x" + i)));
        var outputs = new LinkedHashMap<String, Value>();
        for (Value made : maker.make(new Ops(builder), arguments)) {
            if (made.isFloat()) {
                outputs.put("y" + outputs.size(), made);
            }
        }
        return new Dag(builder, named, outputs, Map.of(), Map.of());
    }

    private static TensorType type(Given given, ElementType real, boolean open) {
        ElementType element = given.value.element().isFloat() ? real : given.value.element();
        int[] dims = given.value.dims();
        var shape = new ArrayList<Dim>();
        for (int axis = 0; axis < dims.length; axis++) {
            shape.add(open && given.symbolic.contains(axis) ? new Dim.Symbol("n" + dims[axis]) : Dim.of(dims[axis]));
        }
        return TensorType.of(element, new Shape(shape));
    }

    private Map<String, NdArray> feeds() {
        var feeds = new HashMap<String, NdArray>();
        for (int i = 0; i < inputs.size(); i++) {
            if (inputs.get(i).value != null) {
                feeds.put("x" + i, inputs.get(i).value);
            }
        }
        return feeds;
    }

    private List<String> wrt() {
        return IntStream.range(0, inputs.size())
                .filter(i -> inputs.get(i).differentiated)
                .mapToObj(i -> "x" + i)
                .toList();
    }

    private NdArray random(NdArray like) {
        return NdArray.reals(
                ElementType.DOUBLE,
                like.dims(),
                random.doubles(like.size(), -1, 1).map(RuleHarness::bell).toArray());
    }

    private static Map<String, NdArray> moved(Map<String, NdArray> point, Map<String, NdArray> direction, double by) {
        var moved = new HashMap<>(point);
        direction.forEach((name, v) -> {
            NdArray at = point.get(name);
            double[] to = new double[at.size()];
            java.util.Arrays.setAll(to, i -> at.real(i) + by * v.real(i));
            moved.put(name, NdArray.reals(ElementType.DOUBLE, at.dims(), to));
        });
        return moved;
    }

    private static NdArray single(NdArray value) {
        return value.element() == ElementType.DOUBLE
                ? NdArray.reals(ElementType.FLOAT, value.dims(), value.reals())
                : value;
    }

    private static double dot(NdArray a, NdArray b) {
        assertThat(a.dims()).as("a gradient has the shape of its value").isEqualTo(b.dims());
        return IntStream.range(0, a.size())
                .mapToDouble(i -> a.real(i) * b.real(i))
                .sum();
    }

    private static void agree(String what, double found, double expected, double tolerance) {
        assertThat(Math.abs(found - expected))
                .as("%s: found %s, expected %s", what, found, expected)
                .isLessThan(tolerance * (1 + Math.abs(expected)));
    }

    private static int size(int... dims) {
        return IntStream.of(dims).reduce(1, Math::multiplyExact);
    }
}
