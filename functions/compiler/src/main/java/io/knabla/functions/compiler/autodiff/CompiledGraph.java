package io.knabla.functions.compiler.autodiff;

import ai.onnx.proto.OnnxMl.ModelProto;
import java.util.OptionalLong;

/**
 * One exported ONNX graph of a compiled model, with its entry name.
 *
 * @param peakBytes predicted peak memory of the values between its nodes, if predicted
 */
public record CompiledGraph(String name, ModelProto model, OptionalLong peakBytes) {
    public CompiledGraph(String name, ModelProto model) {
        this(name, model, OptionalLong.empty());
    }
}
