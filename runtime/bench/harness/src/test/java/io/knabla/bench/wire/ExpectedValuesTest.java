package io.knabla.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedValuesTest {
    final ExpectedValues expected = new ExpectedValues(new float[] {1.5f, -2});

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            the same                | {"outputs":[{"data":[1.5,-2.0]}]}     | true
            last digits differ      | {"outputs":[{"data":[1.50001,-2]}]}   | true
            another value           | {"outputs":[{"data":[1.6,-2.0]}]}     | false
            one value short         | {"outputs":[{"data":[1.5]}]}          | false
            not a number            | {"outputs":[{"data":["NaN",-2]}]}     | false
            an error                | {"error":"no"}                        | false
            not JSON                | <html>                                | false
            """)
    void judgesJson(String situation, String body, boolean correct) {
        assertThat(expected.json(answer("", body.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(correct);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            the same              | Inference-Header-Content-Length: 2 | 1.5 | true
            another value         | Inference-Header-Content-Length: 2 | 1.6 | false
            not a number          | Inference-Header-Content-Length: 2 | NaN | false
            no header length      | X: 2                               | 1.5 | false
            beyond the body       | Inference-Header-Content-Length: 99| 1.5 | false
            """)
    void judgesBinary(String situation, String field, float first, boolean correct) {
        ByteBuffer body = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
        body.put((byte) '{').put((byte) '}').putFloat(first).putFloat(-2);

        assertThat(expected.binary(answer(field, body.array()))).isEqualTo(correct);
    }

    private static HttpAnswer answer(String field, byte[] body) {
        return new HttpAnswer("HTTP/1.1 200 OK\r\n" + field, body);
    }
}
