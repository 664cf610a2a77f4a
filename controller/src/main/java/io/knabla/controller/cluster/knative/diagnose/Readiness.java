package io.knabla.controller.cluster.knative.diagnose;

import io.fabric8.knative.pkg.apis.Condition;
import io.fabric8.knative.serving.v1.Route;
import io.knabla.controller.cluster.knative.diagnose.Trouble.Stage;
import io.knabla.controller.cluster.knative.diagnose.Verdict.Truth;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Computes the condition {@code Ready}: whether the versions with traffic answer requests. */
final class Readiness {
    static final String DEGRADED = "Degraded";

    /** Reason of a Route with revisions that failed, are missing, or were not ready at its last check. */
    private static final String BEHIND = "RevisionMissing";

    private final Scene scene;
    private final Verdict packaged;

    private Readiness(Scene scene, Verdict packaged) {
        this.scene = scene;
        this.packaged = packaged;
    }

    static Verdict judge(Scene scene, Verdict packaged) {
        return new Readiness(scene, packaged).judge();
    }

    private Verdict judge() {
        return unpackaged().or(this::broken).or(this::route).orElseGet(this::answers);
    }

    /** Running replicas do not match the resource; ignored if only the store fails, because the spec is unchanged. */
    private Optional<Verdict> unpackaged() {
        boolean away = scene.sight().packaging() instanceof Packaging.Failed
                && scene.newest().isPresent();
        return packaged.truth() == Truth.True || away
                ? Optional.empty()
                : Optional.of(old(new Verdict(packaged.truth(), packaged.reason(), packaged.message())));
    }

    private Optional<Verdict> broken() {
        return scene.wanted().stream()
                .filter(version -> !scene.works(version))
                .findFirst()
                .map(this::why)
                .map(this::old);
    }

    private Verdict why(int version) {
        return scene.troubles(version).stream()
                .findFirst()
                .map(trouble -> trouble.verdict(version))
                .or(() -> Placed.hindered(scene.sight().blockers()))
                .orElseGet(
                        () -> Verdict.unknown("Starting", Scene.prefix(version) + "it is started for the first time"));
    }

    private Verdict old(Verdict verdict) {
        List<Integer> working = scene.routed().stream().filter(scene::works).toList();
        return working.isEmpty() ? verdict : verdict.and("%s on answering".formatted(go(working)));
    }

    /** Removes the suffix that {@link #old} added to a message, even repeatedly. */
    static String cause(String message) {
        return message.replaceFirst("(; versions? [\\d, ]+ go(es)? on answering)+$", "");
    }

    private static String go(List<Integer> versions) {
        return versions(versions) + (versions.size() == 1 ? " goes" : " go");
    }

    private Optional<Verdict> route() {
        if (scene.seen().route().isEmpty()) {
            return Optional.of(Verdict.unknown("Starting", "the Route is not made yet"));
        }
        Route route = scene.seen().route().get();
        Optional<Condition> ready = ready(route);
        if (ready.filter(condition -> "True".equals(condition.getStatus())).isEmpty() || !current(route)) {
            return Optional.of(unready(route, ready));
        }
        return scene.routed().containsAll(scene.wanted())
                ? Optional.empty()
                : Optional.of(old(
                        Verdict.unknown("TrafficMoving", "requests are about to go to " + versions(scene.wanted()))));
    }

    private static Optional<Condition> ready(Route route) {
        return Stream.ofNullable(route.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getConditions()))
                .flatMap(List::stream)
                .filter(condition -> "Ready".equals(condition.getType()))
                .findFirst();
    }

    private static boolean current(Route route) {
        return Objects.equals(
                route.getStatus().getObservedGeneration(), route.getMetadata().getGeneration());
    }

    private static Verdict unready(Route route, Optional<Condition> ready) {
        boolean failed = ready.filter(condition -> "False".equals(condition.getStatus()))
                // The revisions exist and work: the Route has not observed them yet.
                .filter(condition -> !BEHIND.equals(condition.getReason()))
                .isPresent();
        String said = ready.map(Condition::getMessage)
                .filter(Objects::nonNull)
                .orElse("Knative's ingress is still being told");
        return new Verdict(
                failed ? Truth.False : Truth.Unknown,
                "RouteNotReady",
                "Route %s: %s".formatted(route.getMetadata().getName(), said));
    }

    private Verdict answers() {
        if (scene.newest().isEmpty()) {
            return Verdict.unknown("Starting", "there is no version yet");
        }
        List<Integer> wanted = scene.wanted();
        String answer = versions(wanted) + (wanted.size() == 1 ? " answers" : " answer") + " requests";
        return limping()
                .map(trouble -> Verdict.yes(DEGRADED, answer).and("but not every replica does: " + trouble))
                .orElseGet(() -> Verdict.yes("Ready", answer));
    }

    /** First problem of a running replica; others answer meanwhile. {@code Placed} reports replicas without a node. */
    private Optional<String> limping() {
        return scene.wanted().stream()
                .flatMap(version -> scene.troubles(version).stream()
                        .filter(trouble -> trouble.stage() == Stage.RUNNING)
                        .map(trouble -> trouble.verdict(version).message()))
                .findFirst();
    }

    private static String versions(List<Integer> versions) {
        return (versions.size() == 1 ? "version " : "versions ")
                + versions.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
