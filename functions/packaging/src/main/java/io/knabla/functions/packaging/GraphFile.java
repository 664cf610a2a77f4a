package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.google.protobuf.CodedOutputStream;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A graph serialised to a temporary file, because it may be large and is read more than once. */
record GraphFile(Path file, Blob blob, Content content) implements AutoCloseable {

    static GraphFile write(ModelProto model) throws IOException {
        Path file = Files.createTempFile("knabla-graph-", ".onnx");
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                CodedOutputStream coded = CodedOutputStream.newInstance(out, 1 << 16);
                coded.useDeterministicSerialization();
                model.writeTo(coded);
                coded.flush();
            }
            try (InputStream in = Files.newInputStream(file)) {
                var blob = new Blob(Sha256.of(in), Files.size(file));
                return new GraphFile(file, blob, Content.of(file));
            }
        } catch (IOException | RuntimeException failed) {
            Files.deleteIfExists(file);
            throw failed;
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
