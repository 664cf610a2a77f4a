package io.knabla.functions.compiler.autodiff.replay;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.GradientOperator;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Differentiates a fixture's model, runs the result in ONNX Runtime and compares. */
final class Replay {
    private Replay() {}

    /** Transforms the graph of a fixture. */
    private interface Transform {
        Dag apply(Dag dag, List<GradientTarget> wrt);
    }

    /** Vector-Jacobian product with respect to all inputs and parameters that have an expected gradient. */
    static Outcome vjp(Fixture fixture, double tolerance) {
        Set<String> by = fixture.expected("gradients").keySet();
        return run(
                fixture,
                by,
                (dag, wrt) -> Transforms.vjp(dag, outputs(fixture), wrt, UnreachablePolicy.ZERO),
                found -> RelativeError.of(found, "", "_grad", fixture.expected("gradients"), tolerance));
    }

    /** The original model, lowered to operators of the engine. */
    static Outcome forward(Fixture fixture, double tolerance) {
        return run(
                fixture,
                Set.of(),
                (dag, _) -> GradientOperator.expand(dag),
                found -> RelativeError.of(found, "", "", fixture.outputs(), tolerance));
    }

    static Outcome jvp(Fixture fixture, double tolerance) {
        return run(
                fixture,
                fixture.expected("tangents").keySet(),
                (dag, wrt) -> Transforms.jvp(dag, outputs(fixture), wrt),
                found -> RelativeError.of(found, "jvp:", "", fixture.expected("jvp"), tolerance));
    }

    /** Second order: the derivative of the vector-Jacobian product along the tangents. */
    static Outcome hvp(Fixture fixture, double tolerance) {
        return run(
                fixture,
                fixture.expected("tangents").keySet(),
                (dag, wrt) -> hvp(fixture, dag, wrt),
                found -> RelativeError.of(found, "jvp:", "_grad", fixture.expected("hvp"), tolerance));
    }

    private static Dag hvp(Fixture fixture, Dag dag, List<GradientTarget> wrt) {
        Dag vjp = Transforms.vjp(dag, outputs(fixture), wrt, UnreachablePolicy.ZERO);
        return Transforms.jvp(vjp, wrt.stream().map(t -> t.name() + "_grad").toList(), wrt);
    }

    private static List<String> outputs(Fixture fixture) {
        return List.copyOf(fixture.cotangents().keySet());
    }

    private static Outcome run(
            Fixture fixture,
            Set<String> by,
            Transform transform,
            java.util.function.Function<Map<String, NdArray>, Outcome> compare) {
        return guarded(() -> {
            Dag dag = read(fixture.model());
            ModelProto model = Exporter.write(transform.apply(dag, targets(dag, by)));
            return compare.apply(OnnxRuntime.run(model, fixture.feeds()));
        });
    }

    /** Work on a case that may throw. */
    interface Work {
        Outcome run() throws OrtException;
    }

    static Outcome guarded(Work work) {
        try {
            return work.run();
        } catch (NotDifferentiableException refused) {
            return new Outcome.Refused(words(refused.problems()));
        } catch (OrtException engine) {
            return new Outcome.Fails("ONNX Runtime: " + line(engine));
        } catch (RuntimeException bug) {
            return new Outcome.Fails(bug.getClass().getSimpleName() + " " + line(bug) + at(bug));
        }
    }

    static Dag read(ModelProto model) {
        return switch (Importer.read(Model.of(model))) {
            case ImportResult.Success(var dag) -> dag;
            case ImportResult.Refused(var problems) -> throw new NotDifferentiableException(problems);
        };
    }

    static List<GradientTarget> targets(Dag dag, Set<String> names) {
        var targets = new ArrayList<GradientTarget>();
        for (String name : names) {
            Value value = dag.inputs().getOrDefault(name, dag.initializers().get(name));
            targets.add(new GradientTarget(name, value));
        }
        return targets;
    }

    private static List<String> words(List<Fault> problems) {
        return problems.stream()
                .map(Fault::toString)
                .map(Replay::line)
                .distinct()
                .toList();
    }

    private static String line(Throwable thrown) {
        return line(String.valueOf(thrown.getMessage()));
    }

    private static String line(String text) {
        String one = text.replaceAll("\\s+", " ");
        return one.substring(0, Math.min(one.length(), 240));
    }

    private static String at(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }
}
