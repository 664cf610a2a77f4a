package io.knabla.functions.compiler.onnx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Guesses the type of a file that is not an ONNX model from its first bytes. */
final class ModelSniff {
    private static final int HEAD = 4096;

    private record Magic(int offset, String bytes, String looksLike) {}

    /** Bytes as Latin-1. */
    private static final List<Magic> KNOWN = List.of(
            new Magic(0, "\u0089PNG\r\n\u001a\n", "a PNG image"),
            new Magic(0, "\u00ff\u00d8\u00ff", "a JPEG image"),
            new Magic(0, "GIF8", "a GIF image"),
            new Magic(0, "%PDF", "a PDF"),
            new Magic(0, "\u0089HDF\r\n\u001a\n", "an HDF5 file, perhaps a Keras model; convert it with tf2onnx"),
            new Magic(4, "TFL3", "a TensorFlow Lite model; convert it with tf2onnx --tflite"),
            new Magic(4, "ORTM", "a model in ONNX Runtime's own .ort format; deploy the .onnx it was made from"),
            new Magic(0, "GGUF", "a GGUF model; export the original to ONNX"),
            new Magic(0, "\u0093NUMPY", "a NumPy array"),
            new Magic(0, "\u001f\u008b", "a gzip file; unpack it first"),
            new Magic(
                    0,
                    "\u0080\u0002",
                    "a Python pickle, perhaps a PyTorch or scikit-learn model; export it with torch.onnx.export or skl2onnx"),
            new Magic(0, "\u0080\u0003", "a Python pickle; export the model to ONNX"),
            new Magic(0, "\u0080\u0004", "a Python pickle; export the model to ONNX"),
            new Magic(0, "\u0080\u0005", "a Python pickle; export the model to ONNX"),
            new Magic(0, "version https://git-lfs", "a Git LFS pointer, not the file itself; run git lfs pull"),
            new Magic(0, "\u007fELF", "a program or library"));

    private ModelSniff() {}

    /** Returns what the bytes look like, or {@code otherwise} if no known format matches. */
    static String guess(ByteBuffer bytes, String otherwise) {
        if (bytes.limit() == 0) {
            return "the file is empty";
        }
        byte[] start = new byte[Math.min(HEAD, bytes.limit())];
        bytes.get(0, start);
        String head = new String(start, StandardCharsets.ISO_8859_1);
        for (Magic magic : KNOWN) {
            if (head.startsWith(magic.bytes(), magic.offset())) {
                return "it looks like " + magic.looksLike();
            }
        }
        if (head.startsWith("PK")) {
            return zip(head);
        }
        if (head.length() > 9 && head.charAt(8) == '{' && head.charAt(9) == '"') {
            return "it looks like a safetensors file, which has weights but no graph; export the model to ONNX";
        }
        if (isText(start)) {
            String line = head.lines().findFirst().orElse("").strip();
            return "it looks like a text file that starts '%s'"
                    .formatted(line.substring(0, Math.min(40, line.length())));
        }
        return otherwise;
    }

    private static String zip(String head) {
        if (head.contains("data.pkl")) {
            return "it looks like a PyTorch model; export it with torch.onnx.export";
        }
        if (head.contains("config.json") || head.contains("metadata.json")) {
            return "it looks like a Keras model; export it with model.export(…, format=\"onnx\")";
        }
        return "it looks like a zip file; unpack it first";
    }

    private static boolean isText(byte[] head) {
        for (byte b : head) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t' || b == 0x7f) {
                return false;
            }
        }
        return true;
    }
}
