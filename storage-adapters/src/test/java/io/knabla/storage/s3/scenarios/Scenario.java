package io.knabla.storage.s3.scenarios;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.proxy.MessageHead;
import io.knabla.storage.s3.proxy.SeededFaults;
import io.knabla.storage.s3.proxy.SeededFaults.Kind;
import io.knabla.storage.s3.servers.TestClients;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/**
 * Runs one random program of a few clients on a server behind random faults, then audits the result without faults. The
 * seed determines everything except thread scheduling.
 */
final class Scenario {
    /**
     * @param unknown number of writes that ended with an exception
     * @param problems violations found; empty if none
     */
    record Result(int operations, long unknown, Map<Kind, Integer> faults, List<String> problems) {}

    private static final List<Kind> ANY = List.of(Kind.values());

    /** Faults without late writes: in any S3, an unconditional write that arrives late overwrites newer ones. */
    private static final List<Kind> FOR_ONE_AT_A_TIME =
            ANY.stream().filter(kind -> kind != Kind.RACE && kind != Kind.STALL).toList();

    private final S3Server server;
    private final String bucket;
    private final String location;
    private final String prefix;
    private final RandomGenerator random;
    private final boolean racing;
    private final SeededFaults faults;
    private final ObservationLog witness = new ObservationLog();

    Scenario(S3Server server, String bucket, long seed) {
        this.server = server;
        this.bucket = bucket;
        this.prefix = "s" + Long.toHexString(seed) + "/";
        this.location = "s3://" + bucket + "/" + prefix;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.racing = random.nextInt(3) == 0;
        double rate = random.nextDouble(0.05, 0.4);
        this.faults = new SeededFaults(random.nextLong(), rate, racing ? ANY : FOR_ONE_AT_A_TIME);
    }

    Result run() {
        List<String> problems = new ArrayList<>();
        try (ObjectStore direct = open(server.environment())) {
            var auditor = new ScenarioClient("auditor", direct, witness, System::nanoTime);
            var other = new ScenarioClient("other", direct, witness, System::nanoTime);
            try (var proxy = FaultProxy.start(server.endpoint(), faults, head -> interfere(other, head))) {
                runProgram(proxy);
            }
            audit(auditor, direct, problems);
        } catch (Exception | AssertionError failed) {
            problems.add(text(failed));
        }
        problems.addAll(witness.contradictions());
        return new Result(witness.operations(), witness.unknown(), faults.counts(), problems);
    }

    private void runProgram(FaultProxy proxy) throws Exception {
        Map<String, String> environment = new HashMap<>(server.environment());
        environment.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
        // Fewer than by default: more calls end with an unknown outcome.
        environment.put("KNABLA_S3_ATTEMPTS", Integer.toString(random.nextInt(1, 5)));
        if (racing) {
            environment.put("KNABLA_S3_REQUEST_TIMEOUT", SeededFaults.CLIENT_TIMEOUT.toSeconds() + "s");
        }
        List<ObjectStore> stores = new ArrayList<>();
        List<ScenarioClient> clients = new ArrayList<>();
        for (int i = 0; i < Step.CLIENTS; i++) {
            stores.add(open(environment));
            clients.add(new ScenarioClient("c" + i, stores.get(i), witness, System::nanoTime));
        }
        List<Step> program = Step.program(random, racing);
        try {
            if (racing) {
                race(clients, program);
            } else {
                for (Step step : program) {
                    clients.get(step.client()).perform(step);
                }
            }
        } finally {
            stores.forEach(ObjectStore::close);
        }
    }

    private static void race(List<ScenarioClient> clients, List<Step> program) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < clients.size(); i++) {
                int number = i;
                running.add(threads.submit(() -> {
                    for (Step step : program) {
                        if (step.client() == number) {
                            clients.get(number).perform(step);
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> one : running) {
                one.get();
            }
        }
    }

    /** Interferes only before a write, and only replaces an existing object, to make an etag stale. */
    private void interfere(ScenarioClient other, MessageHead request) {
        String target = request.target();
        if (!request.method().equals("PUT") || target.contains("?")) {
            return;
        }
        synchronized (other) {
            try {
                other.interfere(target.substring(target.lastIndexOf('/') + 1));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private void audit(ScenarioClient auditor, ObjectStore direct, List<String> problems) {
        List<String> listed = auditor.list().orElseThrow().stream()
                .map(info -> info.key().path())
                .toList();
        for (int i = 0; i < Step.KEYS; i++) {
            auditor.read("k" + i);
        }
        List<String> there = IntStream.range(0, Step.KEYS)
                .mapToObj(i -> "k" + i)
                .filter(key -> direct.read(new ObjectKey(key)).isPresent())
                .toList();
        if (!there.equals(listed)) {
            problems.add("listed " + listed + " but " + there + " can be read");
        }
        direct.abortStaleUploads(Instant.now().plusSeconds(3_600));
        try (var client = TestClients.of(server.endpoint(), server.accessKey(), server.secretKey())) {
            client.listMultipartUploads(ask -> ask.bucket(bucket).prefix(prefix)).uploads().stream()
                    .filter(upload -> upload.key().startsWith(prefix))
                    .forEach(upload -> problems.add("orphan after the sweep: " + upload));
        }
    }

    private ObjectStore open(Map<String, String> environment) {
        return Stores.open(location.substring(0, location.length() - 1), environment);
    }

    private static String text(Throwable failed) {
        var text = new StringWriter();
        failed.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
