package io.knabla.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerReaderTest {
    static final String PLAIN = "HTTP/1.1 200 OK\r\ncontent-Length: 5\r\nX-Content-Length: 9\r\n\r\nhello";
    static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
    static final String EMPTY = "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n";

    /** Feeds the reader {@code step} bytes at a time; returns how many it took to report a complete answer. */
    static int wholeAfter(AnswerReader reader, String answer, int step) {
        byte[] bytes = answer.getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < bytes.length; at += step) {
            int part = Math.min(step, bytes.length - at);
            System.arraycopy(bytes, at, reader.room(), reader.count(), part);
            if (reader.received(part)) {
                return at + part;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000})
    void detectsEndForAnyReadSize(int step) {
        for (String answer : new String[] {PLAIN, CHUNKED, EMPTY}) {
            assertThat(wholeAfter(new AnswerReader(), answer, step)).isEqualTo(answer.length());
        }
    }

    @Test
    void readsStatusFieldsAndBody() {
        var reader = new AnswerReader();
        wholeAfter(reader, PLAIN, 4);

        assertThat(reader.isOk()).isTrue();
        assertThat(reader.hasBody("hello".getBytes(StandardCharsets.US_ASCII))).isTrue();
        assertThat(reader.hasBody("hellO".getBytes(StandardCharsets.US_ASCII))).isFalse();
        assertThat(reader.answer().status()).isEqualTo(200);
        assertThat(reader.answer().field("x-content-length")).contains("9");
        assertThat(reader.answer().body()).asString().isEqualTo("hello");
    }

    @Test
    void putsChunksTogether() {
        var reader = new AnswerReader();
        wholeAfter(reader, CHUNKED, 1000);

        assertThat(reader.answer().body()).asString().isEqualTo("hello");
    }

    @Test
    void readsSeveralAnswersInSequence() {
        var reader = new AnswerReader();
        wholeAfter(reader, PLAIN, 1000);
        reader.reset();
        wholeAfter(reader, EMPTY, 1000);

        assertThat(reader.isOk()).isFalse();
        assertThat(reader.answer().status()).isEqualTo(503);
        assertThat(reader.answer().body()).isEmpty();
    }

    @Test
    void growsForLargeAnswers() {
        String body = "x".repeat(100_000);
        var reader = new AnswerReader();
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + body;

        assertThat(wholeAfter(reader, answer, 1)).isEqualTo(answer.length());
        assertThat(reader.answer().body()).asString().isEqualTo(body);
    }
}
