package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.folder.StoredTensor;
import java.util.List;

/** Content of one initializer, as it is computed from stored tensors while the weights are written. */
sealed interface WeightForm {

    /**
     * Rows of the tensors, one below the other, as 32-bit numbers.
     *
     * @param added to each element
     */
    record Rows(List<StoredTensor> tensors, float added) implements WeightForm {}

    /** Whole numbers of {@code blocks.bits()} bits, in blocks along each row. */
    record BlockValues(List<StoredTensor> tensors, BlockQuantization blocks) implements WeightForm {}

    /** One 32-bit factor for each block. */
    record BlockScales(List<StoredTensor> tensors, BlockQuantization blocks) implements WeightForm {}

    /** Computed numbers. */
    record Numbers(float[] values) implements WeightForm {}
}
