package io.knabla.functions.compiler.autodiff;

import ai.onnx.proto.OnnxMl.ModelProto;
import java.util.OptionalLong;

/**
 * A graph of a unit.
 *
 * @param peakBytes that values between its nodes will take at once, where that was foretold
 */
public record Entry(String name, ModelProto model, OptionalLong peakBytes) {
    public Entry(String name, ModelProto model) {
        this(name, model, OptionalLong.empty());
    }
}
