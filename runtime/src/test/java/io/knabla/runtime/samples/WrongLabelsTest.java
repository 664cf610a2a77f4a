package io.knabla.runtime.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import io.knabla.storage.StoredObject;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rejects labels outside the classes 0 to 9 of the digits sample. */
@Timeout(300)
class WrongLabelsTest {
    private static String request(String labels, String more) {
        int count = labels.split(",").length;
        String pixels = String.join(",", Collections.nCopies(64 * count, "0.5"));
        return "{'inputs':[{'name':'image','datatype':'FP32','shape':[%d,1,8,8],'data':[%s]},{'name':'label','datatype':'INT64','shape':[%d],%s}]}"
                .formatted(count, pixels, count, more.formatted(labels));
    }

    private static String request(String labels) {
        return request(labels, "'data':[%s]");
    }

    private static byte[] state(TestUnit unit) {
        return unit.store().read(TestReplica.STATE).map(StoredObject::bytes).orElseThrow();
    }

    /** Negative labels are the worst case: the engine counts them from the end. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    10                  | holds 10 at element 0
                    -1                  | holds -1 at element 0
                    -10                 | holds -10 at element 0
                    -100                | holds -100 at element 0
                    3,10                | holds 10 at element 1
                    9223372036854775807 | holds 9223372036854775807 at element 0
                    """)
    void rejectsInvalidLabels(String labels, String what) throws Exception {
        try (var unit = TestUnit.sample("digits-gradient");
                var replica = new TestReplica(unit)) {
            HttpResponse<String> answer = replica.infer(request(labels));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body())
                    .isEqualTo("{\"error\":\"input 'label' %s; allowed are the classes 0 to 9\"}".formatted(what));
            assertThat(replica.infer(request("0,9")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void rejectsInvalidLabelsInBinary() throws Exception {
        try (var unit = TestUnit.sample("digits-gradient");
                var replica = new TestReplica(unit)) {
            assertThat(binary(replica, 9).statusCode()).isEqualTo(200);
            HttpResponse<String> answer = binary(replica, -1);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("input 'label' holds -1 at element 0");
        }
    }

    private static HttpResponse<String> binary(TestReplica replica, long label) throws Exception {
        byte[] json = request("0", "'parameters':{'binary_data_size':8}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
        var body = new ByteArrayOutputStream();
        body.write(json);
        body.write(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(label)
                .array());
        return replica.send(replica.request("/v2/models/m/infer")
                .header("Inference-Header-Content-Length", Integer.toString(json.length))
                .POST(BodyPublishers.ofByteArray(body.toByteArray())));
    }

    @ParameterizedTest
    @CsvSource({"10", "-1", "-100"})
    void rejectedLabelsKeepTrainingState(String label) throws Exception {
        try (var unit = TestUnit.sample("digits-training");
                var replica = new TestReplica(unit)) {
            assertThat(replica.infer(request("3")).body()).contains("\"data\":[1]");
            byte[] before = state(unit);

            HttpResponse<String> answer = replica.infer(request(label));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("allowed are the classes 0 to 9");
            assertThat(state(unit)).isEqualTo(before);
            assertThat(replica.infer(request("3")).body()).contains("\"data\":[2]");
        }
    }
}
