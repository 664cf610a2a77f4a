package io.knabla.functions.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Table of invalid specs with one fault per row, shared by the tests of all validators. */
public final class BadSpecs {
    private static final String DIGEST = "sha256:" + "0".repeat(64);
    private static final String GRADIENT = "gradient: {loss: {output: l}";
    private static final String LOSS = "gradient: {loss: {output: l, target: t, function:";
    private static final String OPTIMIZER = GRADIENT + ", optimizer: {learningRate: 1, type:";

    private BadSpecs() {}

    /**
     * One invalid spec.
     *
     * @param content YAML of the spec in one line
     * @param path path of the fault
     * @param message part of the fault's message
     */
    public record Row(String content, String path, String message) {

        /** @param model the line that sets the model, unless the row sets it */
        public String document(String model) {
            String rest = content.startsWith("model") ? "" : model + ", ";
            return FunctionYamlTest.HEAD + "spec: {" + rest + content + "}\n";
        }

        @Override
        public String toString() {
            return content;
        }
    }

    public static List<Row> all() {
        return text().lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\\|"))
                .map(cells -> new Row(written(cells[0]), cells[1].strip(), cells[2].strip()))
                .toList();
    }

    private static String written(String cell) {
        return cell.strip()
                .replace("GRADIENT", GRADIENT)
                .replace("LOSS", LOSS)
                .replace("OPTIMIZER", OPTIMIZER)
                .replace("DIGEST", DIGEST);
    }

    private static String text() {
        try (InputStream bytes = BadSpecs.class.getResourceAsStream("faults.csv")) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
