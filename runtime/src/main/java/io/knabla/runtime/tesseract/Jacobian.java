package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.tesseract.RequestBody.SelectedTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Computes full Jacobians row by row with one-hot cotangents (VJP) or column by column with one-hot tangents (JVP),
 * whichever takes fewer runs.
 */
final class Jacobian {
    /** Limit of runs per request; above it a client should use products. */
    static final long MAX_RUNS = 4096;

    /** Limit of elements per response. */
    static final long MAX_ELEMENTS = 1 << 24;

    private final JacobianProducts products;
    private final List<SelectedTensor> inputs;
    private final List<SelectedTensor> outputs;
    private final Map<String, Map<String, Tensor>> blocks = new LinkedHashMap<>();

    private Jacobian(JacobianProducts products, List<SelectedTensor> inputs, List<SelectedTensor> outputs) {
        this.products = products;
        this.inputs = inputs;
        this.outputs = outputs;
    }

    /** Computes a Jacobian by rows (reverse mode) or by columns (forward mode). */
    enum Mode {
        ROWS,
        COLUMNS
    }

    /** Computes the blocks by output and input; a block's shape is the output's shape followed by the input's. */
    static Map<String, Map<String, Tensor>> of(
            JacobianProducts products, Capabilities offer, List<SelectedTensor> inputs, List<SelectedTensor> outputs) {
        var jacobian = new Jacobian(products, inputs, outputs);
        long rows = outputs.stream().mapToLong(jacobian::rows).sum();
        long columns = inputs.stream().mapToLong(jacobian::columns).sum();
        Mode way = chooseMode(offer, rows, columns);
        jacobian.allocate(offer);
        switch (way) {
            case ROWS -> jacobian.byRows(offer.vjp().orElseThrow());
            case COLUMNS -> jacobian.byColumns(offer.jvp().orElseThrow());
        }
        return jacobian.blocks;
    }

    private long rows(SelectedTensor output) {
        return RequestRunner.elementCount(products.outputShape(output.name()));
    }

    private long columns(SelectedTensor input) {
        return RequestRunner.elementCount(products.inputShape(input.name()));
    }

    static Mode chooseMode(Capabilities offer, long rows, long columns) {
        boolean byRows = offer.vjp().isPresent() && (offer.jvp().isEmpty() || rows <= columns);
        long runs = byRows ? rows : columns;
        if (runs > MAX_RUNS) {
            throw RequestException.withStatus(
                    413,
                    "this Jacobian has %d rows and %d columns, which takes %d runs; at most %d are allowed. Ask for fewer inputs or outputs, or call vector_jacobian_product",
                    rows,
                    columns,
                    runs,
                    MAX_RUNS);
        }
        if (rows * columns > MAX_ELEMENTS) {
            throw RequestException.withStatus(
                    413,
                    "this Jacobian has %d rows and %d columns; at most %d elements are allowed. Ask for fewer inputs or outputs, or call vector_jacobian_product",
                    rows,
                    columns,
                    MAX_ELEMENTS);
        }
        return byRows ? Mode.ROWS : Mode.COLUMNS;
    }

    private void allocate(Capabilities offer) {
        for (SelectedTensor output : outputs) {
            var row = new LinkedHashMap<String, Tensor>();
            for (SelectedTensor input : inputs) {
                DataType type = RequestRunner.find(offer.inputs(), input.name())
                        .map(TensorSpec::datatype)
                        .orElseThrow();
                long[] shape = LongStream.concat(
                                LongStream.of(products.outputShape(output.name())),
                                LongStream.of(products.inputShape(input.name())))
                        .toArray();
                int bytes = (int) (rows(output) * columns(input)) * type.bytes();
                ByteBuffer data = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
                row.put(input.given(), Tensor.numbers(input.given(), type, shape, data));
            }
            blocks.put(output.given(), row);
        }
    }

    private void byRows(EntryPoint vjp) {
        Map<String, Tensor> vector = products.vector(vjp, Capabilities.COTANGENT, Map.of());
        List<String> wanted = JacobianProducts.gradients(inputs);
        for (SelectedTensor output : outputs) {
            Optional<Tensor> cotangent = Optional.ofNullable(vector.get(Capabilities.COTANGENT + output.name()));
            for (int row = 0; cotangent.isPresent() && row < rows(output); row++) {
                int at = row;
                set(cotangent.get(), row, 1);
                products.run(vjp, vector, wanted, answer -> row(output, at, answer));
                set(cotangent.get(), row, 0);
            }
        }
    }

    private Void row(SelectedTensor output, int row, RunResult answer) {
        for (SelectedTensor input : inputs) {
            Tensor gradient = JacobianProducts.find(answer, input.name() + Capabilities.GRADIENT);
            ByteBuffer into = blocks.get(output.given()).get(input.given()).data();
            ByteBuffer from = gradient.data().duplicate();
            into.put(row * from.remaining(), from, from.position(), from.remaining());
        }
        return null;
    }

    private void byColumns(EntryPoint jvp) {
        Map<String, Tensor> vector = products.vector(jvp, Capabilities.TANGENT, Map.of());
        List<String> wanted = JacobianProducts.derivatives(outputs);
        for (SelectedTensor input : inputs) {
            Optional<Tensor> tangent = Optional.ofNullable(vector.get(Capabilities.TANGENT + input.name()));
            for (int column = 0; tangent.isPresent() && column < columns(input); column++) {
                int at = column;
                set(tangent.get(), column, 1);
                products.run(jvp, vector, wanted, answer -> column(input, at, answer));
                set(tangent.get(), column, 0);
            }
        }
    }

    private Void column(SelectedTensor input, int column, RunResult answer) {
        int columns = (int) columns(input);
        for (SelectedTensor output : outputs) {
            Tensor derivative = JacobianProducts.find(answer, Capabilities.DERIVATIVE + output.name());
            Tensor block = blocks.get(output.given()).get(input.given());
            for (int row = 0; row < rows(output); row++) {
                double value = Elements.real(derivative.type(), derivative.data(), row);
                Elements.put(block.type(), block.data(), row * columns + column, value, 0);
            }
        }
        return null;
    }

    private static void set(Tensor vector, int index, double value) {
        Elements.put(vector.type(), vector.data(), index, value, 0);
    }
}
