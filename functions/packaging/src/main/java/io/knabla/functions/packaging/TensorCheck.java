package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.ExternalData;
import io.knabla.functions.compiler.onnx.Limits;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Locates a tensor's bytes and checks that their number matches its shape. */
final class TensorCheck {
    private final ModelFiles files;
    private final FaultCollector faults;

    TensorCheck(ModelFiles files, FaultCollector faults) {
        this.files = files;
        this.faults = faults;
    }

    /** Returns empty after adding a fault. */
    Optional<TensorSource> check(String path, TensorProto tensor) {
        ElementType type = TensorProtos.element(tensor);
        if (type == ElementType.UNDEFINED) {
            faults.add(path, "has the unknown element type %d", tensor.getDataType());
            return Optional.empty();
        }
        Optional<Long> elements = TensorProtos.elements(tensor);
        if (elements.isEmpty() || type.bytes(elements.get()) > Limits.DEFAULT.tensorBytes()) {
            faults.add(
                    path,
                    "has the shape %s; dimensions must be >= 0 and a tensor at most %,d bytes",
                    StructureCheck.shown(tensor.getDimsList().toString()),
                    Limits.DEFAULT.tensorBytes());
            return Optional.empty();
        }
        if (tensor.hasSegment()) {
            faults.add(path, "is a segment of a tensor, which ONNX Runtime does not load");
            return Optional.empty();
        }
        if (TensorProtos.isExternal(tensor)) {
            return external(path, tensor, type, elements.get());
        }
        if (tensor.hasRawData() && type != ElementType.STRING) {
            return raw(path, tensor, type.bytes(elements.get()));
        }
        return typed(path, tensor, type, elements.get());
    }

    private Optional<TensorSource> raw(String path, TensorProto tensor, long expected) {
        if (tensor.getRawData().size() != expected) {
            faults.add(
                    path,
                    "holds %d bytes, its shape %s of %s needs %d; the file is damaged",
                    tensor.getRawData().size(),
                    StructureCheck.shown(tensor.getDimsList().toString()),
                    TensorProtos.element(tensor),
                    expected);
            return Optional.empty();
        }
        return Optional.of(new TensorSource.Raw(tensor.getRawData()));
    }

    private Optional<TensorSource> typed(String path, TensorProto tensor, ElementType type, long elements) {
        long expected = TensorSource.Typed.expected(type, elements);
        if (expected < 0) {
            return Optional.of(new TensorSource.Inline());
        }
        long present = TensorSource.Typed.present(tensor);
        if (present != expected) {
            faults.add(
                    path,
                    "holds %d numbers, its shape %s needs %d; the file is damaged",
                    present,
                    StructureCheck.shown(tensor.getDimsList().toString()),
                    expected);
            return Optional.empty();
        }
        return Optional.of(
                type == ElementType.STRING
                        ? new TensorSource.Inline()
                        : new TensorSource.Typed(tensor, type.bytes(elements)));
    }

    private Optional<TensorSource> external(String path, TensorProto tensor, ElementType type, long elements) {
        String location = TensorProtos.external(tensor, "location").orElse("");
        String shown = StructureCheck.shown(location);
        if (!ExternalData.isConfined(location)) {
            faults.add(
                    path,
                    "has its data at '%s'; external data must be a relative path beside the model, without '..'",
                    shown);
            return Optional.empty();
        }
        if (type == ElementType.STRING) {
            faults.add(path, "is of strings, which cannot be external data");
            return Optional.empty();
        }
        Optional<Path> file = files.externalData().apply(location);
        if (file.isEmpty()) {
            faults.add(
                    path,
                    "has its data in '%s', which is not beside the model; deploy from the folder that holds both",
                    shown);
            return Optional.empty();
        }
        return part(path, tensor, file.get(), type.bytes(elements));
    }

    private Optional<TensorSource> part(String path, TensorProto tensor, Path file, long expected) {
        long offset = number(tensor, "offset", 0);
        long length = number(tensor, "length", expected);
        try {
            long size = Files.size(file);
            if (offset < 0 || length != expected || offset > size - length) {
                faults.add(
                        path,
                        "refers to %s bytes at offset %s of external data with %d bytes, its shape needs %d; the files do not belong together",
                        length < 0 ? "?" : length,
                        offset < 0 ? "?" : offset,
                        size,
                        expected);
                return Optional.empty();
            }
            return Optional.of(new TensorSource.FilePart(file, offset, length));
        } catch (IOException unreadable) {
            faults.add(path, "has external data that cannot be read: %s", unreadable.getMessage());
            return Optional.empty();
        }
    }

    /** Returns -1 if the text is not a number. */
    private static long number(TensorProto tensor, String key, long otherwise) {
        Optional<String> text = TensorProtos.external(tensor, key);
        try {
            return text.isEmpty() ? otherwise : Math.max(-1, Long.parseLong(text.get()));
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }
}
