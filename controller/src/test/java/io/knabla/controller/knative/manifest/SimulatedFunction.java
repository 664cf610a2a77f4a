package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Simulates one function: its catalog record and its objects on a {@link KnativeModel}. */
final class SimulatedFunction {
    static final OwnerReference OWNER = new OwnerReferenceBuilder()
            .withApiVersion("knabla.dev/v1alpha1")
            .withKind("Function")
            .withName("digits")
            .withUid("uid")
            .withController(true)
            .build();
    private static final int MANY = 40;

    final KnativeModel knative = new KnativeModel();
    private final List<Version> versions = new ArrayList<>();
    List<TrafficTarget> traffic = List.of();
    private AvailableCapacity supply = PlacementPlanTest.supply("cpu-on-demand");
    private Features features = new Features(Set.of(Feature.values()));
    private String image = "replica:1";
    private boolean mayReplace = true;
    private int deploys;

    SimulatedFunction deploy(Specs specs) {
        versions.add(specs.version(++deploys, Instant.EPOCH));
        traffic = List.of();
        return this;
    }

    /** Changes only scale bounds: the catalog keeps the version number. */
    SimulatedFunction rescale(Specs specs) {
        Version newest = versions.removeLast();
        versions.add(specs.version(newest.number(), Instant.EPOCH));
        return this;
    }

    SimulatedFunction traffic(TrafficTarget... wish) {
        traffic = List.of(wish);
        return this;
    }

    /** Removes a version from the catalog, except the newest one and those with traffic. */
    SimulatedFunction forget(int index) {
        Version version = versions.get(index % versions.size());
        boolean used = traffic.stream().anyMatch(t -> t.version().equals(Optional.of(version.number())));
        if (!used && versions.indexOf(version) < versions.size() - 1) {
            versions.remove(version);
        }
        return this;
    }

    SimulatedFunction supply(String slots) {
        supply = PlacementPlanTest.supply(slots);
        return this;
    }

    /** Like {@link #supply(String)}, with one of the slots simulated by KWOK. */
    SimulatedFunction supply(String slots, String simulated) {
        supply = new AvailableCapacity(supply(slots).supply.slots(), Set.of(PlacementPlanTest.slot(simulated)));
        return this;
    }

    SimulatedFunction features(Feature... on) {
        features = new Features(Set.of(on));
        return this;
    }

    SimulatedFunction mayReplace(boolean may) {
        mayReplace = may;
        return this;
    }

    SimulatedFunction image(String name) {
        image = name;
        return this;
    }

    List<Version> versions() {
        return versions;
    }

    String image() {
        return image;
    }

    Rollout next() {
        return next(knative.observed());
    }

    Rollout next(ObservedObjects observed) {
        return Rollout.next(
                new FunctionRecord(Specs.id("digits"), versions, traffic, ""),
                OWNER,
                observed,
                new ClusterCapabilities(supply, features, Limits.DEFAULT),
                new PodSettings(
                        image,
                        Optional.of(new GpuPods("gpu:1")),
                        Optional.empty(),
                        new StoreAccess("s3://bucket", Map.of("AWS_ACCESS_KEY_ID", "id")),
                        Map.of(),
                        Architecture.ofThisProcess()),
                Map.of(),
                mayReplace);
    }

    Rollout step() {
        Rollout rollout = next();
        knative.apply(rollout);
        return rollout;
    }

    /** Steps until nothing is left to do; every pod becomes ready. */
    SimulatedFunction settle() {
        for (int i = 0; i < MANY; i++) {
            knative.allReady();
            if (next().isConverged()) {
                return this;
            }
            step();
        }
        throw new AssertionError("not at rest after %d steps: %s".formatted(MANY, next()));
    }

    /** Percentage of requests by version. */
    Map<Integer, Integer> servedVersions() {
        return knative.served().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> version(entry.getKey()), Map.Entry::getValue, Integer::sum, TreeMap::new));
    }

    /** Percentage of requests by slot. */
    Map<String, Integer> servedSlots() {
        return knative.served().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().replaceAll("digits-(.*)-v\\d+-.....", "$1"),
                        Map.Entry::getValue,
                        Integer::sum,
                        TreeMap::new));
    }

    static int version(String revision) {
        return Integer.parseInt(revision.replaceAll(".*-v(\\d+)-.....", "$1"));
    }

    String onlyRevision(int version) {
        List<String> names = knative.revisions().keySet().stream()
                .filter(n -> version(n) == version)
                .toList();
        assertThat(names).hasSize(1);
        return names.getFirst();
    }
}
