package io.knabla.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.storage.thorough.Thorough;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that every HTTP server of this project must pass under hostile clients: it refuses what parsers read
 * differently, answers honest callers meanwhile, and is afterwards as before. A subclass starts the server. The
 * heaviest kinds come last, so that a server which they kill has answered the others.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("faults")
public abstract class HostileClientContract {
    /** Hostile clients that send whole calls: fewer than a replica queues, beyond which all are rightly told 429. */
    private static final int CALLERS = 60;

    /** CI machines stall for many seconds at times. */
    private static final Duration MOST = Duration.ofMinutes(2);

    private static final int MIB = 1 << 20;

    /** Time in which unread responses fill the kernel's buffers, so that their writers block. */
    private static final Duration FILLING = Duration.ofSeconds(5);

    /** Descriptors that a server may open for its own reasons, such as idle connections to the servers behind it. */
    private static final int OWN_DESCRIPTORS = 64;

    private Target target;
    private ProcessGauge process;
    private long descriptors;

    /** Starts the server; called once. */
    protected abstract Target start() throws Exception;

    /** Memory that the process may take, with all that it keeps for hostile clients. */
    protected abstract long mostResidentMiB();

    @BeforeAll
    void begin() throws Exception {
        target = start();
        process = new ProcessGauge(target.pid());
        for (int i = 0; i < 50; i++) {
            assertThat(HonestClient.callOnce(target)).isEmpty();
        }
        descriptors = process.descriptors();
    }

    private void say(String kind, String format, Object... values) {
        System.out.printf("hostile test: %s: %s: %s%n", target.name(), kind, format.formatted(values));
    }

    @Test
    @Order(1)
    void readsNoSecondRequestOutOfABody() throws Exception {
        send("framing", FramingProbes.of(target));
    }

    @Test
    @Order(2)
    void refusesMalformedHeads() throws Exception {
        send("heads", HeadProbes.of(target));
    }

    @Test
    @Order(3)
    void servesNoOddMethodExpectationOrUpgrade() throws Exception {
        send("methods", HeadProbes.ofMethods(target));
    }

    private void send(String kind, List<Probe> probes) throws Exception {
        var tally = new Tally();
        var wrong = new ArrayList<String>();
        for (Probe.Outcome outcome : outcomes(probes)) {
            switch (outcome) {
                case Probe.Outcome.Refused(int status) -> tally.count(Integer.toString(status));
                case Probe.Outcome.Served(int status) -> tally.count("read as one request: " + status);
                case Probe.Outcome.Closed() -> tally.count(Tally.CLOSED);
                case Probe.Outcome.Wrong(String what) -> wrong.add(what);
            }
        }
        say(kind, "%d sent, %s, %d accepted wrongly", probes.size(), tally, wrong.size());
        assertThat(wrong).as("accepted wrongly").isEmpty();
        isAsBefore();
    }

    private List<Probe.Outcome> outcomes(List<Probe> probes) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Probe.Outcome>> sends = new ArrayList<>();
            for (Probe probe : probes) {
                sends.add(() -> probe.send(target));
            }
            List<Probe.Outcome> outcomes = new ArrayList<>();
            for (Future<Probe.Outcome> sent : threads.invokeAll(sends)) {
                outcomes.add(sent.get());
            }
            return outcomes;
        }
    }

    @Test
    @Order(4)
    void answersPipelinedCallsInOrder() throws Exception {
        int calls = 100;
        var pipeline = new StringBuilder();
        for (int i = 1; i < calls; i++) {
            pipeline.append(target.call(i));
        }
        pipeline.append(target.call(calls).replace("Content-Type:", "Connection: close\r\nContent-Type:"));
        try (Wire wire = Wire.hostile(target)) {
            wire.write(pipeline.toString());
            for (int i = 1; i <= calls; i++) {
                assertThat(HonestClient.fault(wire.answer(), Integer.toString(2 * i)))
                        .as("answer %d", i)
                        .isEmpty();
            }
            assertThat(wire.answer()).as("an answer too many").isEmpty();
        }
        say("pipelining", "%d sent, %d answered in order", calls, calls);
        isAsBefore();
    }

    @Test
    @Order(5)
    void keepsNothingOfResetConnections() throws Exception {
        int count = Thorough.count("knabla.hostile.resets", 1000, 5000);
        ConnectionResets.run(target, count);
        say("resets", "%d sent", count);
        isAsBefore();
    }

    @Test
    @Order(6)
    void refusesEndlessChunks() throws Exception {
        String chunk = "10000\r\n" + " ".repeat(1 << 16) + "\r\n";
        long sent = 0;
        Answer answer;
        try (Wire wire = Wire.hostile(target)) {
            wire.write(target.post("Transfer-Encoding: chunked\r\n"));
            try {
                for (; sent < 1L << 30; sent += 1 << 16) {
                    wire.write(chunk);
                }
            } catch (IOException refused) {
                // Its answer is there to be read.
            }
            answer = wire.answer().orElseThrow();
            assertThat(wire.answer()).as("a second answer").isEmpty();
        }
        say("endless chunks", "refused with %d after %d MiB", answer.status(), sent >> 20);
        assertThat(answer.status()).as(answer.body()).isEqualTo(413);
        isAsBefore();
    }

    @Test
    @Order(7)
    void limitsResponsesThatNobodyReads() throws Exception {
        int count = Thorough.count("knabla.hostile.readers", 20, 100);
        int numbers = 100_000;
        String large = target.call(Target.body(Integer.toString(numbers), "1,".repeat(numbers - 1) + "1"));
        try (var held = new HeldConnections(target)) {
            held.neverRead(count, large.repeat(20));
            long end = System.nanoTime() + FILLING.toNanos();
            while (System.nanoTime() < end) {
                answersHonestCallers();
            }
            say("unread responses", "%d held, %d MiB resident", count, process.residentMiB());
            assertThat(process.residentMiB()).isLessThan(mostResidentMiB());
            if (Boolean.getBoolean("knabla.thorough")) {
                // A response has 30 s and a second for each 64 KiB.
                awaitDescriptors();
            }
        }
        isAsBefore();
    }

    @Test
    @Order(8)
    void closesSlowHeadsAndServesOthersMeanwhile() throws Exception {
        int slow = Thorough.count("knabla.hostile.heads", 1000, 1000);
        int idle = Thorough.count("knabla.hostile.idle", 4000, 8000);
        try (var held = new HeldConnections(target)) {
            String half = target.health().substring(0, 40);
            held.hold(slow / 4, "");
            held.hold(slow / 4, "G");
            held.hold(slow / 4, half);
            held.drip(slow - slow / 4 * 3, half);
            assertThat(HonestClient.healthAsTold(target)).isEmpty();
            assertThat(HonestClient.callAsTold(target)).isEmpty();
            long begun = System.nanoTime();
            hoard(idle);
            await().atMost(MOST).until(() -> held.ends().total() == slow);
            say(
                    "slow heads",
                    "%d held, %s, %d s after the last",
                    slow,
                    held.ends(),
                    (System.nanoTime() - begun) / 1_000_000_000);
        }
        isAsBefore();
    }

    /** Opens idle connections up to the server's limit and above: an honest caller is served. */
    private void hoard(int count) throws IOException {
        try (var held = new HeldConnections(target)) {
            held.hold(count, target.health());
            long begun = System.nanoTime();
            var fault = HonestClient.callAsTold(target);
            say(
                    "hoarding",
                    "%d held, %s, an honest call answered after %d ms",
                    count,
                    held.ends(),
                    (System.nanoTime() - begun) / 1_000_000);
            assertThat(fault).isEmpty();
        }
    }

    private void answersHonestCallers() {
        assertThat(HonestClient.health(target)).isEmpty();
        assertThat(HonestClient.callOnce(target)).isEmpty();
    }

    @Test
    @Order(9)
    void answersAnHonestCallerAmongAllKinds() throws Exception {
        int count = Thorough.count("knabla.hostile.mixed", 2000, 2000);
        try (var quiet = new HonestClient(target);
                var honest = new HonestClient(target)) {
            for (int i = 0; i < 500; i++) {
                quiet.call();
            }
            var attacking = new AtomicBoolean(true);
            long most = 0;
            try (var held = new HeldConnections(target);
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<?> attack = threads.submit(() -> {
                    mix(held, count);
                    attacking.set(false);
                    return null;
                });
                while (attacking.get() && !attack.isDone() || honest.calls() < 500) {
                    honest.call();
                    most = Math.max(most, process.residentMiB());
                }
                attack.get();
                say(
                        "all kinds",
                        "%d sent, ends so far %s; descriptors %d before, %d now",
                        count,
                        held.ends(),
                        descriptors,
                        process.descriptors());
                assertThat(process.descriptors()).isLessThan(descriptors + count + OWN_DESCRIPTORS);
            }
            say(
                    "all kinds",
                    "honest p99 %.1f ms, quiet %.1f ms, %d calls, %d sent again, faults %s, at most %d MiB resident",
                    honest.p99Millis(),
                    quiet.p99Millis(),
                    honest.calls(),
                    honest.repeats(),
                    honest.faults(),
                    most);
            assertThat(honest.faults()).isEmpty();
            // A stalled machine lets whole calls of reset connections pile up beyond a queue of 100.
            assertThat(honest.repeats()).isLessThan(honest.calls() / 20);
            assertThat(most).isLessThan(mostResidentMiB());
        }
        isAsBefore();
    }

    /** What only this server can be attacked by: what is sent on a connection that then stays open. */
    protected List<String> ownAttacks(Target server) {
        return List.of();
    }

    private void mix(HeldConnections held, int count) throws Exception {
        String half = target.health().substring(0, 40);
        String stopped = target.post("Content-Length: " + MIB + "\r\n") + " ".repeat(MIB - 10);
        var probes = new ArrayList<>(FramingProbes.of(target));
        probes.addAll(HeadProbes.of(target));
        probes.removeIf(probe -> probe.request().length() > 1 << 17);
        int eighth = count / 8;
        held.hold(eighth, half);
        held.drip(eighth, half);
        held.hold(eighth - CALLERS, target.health());
        List<String> others = new ArrayList<>(Http2Attacks.of(target));
        others.addAll(ownAttacks(target));
        for (int i = 0; i < eighth; i++) {
            held.hold(1, others.get(i % others.size()));
        }
        held.hold(eighth, stopped);
        held.drip(eighth, target.post("Transfer-Encoding: chunked\r\n") + "10000\r\n");
        held.neverRead(CALLERS, target.call(4).repeat(200));
        ConnectionResets.run(target, eighth);
        List<Probe> repeated = new ArrayList<>();
        for (int i = 0; i < count - 7 * eighth; i++) {
            repeated.add(probes.get(i % probes.size()));
        }
        outcomes(repeated);
    }

    @Test
    @Order(10)
    void limitsMemoryOfBodiesThatStop() throws Exception {
        int count = Thorough.count("knabla.hostile.bodies", 400, 2600);
        try (var held = new HeldConnections(target)) {
            held.hold(count, target.post("Content-Length: " + MIB + "\r\n") + " ".repeat(MIB - 10));
            assertThat(HonestClient.callAsTold(target)).isEmpty();
            say(
                    "bodies that stop",
                    "%d sent, ends so far %s, %d MiB resident",
                    count,
                    held.ends(),
                    process.residentMiB());
            assertThat(process.residentMiB()).isLessThan(mostResidentMiB());
        }
        isAsBefore();
        assertThat(HonestClient.callOnce(target, MIB)).isEmpty();
    }

    private void isAsBefore() {
        awaitDescriptors();
        answersHonestCallers();
    }

    private void awaitDescriptors() {
        await().atMost(MOST)
                .untilAsserted(() ->
                        assertThat(process.descriptors()).as("descriptors").isLessThan(descriptors + OWN_DESCRIPTORS));
    }
}
