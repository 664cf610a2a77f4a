package io.knabla.controller.deploy;

import io.knabla.controller.benchmark.MachineBenchmark;
import io.knabla.controller.config.Ids;
import io.knabla.controller.home.Home;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.Packager.Analyzed;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Analyses a model from a stream without storing it. */
@Singleton
public final class ModelAnalysis {
    /** Protobuf limits an ONNX file to 2 GiB. */
    private static final long MOST = 2L << 30;

    /** Threads of a replica that requests no CPUs. */
    private static final int DEFAULT_THREADS = 1;

    /** Result of the analysis. */
    public sealed interface Answer {
        record Done(Analysis analysis) implements Answer {}

        record Refused(List<Fault> faults) implements Answer {}

        record TooLarge(String sentence) implements Answer {}

        /** The temporary copy of the model could not be written. */
        record NotWritten(String sentence) implements Answer {}

        record Busy() implements Answer {}
    }

    private final Home home;
    private final Ids ids;
    private final MachineBenchmark calibrator;
    private final Bulkhead bulkhead = new Bulkhead(2, 8);

    ModelAnalysis(Home home, Ids ids, MachineBenchmark calibrator) {
        this.calibrator = calibrator;
        this.home = home;
        this.ids = ids;
    }

    public Answer of(InputStream model) throws IOException {
        Files.createDirectories(home.uploads());
        Path file = home.uploads().resolve("analysis." + ids.next() + ".tmp");
        try {
            try (var out = Files.newOutputStream(file)) {
                byte[] buffer = new byte[1 << 16];
                long size = 0;
                for (int read; (read = model.read(buffer)) >= 0; ) {
                    size += read;
                    if (size > MOST) {
                        return new Answer.TooLarge("an ONNX file has at most 2 GiB; keep its weights as external data");
                    }
                    try {
                        out.write(buffer, 0, read);
                    } catch (IOException refused) {
                        return new Answer.NotWritten("cannot write to %s: %s; make room there and send the model again"
                                .formatted(home.uploads(), refused.getMessage()));
                    }
                }
            }
            return bulkhead.tryRun(() -> analyze(file)).orElse(new Answer.Busy());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private Answer analyze(Path file) {
        return switch (Packager.analyze(new ModelFiles(file, _ -> Optional.empty()))) {
            case Analyzed.Done(var analysis, var _) ->
                new Answer.Done(analysis.forMachine(calibrator.machine(DEFAULT_THREADS)));
            case Analyzed.Refused(var faults) -> new Answer.Refused(faults);
        };
    }
}
