package io.knabla.functions.compiler.onnx;

/** Reports why a file is not a usable ONNX model; the message continues "not a usable ONNX model: ". */
final class NotOnnxException extends Exception {
    NotOnnxException(String why) {
        super(why);
    }
}
