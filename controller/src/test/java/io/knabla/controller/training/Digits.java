package io.knabla.controller.training;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Handwritten digits of the sample digits-training: 64 grey levels of 0 to 16 and a label each. */
record Digits(List<byte[]> rows) {
    private static final int PIXELS = 64;
    private static final int HELD_OUT = 500;

    static Digits read(Path file) throws IOException {
        List<byte[]> rows = new ArrayList<>();
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            for (byte[] row = in.readNBytes(PIXELS + 1); row.length == PIXELS + 1; row = in.readNBytes(PIXELS + 1)) {
                rows.add(row);
            }
        }
        return new Digits(rows);
    }

    Digits toTrain() {
        return new Digits(rows.subList(0, rows.size() - HELD_OUT));
    }

    Digits heldOut() {
        return new Digits(rows.subList(rows.size() - HELD_OUT, rows.size()));
    }

    /** All whole batches, in order. */
    List<Digits> batches(int size) {
        List<Digits> batches = new ArrayList<>();
        for (int at = 0; at + size <= rows.size(); at += size) {
            batches.add(new Digits(rows.subList(at, at + size)));
        }
        return batches;
    }

    int label(int row) {
        return rows.get(row)[PIXELS];
    }

    /** Request for inference, or for a training step with labels. */
    String request(boolean labels) {
        ObjectNode request = FunctionClient.JSON.createObjectNode();
        ArrayNode inputs = request.putArray("inputs");
        ObjectNode image = inputs.addObject().put("name", "image").put("datatype", "FP32");
        image.putArray("shape").add(rows.size()).add(1).add(8).add(8);
        ArrayNode pixels = image.putArray("data");
        for (byte[] row : rows) {
            for (int i = 0; i < PIXELS; i++) {
                pixels.add(row[i] / 16.0);
            }
        }
        if (labels) {
            ObjectNode label = inputs.addObject().put("name", "label").put("datatype", "INT64");
            label.putArray("shape").add(rows.size());
            ArrayNode classes = label.putArray("data");
            rows.forEach(row -> classes.add(row[PIXELS]));
        }
        return request.toString();
    }

    /** Share of rows whose largest of ten scores is at their label. */
    double accuracy(double[] logits) {
        int right = 0;
        for (int row = 0; row < rows.size(); row++) {
            int best = 0;
            for (int digit = 1; digit < 10; digit++) {
                if (logits[row * 10 + digit] > logits[row * 10 + best]) {
                    best = digit;
                }
            }
            right += best == label(row) ? 1 : 0;
        }
        return right / (double) rows.size();
    }
}
