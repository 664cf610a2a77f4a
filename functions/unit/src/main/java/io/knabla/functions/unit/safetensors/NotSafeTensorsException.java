package io.knabla.functions.unit.safetensors;

/** Reports bytes that are not a valid safetensors file, with the reason. */
public final class NotSafeTensorsException extends RuntimeException {
    NotSafeTensorsException(String what) {
        this(what, null);
    }

    NotSafeTensorsException(String what, Throwable cause) {
        super("not a safetensors file: " + what, cause);
    }
}
