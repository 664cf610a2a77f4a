package io.knabla.hostile;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Calls the model over one kept connection, and remembers times and faults. A call that is told {@code Retry-After},
 * such as by a full queue, is sent again after that time, and its own goes on; as in curl and browsers, so is one on a
 * kept connection that the server had closed meanwhile.
 */
final class HonestClient implements AutoCloseable {
    private static final int MOST_REPEATS = 20;

    private final Target target;
    private final List<Long> nanos = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private Wire wire;
    private int next;
    private int repeats;

    HonestClient(Target target) {
        this.target = target;
    }

    /** Sends one call on a new connection; empty if the answer is right, else what came instead. */
    static Optional<String> callOnce(Target target) {
        return once(target, target.call(4), "8");
    }

    /** A call whose body is filled with spaces up to {@code bytes}. */
    static Optional<String> callOnce(Target target, int bytes) {
        String body = Target.body("1", "4");
        return once(target, target.call(body + " ".repeat(bytes - body.length())), "8");
    }

    static Optional<String> health(Target target) {
        return once(target, target.health(), "");
    }

    /**
     * A call that may be told {@code Retry-After} once: a server does not close connections that were opened just now.
     */
    static Optional<String> callAsTold(Target target) {
        return asTold(target, target.call(4), "8");
    }

    static Optional<String> healthAsTold(Target target) {
        return asTold(target, target.health(), "");
    }

    private static Optional<String> asTold(Target target, String request, String wanted) {
        try {
            Optional<Answer> first = answer(target, request);
            Optional<Duration> later = first.flatMap(Answer::retryAfter);
            if (later.isEmpty()) {
                return fault(first, wanted);
            }
            pause(later.get());
            return once(target, request, wanted);
        } catch (IOException broken) {
            return Optional.of(broken.toString());
        }
    }

    private static Optional<String> once(Target target, String request, String wanted) {
        try {
            return fault(answer(target, request), wanted);
        } catch (IOException broken) {
            return Optional.of(broken.toString());
        }
    }

    private static Optional<Answer> answer(Target target, String request) throws IOException {
        try (Wire wire = Wire.honest(target)) {
            return wire.write(request).answer();
        }
    }

    static Optional<String> fault(Optional<Answer> answer, String wanted) {
        if (answer.isEmpty()) {
            return Optional.of("the connection was closed instead of an answer");
        }
        Answer one = answer.get();
        boolean right = one.status() == 200 && (wanted.isEmpty() || one.body().contains("\"data\":[" + wanted + ".0]"));
        return right ? Optional.empty() : Optional.of(one.head() + one.body());
    }

    void call() {
        int x = next++ % 1000;
        long begun = System.nanoTime();
        try {
            fault(answer(target.call(x)), Integer.toString(2 * x)).ifPresent(faults::add);
        } catch (IOException broken) {
            faults.add(broken.toString());
            wire = null;
        }
        nanos.add(System.nanoTime() - begun);
    }

    private Optional<Answer> answer(String call) throws IOException {
        for (int left = MOST_REPEATS; ; left--) {
            boolean kept = wire != null;
            if (!kept) {
                wire = Wire.honest(target);
            }
            Optional<Answer> answer = answer(call, kept);
            if (answer.isEmpty() && kept) {
                repeats++;
                wire.close();
                wire = null;
                continue;
            }
            Optional<Duration> later = answer.flatMap(Answer::retryAfter);
            if (left == 0 || later.isEmpty()) {
                return answer;
            }
            repeats++;
            if (answer.get().closes()) {
                wire.close();
                wire = null;
            }
            pause(later.get());
        }
    }

    private static void pause(Duration time) throws IOException {
        try {
            Thread.sleep(time);
        } catch (InterruptedException ending) {
            throw new InterruptedIOException(ending.getMessage());
        }
    }

    private Optional<Answer> answer(String call, boolean kept) throws IOException {
        try {
            return wire.write(call).answer();
        } catch (SocketException closed) {
            if (kept) {
                return Optional.empty();
            }
            throw closed;
        }
    }

    /** How many calls were sent again. */
    int repeats() {
        return repeats;
    }

    List<String> faults() {
        return faults;
    }

    double p99Millis() {
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        return sorted.get((int) (sorted.size() * 0.99)) / 1e6;
    }

    int calls() {
        return nanos.size();
    }

    @Override
    public void close() throws IOException {
        if (wire != null) {
            wire.close();
        }
    }
}
