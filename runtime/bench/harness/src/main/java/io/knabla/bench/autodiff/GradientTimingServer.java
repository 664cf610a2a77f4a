package io.knabla.bench.autodiff;

import ai.onnxruntime.OrtException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Times gradients on request of another process, in rounds: reads a model's name per line and writes the milliseconds
 * of one loss and gradient per line. Idle between the lines.
 */
public final class GradientTimingServer {
    private GradientTimingServer() {}

    public static void main(String[] arguments) throws IOException, OrtException {
        serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private static void serve(BufferedReader in) throws IOException, OrtException {
        PrintStream out = System.out;
        TimedModel subject = null;
        for (String model = in.readLine(); model != null; model = in.readLine()) {
            if (subject == null || !subject.name.equals(model)) {
                if (subject != null) {
                    subject.close();
                }
                subject = new TimedModel(model);
            }
            out.println(subject.gradientMillis());
            out.flush();
        }
    }
}
