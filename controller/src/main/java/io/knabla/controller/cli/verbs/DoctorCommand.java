package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.StoreAccess;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.doctor.ClusterExamination;
import io.knabla.controller.cli.doctor.Examination;
import io.knabla.controller.cli.doctor.Finding;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.cli.doctor.store.StoreExamination;
import io.knabla.controller.cli.doctor.store.StorePolicy;
import io.knabla.controller.cli.doctor.store.StorePolicy.Role;
import io.knabla.controller.cli.print.Console.Colour;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.storage.ObjectStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What this machine, a store or a cluster has and lacks. */
@Command(
        name = "doctor",
        description = "Checks what this machine has and lacks, each lack with its fix. With --store: tries"
                + " whether a store can be what Knabla needs, on objects of its own that it"
                + " takes away again. With --context: whether a cluster's Knative is set up"
                + " for functions, each lack with its command.",
        footer = {
            "",
            "Examples:",
            "  ./knabla doctor",
            "  ./knabla doctor --context kind-kind",
            "  ./knabla doctor --store s3://my-bucket/knabla",
            "  ./knabla doctor --store s3://my-bucket/knabla --policy inference > policy.json"
        })
final class DoctorCommand implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "LOCATION",
            description = "Examine this store instead: s3://bucket/prefix or file:///folder.")
    String store;

    @Option(
            names = "--policy",
            arity = "0..1",
            paramLabel = "ROLE",
            fallbackValue = "controller",
            description = "With --store: only print the least IAM policy, for ${COMPLETION-CANDIDATES}"
                    + " (default: controller).")
    Role role;

    @Option(
            names = "--kms-key",
            paramLabel = "ARN",
            description = "With --policy: the key that the bucket is encrypted with (SSE-KMS).")
    String kmsKey;

    private final Context context;

    DoctorCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (role != null) {
            context.console().out().println(Documents.json(policy(role)));
            return ExitCodes.GOOD;
        }
        List<Finding> findings = store == null ? examine() : examineStore();
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
        boolean bad = findings.stream().anyMatch(finding -> finding.grade() == Grade.bad);
        return bad ? ExitCodes.FAILED : ExitCodes.GOOD;
    }

    /** A cluster only where the command names one: who asks about this machine hears of it. */
    private List<Finding> examine() {
        return Optional.ofNullable(context.options().context)
                .flatMap(_ -> context.kube())
                .map(cluster -> new ClusterExamination(cluster.client(), cluster.name()).findings())
                .orElseGet(() -> new Examination(Settings.ofProcess(), Launcher.root()).findings());
    }

    private List<Finding> examineStore() throws InterruptedException {
        var progress = new Progress(context.console(), context.options().quiet);
        try (ObjectStore opened = access().open()) {
            String id = UUID.randomUUID().toString();
            if (!context.console().live()) {
                progress.step("examining " + store);
            }
            return new StoreExamination(opened, id, StoreExamination.LONGEST, what -> live(progress, what)).findings();
        } catch (IllegalArgumentException malformed) {
            throw CliFailure.wrongUse("%s", malformed.getMessage());
        } finally {
            progress.done();
        }
    }

    private JsonNode policy(Role of) {
        if (store == null) {
            throw CliFailure.wrongUse("--policy needs --store s3://bucket/prefix.");
        }
        try {
            Map<String, String> environment = access().environment();
            return StorePolicy.of(store, environment.getOrDefault("AWS_REGION", ""), key(environment))
                    .document(of);
        } catch (IllegalArgumentException malformed) {
            throw CliFailure.wrongUse("%s", malformed.getMessage());
        }
    }

    /** The flag's, or the one that writes are set to name. */
    private Optional<String> key(Map<String, String> environment) {
        String encryption = environment.getOrDefault("KNABLA_S3_ENCRYPTION", "");
        return Optional.ofNullable(kmsKey)
                .or(() -> Optional.of(encryption.replaceFirst("^aws:kms:", "")).filter(key -> key.startsWith("arn:")));
    }

    private StoreAccess access() {
        return StoreAccess.ofCommandLine(System.getenv(), Settings.ofProcess().home(), Optional.of(store));
    }

    private void live(Progress progress, String what) {
        if (context.console().live()) {
            progress.step("trying: " + what);
        }
    }

    private void showPolicy() {
        context.console().out().println();
        context.console().print("The least IAM policy of a controller on this store:");
        context.console().out().println(Documents.json(policy(Role.controller)));
        context.console().print("Of replicas: --policy inference, --policy training.");
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
