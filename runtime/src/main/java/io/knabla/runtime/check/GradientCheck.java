package io.knabla.runtime.check;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Checks a unit's gradients against finite differences of its loss. The slope along a random direction equals the
 * gradient's dot product with that direction, and approximately {@code (loss(eps) - loss(-eps)) / 2 eps}. One dot
 * product checks all elements of all gradients at once.
 */
public final class GradientCheck {
    private static final long SEED = 20_26;
    private static final int DIRECTIONS = 3;
    private static final String DIRECTION = "dir:";
    private static final String GRADIENT = "_grad";

    /** Sizes tried for free dimensions; convolution and pooling kernels need more than one or two. */
    private static final List<Long> SIZES = List.of(2L, 8L, 32L);

    /**
     * Step sizes relative to the one that {@link #targetChange} gives. Most model families that PyTorch exports agree
     * best at the second; networks with many kinks or high curvature at the last.
     */
    private static final double[] STEPS = {4, 1, 0.25, 0.0625};

    private final Engine engine;
    private final GraphManifest manifest;
    private final EntryPoint perturbed;
    private final DataType type;

    private GradientCheck(Engine engine, GraphManifest manifest, EntryPoint perturbed) {
        this.engine = engine;
        this.manifest = manifest;
        this.perturbed = perturbed;
        this.type = perturbed.outputs().getFirst().datatype();
    }

    /** Checks a unit with gradients; empty for a unit without. */
    public static Optional<GradientCheckResult> check(Engine engine, GraphManifest manifest) {
        return manifest.training().isPresent()
                ? Optional.empty()
                : manifest.entry("perturbed").map(entry -> new GradientCheck(engine, manifest, entry).run());
    }

    private GradientCheckResult run() {
        String why = "";
        for (long size : SIZES) {
            try {
                return checkAtSize(size);
            } catch (EngineException failed) {
                why = switch (failed.code()) {
                    case FAILED, BAD_INDEX ->
                        String.valueOf(failed.getCause().getMessage()).strip();
                    case BUSY, TIMED_OUT, UNLOADABLE, NOT_FINITE, NOT_KEPT, OUT_OF_DEVICE_MEMORY, DEVICE_LOST ->
                        throw failed;
                };
            }
            if (manifest.inputs().stream().noneMatch(GradientCheck::free)) {
                break;
            }
        }
        return new GradientCheckResult.NotTried("the model does not run on random inputs: " + why);
    }

    private static boolean free(TensorSpec spec) {
        return spec.shape().stream().anyMatch(dimension -> dimension < 0);
    }

    private GradientCheckResult checkAtSize(long size) {
        var random = new SplittableRandom(SEED);
        List<Tensor> inputs = TrialInputs.random(manifest.inputs(), size, random);
        try {
            Map<String, Tensor> gradients = gradients(inputs);
            List<DirectionalDerivative> directions = new ArrayList<>();
            for (int i = 0; i < DIRECTIONS; i++) {
                directions.add(slopes(inputs, gradients, random));
            }
            boolean finite = directions.stream().allMatch(one -> Double.isFinite(one.gradient() + one.error()));
            return finite
                    ? GradientCheckResult.of(directions, limit())
                    : new GradientCheckResult.NotTried("on random inputs the loss is not finite, or not deterministic");
        } finally {
            inputs.forEach(Tensor::close);
        }
    }

    /** Largest relative error allowed: above rounding, far below the error of a wrong derivative. */
    private double limit() {
        return switch (type) {
            case FP64, FP32 -> 0.02;
            default -> 0.25;
        };
    }

    /**
     * Relative change of the loss to aim at: well above its rounding error, small enough for curvature not to matter.
     */
    private double targetChange() {
        return switch (type) {
            case FP64 -> 1e-5;
            case FP32 -> 3e-3;
            default -> 0.1;
        };
    }

    /** Relative rounding error of a loss that sums thousands of numbers. */
    private double rounding() {
        return switch (type) {
            case FP64 -> 0x1p-47;
            case FP32 -> 0x1p-19;
            default -> 0x1p-7;
        };
    }

    private Map<String, Tensor> gradients(List<Tensor> inputs) {
        boolean[] wanted = new boolean[manifest.outputs().size()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = manifest.outputs().get(i).name().endsWith(GRADIENT);
        }
        return engine.run(Optional.empty(), inputs, wanted, System.nanoTime(), answer -> {
            var copies = new HashMap<String, Tensor>();
            answer.outputs().forEach(one -> copies.put(one.name(), TensorCopy.of(one)));
            return copies;
        });
    }

    private DirectionalDerivative slopes(List<Tensor> inputs, Map<String, Tensor> gradients, SplittableRandom random) {
        List<Tensor> all = new ArrayList<>(inputs);
        double product = 0;
        double squares = 0;
        for (TensorSpec spec : perturbed.inputs()) {
            if (spec.name().startsWith(DIRECTION)) {
                Tensor gradient = gradients.get(spec.name().substring(DIRECTION.length()) + GRADIENT);
                if (gradient == null) {
                    throw new IllegalStateException(
                            "the unit has '%s' but no gradient of that name; deploy the function again"
                                    .formatted(spec.name()));
                }
                Tensor direction = TrialInputs.normal(spec.name(), gradient, random);
                all.add(direction);
                for (int i = 0; i < gradient.elements(); i++) {
                    double g = Elements.real(gradient.type(), gradient.data(), i);
                    product += g * Elements.real(direction.type(), direction.data(), i);
                    squares += g * g;
                }
            }
        }
        double typical = Math.sqrt(squares);
        try {
            return new DirectionalDerivative(product, typical, differences(all, typical));
        } finally {
            all.subList(inputs.size(), all.size()).forEach(Tensor::close);
        }
    }

    private List<DirectionalDerivative.Difference> differences(List<Tensor> inputs, double typical) {
        double here = loss(inputs, 0);
        if (Math.abs(loss(inputs, 0) - here) > rounding() * Math.abs(here)) {
            // A random loss, such as with dropout, has no meaningful differences.
            here = Double.NaN;
        }
        double least = Math.max(Math.abs(here), 1e-6);
        double first = typical == 0 ? 1e-3 : Math.min(0.1, targetChange() * least / typical);
        List<DirectionalDerivative.Difference> differences = new ArrayList<>();
        for (double step : STEPS) {
            double eps = first * step;
            differences.add(new DirectionalDerivative.Difference(
                    eps,
                    (here - loss(inputs, -eps)) / eps,
                    (loss(inputs, eps) - here) / eps,
                    rounding() * Math.abs(here) / eps));
        }
        return differences;
    }

    private double loss(List<Tensor> inputs, double eps) {
        TensorSpec spec = perturbed.inputs().stream()
                .filter(one -> one.name().equals("eps"))
                .findFirst()
                .orElseThrow();
        Tensor step = TrialInputs.scalar(spec, eps);
        try {
            List<Tensor> all = new ArrayList<>(inputs);
            all.add(step);
            List<Tensor> fed = perturbed.inputs().stream()
                    .map(one -> all.stream()
                            .filter(t -> t.name().equals(one.name()))
                            .findFirst()
                            .orElseThrow())
                    .toList();
            return engine.run(Optional.of(perturbed), fed, onlyFirstOutput(), System.nanoTime(), GradientCheck::number);
        } finally {
            step.close();
        }
    }

    private boolean[] onlyFirstOutput() {
        boolean[] wanted = new boolean[perturbed.outputs().size()];
        wanted[0] = true;
        return wanted;
    }

    private static double number(RunResult answer) {
        Tensor loss = answer.outputs().getFirst();
        return Elements.real(loss.type(), loss.data(), 0);
    }
}
