package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.folder.StoredTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds products of activations with weight matrices, in the unit's precision. Rows of a matrix are its outputs, as
 * PyTorch has them.
 */
final class MatrixProducts {
    /**
     * int8 activations: ONNX Runtime rounds them to 8 bits too, which makes products faster than their weights alone
     * would.
     */
    private static final int INT8_ACTIVATIONS = 4;

    private final GraphNodes nodes;
    private final WeightLayout weights;
    private final Precision precision;

    MatrixProducts(GraphNodes nodes, WeightLayout weights, Precision precision) {
        this.nodes = nodes;
        this.weights = weights;
        this.precision = precision;
    }

    /**
     * A matrix of weights in its final form.
     *
     * @param rows and {@code width} of all its tensors together
     * @param rounding empty if it is not rounded
     */
    record Matrix(String values, Optional<Rounding> rounding, long rows, int width) {}

    /** @param scales name of the blocks' factors */
    record Rounding(String scales, BlockQuantization blocks) {}

    /** Adds the tensors, one below the other, as one matrix. */
    Matrix matrix(String name, List<StoredTensor> tensors) {
        long rows = tensors.stream()
                .mapToLong(tensor -> tensor.entry().shape().getFirst())
                .sum();
        int width = Math.toIntExact(tensors.getFirst().entry().shape().getLast());
        return precision
                .blocks()
                .map(blocks -> rounded(name, tensors, blocks.within(width), rows, width))
                .orElseGet(() -> new Matrix(
                        weights.add(name, new WeightForm.Rows(tensors, 0), rows, width),
                        Optional.empty(),
                        rows,
                        width));
    }

    private Matrix rounded(String name, List<StoredTensor> tensors, BlockQuantization blocks, long rows, int width) {
        int inRow = blocks.inRow(width);
        String values = weights.add(
                name, new WeightForm.BlockValues(tensors, blocks), rows, inRow, blocks.rowBytes(width) / inRow);
        String scales = weights.add(name + ".scales", new WeightForm.BlockScales(tensors, blocks), rows, inRow);
        return new Matrix(values, Optional.of(new Rounding(scales, blocks)), rows, width);
    }

    /** {@code input · matrixᵀ}, of shape [n, rows]. */
    String product(String output, String input, Matrix matrix) {
        return product(output, input, matrix, List.of());
    }

    /** @param biases one below the other; none for a product without */
    String product(String output, String input, Matrix matrix, List<StoredTensor> biases) {
        Optional<String> bias = biases.isEmpty()
                ? Optional.empty()
                : Optional.of(weights.add(output + ".bias", new WeightForm.Rows(biases, 0), matrix.rows()));
        return matrix.rounding()
                .map(rounding -> roundedProduct(output, input, matrix, rounding, bias))
                .orElseGet(() -> {
                    var inputs = new ArrayList<>(List.of(input, matrix.values()));
                    bias.ifPresent(inputs::add);
                    return nodes.onnx(output, "Gemm", inputs, Map.of("transB", 1));
                });
    }

    private String roundedProduct(
            String output, String input, Matrix matrix, Rounding rounding, Optional<String> bias) {
        var inputs = new ArrayList<>(List.of(input, matrix.values(), rounding.scales()));
        bias.ifPresent(name -> inputs.addAll(List.of("", "", name)));
        return nodes.contrib(
                output,
                "MatMulNBits",
                inputs,
                Map.of(
                        "K", matrix.width(),
                        "N", Math.toIntExact(matrix.rows()),
                        "bits", rounding.blocks().bits(),
                        "block_size", rounding.blocks().size(),
                        "accuracy_level", INT8_ACTIVATIONS));
    }

    /** The matrix's rows at {@code indices}. */
    String rows(String output, String indices, Matrix matrix) {
        return matrix.rounding()
                .map(rounding -> roundedRows(output, indices, matrix, rounding))
                .orElseGet(() -> nodes.onnx(output, "Gather", List.of(matrix.values(), indices), Map.of()));
    }

    /** The operator takes a matrix of two dimensions, products one of three: the engine folds the change of shape. */
    private String roundedRows(String output, String indices, Matrix matrix, Rounding rounding) {
        BlockQuantization blocks = rounding.blocks();
        String shape = nodes.integers(output + ".shape", matrix.rows(), -1);
        String flat = nodes.onnx(output + ".flat", "Reshape", List.of(matrix.values(), shape), Map.of());
        return nodes.contrib(
                output,
                "GatherBlockQuantized",
                List.of(flat, indices, rounding.scales()),
                Map.of(
                        "bits",
                        rounding.blocks().bits(),
                        "block_size",
                        blocks.size(),
                        "quantize_axis",
                        1,
                        "gather_axis",
                        0));
    }
}
