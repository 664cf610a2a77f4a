package io.knabla.functions.unit;

import java.util.List;

/**
 * Names of the classes that one output of a classifier scores, in the order of its last dimension.
 *
 * @param output its name among the unit's outputs
 * @param datatype {@link DataType#INT64} or {@link DataType#BYTES}, as that of the labels
 * @param names integers as decimal text if {@code datatype} is INT64
 */
public record ClassNames(String output, DataType datatype, List<String> names) {
    public ClassNames {
        names = List.copyOf(names);
        switch (datatype) {
            case INT64 -> names.forEach(Long::parseLong);
            case BYTES -> {}
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, FP16, BF16, FP32, FP64 ->
                throw new IllegalArgumentException(
                        "classes of '%s' have names of %s, not INT64 or BYTES".formatted(output, datatype));
        }
    }

    void checkAmong(List<TensorSpec> outputs) {
        if (outputs.stream().noneMatch(one -> one.name().equals(output))) {
            throw new IllegalArgumentException("classes name '%s', which is no output".formatted(output));
        }
    }
}
