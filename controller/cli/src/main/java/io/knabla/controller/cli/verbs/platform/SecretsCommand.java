package io.knabla.controller.cli.verbs.platform;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.secrets.SecretGenerator;
import io.knabla.controller.cli.verbs.context.Context;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Creates the controller's Secrets; runs in an init container of the controller's pod. */
@Command(
        name = "secrets",
        hidden = true,
        description = "Creates the named Secrets with random values in the namespace of this pod, unless they exist.",
        footer = {"", "Example:", "  ./knabla secrets knabla-token knabla-store"})
public final class SecretsCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = SecretGenerator.TOKEN + " or " + SecretGenerator.STORE + ".")
    List<String> names;

    private final Context context;

    public SecretsCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (KubernetesClient kubernetes = new KubernetesClientBuilder().build()) {
            var secrets = new SecretGenerator(kubernetes, new SecureRandom());
            for (String name : names) {
                context.note(
                        secrets.createIfAbsent(name)
                                ? "created Secret %s with random values"
                                : "Secret %s exists and stays unchanged",
                        name);
            }
            return ExitCodes.SUCCESS;
        } catch (IllegalArgumentException unknown) {
            throw CliFailure.usageError("%s", unknown.getMessage());
        } catch (KubernetesClientException refused) {
            throw CliFailure.because(
                    refused,
                    "cannot create the Secrets %s: %s. Create them yourself, see 'Secrets' in k8s/README.md.",
                    String.join(" and ", names),
                    refused.getMessage());
        }
    }
}
