package io.knabla.functions.compiler.autodiff.replay;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Checks a gradient without expected values by the dot-product test: for random u and v, u·(f(x+εv) − f(x−εv))/2ε must
 * equal v·vjp(u). Where the function has a kink at x, the vjp must lie between the two one-sided differences. From a
 * jump or the edge of its domain, x is moved away a little.
 */
final class DotProductCheck {
    private static final int MOVES = 8;
    private static final double MOVE = 0.05;

    /** Below this a product counts as rounding of single precision. */
    private static final double SMALL = 5e-2;

    private final Fixture fixture;
    private final ModelProto model;
    private final Random random;
    private final Precision precision;
    private final Map<String, NdArray> point;
    private final Map<String, NdArray> cotangents = new LinkedHashMap<>();
    private final Map<String, NdArray> direction = new LinkedHashMap<>();

    /** @param tolerance of the two numbers, relative to the sum of the magnitudes of the product's terms */
    private record Precision(boolean exact, double step, double tolerance) {
        static final Precision DOUBLE = new Precision(true, 1e-5, 1e-4);

        /** For operators that the evaluator does not support: the engine's single precision. */
        static final Precision SINGLE = new Precision(false, 1e-2, 2e-2);
    }

    private DotProductCheck(Fixture fixture) throws OrtException {
        this.fixture = fixture;
        this.model = fixture.model();
        this.random = new Random(fixture.name().hashCode());
        this.point = new HashMap<>(fixture.inputs());
        boolean known = inDouble(point).isPresent();
        this.precision = known ? Precision.DOUBLE : Precision.SINGLE;
        fixture.activeInputs().forEach(name -> direction.put(name, random(point.get(name))));
        run(point).forEach((name, y) -> {
            if (y.element().isFloat()) {
                cotangents.put(name, positive(random(y), y));
            }
        });
    }

    static Outcome of(Fixture fixture) {
        return Replay.guarded(() -> new DotProductCheck(fixture).outcome());
    }

    private Outcome outcome() throws OrtException {
        for (int i = 0; i < MOVES && !steady(); i++) {
            fixture.activeInputs().forEach(name -> point.computeIfPresent(name, (_, x) -> moved(x, random(x), MOVE)));
        }
        Dag dag = Replay.read(model);
        var outputs = List.copyOf(cotangents.keySet());
        var targets = Replay.targets(dag, direction.keySet());
        Dag vjp = Transforms.vjp(dag, outputs, targets, UnreachablePolicy.ZERO);
        var feeds = new HashMap<>(point);
        cotangents.forEach((name, ct) -> feeds.put("ct:" + name, ct));
        Map<String, NdArray> gradients = OnnxRuntime.run(Exporter.write(vjp), feeds);
        double product = 0;
        double scale = SMALL;
        for (Map.Entry<String, NdArray> along : direction.entrySet()) {
            double[] gradient = gradients.get(along.getKey() + "_grad").reals();
            for (int i = 0; i < gradient.length; i++) {
                product += gradient[i] * along.getValue().real(i);
                scale += Math.abs(gradient[i] * along.getValue().real(i));
            }
        }
        return compare(product, scale);
    }

    /** Neither a jump nor the edge of the domain. */
    private boolean steady() throws OrtException {
        double middle = functional(0);
        double jump = Math.abs(functional(precision.step) - middle);
        double back = Math.abs(functional(-precision.step) - middle);
        double most = Math.sqrt(precision.step) * (1 + Math.abs(middle));
        return jump < most && back < most;
    }

    private Outcome compare(double product, double scale) throws OrtException {
        double middle = functional(0);
        double right = (functional(precision.step) - middle) / precision.step;
        double left = (middle - functional(-precision.step)) / precision.step;
        double central = (left + right) / 2;
        double unit = Math.max(scale, Math.abs(central));
        boolean kink = Math.abs(right - left) / unit > 100 * precision.step;
        double outside = Math.max(0, Math.max(Math.min(left, right) - product, product - Math.max(left, right)));
        double error = (kink ? outside : Math.abs(product - central)) / unit;
        return error <= precision.tolerance
                ? new Outcome.Agrees(error)
                : new Outcome.Differs(
                        "vjp %.6g, difference %.6g%s".formatted(product, central, kink ? " at a kink" : ""), error);
    }

    /** u·f(x + step·v). */
    private double functional(double step) throws OrtException {
        var feeds = new HashMap<>(point);
        direction.forEach((name, v) ->
                feeds.computeIfPresent(name, (_, x) -> moved(precision.exact ? lifted(x) : x, v, step)));
        Map<String, NdArray> results = run(feeds);
        double sum = 0;
        for (Map.Entry<String, NdArray> one : cotangents.entrySet()) {
            double[] y = results.get(one.getKey()).reals();
            // If the size of a result depends on values, there is no derivative to compare.
            for (int i = 0; i < Math.min(y.length, one.getValue().size()); i++) {
                double u = one.getValue().real(i);
                sum += u == 0 ? 0 : u * y[i];
            }
        }
        return sum;
    }

    private Map<String, NdArray> run(Map<String, NdArray> feeds) throws OrtException {
        Optional<Map<String, NdArray>> results = precision.exact ? inDouble(feeds) : Optional.empty();
        return results.isPresent() ? results.get() : OnnxRuntime.run(model, feeds);
    }

    /** Empty if the evaluator does not support an operator or a use of it. */
    private Optional<Map<String, NdArray>> inDouble(Map<String, NdArray> feeds) {
        try {
            return Optional.of(DagEvaluator.runInDouble(Replay.read(model), feeds));
        } catch (EvaluationException unknown) {
            return Optional.empty();
        }
    }

    private static NdArray lifted(NdArray x) {
        return NdArray.reals(ElementType.DOUBLE, x.dims(), x.reals());
    }

    private static NdArray moved(NdArray x, NdArray along, double step) {
        double[] values = x.reals().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] += step * along.real(i);
        }
        return NdArray.reals(x.element(), x.dims(), values);
    }

    private NdArray random(NdArray like) {
        double[] values = random.doubles(like.size(), -1, 1).toArray();
        return NdArray.reals(ElementType.FLOAT, like.dims(), values);
    }

    /**
     * No negative ones, so that at a kink of a maximum every subgradient lies between the one-sided differences; 0
     * where the output is infinite or no number.
     */
    private static NdArray positive(NdArray cotangent, NdArray output) {
        double[] values = cotangent.reals().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.isFinite(output.real(i)) ? Math.abs(values[i]) : 0;
        }
        return NdArray.reals(ElementType.FLOAT, cotangent.dims(), values);
    }
}
