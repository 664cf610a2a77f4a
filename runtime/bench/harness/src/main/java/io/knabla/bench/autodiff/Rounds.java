package io.knabla.bench.autodiff;

import ai.onnxruntime.OrtException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Java's side of a comparison that another process drives: a line with a model's name in, a line with the milliseconds
 * of one value and gradient out. Between the lines it computes nothing.
 */
public final class Rounds {
    private Rounds() {}

    public static void main(String[] arguments) throws IOException, OrtException {
        serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private static void serve(BufferedReader in) throws IOException, OrtException {
        PrintStream out = System.out;
        Subject subject = null;
        for (String model = in.readLine(); model != null; model = in.readLine()) {
            if (subject == null || !subject.name.equals(model)) {
                if (subject != null) {
                    subject.close();
                }
                subject = new Subject(model);
            }
            out.println(subject.gradientMillis());
            out.flush();
        }
    }
}
