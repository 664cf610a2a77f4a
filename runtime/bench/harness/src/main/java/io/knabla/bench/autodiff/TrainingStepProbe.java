package io.knabla.bench.autodiff;

import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.OrtException;
import io.knabla.bench.autodiff.Workload.Input;
import io.knabla.functions.compiler.autodiff.CompiledGraph;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.Differentiator;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.options.Gradient.OptimizerType;
import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.compiler.onnx.Model;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Main class of a child process that trains a 12-layer GPT for a few steps. Prints the growth of its memory over that
 * before the first step (weights, next weights, session), the time of a step, and the predicted growth:
 * {@code MEGABYTES MILLIS MEGABYTES}.
 */
public final class TrainingStepProbe {
    private static final int STEPS = 4;
    private static final double KB_PER_MB = 1024;

    private TrainingStepProbe() {}

    /** @param arguments {@code None} or {@code Recompute} */
    public static void main(String[] arguments) throws IOException, OrtException {
        var strategy = MemoryStrategy.valueOf(arguments[0]);
        Workload workload = Workload.read("gpt12");
        CompiledGraph step = step(workload, strategy);
        double predicted = step.peakBytes().orElseThrow() / KB_PER_MB / KB_PER_MB;
        // The same option as in a replica that opens a training step.
        try (var run = new GraphRunner(
                step.model(), inputs(workload), options -> options.setMemoryPatternOptimization(false))) {
            System.gc();
            // Resets VmHWM, which otherwise still shows the peak of packaging.
            Files.writeString(Path.of("/proc/self/clear_refs"), "5");
            double before = kilobytes("VmRSS:");
            double first = run.millis(1);
            double millis = Math.min(first, run.millis(STEPS));
            double grown = (kilobytes("VmHWM:") - before) / KB_PER_MB;
            System.out.println(grown + " " + millis + " " + predicted);
        }
    }

    private static CompiledGraph step(Workload workload, MemoryStrategy strategy) {
        var optimizer = new Optimizer(
                OptimizerType.SGD, 0.01, 0, false, 0.9, 0.999, 1e-8, 0, Schedule.CONSTANT, Optional.empty(), 1);
        var plan = new Gradient(
                Gradient.Loss.scalar("loss"),
                List.of("parameters"),
                Gradient.Unreachable.Zero,
                Optional.of(optimizer),
                new Memory(strategy, Optional.empty()));
        return switch (Differentiator.differentiate(
                Model.of(workload.model()), new GradientRequest(Kind.TRAINING_STEP, plan))) {
            case Differentiated(var entries, var _, var _, var _) -> entries.getFirst();
            case NotDifferentiated(var faults) -> throw new IllegalStateException("" + faults);
        };
    }

    private static Map<String, Input> inputs(Workload workload) {
        var inputs = new HashMap<>(workload.inputs());
        for (TensorProto tensor : workload.model().getGraph().getInitializerList()) {
            if (tensor.getDataType() == TensorProto.DataType.FLOAT.getNumber()) {
                byte[] raw = tensor.getRawData().toByteArray();
                ByteBuffer bytes =
                        ByteBuffer.allocateDirect(raw.length).put(raw).flip();
                inputs.put(tensor.getName(), new Input(false, tensor.getDimsList(), bytes));
            }
        }
        return inputs;
    }

    private static double kilobytes(String field) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(field))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
