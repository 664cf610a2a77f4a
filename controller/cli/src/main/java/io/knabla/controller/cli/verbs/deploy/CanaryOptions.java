package io.knabla.controller.cli.verbs.deploy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.verbs.traffic.PresentTraffic;
import io.knabla.controller.traffic.CanarySplit;
import io.knabla.functions.spec.FunctionYaml;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of a deploy whose new version gets a part of the requests, or none. */
final class CanaryOptions {
    private static final String DEFAULT_TAG = "canary";

    @Option(names = "--no-traffic", description = "The new version gets no requests but by its own URL.")
    boolean none;

    @Option(
            names = "--traffic",
            paramLabel = "PERCENT",
            description = "The new version gets so many percent of the requests; the rest stays with what answers now.")
    Integer percent;

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description = "The new version's URL has TAG-NAME in place of the function's name (default: canary).")
    String tag;

    /** The new version's share in percent; empty if the file alone decides. */
    Optional<Integer> share() {
        if (none && percent != null) {
            throw CliFailure.usageError("--no-traffic and --traffic exclude each other; leave one out.");
        }
        if (percent != null && (percent < 0 || percent > 100)) {
            throw CliFailure.usageError("found --traffic %d; write a percentage from 0 to 100.", percent);
        }
        Optional<Integer> share = none ? Optional.of(0) : Optional.ofNullable(percent);
        if (tag != null && share.isEmpty()) {
            throw CliFailure.usageError("--tag needs --no-traffic or --traffic PERCENT.");
        }
        return share;
    }

    String tag() {
        return tag == null ? DEFAULT_TAG : tag;
    }

    /** Sets the document's traffic; the same function if no share is given. */
    FunctionFile applyTo(FunctionFile function, FunctionDeployer deployer) {
        return share().map(share -> split(function, share, deployer)).orElse(function);
    }

    private FunctionFile split(FunctionFile function, int share, FunctionDeployer deployer) {
        if (!function.spec().traffic().isEmpty()) {
            throw CliFailure.usageError(
                    "%s: the file sets spec.traffic; leave it out, or leave out --traffic and --no-traffic.",
                    function.name());
        }
        PresentTraffic present = deployer.traffic(function)
                .orElseThrow(() -> CliFailure.failed(
                        "there is no function %s/%s yet, so no other version would answer; deploy it without --traffic and --no-traffic first.",
                        function.namespace(), function.name()));
        ObjectNode document = function.document().deepCopy();
        document.withObjectProperty("spec")
                .set("traffic", FunctionYaml.trafficToJson(CanarySplit.of(present.targets(), share, tag())));
        return function.with(document);
    }

    /** Adds the new version's own URL to the answer of a deploy. */
    void describe(ObjectNode deployed, FunctionFile function, FunctionDeployer deployer) {
        if (share().isPresent()) {
            deployed.put("tag", tag()).put("percent", share().get());
            deployer.traffic(function)
                    .map(present -> present.urls().get(tag()))
                    .ifPresent(url -> deployed.put("tagUrl", url));
        }
    }
}
