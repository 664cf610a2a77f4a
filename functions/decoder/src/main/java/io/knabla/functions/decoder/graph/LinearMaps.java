package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;

/** Adds products with the matrices that a folder has, and the biases beside them. */
record LinearMaps(WeightIndex stored, MatrixProducts products) {
    /**
     * Returns {@code name}, which begins the names of the tensors.
     *
     * @param rows elements of a row of the output
     * @param width elements of a row of the input
     */
    String add(String name, String input, int rows, int width, boolean biased) {
        StoredTensor weight = stored.get(name + ".weight", rows, width);
        List<StoredTensor> bias = biased ? List.of(stored.get(name + ".bias", rows)) : List.of();
        return products.product(name, input, products.matrix(name + ".matrix", List.of(weight)), bias);
    }
}
