package io.knabla.runtime.protocol;

import io.knabla.functions.unit.InputDefault;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec.Setting;
import io.knabla.runtime.engine.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** Default values of optional inputs, such as the learning rate of a training step. */
record InputDefaults(List<Setting> settings, List<InputDefault> defaults) {

    /** The default value of this input; null if the input is required. */
    Tensor value(TensorSpec spec) {
        for (Setting setting : settings) {
            if (setting.input().equals(spec.name())) {
                return scalar(spec, setting.otherwise());
            }
        }
        for (InputDefault given : defaults) {
            if (given.input().equals(spec.name())) {
                return tensor(spec, given);
            }
        }
        return null;
    }

    private static Tensor tensor(TensorSpec spec, InputDefault given) {
        byte[] value = given.value();
        ByteBuffer data = ByteBuffer.allocateDirect(value.length).order(ByteOrder.LITTLE_ENDIAN);
        data.put(value).flip();
        long[] shape = given.shape().stream().mapToLong(Long::longValue).toArray();
        return Tensor.numbers(spec.name(), spec.datatype(), shape, data);
    }

    private static Tensor scalar(TensorSpec spec, double value) {
        long[] shape = new long[spec.shape().size()];
        Arrays.fill(shape, 1);
        ByteBuffer data = ByteBuffer.allocateDirect(spec.datatype().bytes()).order(ByteOrder.LITTLE_ENDIAN);
        switch (spec.datatype()) {
            case FP32 -> data.putFloat(0, (float) value);
            case FP64 -> data.putDouble(0, value);
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, FP16, BF16, BYTES ->
                throw new IllegalStateException(
                        "setting '%s' is %s, only FP32 and FP64 have defaults".formatted(spec.name(), spec.datatype()));
        }
        return Tensor.numbers(spec.name(), spec.datatype(), shape, data);
    }
}
