package io.knabla.functions.compiler.optimize;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.UnsafeByteOperations;
import io.knabla.functions.compiler.autodiff.CompiledGraph;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.Differentiator;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.onnx.Model;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Measures how long it takes to derive all graphs of a Gradient unit in a fresh JVM. Run by hand with a model and a
 * number of repetitions; missing weights are filled in.
 */
final class PackagingTime {
    private static final int NANOS = 1_000_000;

    private PackagingTime() {}

    public static void main(String[] arguments) throws IOException {
        Model model = Model.of(filled(ModelProto.parseFrom(read(arguments[0]))));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int times = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            long cpu = threads.getCurrentThreadCpuTime();
            String made = switch (Differentiator.differentiate(model, plan())) {
                case Differentiated(var entries, var _, var _, var _) -> summary(entries);
                case NotDifferentiated(var faults) -> faults.toString();
            };
            System.out.printf(
                    "%,d ms, %,d ms of them on a processor: %s%n",
                    (System.nanoTime() - start) / NANOS, (threads.getCurrentThreadCpuTime() - cpu) / NANOS, made);
        }
    }

    private static byte[] read(String file) throws IOException {
        return Files.readAllBytes(Path.of(file));
    }

    private static GradientRequest plan() {
        var gradient = new Gradient(
                Gradient.Loss.scalar("loss"),
                List.of("parameters"),
                Gradient.Unreachable.Zero,
                Optional.empty(),
                new Memory(MemoryStrategy.None, Optional.empty()));
        return new GradientRequest(Kind.GRADIENT, gradient);
    }

    private static String summary(List<CompiledGraph> entries) {
        return String.join(
                ", ",
                entries.stream()
                        .map(e -> e.name() + " " + e.model().getGraph().getNodeCount() + " nodes")
                        .toList());
    }

    private static ModelProto filled(ModelProto model) {
        ModelProto.Builder whole = model.toBuilder();
        for (TensorProto.Builder tensor : whole.getGraphBuilder().getInitializerBuilderList()) {
            if (!tensor.getDocString().isEmpty()) {
                tensor.setRawData(UnsafeByteOperations.unsafeWrap(numbers(tensor)));
            }
        }
        return whole.build();
    }

    private static ByteBuffer numbers(TensorProto.Builder tensor) {
        var random = new Random(tensor.getName().hashCode());
        long count = tensor.getDimsList().stream().reduce(1L, Math::multiplyExact);
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(count * Float.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < count; i++) {
            bytes.putFloat(random.nextFloat(-0.1f, 0.1f));
        }
        return bytes.flip();
    }
}
