package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.cost.LedgerRows;
import io.knabla.controller.cli.verbs.cost.PeriodOptions;
import io.knabla.controller.simulate.spot.History;
import io.knabla.controller.simulate.spot.Market;
import io.knabla.controller.simulate.spot.RelativeMarket;
import io.knabla.controller.simulate.spot.Scenario;
import io.knabla.controller.simulate.spot.SimulatedPlatform;
import io.knabla.controller.simulate.spot.SimulatedPrices;
import io.knabla.controller.simulate.spot.Workload;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.BundledTraces;
import io.knabla.controller.simulate.spot.trace.TraceReader;
import io.knabla.controller.usage.Interval;
import io.knabla.functions.spec.Durations;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Command-line options that choose the trace of spot capacity, the prices and the load on which policies are compared.
 */
final class SpotScenarioOptions {
    @Option(
            names = "--trace",
            paramLabel = "FILE|NAME",
            description = "A file, or a bundled trace (default: " + BundledTraces.NINE_ZONES + ").")
    String trace;

    @Option(
            names = "--from-ledger",
            description =
                    "The platform's own replicas, spot nodes and requests from --from to --to. They say the zones,"
                            + " the target, the rate and the mean time of requests. A zone has no spot capacity from the loss of"
                            + " its last spot node until the next one starts there.")
    boolean ledger;

    @Option(
            names = "--function",
            paramLabel = "NAMESPACE/NAME",
            description = "With --from-ledger: only this function (default: all, as if they were one).")
    String function;

    @Mixin
    PeriodOptions time;

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description =
                    "Spot prices: time_utc,availability_zone,instance_type,spot_price_usd_per_hour; or 'bundled' for"
                            + " those of p3.2xlarge.")
    String prices;

    @Option(
            names = "--price-ratio",
            paramLabel = "K",
            description = "On-demand price over spot price, without --prices (default: 3).")
    BigDecimal ratio = BigDecimal.valueOf(3);

    @Option(
            names = "--on-demand-price",
            paramLabel = "USD",
            description = "Of an hour, with --prices; default: that of the bundled price lists.")
    BigDecimal onDemand;

    @Option(names = "--zones", paramLabel = "Z[,Z…]", split = ",", description = "Only these zones of the trace.")
    List<String> zones;

    @Option(names = "--target", paramLabel = "N", description = "Replicas that should be ready (default: 3).")
    int target = 3;

    @Option(names = "--cold-start", paramLabel = "DURATION", description = "From launch to ready (default: 120s).")
    String coldStart = "120s";

    @Option(
            names = "--notice",
            paramLabel = "DURATION",
            description = "From warning to interruption (default: 0s, as in the published comparisons; EC2: 120s).")
    String notice = "0s";

    @Option(
            names = "--rebalance-lead",
            paramLabel = "DURATION",
            description = "From a rebalance recommendation to the loss (default: 0s, none).")
    String rebalanceLead = "0s";

    @Option(
            names = "--platform",
            paramLabel = "PLATFORM",
            description =
                    "Of ${COMPLETION-CANDIDATES}: carry plans out as this platform does, which starts what is missing first and"
                            + " hedges one by one (Laptop), or acts on a division that was wanted for 20s (Cluster); None does so at"
                            + " once, as papers do (default: ${DEFAULT-VALUE}).")
    SimulatedPlatform platform = SimulatedPlatform.None;

    @Option(
            names = "--tick",
            paramLabel = "DURATION",
            description = "Between two decisions (default: 30s; with --platform Laptop or Cluster: 2s, as there).")
    String tick;

    @Option(
            names = "--rate",
            paramLabel = "PER_SECOND",
            description = "Requests a second (default: 0.05 for each replica of the target).")
    Double rate;

    @Option(names = "--service", paramLabel = "DURATION", description = "Mean time of a request (default: 10s).")
    String service = "10s";

    @Option(names = "--timeout", paramLabel = "DURATION", description = "Of a request (default: 100s).")
    String timeout = "100s";

    @Option(names = "--concurrency", paramLabel = "N", description = "Requests at once on a replica (default: 1).")
    int concurrency = 1;

    /** What is wrong with the values, whatever the files hold. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        addUnlessDuration(faults, "--cold-start", coldStart);
        addUnlessDuration(faults, "--notice", notice);
        addUnlessDuration(faults, "--rebalance-lead", rebalanceLead);
        Optional.ofNullable(tick).ifPresent(text -> addUnlessPositive(faults, "--tick", text));
        addUnlessPositive(faults, "--service", service);
        addUnlessPositive(faults, "--timeout", timeout);
        addIf(ledger && (trace != null || zones != null), faults, "--from-ledger takes neither --trace nor --zones");
        addIf(!ledger && function != null, faults, "--function needs --from-ledger");
        addIf(!ledger && (time.hasBound()), faults, "--from and --to need --from-ledger");
        addIf(target < 1, faults, "--target must be 1 at least, but is " + target);
        addIf(concurrency < 1, faults, "--concurrency must be 1 at least, but is " + concurrency);
        addIf(ratio.signum() <= 0, faults, "--price-ratio must be more than 0, but is " + ratio);
        addIf(rate != null && !(rate > 0), faults, "--rate must be more than 0, but is " + rate);
        return faults;
    }

    /**
     * Reads the files; the values must have no faults.
     *
     * @throws CliFailure that says what is wrong with the files
     */
    Scenario scenario() {
        try {
            AvailabilityTrace read = inZones(readTrace());
            var workload = new Workload(
                    rate == null ? 0.05 * target : rate, duration(service), duration(timeout), concurrency);
            return new Scenario(read, market(read), target, timing(), Optional.of(workload)).on(platform);
        } catch (IllegalArgumentException wrong) {
            throw CliFailure.because(wrong, "%s", wrong.getMessage());
        }
    }

    /**
     * Reads the ledger; the values must have no faults.
     *
     * @throws CliFailure that says what is missing in the ledger
     */
    Replay replay(Context context) {
        try {
            var source = new LedgerHistory(new LedgerRows(context, time), Optional.ofNullable(function));
            History read = source.read();
            Market market = market(read, source.instanceTypes(), context);
            return new Replay(
                    read,
                    read.scenario(market, timing(), duration(timeout), concurrency)
                            .on(platform));
        } catch (IllegalArgumentException wrong) {
            throw CliFailure.because(wrong, "%s", wrong.getMessage());
        }
    }

    /** What was recorded, and the scenario that other policies run on. */
    record Replay(History history, Scenario scenario) {}

    private Market market(History read, Set<String> instanceTypes, Context context) {
        if (prices != null) {
            return market(read.trace());
        }
        return SimulatedPrices.ofTypes(instanceTypes, read.zones(), Interval.of(read.start(), read.end()))
                .orElseGet(() -> {
                    context.note(
                            "note: the price lists do not know the spot nodes (%s); on demand costs %s times as much as"
                                    + " spot, as --price-ratio says",
                            String.join(", ", instanceTypes), ratio);
                    return RelativeMarket.ofRatio(ratio);
                });
    }

    private AvailabilityTrace readTrace() {
        String trace = Optional.ofNullable(this.trace).orElse(BundledTraces.NINE_ZONES);
        return BundledTraces.find(trace).orElseGet(() -> {
            Path file = Path.of(trace);
            if (!Files.exists(file)) {
                throw CliFailure.failed(
                        "there is no file and no bundled trace '%s'; bundled are %s",
                        trace, String.join(", ", BundledTraces.names()));
            }
            return TraceReader.read(trace, text(file));
        });
    }

    private Scenario.Timing timing() {
        return new Scenario.Timing(duration(coldStart), duration(notice), duration(rebalanceLead), period());
    }

    private Duration period() {
        return Optional.ofNullable(tick).map(SpotScenarioOptions::duration).orElseGet(platform::period);
    }

    private AvailabilityTrace inZones(AvailabilityTrace read) {
        if (zones == null) {
            return read;
        }
        List<String> unknown =
                zones.stream().filter(zone -> !read.zones().contains(zone)).toList();
        if (!unknown.isEmpty()) {
            throw CliFailure.failed("the trace has no zone %s; it has %s", unknown, String.join(", ", read.zones()));
        }
        return read.ofZones(zones);
    }

    private Market market(AvailabilityTrace read) {
        if (prices == null) {
            return RelativeMarket.ofRatio(ratio);
        }
        Optional<SimulatedPrices.File> file = prices.equals("bundled")
                ? Optional.empty()
                : Optional.of(new SimulatedPrices.File(prices, text(Path.of(prices))));
        return new SimulatedPrices(file, Optional.ofNullable(onDemand)).market(read);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", file, unreadable.getMessage());
        }
    }

    private static void addUnlessDuration(List<String> faults, String option, String text) {
        addIf(
                Durations.parse(text).isEmpty(),
                faults,
                "%s is '%s', but must be a duration, such as 120s".formatted(option, text));
    }

    private static void addUnlessPositive(List<String> faults, String option, String text) {
        addUnlessDuration(faults, option, text);
        addIf(
                Durations.parse(text).filter(Duration::isZero).isPresent(),
                faults,
                "%s must be more than 0, but is %s".formatted(option, text));
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
