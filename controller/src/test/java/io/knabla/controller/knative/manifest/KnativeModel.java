package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.pkg.apis.Condition;
import io.fabric8.knative.pkg.apis.ConditionBuilder;
import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.RevisionBuilder;
import io.fabric8.knative.serving.v1.RevisionTemplateSpec;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * In-memory model of Knative's rules for Configurations, Revisions and Routes, taken from its source. Runs thousands of
 * histories that would take hours on a cluster; {@code RevisionsOnCluster} checks the same rules on a real one.
 */
final class KnativeModel {
    private final Map<String, Configuration> configurations = new TreeMap<>();
    private final Map<String, Revision> revisions = new TreeMap<>();
    private Optional<Route> route = Optional.empty();
    private int clock;

    ObservedObjects observed() {
        return new ObservedObjects(List.copyOf(configurations.values()), List.copyOf(revisions.values()), route);
    }

    Map<String, Revision> revisions() {
        return revisions;
    }

    Optional<Configuration> configuration(String name) {
        return Optional.ofNullable(configurations.get(name));
    }

    /** Traffic percentages in effect, by revision. */
    Map<String, Integer> served() {
        return route.map(Route::getStatus).stream()
                .flatMap(status -> status.getTraffic().stream())
                .filter(target -> target.getPercent() > 0)
                .collect(Collectors.toMap(
                        TrafficTarget::getRevisionName, t -> t.getPercent().intValue()));
    }

    /** Revisions by tag, as the Route's status has them. */
    Map<String, String> tags() {
        return route.map(Route::getStatus).stream()
                .flatMap(status -> status.getTraffic().stream())
                .filter(target -> target.getTag() != null)
                .collect(Collectors.toMap(TrafficTarget::getTag, TrafficTarget::getRevisionName));
    }

    void apply(Rollout rollout) {
        for (HasMetadata object : rollout.apply()) {
            switch (object) {
                case Configuration configuration -> apply(configuration);
                case Route wanted -> apply(wanted);
                default -> {}
            }
        }
        rollout.bounds().forEach(this::annotate);
        rollout.deleteRevisions().forEach(this::delete);
        rollout.deleteConfigurations().forEach(this::deleteConfiguration);
        configurations.values().forEach(this::make);
    }

    private void apply(Configuration wanted) {
        String name = wanted.getMetadata().getName();
        RevisionTemplateSpec template = wanted.getSpec().getTemplate();
        assertThat(template.getMetadata().getName()).startsWith(name + "-");
        Configuration there = configurations.get(name);
        if (there != null
                && there.getSpec()
                        .getTemplate()
                        .getMetadata()
                        .getName()
                        .equals(template.getMetadata().getName())) {
            assertThat(template)
                    .as("Knative refuses a changed template without a new name")
                    .isEqualTo(there.getSpec().getTemplate());
        }
        Revision same = revisions.get(template.getMetadata().getName());
        if (same != null) {
            assertThat(same.getSpec())
                    .as("a name that is there already must be of the same content")
                    .isEqualTo(template.getSpec());
        }
        configurations.put(name, wanted);
    }

    private void make(Configuration configuration) {
        RevisionTemplateSpec template = configuration.getSpec().getTemplate();
        revisions.computeIfAbsent(
                template.getMetadata().getName(),
                name -> new RevisionBuilder()
                        .withMetadata(template.getMetadata())
                        .editMetadata()
                        .withCreationTimestamp("%09d".formatted(clock++))
                        .endMetadata()
                        .withSpec(template.getSpec())
                        .build());
    }

    private void apply(Route wanted) {
        List<TrafficTarget> traffic = wanted.getSpec().getTraffic();
        assertThat(traffic.stream().mapToLong(TrafficTarget::getPercent).sum()).isEqualTo(100);
        route = Optional.of(new RouteBuilder(wanted)
                .withStatus(route.map(Route::getStatus).orElse(null))
                .build());
    }

    private void annotate(String revision, Map<String, String> annotations) {
        assertThat(revisions).containsKey(revision);
        assertThat(annotations.keySet())
                .as("any other annotation of a live Revision restarts its pods")
                .allMatch(key -> key.startsWith("autoscaling.knative.dev/"));
        revisions.computeIfPresent(
                revision,
                (_, there) -> new RevisionBuilder(there)
                        .editMetadata()
                        .addToAnnotations(annotations)
                        .endMetadata()
                        .build());
    }

    private void delete(String revision) {
        assertThat(revisions).containsKey(revision);
        boolean givenUp = "ProgressDeadlineExceeded".equals(reason(revisions.get(revision)));
        if (!givenUp) {
            assertThat(observed().routed()).doesNotContain(revision);
        }
        revisions.remove(revision);
    }

    private void deleteConfiguration(String name) {
        Set<String> own = revisions.keySet().stream()
                .filter(revision -> revision.startsWith(name + "-v"))
                .collect(Collectors.toSet());
        assertThat(served().keySet()).doesNotContainAnyElementsOf(own);
        configurations.remove(name);
        revisions.keySet().removeAll(own);
    }

    /** Sets the Ready condition of a revision, as when its pods start, stop or fail. */
    void setReady(String revision, String ready, String reason) {
        Condition condition = new ConditionBuilder()
                .withType("Ready")
                .withStatus(ready)
                .withReason(reason)
                .build();
        revisions.computeIfPresent(
                revision,
                (_, there) -> new RevisionBuilder(there)
                        .withNewStatus()
                        .withConditions(condition)
                        .withActualReplicas(0)
                        .endStatus()
                        .build());
        route();
    }

    void allReady() {
        List.copyOf(revisions.keySet()).forEach(name -> setReady(name, "True", ""));
    }

    /** Updates the Route's status; it changes only when all its revisions are ready. */
    void route() {
        route = route.map(there -> there.getSpec().getTraffic().stream().allMatch(this::isReady)
                ? new RouteBuilder(there)
                        .withNewStatus()
                        .withTraffic(new ArrayList<>(there.getSpec().getTraffic()))
                        .endStatus()
                        .build()
                : there);
    }

    private boolean isReady(TrafficTarget target) {
        Revision revision = revisions.get(target.getRevisionName());
        return revision != null
                && revision.getStatus() != null
                && revision.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getStatus().equals("True"));
    }

    private static String reason(Revision revision) {
        return revision.getStatus() == null
                ? ""
                : revision.getStatus().getConditions().getFirst().getReason();
    }
}
