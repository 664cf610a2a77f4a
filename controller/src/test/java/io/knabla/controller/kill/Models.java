package io.knabla.controller.kill;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Variants of the sample {@code add-sub} with different digests: every deploy uploads and packages one. */
record Models(Path folder) {
    static final String REQUEST = """
            {"inputs": [
              {"name": "INPUT0", "datatype": "INT32", "shape": [1, 16], "data": %1$s},
              {"name": "INPUT1", "datatype": "INT32", "shape": [1, 16], "data": %1$s}]}
            """.formatted("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]");

    private static final Path SAMPLE = Path.of("../functions/samples/add-sub/add-sub.onnx");
    private static final int DOC_STRING_TAG = 0x32;

    record Model(String digest, Path file) {}

    /** A variant with the doc string {@code text}: the same function with another digest. */
    Model documented(String text) throws IOException {
        byte[] note = text.getBytes(StandardCharsets.US_ASCII);
        var bytes = new ByteArrayOutputStream();
        bytes.write(Files.readAllBytes(SAMPLE));
        bytes.write(DOC_STRING_TAG);
        bytes.write(note.length);
        bytes.write(note);
        String digest = "sha256:" + HexFormat.of().formatHex(sha256(bytes.toByteArray()));
        Files.createDirectories(folder);
        return new Model(digest, Files.write(folder.resolve(text), bytes.toByteArray()));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
