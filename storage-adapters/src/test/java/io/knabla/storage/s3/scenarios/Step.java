package io.knabla.storage.s3.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One operation of one client.
 *
 * @param size bytes to write
 */
record Step(int client, Verb verb, int key, int size) {
    enum Verb {
        WRITE,
        CREATE,
        REPLACE,
        REPLACE_STALE,
        DELETE,
        READ,
        STAT,
        RANGE,
        LIST
    }

    static final int CLIENTS = 3;
    static final int KEYS = 3;

    /** Larger than one request, so it is sent in parts. */
    private static final int LARGE = 16 * 1024 * 1024 + 4_096;

    private static final List<Verb> ALL = List.of(Verb.values());

    /**
     * Operations for concurrent clients; no unconditional writes, because a duplicate may arrive after another client's
     * write.
     */
    private static final List<Verb> RACING =
            List.of(Verb.CREATE, Verb.REPLACE, Verb.REPLACE, Verb.REPLACE_STALE, Verb.READ);

    static List<Step> program(RandomGenerator random, boolean racing) {
        List<Verb> verbs = racing ? RACING : ALL;
        int length = random.nextInt(6, 20);
        // Few large ones: each takes as long as a hundred others.
        int large = !racing && random.nextInt(12) == 0 ? random.nextInt(length) : -1;
        List<Step> program = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            int size = random.nextInt(8) == 0 ? 200_000 : 2_000;
            Step step = new Step(
                    random.nextInt(CLIENTS),
                    verbs.get(random.nextInt(verbs.size())),
                    random.nextInt(KEYS),
                    Values.recognisable() + random.nextInt(size));
            program.add(i == large ? new Step(step.client(), Verb.WRITE, step.key(), LARGE) : step);
        }
        return program;
    }
}
