package io.knabla.controller.cli.verbs.invoke;

import io.knabla.controller.cli.client.FunctionEndpoint;
import io.knabla.controller.cli.verbs.context.Context;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Argument NAME of a verb that calls a function, and how the function is reached. */
final class CalledFunction {
    @Parameters(index = "0", paramLabel = "NAME", description = "The function's name.")
    String name;

    @Option(
            names = "--ingress",
            paramLabel = "URL",
            description = "With --context: the URL of the cluster's ingress, for functions whose host names do not"
                    + " resolve (default: KNABLA_INGRESS, else the function's URL).")
    String ingress;

    FunctionEndpoint endpoint(Context context) {
        return context.kube()
                .map(cluster -> new FunctionEndpointResolver(context, cluster).resolve(name, ingress))
                .orElseGet(() -> context.platform().endpoint(context.namespace(), name));
    }
}
