package io.knabla.hostile;

import java.io.IOException;
import java.util.List;

/** Opens connections and resets them (RST) within a request or a response. */
final class ConnectionResets {
    private ConnectionResets() {}

    /** Begins and resets {@code count} connections: within heads, bodies and answers in turn. */
    static void run(Target target, int count) throws IOException {
        String call = target.call(4);
        List<String> begun =
                List.of("", call.substring(0, 20), call.substring(0, call.length() - 5), call, call.repeat(20));
        for (int i = 0; i < count; i++) {
            try (Wire wire = Wire.hostile(target)) {
                wire.write(begun.get(i % begun.size()));
                wire.reset();
            } catch (IOException refusedEarly) {
                // The server may close first.
            }
        }
    }
}
