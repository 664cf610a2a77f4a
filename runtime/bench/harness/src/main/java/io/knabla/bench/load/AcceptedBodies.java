package io.knabla.bench.load;

import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.HttpAnswer;
import io.knabla.bench.wire.ResponseReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks every response: by its values the first time a body occurs, afterwards by its bytes, which keeps the load
 * generator cheap.
 */
final class AcceptedBodies {
    private static final int MOST = 64;

    private final Call.Check check;
    private final List<byte[]> known = new ArrayList<>();

    AcceptedBodies(Call.Check check) {
        this.check = check;
    }

    void require(ResponseReader reader) throws IOException {
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
