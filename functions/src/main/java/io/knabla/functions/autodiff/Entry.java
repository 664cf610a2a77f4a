package io.knabla.functions.autodiff;

import ai.onnx.proto.OnnxMl.ModelProto;

public record Entry(String name, ModelProto model) {}
