package io.knabla.functions.packaging;

import java.util.Map;

/** What the ONNX Runtime that replicas carry can load, as seen by loading models of every version around these. */
final class Engine {
    static final String NAME = "ONNX Runtime 1.29";
    static final long MAX_IR = 13;

    /** Below it ONNX Runtime promises nothing. */
    static final long OLDEST_GOOD_OPSET = 7;

    /** Highest version by domain; a domain that is not here has no operators in the engine. */
    static final Map<String, Long> OPSETS = Map.of("", 26L, "ai.onnx.ml", 5L, "com.microsoft", 1L);

    private Engine() {}
}
