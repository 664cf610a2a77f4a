package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Runs the function's graphs for one request; closing it frees the request's tensors. */
final class RequestRunner implements AutoCloseable {
    private static final int MAX_ELEMENTS = 1 << 28;

    private final Engine engine;
    private final Capabilities offer;
    private final Map<String, Tensor> inputs;
    private final long arrived;
    private final List<Tensor> made = new ArrayList<>();
    private long elements;

    /** @param inputs all inputs of the plain model, by name */
    RequestRunner(Engine engine, Capabilities offer, Map<String, Tensor> inputs, long arrived) {
        this.engine = engine;
        this.offer = offer;
        this.inputs = inputs;
        this.arrived = arrived;
        count(inputs.values());
    }

    Map<String, Tensor> inputs() {
        return inputs;
    }

    /** Runs the plain model and computes all outputs. */
    <T> T apply(Function<RunResult, T> use) {
        boolean[] all = new boolean[offer.outputs().size()];
        Arrays.fill(all, true);
        List<Tensor> fed =
                offer.inputs().stream().map(spec -> inputs.get(spec.name())).toList();
        return engine.run(offer.apply(), fed, all, arrived, use);
    }

    /** Runs an entry and computes the named outputs; {@code more} are inputs beside the model's own. */
    <T> T run(EntryPoint entry, Map<String, Tensor> more, Collection<String> outputs, Function<RunResult, T> use) {
        boolean[] wanted = new boolean[entry.outputs().size()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = outputs.contains(entry.outputs().get(i).name());
        }
        return engine.run(Optional.of(entry), of(entry, more), wanted, arrived, use);
    }

    /** Runs the main graph of a gradient function and computes the named outputs. */
    <T> T run(LossGraph loss, Collection<String> outputs, Function<RunResult, T> use) {
        boolean[] wanted = new boolean[loss.outputs().size()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = outputs.contains(loss.outputs().get(i).name());
        }
        List<Tensor> fed =
                loss.inputs().stream().map(spec -> inputs.get(spec.name())).toList();
        return engine.run(Optional.empty(), fed, wanted, arrived, use);
    }

    private List<Tensor> of(EntryPoint entry, Map<String, Tensor> more) {
        return entry.inputs().stream()
                .map(spec -> more.getOrDefault(spec.name(), inputs.get(spec.name())))
                .toList();
    }

    /** Shapes of the model's outputs for these inputs; runs the model if the signature does not determine them. */
    Map<String, long[]> outputShapes() {
        var sizes = new DimensionBindings();
        offer.inputs().forEach(spec -> sizes.bind(spec, inputs.get(spec.name()).shape()));
        var shapes = new HashMap<String, long[]>();
        for (TensorSpec output : offer.outputs()) {
            sizes.shape(output).ifPresent(shape -> shapes.put(output.name(), shape));
        }
        if (shapes.size() < offer.outputs().size()) {
            apply(answer -> {
                answer.outputs().forEach(one -> shapes.put(one.name(), one.shape()));
                return null;
            });
        }
        return shapes;
    }

    /** Allocates zeros of the given shape for an input of an entry. */
    Tensor zeros(TensorSpec spec, long[] shape) {
        long count = elementCount(shape);
        if (count > MAX_ELEMENTS) {
            throw RequestException.withStatus(
                    413,
                    "'%s' of shape %s is too large; at most %d elements",
                    spec.name(),
                    ArrayReader.text(shape),
                    MAX_ELEMENTS);
        }
        ByteBuffer data =
                ByteBuffer.allocateDirect((int) count * spec.datatype().bytes()).order(ByteOrder.LITTLE_ENDIAN);
        return freeOnClose(Tensor.numbers(spec.name(), spec.datatype(), shape, data));
    }

    /** Registers a tensor of the request: counts it, and frees it on close. */
    Tensor given(Tensor tensor) {
        count(List.of(tensor));
        return freeOnClose(tensor);
    }

    void count(Collection<Tensor> tensors) {
        elements += Tensor.elements(tensors);
    }

    /** Tensor elements that came with the request or were {@linkplain #count counted} for its response. */
    long elements() {
        return elements;
    }

    /** Registers a tensor to be freed on close. */
    Tensor freeOnClose(Tensor tensor) {
        made.add(tensor);
        return tensor;
    }

    static long elementCount(long[] shape) {
        long count = 1;
        for (long size : shape) {
            count = size == 0 ? 0 : Math.min(count * size, Long.MAX_VALUE >> 32);
        }
        return count;
    }

    /** Copies a tensor specification with a fixed shape. */
    static TensorSpec withShape(TensorSpec spec, long[] shape) {
        return new TensorSpec(
                spec.name(),
                spec.datatype(),
                Arrays.stream(shape).boxed().toList(),
                Collections.nCopies(shape.length, ""));
    }

    static TensorSpec renamed(TensorSpec spec, String name) {
        return new TensorSpec(name, spec.datatype(), spec.shape(), spec.symbols());
    }

    static Optional<TensorSpec> find(List<TensorSpec> specs, String name) {
        return specs.stream().filter(spec -> spec.name().equals(name)).findFirst();
    }

    @Override
    public void close() {
        inputs.values().forEach(Tensor::close);
        made.forEach(Tensor::close);
    }
}
