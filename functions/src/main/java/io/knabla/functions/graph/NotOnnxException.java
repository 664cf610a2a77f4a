package io.knabla.functions.graph;

/** Why a file is not taken as an ONNX model; the message continues "not a usable ONNX model: ". */
final class NotOnnxException extends Exception {
    NotOnnxException(String why) {
        super(why);
    }
}
