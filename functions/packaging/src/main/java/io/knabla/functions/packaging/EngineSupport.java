package io.knabla.functions.packaging;

import java.util.Map;
import java.util.Set;

/** IR and opset versions that the replicas' ONNX Runtime can load, found by loading models around each limit. */
final class EngineSupport {
    static final String NAME = "ONNX Runtime 1.29";
    static final long MAX_IR = 13;

    /** ONNX Runtime does not guarantee older opsets. */
    static final long OLDEST_GOOD_OPSET = 7;

    /** Highest version by domain; the engine has no operators of other domains. */
    static final Map<String, Long> OPSETS = Map.of("", 26L, "ai.onnx.ml", 5L, "com.microsoft", 1L);

    /** Domain of the tokenizers and image decoders of onnxruntime-extensions. */
    static final String EXTENSIONS = "ai.onnx.contrib";

    /** Domains of the operators that ONNX Runtime puts into a model for the machine that it optimises it on. */
    static final Set<String> LAYOUTS = Set.of("com.microsoft.nchwc", "com.ms.internal.nhwc");

    private EngineSupport() {}
}
