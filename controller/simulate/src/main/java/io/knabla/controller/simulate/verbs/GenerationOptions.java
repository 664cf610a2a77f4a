package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.simulate.generation.ChunkPolicy;
import io.knabla.controller.simulate.generation.Deployment;
import io.knabla.controller.simulate.generation.GoodputSearch;
import io.knabla.controller.simulate.generation.Objectives;
import io.knabla.controller.simulate.generation.ReplicaLimits;
import io.knabla.controller.simulate.generation.RequestLoad;
import io.knabla.controller.simulate.generation.RequestLoad.Arrivals;
import io.knabla.controller.simulate.generation.StepCosts;
import io.knabla.controller.simulate.generation.TextRequest;
import io.knabla.controller.simulate.generation.TokenTraceReader;
import io.knabla.controller.simulate.rows.TraceFault;
import io.knabla.functions.spec.Durations;
import io.knabla.runtime.schedule.ScheduleLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import picocli.CommandLine.Option;

/** Options of {@code simulate generation}: requests, replicas, objectives and policies. */
final class GenerationOptions {
    /** As a replica forecasts, which interrupts a text that is longer. */
    private static final int FORECAST = 128;

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "The requests, or azure-code (default: ${DEFAULT-VALUE}).")
    String trace = TokenTraceReader.AZURE_CODE;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "POLICY",
            description = "Of " + ChunkPolicy.FORMS + " (default: Whole,Fixed:2048,Fixed:512,Fixed:128,Objective).")
    List<String> policies =
            ChunkPolicy.USUAL.stream().map(ChunkPolicy::toString).toList();

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests a second of each replica (default: the goodput, which is searched for).")
    Double rate;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "The trace's first so many requests (default: ${DEFAULT-VALUE}).")
    int requests = 500;

    @Option(
            names = "--arrivals",
            paramLabel = "HOW",
            description = "Of ${COMPLETION-CANDIDATES}: gaps by chance, or the trace's own, stretched to the rate"
                    + " (default: ${DEFAULT-VALUE}).")
    Arrivals arrivals = Arrivals.Poisson;

    @Option(names = "--seed", paramLabel = "N", description = "Of the gaps by chance (default: ${DEFAULT-VALUE}).")
    long seed = 1;

    @Option(names = "--replicas", paramLabel = "N", description = "Replicas in all (default: ${DEFAULT-VALUE}).")
    int replicas = 1;

    @Option(
            names = "--ttft",
            paramLabel = "DURATION",
            description = "Objective of the time to the first token (default: ${DEFAULT-VALUE}).")
    String ttft = "1s";

    @Option(
            names = "--tpot",
            split = ",",
            paramLabel = "DURATION",
            description = "Objectives of the mean time for each further token (default: ${DEFAULT-VALUE}).")
    List<String> tpots = List.of("50ms");

    @Option(
            names = "--costs",
            split = ",",
            paramLabel = "MICROSECONDS",
            description =
                    "What a run of the engine costs, and in it a prompt token, a sequence that gets its next token,"
                            + " and a token of context (default: 8000,40,50,0.07, assumed of a model of 8 billion weights on a"
                            + " large GPU).")
    List<String> costs;

    @Option(
            names = "--sequences",
            paramLabel = "N",
            description = "Texts that a replica makes at a time (default: ${DEFAULT-VALUE}).")
    int sequences = 64;

    @Option(
            names = "--memory-tokens",
            paramLabel = "N",
            description = "Tokens whose keys and values a replica keeps (default: ${DEFAULT-VALUE}).")
    long memory = 400_000;

    @Option(
            names = "--queue",
            paramLabel = "N",
            description = "Texts that wait at a replica; one more is refused (default: ${DEFAULT-VALUE}).")
    int queue = 64;

    @Option(
            names = "--transfer",
            paramLabel = "MICROSECONDS",
            description = "With Split: time for each token whose keys and values go to another replica (default:"
                    + " ${DEFAULT-VALUE}, 128 KiB with 100 Gbit/s).")
    double transfer = 10.5;

    /** What is wrong with the values, each with its option. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (String policy : policies) {
            ChunkPolicy.parse(policy)
                    .ifPresentOrElse(
                            parsed -> addIf(
                                    parsed instanceof ChunkPolicy.Split split && replicas % split.size() != 0,
                                    faults,
                                    "--policy %s needs --replicas to be a multiple of its replicas, but that is %d"
                                            .formatted(policy, replicas)),
                            () -> faults.add(
                                    "--policy is '%s', but must be of %s".formatted(policy, ChunkPolicy.FORMS)));
        }
        addUnlessPositive(faults, "--ttft", ttft);
        tpots.forEach(text -> addUnlessPositive(faults, "--tpot", text));
        addIf(
                costs != null && StepCosts.parse(costs).isEmpty(),
                faults,
                "--costs is '%s', but must be four numbers of microseconds: of a run and a prompt token, more than 0, of a sequence and a token of context, 0 or more"
                        .formatted(costs == null ? "" : String.join(",", costs)));
        addIf(rate != null && !(rate > 0 && rate <= 1e6), faults, "--rate must be more than 0, but is " + rate);
        addIf(requests < 2, faults, "--requests must be 2 at least, but is " + requests);
        addIf(replicas < 1 || replicas > 1000, faults, "--replicas must be from 1 to 1000, but is " + replicas);
        addIf(sequences < 1, faults, "--sequences must be 1 at least, but is " + sequences);
        addIf(memory < 1000, faults, "--memory-tokens must be 1000 at least, but is " + memory);
        addIf(queue < 1, faults, "--queue must be 1 at least, but is " + queue);
        addIf(!(transfer >= 0 && transfer <= 1e6), faults, "--transfer must be from 0 to 1000000, but is " + transfer);
        return faults;
    }

    /**
     * Reads the trace; the values must have no faults.
     *
     * @throws CliFailure that says what is wrong with it
     */
    GoodputSearch search() {
        List<TextRequest> all = read();
        try {
            return new GoodputSearch(
                    name(),
                    RequestLoad.of(all.subList(0, Math.min(requests, all.size())), arrivals, seed),
                    new Deployment(replicas, limits(), stepCosts(), 1e3 * transfer));
        } catch (IllegalArgumentException wrong) {
            throw CliFailure.because(wrong, "%s", wrong.getMessage());
        }
    }

    List<Objectives> objectives() {
        return tpots.stream()
                .map(text -> new Objectives(duration(ttft), duration(text)))
                .toList();
    }

    List<ChunkPolicy> chosen() {
        return policies.stream()
                .map(text -> ChunkPolicy.parse(text).orElseThrow())
                .toList();
    }

    OptionalDouble rate() {
        return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
    }

    private boolean isBundled() {
        return trace.equals(TokenTraceReader.AZURE_CODE);
    }

    private String name() {
        return isBundled() ? trace : Path.of(trace).getFileName().toString();
    }

    private List<TextRequest> read() {
        if (isBundled()) {
            return TokenTraceReader.azureCode();
        }
        Path file = Path.of(trace);
        if (!Files.exists(file)) {
            throw CliFailure.failed("there is no file %s; write --trace FILE, or --trace azure-code", file);
        }
        try {
            return TokenTraceReader.read(file);
        } catch (TraceFault faulty) {
            throw CliFailure.withFaults("the trace %s cannot be read:".formatted(file), faulty.faults());
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", file, unreadable.getMessage());
        }
    }

    private ReplicaLimits limits() {
        return new ReplicaLimits(new ScheduleLimits(sequences, memory, FORECAST), queue, MAX_WAIT);
    }

    private StepCosts stepCosts() {
        return costs == null ? StepCosts.LARGE_GPU : StepCosts.parse(costs).orElseThrow();
    }

    private static void addUnlessPositive(List<String> faults, String option, String text) {
        addIf(
                Durations.parse(text).filter(Duration::isPositive).isEmpty(),
                faults,
                "%s is '%s', but must be a duration of more than 0, such as 50ms".formatted(option, text));
    }

    private static void addIf(boolean isWrong, List<String> faults, String fault) {
        if (isWrong) {
            faults.add(fault);
        }
    }

    private static Duration duration(String text) {
        return Durations.parse(text).orElseThrow();
    }
}
