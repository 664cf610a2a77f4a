package io.knabla.functions.compiler.onnx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Recognises a file that is not an ONNX model by its content, and names the exporter that makes one of it. */
final class ModelSniff {
    /** Bytes at the start of a file that show its format. */
    static final int HEAD = 4096;

    /** Holds the end of a zip file's list of entries. */
    private static final int TAIL = 64 << 10;

    private static final String TORCH_EXPORT = "torch.onnx.export(%s, (example_input,), 'model.onnx')";
    private static final String TORCH =
            "a PyTorch checkpoint; load it into its module in Python, then " + TORCH_EXPORT.formatted("module.eval()");
    private static final String HUGGING_FACE =
            "export the folder or the hub's name that it came from: optimum-cli export onnx --model FOLDER onnx/";
    private static final String KERAS = "in Python keras.models.load_model('FILE').export('model.onnx', format='onnx')";

    /**
     * A format and how its files begin.
     *
     * @param bytes as Latin-1, at {@code offset}
     */
    private record Format(int offset, String bytes, String looksLike) {}

    private static final List<Format> KNOWN = List.of(
            new Format(0, "\u0089PNG\r\n\u001a\n", "a PNG image"),
            new Format(0, "\u00ff\u00d8\u00ff", "a JPEG image"),
            new Format(0, "GIF8", "a GIF image"),
            new Format(0, "%PDF", "a PDF"),
            new Format(0, "\u0089HDF\r\n\u001a\n", "an HDF5 file of Keras; " + KERAS),
            new Format(
                    4,
                    "TFL3",
                    "a TensorFlow Lite model; convert it: python -m tf2onnx.convert --tflite FILE --output model.onnx"),
            new Format(4, "ORTM", "a model in ONNX Runtime's own .ort format; deploy the .onnx it was made from"),
            new Format(0, "GGUF", "a GGUF file of llama.cpp, which has weights but no graph; " + HUGGING_FACE),
            new Format(0, "CBM1", "a CatBoost model; in Python model.save_model('model.onnx', format='onnx')"),
            new Format(
                    0,
                    "tree\nversion=",
                    "a LightGBM model; in Python onnxmltools.convert_lightgbm(lightgbm.Booster(model_file='FILE'), initial_types=…)"),
            new Format(
                    0,
                    "{\"learner\"",
                    "an XGBoost model; load it in Python, then onnxmltools.convert_xgboost(model, initial_types=…)"),
            new Format(
                    0,
                    "{L",
                    "an XGBoost model (UBJSON); load it in Python, then onnxmltools.convert_xgboost(model, initial_types=…)"),
            new Format(0, "\u0093NUMPY", "a NumPy array"),
            new Format(0, "\u001f\u008b", "a gzip file; unpack it first"),
            new Format(0, "version https://git-lfs", "a Git LFS pointer, not the file itself; run git lfs pull"),
            new Format(0, "\u007fELF", "a program or library"));

    private ModelSniff() {}

    /** Returns what the bytes look like, or {@code otherwise} if no known format matches. */
    static String guess(ByteBuffer bytes, String otherwise) {
        if (bytes.limit() == 0) {
            return "the file is empty";
        }
        String head = text(bytes, 0, Math.min(HEAD, bytes.limit()));
        for (Format format : KNOWN) {
            if (head.startsWith(format.bytes(), format.offset())) {
                return "it looks like " + format.looksLike();
            }
        }
        if (head.startsWith("PK")) {
            int tail = Math.min(TAIL, bytes.limit());
            return "it looks like " + zip(head + text(bytes, bytes.limit() - tail, tail));
        }
        if (head.length() > 1 && head.charAt(0) == '\u0080' && head.charAt(1) >= 2 && head.charAt(1) <= 5) {
            return "it looks like " + pickle(head);
        }
        if (head.length() > 9 && head.charAt(8) == '{' && head.charAt(9) == '"') {
            return "it looks like a safetensors file, which has weights but no graph; " + HUGGING_FACE;
        }
        if (isText(head)) {
            String line = head.lines().findFirst().orElse("").strip();
            return "it looks like a text file that starts '%s'"
                    .formatted(line.substring(0, Math.min(40, line.length())));
        }
        return otherwise;
    }

    private static String text(ByteBuffer bytes, int from, int length) {
        byte[] part = new byte[length];
        bytes.get(from, part);
        return new String(part, StandardCharsets.ISO_8859_1);
    }

    private static String zip(String names) {
        if (names.contains("constants.pkl") || names.contains("/code/__torch__")) {
            return "a TorchScript model; in Python " + TORCH_EXPORT.formatted("torch.jit.load('FILE')");
        }
        if (names.contains("models/model.json") || names.contains("serialized_exported_program")) {
            return "a program of torch.export; in Python torch.onnx.export(torch.export.load('FILE'), f='model.onnx')";
        }
        if (names.contains("data.pkl")) {
            return TORCH;
        }
        if (names.contains("config.json") || names.contains("metadata.json")) {
            return "a Keras model; " + KERAS;
        }
        return "a zip file; unpack it first";
    }

    private static String pickle(String head) {
        if (contains(head, "sklearn")) {
            return "a pickle of scikit-learn; load it in Python, then skl2onnx.to_onnx(model, X[:1]).SerializeToString() is the file to write";
        }
        if (contains(head, "xgboost", "lightgbm")) {
            return "a pickle of gradient boosting; load it in Python, then onnxmltools.convert_xgboost or convert_lightgbm";
        }
        return contains(head, "torch")
                ? TORCH
                : "a Python pickle; load it in Python, then export it with torch.onnx.export, skl2onnx or onnxmltools";
    }

    private static boolean contains(String text, String... words) {
        return Arrays.stream(words).anyMatch(text::contains);
    }

    private static boolean isText(String head) {
        return head.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f);
    }
}
