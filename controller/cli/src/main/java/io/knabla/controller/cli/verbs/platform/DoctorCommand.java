package io.knabla.controller.cli.verbs.platform;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.doctor.ClusterChecks;
import io.knabla.controller.cli.doctor.Finding;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.cli.doctor.FunctionsCheck;
import io.knabla.controller.cli.doctor.GpuCheck;
import io.knabla.controller.cli.doctor.IdleCost;
import io.knabla.controller.cli.doctor.MachineChecks;
import io.knabla.controller.cli.doctor.PriceChecks;
import io.knabla.controller.cli.doctor.UsageCheck;
import io.knabla.controller.cli.doctor.store.StoreChecks;
import io.knabla.controller.cli.doctor.store.StorePolicy;
import io.knabla.controller.cli.doctor.store.StorePolicy.Role;
import io.knabla.controller.cli.print.Console.Colour;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.launcher.Launcher;
import io.knabla.controller.home.StoreAccess;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks this machine, a store or a cluster and prints a fix for each problem. */
@Command(
        name = "doctor",
        description =
                "Checks this machine, and functions, prices and usage of its platform if that runs, and prints a fix"
                        + " for each problem. With --store: checks whether a store"
                        + " does what Knabla needs, on temporary objects that it deletes. With --context: checks whether a"
                        + " cluster's Knative is set up for functions. With --gpu: checks whether functions can compute on"
                        + " an NVIDIA GPU here, and names each library that is missing.",
        footer = {
            "",
            "Examples:",
            "  ./knabla doctor",
            "  ./knabla doctor --context kind-kind",
            "  ./knabla doctor --aws",
            "  ./knabla doctor --gpu",
            "  ./knabla doctor --store s3://my-bucket/knabla",
            "  ./knabla doctor --store s3://my-bucket/knabla --policy inference > policy.json"
        })
public final class DoctorCommand implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "LOCATION",
            description = "Check this store instead: s3://bucket/prefix or file:///folder.")
    String store;

    @Option(
            names = "--policy",
            arity = "0..1",
            paramLabel = "ROLE",
            fallbackValue = "controller",
            description = "With --store: only print the minimal IAM policy of a role: ${COMPLETION-CANDIDATES}"
                    + " (default: controller).")
    Role role;

    @Option(
            names = "--kms-key",
            paramLabel = "ARN",
            description = "With --policy: the key that the bucket is encrypted with (SSE-KMS).")
    String kmsKey;

    @Option(
            names = "--aws",
            description =
                    "Only print what the idle platform of terraform/aws costs a month in us-east-1, at each size.")
    boolean aws;

    @Option(names = "--gpu", description = "Only check whether functions can compute on an NVIDIA GPU here.")
    boolean gpu;

    private final Context context;

    public DoctorCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (aws) {
            showIdleCost();
            return ExitCodes.SUCCESS;
        }
        if (role != null) {
            context.console().out().println(Documents.json(policy(role)));
            return ExitCodes.SUCCESS;
        }
        List<Finding> findings = findings();
        boolean s3 = store != null && store.startsWith("s3:");
        Map<String, Object> document = new LinkedHashMap<>(Map.of("items", findings));
        if (s3) {
            document.put("policy", policy(Role.controller));
        }
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(document));
            case yaml -> context.console().out().println(Documents.yaml(document));
            case name -> findings.forEach(one -> context.console().print("%s", one.check()));
            case table, wide -> {
                findings.forEach(this::show);
                if (s3) {
                    showPolicy();
                }
            }
        }
        return isAnyBad(findings) ? ExitCodes.FAILED : ExitCodes.SUCCESS;
    }

    private List<Finding> findings() throws InterruptedException {
        if (gpu) {
            return new GpuCheck(Launcher.root(), System.getenv()).findings();
        }
        return store == null ? runChecks() : runStoreChecks();
    }

    private void showIdleCost() {
        List<IdleCost.Line> lines = IdleCost.lines();
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(Map.of("items", lines)));
            case yaml -> context.console().out().println(Documents.yaml(Map.of("items", lines)));
            case name ->
                IdleCost.sums().keySet().forEach(size -> context.console().print("%s", size));
            case table, wide -> {
                lines.forEach(line -> context.console()
                        .print(
                                "%-7s %-29s %5d %10s",
                                line.size(), line.item(), line.count(), "$" + line.usdPerMonth()));
                IdleCost.sums()
                        .forEach((size, sum) ->
                                context.console().print("%-7s %-29s %5s %10s", size, "a month", "", "$" + sum));
            }
        }
    }

    /** Checks a cluster only if {@code --context} names one, not if the settings do. */
    private List<Finding> runChecks() {
        List<Finding> findings = Optional.ofNullable(context.options().context)
                .flatMap(_ -> context.kube())
                .map(cluster -> new ClusterChecks(cluster.client(), cluster.name()).findings())
                .orElseGet(() -> new MachineChecks(Settings.ofProcess(), Launcher.root()).findings());
        if (isAnyBad(findings)) {
            return findings;
        }
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(new PriceChecks(context.platform(), Instant.now()).findings());
        all.add(new FunctionsCheck(context.platform()).finding());
        all.add(new UsageCheck(context.platform()).finding());
        return all;
    }

    private static boolean isAnyBad(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.grade() == Grade.bad);
    }

    private List<Finding> runStoreChecks() throws InterruptedException {
        var progress = new Progress(context.console(), context.options().quiet);
        try (ObjectStore opened = access().open()) {
            String id = UUID.randomUUID().toString();
            if (!context.console().live()) {
                progress.step("checking " + store);
            }
            return new StoreChecks(opened, id, StoreChecks.LONGEST, what -> live(progress, what)).findings();
        } catch (IllegalArgumentException malformed) {
            throw CliFailure.usageError("%s", malformed.getMessage());
        } catch (StorageException unusable) {
            throw CliFailure.because(unusable, "the store %s cannot be used: %s", store, unusable.getMessage());
        } finally {
            progress.done();
        }
    }

    private JsonNode policy(Role of) {
        if (store == null) {
            throw CliFailure.usageError("--policy needs --store s3://bucket/prefix.");
        }
        try {
            Map<String, String> environment = access().environment();
            return StorePolicy.of(store, environment.getOrDefault("AWS_REGION", ""), key(environment))
                    .document(of);
        } catch (IllegalArgumentException malformed) {
            throw CliFailure.usageError("%s", malformed.getMessage());
        }
    }

    /** The key of {@code --kms-key}, else the one in KNABLA_S3_ENCRYPTION. */
    private Optional<String> key(Map<String, String> environment) {
        String encryption = environment.getOrDefault("KNABLA_S3_ENCRYPTION", "");
        return Optional.ofNullable(kmsKey)
                .or(() -> Optional.of(encryption.replaceFirst("^aws:kms:", "")).filter(key -> key.startsWith("arn:")));
    }

    private StoreAccess access() {
        return Settings.ofProcess().store(Optional.of(store));
    }

    private void live(Progress progress, String what) {
        if (context.console().live()) {
            progress.step("checking: " + what);
        }
    }

    private void showPolicy() {
        context.console().out().println();
        context.console().print("The minimal IAM policy of a controller on this store:");
        context.console().out().println(Documents.json(policy(Role.controller)));
        context.console().print("For replicas: --policy inference, --policy training.");
    }

    private void show(Finding finding) {
        String mark = switch (finding.grade()) {
            case good -> context.console().paint(Colour.GREEN, "good");
            case poor -> context.console().paint(Colour.YELLOW, "poor");
            case bad -> context.console().paint(Colour.RED, "bad ");
        };
        context.console().print("%s  %-15s %s", mark, finding.check(), finding.found());
        if (!finding.fix().isEmpty()) {
            context.console().print("%21s %s", "", "fix: " + finding.fix());
        }
    }
}
