package io.knabla.runtime.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import io.knabla.storage.StoredObject;
import java.net.http.HttpResponse;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trains a small network with every optimizer: the loss falls, and restarts of the replica lose no state. */
@Timeout(300)
class PackagedTrainingTest {
    private static final int STEPS = 12;

    private static TestUnit unit(String optimizer) throws Exception {
        return TestUnit.of(Onnx.mlp(3, 16, 1), """
                type: TrainingStep
                gradient:
                  loss: {output: y, function: MSE, target: t}
                  withRespectTo: [parameters]
                  optimizer: {%s}
                """.formatted(optimizer));
    }

    private static String batch(int seed) {
        var random = new Random(seed);
        var x = new StringBuilder();
        var t = new StringBuilder();
        for (int row = 0; row < 8; row++) {
            float sum = 0;
            for (int i = 0; i < 3; i++) {
                float value = random.nextFloat() - 0.5f;
                sum += (i + 1) * value;
                x.append(x.isEmpty() ? "" : ",").append(value);
            }
            t.append(t.isEmpty() ? "" : ",").append(sum);
        }
        return "{'inputs':[{'name':'x','datatype':'FP32','shape':[8,3],'data':[%s]},{'name':'t','datatype':'FP32','shape':[8,1],'data':[%s]}],'outputs':[{'name':'loss'},{'name':'step'}]}"
                .formatted(x, t);
    }

    private static float loss(HttpResponse<String> answer, int step) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("\"data\":[" + step + "]");
        Matcher found = Pattern.compile("\"loss\"[^}]*\"data\":\\[([^\\]]*)").matcher(answer.body());
        assertThat(found.find()).as(answer.body()).isTrue();
        return Float.parseFloat(found.group(1));
    }

    private static byte[] state(TestUnit unit) {
        return unit.store().read(TestReplica.STATE).map(StoredObject::bytes).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "type: SGD, learningRate: 0.3",
                "type: Momentum, learningRate: 0.1",
                "type: Momentum, nesterov: true, learningRate: 0.1",
                "type: Adam, learningRate: 0.02",
                "type: AdamW, learningRate: 0.02, weightDecay: 0.01"
            })
    void learnsAndKeepsStateAcrossRestarts(String optimizer) throws Exception {
        try (var unbroken = unit(optimizer);
                var broken = unit(optimizer)) {
            assertThat(unbroken.unit()).isEqualTo(broken.unit());
            float first = 0;
            float last = 0;
            try (var replica = new TestReplica(unbroken)) {
                for (int step = 1; step <= STEPS; step++) {
                    last = loss(replica.infer(batch(step % 3)), step);
                    first = step == 3 ? last : first;
                }
            }
            assertThat(last).isLessThan(0.8f * first);
            for (int step = 1; step <= STEPS; step++) {
                try (var replica = new TestReplica(broken)) {
                    float loss = loss(replica.infer(batch(step % 3)), step);
                    assertThat(step < STEPS || loss == last)
                            .as("%s, not %s", loss, last)
                            .isTrue();
                }
            }
            // Bit for bit: the optimizer's state survived eleven restarts.
            assertThat(state(broken)).isEqualTo(state(unbroken));
        }
    }
}
