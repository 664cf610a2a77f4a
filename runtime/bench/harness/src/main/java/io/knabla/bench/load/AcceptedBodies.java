package io.knabla.bench.load;

import io.knabla.bench.wire.AnswerReader;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.HttpAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks every answer by its values, but each different body only once: afterwards its bytes are enough, which keeps
 * the load cheap.
 */
final class AcceptedBodies {
    private static final int MOST = 64;

    private final Call.Check check;
    private final List<byte[]> known = new ArrayList<>();

    AcceptedBodies(Call.Check check) {
        this.check = check;
    }

    void require(AnswerReader reader) throws IOException {
        if (reader.isOk()) {
            for (byte[] body : known) {
                if (reader.hasBody(body)) {
                    return;
                }
            }
        }
        HttpAnswer answer = reader.answer();
        if (answer.status() != 200 || !check.correct(answer)) {
            throw new IOException("a wrong answer under load: " + answer.summary());
        }
        if (known.size() < MOST) {
            known.add(reader.rawBody());
        }
    }
}
