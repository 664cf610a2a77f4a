package io.knabla.controller.cli.verbs.function;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.kube.FunctionObjects;
import io.knabla.controller.cli.kube.KubeContext;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.verbs.context.Context;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Deletes functions with all versions and replicas. */
@Command(
        name = "delete",
        aliases = "rm",
        description = "Deletes functions: all versions, and every replica.",
        footer = {"", "Example:", "  ./knabla delete digits"})
public final class DeleteCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(200);

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "The functions' names.")
    List<String> names;

    private final Context context;

    public DeleteCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Consumer<String> deletes = deleteAction();
        ArrayNode deleted = Documents.JSON.createArrayNode();
        Set<String> failures = new LinkedHashSet<>();
        for (String name : names) {
            try {
                deletes.accept(name);
                deleted.add(report(name));
            } catch (CliFailure failed) {
                failures.add(failed.getMessage());
            }
        }
        ObjectNode document = Documents.JSON.createObjectNode().set("items", deleted);
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(document));
            case yaml -> context.console().out().println(Documents.yaml(document));
            case name, table, wide -> {}
        }
        if (failures.isEmpty()) {
            return ExitCodes.SUCCESS;
        }
        throw failures.size() == 1
                ? CliFailure.failed("%s", failures.iterator().next())
                : CliFailure.withFaults(
                        "%d of %d functions are not deleted:".formatted(names.size() - deleted.size(), names.size()),
                        List.copyOf(failures));
    }

    private Consumer<String> deleteAction() {
        Optional<KubeContext> cluster = context.kube();
        if (cluster.isPresent()) {
            return name -> delete(cluster.get(), name);
        }
        PlatformClient platform = context.platform();
        return name -> delete(platform, name);
    }

    /** Reports one function as soon as it is deleted. */
    private ObjectNode report(String name) {
        switch (context.format()) {
            case name -> context.console().print("%s", name);
            case table, wide -> context.console().print("function %s/%s deleted", context.namespace(), name);
            case json, yaml -> {}
        }
        return Documents.JSON
                .createObjectNode()
                .put("name", name)
                .put("namespace", context.namespace())
                .put("result", "deleted");
    }

    private void delete(PlatformClient platform, String name) {
        String path = PlatformClient.functionPath(context.namespace(), name);
        platform.expectSuccess(platform.api("DELETE", path, BodyPublishers.noBody(), Map.of()), "DELETE " + path);
    }

    /** Deletes with the user's credentials, then waits until the controller has removed its finalizer. */
    private void delete(KubeContext cluster, String name) {
        FunctionObjects functions = cluster.functions();
        String namespace = context.namespace();
        if (!functions.delete(namespace, name)) {
            throw CliFailure.failed(
                    "there is no function '%s' in namespace '%s' of context '%s'; correct the name,"
                            + " or name another namespace with -n.",
                    name, namespace, cluster.name());
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (functions.find(namespace, name).isPresent()) {
            if (System.nanoTime() > deadline) {
                throw CliFailure.failed(
                        "function %s/%s is marked as deleted, but after %d s the controller has not removed its"
                                + " finalizer. Check whether it runs: kubectl get pods -A -l"
                                + " app.kubernetes.io/name=knabla-controller --context %s",
                        namespace, name, PATIENCE.toSeconds(), cluster.name());
            }
            ReadinessWaiter.pause(PAUSE);
        }
    }
}
