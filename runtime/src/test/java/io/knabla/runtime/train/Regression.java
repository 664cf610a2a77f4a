package io.knabla.runtime.train;

import java.util.Locale;
import java.util.Random;

/** Reference for {@code AnalyticModels.regression}: computes its training steps in Java and builds its requests. */
final class Regression {
    final float[] w = {0.5f, -0.5f};
    final float[] m = new float[2];
    float b;
    long step;
    float loss;

    /** A batch of {@code rows} rows with the target 3·x0 - 2·x1 + 1. */
    record Batch(float[][] x, float[] t) {
        static Batch of(long seed, int rows) {
            var random = new Random(seed);
            float[][] x = new float[rows][2];
            float[] t = new float[rows];
            for (int i = 0; i < rows; i++) {
                x[i][0] = random.nextFloat() - 0.5f;
                x[i][1] = random.nextFloat() - 0.5f;
                t[i] = 3 * x[i][0] - 2 * x[i][1] + 1;
            }
            return new Batch(x, t);
        }

        String request(String more, String outputs) {
            var json = new StringBuilder("{'inputs':[{'name':'x','datatype':'FP32','shape':[");
            json.append(t.length).append(",2],'data':[");
            for (float[] row : x) {
                json.append(String.format(Locale.ROOT, "%s,%s,", row[0], row[1]));
            }
            json.setLength(json.length() - 1);
            json.append("]},{'name':'t','datatype':'FP32','shape':[").append(t.length);
            json.append(",1],'data':[");
            for (float one : t) {
                json.append(one).append(',');
            }
            json.setLength(json.length() - 1);
            return json.append("]}")
                    .append(more)
                    .append("]")
                    .append(outputs)
                    .append("}")
                    .toString();
        }

        String request() {
            return request("", ",'outputs':[{'name':'loss'},{'name':'step'}]");
        }
    }

    void step(Batch batch, float rate) {
        int n = batch.t().length;
        double[] gw = new double[2];
        double gb = 0;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            float[] x = batch.x()[i];
            double e = w[0] * x[0] + w[1] * x[1] + b - batch.t()[i];
            sum += e * e / n;
            gw[0] += 2 * e * x[0] / n;
            gw[1] += 2 * e * x[1] / n;
            gb += 2 * e / n;
        }
        for (int k = 0; k < 2; k++) {
            m[k] = (float) (0.9 * m[k] + gw[k]);
            w[k] -= rate * m[k];
        }
        b -= (float) (rate * gb);
        loss = (float) sum;
        step++;
    }
}
