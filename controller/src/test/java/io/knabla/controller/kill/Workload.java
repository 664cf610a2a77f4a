package io.knabla.controller.kill;

import io.knabla.controller.standin.Pace;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Deploys and calls functions until the platform stops answering. */
final class Workload {
    /** Accepted statuses: not deployed yet, or still starting on a busy machine. */
    private static final Set<Integer> NOT_YET = Set.of(404, 429, 503, 504);

    private final Client client;
    private final Models models;
    private final long seed;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private List<Future<Void>> running = List.of();

    Workload(Client client, Models models, long seed) {
        this.client = client;
        this.models = models;
        this.seed = seed;
    }

    Workload start(int functions, ObjIntConsumer<String> deployed, Runnable answered) {
        running = IntStream.range(0, functions)
                .mapToObj(index -> "function-" + index)
                .flatMap(name -> Stream.<Callable<Void>>of(() -> deploy(name, deployed), () -> call(name, answered)))
                .map(workers::submit)
                .toList();
        return this;
    }

    /** Waits for the workers, which end when the platform is dead; rethrows their failures. */
    void stop() throws InterruptedException {
        for (var worker : running) {
            try {
                worker.get();
            } catch (ExecutionException ended) {
                if (!nobodyAnswered(ended.getCause())) {
                    throw new AssertionError(ended.getCause());
                }
            }
        }
        workers.close();
    }

    /** Whether the connection was lost; a malformed response is an {@link IOException} too, but a fault. */
    private static boolean nobodyAnswered(Throwable end) {
        return end instanceof IOException && !(end instanceof ProtocolException);
    }

    private Void deploy(String name, ObjIntConsumer<String> deployed) throws IOException {
        var random = new Random(seed ^ name.hashCode());
        while (true) {
            var model = models.documented(name + "-" + Math.abs(random.nextInt()));
            client.upload(model.digest(), model.file());
            deployed.accept(name, client.deploy(name, model.digest(), 5 + random.nextInt(60)));
        }
    }

    private Void call(String name, Runnable answered) throws IOException {
        while (true) {
            Pace.pause();
            int status = client.infer(name, Models.REQUEST).statusCode();
            if (status == 200) {
                answered.run();
            } else if (!NOT_YET.contains(status)) {
                throw new AssertionError("%s answered %d".formatted(name, status));
            }
        }
    }
}
