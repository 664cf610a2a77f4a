package io.knabla.functions.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is wrong in a spec, one thing a row; whoever checks specs is held to the same rows. */
public final class BadSpecs {
    private static final String DIGEST = "sha256:" + "0".repeat(64);
    private static final String GRADIENT = "gradient: {loss: {output: l}";
    private static final String LOSS = "gradient: {loss: {output: l, target: t, function:";
    private static final String OPTIMIZER = GRADIENT + ", optimizer: {learningRate: 1, type:";

    private BadSpecs() {}

    /**
     * @param content YAML of what stands in spec, in one line
     * @param path of the fault
     * @param message part of the fault's sentence
     */
    public record Row(String content, String path, String message) {

        /** @param model the line that says where the model is, unless the row is about that */
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
