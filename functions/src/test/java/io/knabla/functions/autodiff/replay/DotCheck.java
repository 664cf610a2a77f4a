package io.knabla.functions.autodiff.replay;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.autodiff.Transforms;
import io.knabla.functions.autodiff.Unreachable;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.eval.NdArray;
import io.knabla.functions.graph.eval.OnnxRuntime;
import io.knabla.functions.graph.ssa.Dag;
import io.knabla.functions.graph.ssa.Exporter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * No expected gradient is needed: for random u and v, u·(f(x+εv) − f(x−εv))/2ε must equal v·vjp(u).
 * Where the function has a kink at x, the vjp must lie between the two one-sided differences.
 */
final class DotCheck {
    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 1e-4;

    /** In single precision, where the evaluator does not know an operator. */
    private static final double COARSE_STEP = 1e-2;

    private static final double COARSE_TOLERANCE = 2e-2;

    private final Fixture fixture;
    private final ModelProto model;
    private final Map<String, NdArray> cotangents = new LinkedHashMap<>();
    private final Map<String, NdArray> direction = new LinkedHashMap<>();

    private DotCheck(Fixture fixture) {
        this.fixture = fixture;
        this.model = fixture.model();
        var random = new Random(fixture.name().hashCode());
        fixture.outputs()
                .forEach(
                        (name, value) -> {
                            if (value.element() == ElementType.FLOAT) {
                                cotangents.put(name, gaussian(value, random));
                            }
                        });
        Map<String, NdArray> inputs = fixture.inputs();
        fixture.activeInputs()
                .forEach(name -> direction.put(name, gaussian(inputs.get(name), random)));
    }

    static Outcome of(Fixture fixture) {
        return Replay.guarded(() -> new DotCheck(fixture).outcome());
    }

    private Outcome outcome() throws OrtException {
        Dag dag = Replay.read(model);
        Dag vjp =
                Transforms.vjp(
                        dag,
                        java.util.List.copyOf(cotangents.keySet()),
                        Replay.targets(dag, direction.keySet()),
                        Unreachable.ZERO);
        var feeds = new HashMap<>(fixture.inputs());
        cotangents.forEach((name, ct) -> feeds.put("ct:" + name, ct));
        Map<String, NdArray> found = OnnxRuntime.run(Exporter.write(vjp), feeds);
        double product = 0;
        double scale = 0;
        for (String name : direction.keySet()) {
            double[] gradient = found.get(name + "_grad").reals();
            double[] v = direction.get(name).reals();
            for (int i = 0; i < gradient.length; i++) {
                product += gradient[i] * v[i];
                scale += Math.abs(gradient[i] * v[i]);
            }
        }
        return Doubles.run(Replay.read(model), fixture.inputs()).isPresent()
                ? compare(product, scale, true)
                : compare(product, scale, false);
    }

    private Outcome compare(double product, double scale, boolean exact) throws OrtException {
        double step = exact ? STEP : COARSE_STEP;
        double middle = functional(0, exact);
        double right = (functional(step, exact) - middle) / step;
        double left = (middle - functional(-step, exact)) / step;
        double low = Math.min(left, right);
        double high = Math.max(left, right);
        double unit = Math.max(scale, Math.max(Math.abs(left + right) / 2, 1e-3));
        double central = Math.abs(product - (left + right) / 2) / unit;
        // Between the two, or as near as second-order terms allow.
        double outside = Math.max(0, Math.max(low - product, product - high)) / unit;
        double tolerance = exact ? TOLERANCE : COARSE_TOLERANCE;
        boolean kink = (high - low) / unit > 100 * step;
        double error = kink ? outside : central;
        return error <= tolerance
                ? new Outcome.Agrees(error)
                : new Outcome.Differs(
                        "vjp %.6g, difference %.6g%s"
                                .formatted(product, (left + right) / 2, kink ? " at a kink" : ""),
                        Double.isNaN(error) ? Double.POSITIVE_INFINITY : error);
    }

    /** u·f(x + step·v). */
    private double functional(double step, boolean exact) throws OrtException {
        var feeds = new HashMap<>(fixture.inputs());
        direction.forEach((name, v) -> feeds.put(name, moved(feeds.get(name), v, step, exact)));
        Map<String, NdArray> results = run(feeds, exact);
        double sum = 0;
        for (Map.Entry<String, NdArray> one : cotangents.entrySet()) {
            double[] y = results.get(one.getKey()).reals();
            double[] u = one.getValue().reals();
            for (int i = 0; i < u.length; i++) {
                sum += u[i] * y[i];
            }
        }
        return sum;
    }

    private Map<String, NdArray> run(Map<String, NdArray> feeds, boolean exact)
            throws OrtException {
        Optional<Map<String, NdArray>> results =
                exact ? Doubles.run(Replay.read(model), feeds) : Optional.empty();
        return results.isPresent() ? results.get() : OnnxRuntime.run(model, feeds);
    }

    private static NdArray moved(NdArray x, NdArray v, double step, boolean exact) {
        double[] values = x.reals().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] += step * v.real(i);
        }
        return NdArray.reals(exact ? ElementType.DOUBLE : ElementType.FLOAT, x.dims(), values);
    }

    private static NdArray gaussian(NdArray like, Random random) {
        double[] values = random.doubles(like.size(), -1, 1).toArray();
        return NdArray.reals(ElementType.FLOAT, like.dims(), values);
    }
}
