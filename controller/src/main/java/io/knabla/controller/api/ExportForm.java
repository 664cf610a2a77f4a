package io.knabla.controller.api;

import io.knabla.functions.packaging.ModelExport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Form of an exported model: all of it as one ONNX file, or its weights as one safetensors file. */
enum ExportForm {
    MODEL("onnx"),
    WEIGHTS("safetensors");

    private final String ending;

    ExportForm(String ending) {
        this.ending = ending;
    }

    /** The end of the file's name, without a point. */
    String ending() {
        return ending;
    }

    long size(ModelExport export) throws IOException {
        return switch (this) {
            case MODEL -> export.size();
            case WEIGHTS -> export.weights().size();
        };
    }

    void write(ModelExport export, OutputStream out) throws IOException {
        switch (this) {
            case MODEL -> export.writeTo(out);
            case WEIGHTS -> {
                try (InputStream weights = export.weights().open()) {
                    weights.transferTo(out);
                }
            }
        }
    }
}
