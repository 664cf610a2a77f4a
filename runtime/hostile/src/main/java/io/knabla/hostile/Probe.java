package io.knabla.hostile;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One request that parsers may read differently; a second one hides in most of them and must never be answered.
 *
 * @param request all bytes that are sent
 */
record Probe(String name, String request, Rule rule) {
    /** After so long without a byte the server is taken to wait for more, and the sending side is closed. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private static final Duration END = Duration.ofSeconds(30);

    /** What a strict server does with a request. */
    enum Rule {
        /** Refuses it and closes the connection. */
        REFUSED,
        /** Answers it with an error; the connection may stay open. */
        NOT_SERVED,
        /** Refuses it, or reads it as exactly one request. */
        AT_MOST_ONE
    }

    /** What the server did. */
    sealed interface Outcome {
        record Refused(int status) implements Outcome {}

        record Closed() implements Outcome {}

        record Served(int status) implements Outcome {}

        record Wrong(String what) implements Outcome {}
    }

    Outcome send(Target target) throws IOException {
        List<Answer> answers = new ArrayList<>();
        boolean closedBySelf;
        try (Wire wire = Wire.hostile(target)) {
            wire.patience(SILENCE);
            try {
                wire.write(request);
            } catch (IOException refusedEarly) {
                // The answer may have come before all bytes were sent.
            }
            closedBySelf = ends(wire, answers);
            if (!closedBySelf) {
                wire.endOutput();
                wire.patience(END);
                ends(wire, answers);
            }
        }
        return judge(answers, closedBySelf);
    }

    /** Adds answers until the connection ends; false if it stays open. */
    private static boolean ends(Wire wire, List<Answer> answers) throws IOException {
        try {
            Optional<Answer> next = wire.answer();
            while (next.isPresent()) {
                answers.add(next.get());
                next = wire.answer();
            }
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private Outcome judge(List<Answer> answers, boolean closedBySelf) {
        List<Integer> statuses = answers.stream().map(Answer::status).toList();
        if (answers.isEmpty()) {
            return new Outcome.Closed();
        }
        int status = statuses.getFirst();
        if (answers.size() > 1 || status < 200) {
            return new Outcome.Wrong("%s: answered %s".formatted(name, statuses));
        }
        if (rule != Rule.AT_MOST_ONE && status < 400) {
            return new Outcome.Wrong("%s: served with %d".formatted(name, status));
        }
        if (rule == Rule.REFUSED && !closedBySelf) {
            return new Outcome.Wrong("%s: refused with %d, but the connection stays open".formatted(name, status));
        }
        return answers.getFirst().isRefusal() ? new Outcome.Refused(status) : new Outcome.Served(status);
    }
}
