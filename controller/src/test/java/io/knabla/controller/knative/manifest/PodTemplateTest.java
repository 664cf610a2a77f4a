package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the pod spec of a version in a slot, and its access to the store. */
class PodTemplateTest {
    private static final Features ALL = new Features(Set.of(Feature.values()));
    private static final ReplicaSize SIZE = new ReplicaSize(1500, 512L << 20, 0, 0);
    private static final Map<String, String> STORE = Map.of(
            "AWS_ACCESS_KEY_ID", "id",
            "AWS_SECRET_ACCESS_KEY", "secret",
            "AWS_REGION", "eu-central-1",
            "KNABLA_S3_ENDPOINT", "http://s3",
            "AWS_ROLE_ARN", "arn:aws:iam::1:role/controller",
            "AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/token");

    @Test
    void hasRestrictedSecurityContext() {
        Container container = container(pod("cpu-on-demand", ALL));
        var security = container.getSecurityContext();

        assertThat(security.getRunAsNonRoot()).isTrue();
        assertThat(security.getReadOnlyRootFilesystem()).isTrue();
        assertThat(security.getAllowPrivilegeEscalation()).isFalse();
        assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(security.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod("cpu-on-demand", ALL).getAutomountServiceAccountToken()).isFalse();
        assertThat(pod("cpu-on-demand", ALL).getEnableServiceLinks()).isFalse();
        assertThat(container.getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
        assertThat(pod("cpu-on-demand", ALL).getVolumes()).allMatch(volume -> volume.getEmptyDir() != null);
    }

    /** Knative rejects timeout and failure threshold in a probe without a period. */
    @Test
    void leavesProbePeriodToKnative() {
        var probe = container(pod("cpu-on-demand", ALL)).getReadinessProbe();

        assertThat(probe.getHttpGet().getPath()).isEqualTo("/v2/health/ready");
        assertThat(probe.getPeriodSeconds()).isNull();
        assertThat(probe.getTimeoutSeconds()).isNull();
        assertThat(probe.getFailureThreshold()).isNull();
    }

    /** A start is never killed, and a pod that gets little CPU only if it answers nothing for a minute. */
    @Test
    void probesLivenessGenerously() {
        var probe = container(pod("cpu-on-demand", ALL)).getLivenessProbe();

        assertThat(probe.getHttpGet().getPath()).isEqualTo("/v2/health/live");
        assertThat(probe.getInitialDelaySeconds()).isEqualTo(30);
        assertThat(probe.getTimeoutSeconds()).isEqualTo(5);
        assertThat(probe.getPeriodSeconds() * probe.getFailureThreshold()).isEqualTo(60);
    }

    @Test
    void requestsItsSizeAndPassesItToReplica() {
        Container container = container(pod("cpu-on-demand", ALL));

        assertThat(container.getResources().getRequests())
                .containsOnly(Map.entry("cpu", new Quantity("1500m")), Map.entry("memory", new Quantity("536870912")));
        assertThat(container.getResources().getLimits()).containsOnly(Map.entry("memory", new Quantity("536870912")));
        assertThat(container.getArgs()).containsExactly("@/knabla/replica.args");
        assertThat(environment(container))
                .containsEntry("KNABLA_THREADS", "2")
                .containsEntry("KNABLA_HOST", "0.0.0.0")
                .containsEntry("KNABLA_CACHE", "/cache")
                .containsEntry("KNABLA_MODEL_NAME", "digits")
                .containsEntry("KNABLA_STORE", "s3://bucket/knabla")
                .doesNotContainKeys("PORT", "KNABLA_REPLICA_TOKEN");
    }

    /** The program that reads alone has no class of the SDK in its AOT cache. */
    @Test
    void aTrainingStepWritesToTheStore() {
        Specs training = Specs.inference().type(FunctionType.TrainingStep);

        assertThat(container(pod(training, "cpu-on-demand", ALL, Limits.DEFAULT))
                        .getArgs())
                .containsExactly("@/knabla/replica-s3.args");
    }

    private static RevisionSpec gpuPod(GpuPods pods, String slot, double gpus) {
        return new PodTemplate(settings(STORE, Optional.of(pods), Map.of()), ALL, Limits.DEFAULT)
                .of(
                        Specs.id("digits"),
                        version(Specs.inference()),
                        PlacementPlanTest.slot(slot),
                        new ReplicaSize(500, 1L << 30, gpus, 0));
    }

    @Test
    void limitsGpusAndUsesGpuImage() {
        RevisionSpec pod = gpuPod(new GpuPods("gpu:1"), "gpu-spot", 2);

        assertThat(container(pod).getImage()).isEqualTo("gpu:1");
        assertThat(container(pod).getResources().getLimits()).containsEntry("nvidia.com/gpu", new Quantity("2"));
        assertThat(container(pod("cpu-spot", ALL)).getImage()).isEqualTo("replica:1");
        assertThat(container(pod).getEnv()).contains(new EnvVar("KNABLA_DEVICE", "cuda", null));
        assertThat(container(pod("cpu-spot", ALL)).getEnv())
                .extracting(EnvVar::getName)
                .doesNotContain("KNABLA_DEVICE");
    }

    @Test
    void shareOfAGpuIsOneGpuOfNodesThatOfferSoMany() {
        RevisionSpec pod = gpuPod(new GpuPods("gpu:1"), "gpu-on-demand", 0.25);

        assertThat(container(pod).getResources().getLimits()).containsEntry("nvidia.com/gpu", new Quantity("1"));
        assertThat(pod.getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms())
                .allSatisfy(term -> assertThat(term.getMatchExpressions()).anySatisfy(expression -> {
                    assertThat(expression.getKey()).isEqualTo("nvidia.com/gpu.replicas");
                    assertThat(expression.getValues()).containsExactly("4");
                }));
    }

    @Test
    void aWholeGpuIsNoShareOfOne() {
        RevisionSpec pod = gpuPod(new GpuPods("gpu:1"), "gpu-on-demand", 1);

        assertThat(pod.getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms())
                .allSatisfy(term -> assertThat(term.getMatchExpressions()).anySatisfy(expression -> {
                    assertThat(expression.getKey()).isEqualTo("nvidia.com/gpu.sharing-strategy");
                    assertThat(expression.getOperator()).isEqualTo("NotIn");
                    assertThat(expression.getValues()).containsExactly("mps", "time-slicing");
                }));
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu,        true,  4",
        "nvidia.com/gpu.shared, true,  4",
        "nvidia.com/mig-1g.10gb, false, ",
    })
    void shareAsksForTheResourceOfTheInstallation(String resource, boolean byLabel, String parts) {
        RevisionSpec pod = gpuPod(new GpuPods("gpu:1", resource), "gpu-on-demand", 0.25);

        assertThat(container(pod).getResources().getLimits()).containsEntry(resource, new Quantity("1"));
        assertThat(pod.getAffinity().toString().contains("nvidia.com/gpu.replicas"))
                .isEqualTo(byLabel);
        assertThat(container(pod).getEnv().stream()
                        .filter(variable -> variable.getName().equals("KNABLA_GPU_PARTS"))
                        .map(EnvVar::getValue)
                        .findFirst())
                .isEqualTo(Optional.ofNullable(parts));
    }

    /** A pod without volumes starts sooner; its memory limit includes the unit. */
    @ParameterizedTest
    @CsvSource({
        "Inference,    16777216,  536870912, /dev/shm/knabla",
        "Inference,    16777217,  536870912, /cache",
        "Inference,    1048576,   8388608,   /dev/shm/knabla",
        "Inference,    1048577,   8388608,   /cache",
        "Inference,    0,         536870912, /cache",
        "TrainingStep, 1000,      536870912, /cache"
    })
    void keepsASmallUnitInMemory(FunctionType type, long unit, long memory, String folder) {
        RevisionSpec pod = new PodTemplate(settings(STORE, Optional.empty(), Map.of()), ALL, Limits.DEFAULT)
                .of(
                        Specs.id("digits"),
                        version(Specs.inference().type(type)),
                        PlacementPlanTest.slot("cpu-on-demand"),
                        new ReplicaSize(500, memory, 0, unit));

        assertThat(environment(container(pod))).containsEntry("KNABLA_CACHE", folder);
        boolean inMemory = !folder.equals("/cache");
        assertThat(container(pod).getArgs().contains("-Djava.io.tmpdir=/dev/shm"))
                .isEqualTo(inMemory);
        assertThat(pod.getVolumes()).hasSize(inMemory ? 0 : 2);
        assertThat(container(pod).getVolumeMounts()).hasSize(inMemory ? 0 : 2);
    }

    @ParameterizedTest
    @CsvSource({"PT0.001S, 1", "PT1S, 1", "PT1.001S, 2", "PT30S, 30", "PT10M, 600"})
    void roundsTimeoutUpToSeconds(Duration timeout, long seconds) {
        RevisionSpec pod = pod(Specs.inference().timeout(timeout), "cpu-on-demand", ALL, Limits.DEFAULT);

        assertThat(pod.getTimeoutSeconds()).isEqualTo(seconds);
    }

    /** Its timeout is the time until a text begins, and its longest silence unless that has a limit of its own. */
    @ParameterizedTest
    @CsvSource({"600, 600", "60, 90"})
    void aStreamMayTakeAsLongAsTheClusterAllows(long limit, long seconds) {
        Specs writer = Specs.inference().type(FunctionType.Generation).timeout(Duration.ofSeconds(90));
        RevisionSpec pod = pod(writer, "cpu-on-demand", ALL, new Limits(limit, 1000, 0));

        assertThat(pod.getTimeoutSeconds()).isEqualTo(seconds);
        assertThat(pod.getResponseStartTimeoutSeconds()).isEqualTo(90);
        assertThat(pod.getIdleTimeoutSeconds()).isEqualTo(90);
        assertThat(pod("cpu-on-demand", ALL).getIdleTimeoutSeconds()).isNull();
        assertThat(pod("cpu-on-demand", ALL).getResponseStartTimeoutSeconds()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"PT5S, 90", "PT90.001S, 91"})
    void aSilenceMayLastAsLongAsTheWaitForATextAtLeast(Duration silence, long seconds) {
        Specs writer = Specs.inference()
                .type(FunctionType.Generation)
                .timeout(Duration.ofSeconds(90))
                .streamIdleTimeout(silence);

        assertThat(pod(writer, "cpu-on-demand", ALL, Limits.DEFAULT).getIdleTimeoutSeconds())
                .isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({"1, 1000, 4", "8, 1000, 16", "8, 10, 10"})
    void limitsConcurrencyToReplicaCapacity(int batch, long limit, long concurrency) {
        RevisionSpec pod = pod(Specs.inference().batching(batch), "cpu-on-demand", ALL, new Limits(600, limit, 0));

        assertThat(pod.getContainerConcurrency()).isEqualTo(concurrency);
    }

    @Test
    void omitsDisabledFeatures() {
        RevisionSpec all = pod("cpu-on-demand", ALL);
        RevisionSpec least = pod("cpu-on-demand", new Features(Set.of(Feature.EmptyDir)));

        assertThat(all.getAffinity()).isNotNull();
        assertThat(pod("cpu-spot", ALL).getTolerations()).isNotEmpty();
        assertThat(all.getTopologySpreadConstraints()).hasSize(1);
        assertThat(all.getPriorityClassName()).isEqualTo("knabla-function");
        assertThat(least.getAffinity()).isNull();
        assertThat(least.getTolerations()).isEmpty();
        assertThat(least.getTopologySpreadConstraints()).isEmpty();
        assertThat(least.getPriorityClassName()).isNull();
    }

    @Test
    void putsKeysInSecretAndOmitsControllerVariables() {
        PodSettings settings = settings(STORE, Optional.empty(), Map.of());

        List<HasMetadata> objects = StoreObjects.of(Specs.id("digits"), owner(), settings);

        assertThat(objects).singleElement().isInstanceOf(Secret.class);
        Secret secret = (Secret) objects.getFirst();
        assertThat(secret.getMetadata().getName()).isEqualTo("digits-knabla");
        assertThat(secret.getMetadata().getOwnerReferences()).containsExactly(owner());
        assertThat(secret.getData())
                .containsOnly(
                        Map.entry("AWS_ACCESS_KEY_ID", base64("id")),
                        Map.entry("AWS_SECRET_ACCESS_KEY", base64("secret")));
        Container container = container(pod("cpu-on-demand", ALL));
        assertThat(container.getEnvFrom())
                .singleElement()
                .satisfies(e -> assertThat(e.getSecretRef().getName()).isEqualTo("digits-knabla"));
        assertThat(environment(container))
                .containsEntry("AWS_REGION", "eu-central-1")
                .containsEntry("KNABLA_S3_ENDPOINT", "http://s3")
                .doesNotContainKeys(
                        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE");
    }

    @Test
    void createsServiceAccountInsteadOfSecretForRole() {
        PodSettings settings = settings(
                Map.of("AWS_REGION", "eu-central-1"),
                Optional.empty(),
                Map.of("eks.amazonaws.com/role-arn", "arn:aws:iam::1:role/replicas"));

        List<HasMetadata> objects = StoreObjects.of(Specs.id("digits"), owner(), settings);
        RevisionSpec pod = new PodTemplate(settings, ALL, Limits.DEFAULT)
                .of(Specs.id("digits"), version(Specs.inference()), PlacementPlanTest.slot("cpu-spot"), SIZE);

        assertThat(objects).singleElement().isInstanceOfSatisfying(ServiceAccount.class, account -> {
            assertThat(account.getMetadata().getName()).isEqualTo("digits-knabla");
            assertThat(account.getMetadata().getAnnotations()).containsValue("arn:aws:iam::1:role/replicas");
            assertThat(account.getAutomountServiceAccountToken()).isFalse();
        });
        assertThat(pod.getServiceAccountName()).isEqualTo("digits-knabla");
        assertThat(container(pod).getEnvFrom()).isEmpty();
        assertThat(pod("cpu-spot", ALL).getServiceAccountName()).isNull();
    }

    static PodSettings settings(Map<String, String> store, Optional<GpuPods> gpus, Map<String, String> account) {
        return new PodSettings(
                "replica:1",
                gpus,
                Optional.of("knabla-function"),
                new StoreAccess("s3://bucket/knabla", store),
                account,
                new Architecture("arm64"));
    }

    private static io.fabric8.kubernetes.api.model.OwnerReference owner() {
        return new OwnerReferenceBuilder()
                .withKind("Function")
                .withName("digits")
                .build();
    }

    /** Knative forwards gRPC to a port of this name only; without a name it chooses HTTP/1.1. */
    @Test
    void namesThePortOfAFunctionForGrpc() {
        assertThat(container(pod("cpu-on-demand", ALL)).getPorts()).isEmpty();

        RevisionSpec pod = new PodTemplate(settings(STORE, Optional.empty(), Map.of()), ALL, Limits.DEFAULT)
                .of(Specs.id("digits"), withGrpc(), PlacementPlanTest.slot("cpu-on-demand"), SIZE);

        assertThat(container(pod).getPorts()).singleElement().satisfies(port -> {
            assertThat(port.getName()).isEqualTo("h2c");
            assertThat(port.getContainerPort()).isEqualTo(8080);
        });
    }

    private static Version withGrpc() {
        String yaml = """
                {apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: digits},
                 spec: {model: m.onnx, grpc: true}}
                """;
        return switch (FunctionYaml.parse(yaml)) {
            case Parsed.Valid(var resource) ->
                new Version(1, resource.spec(), Specs.digest(1), Specs.digest(1), Instant.EPOCH);
            case Parsed.Invalid(var faults) -> throw new AssertionError(faults);
        };
    }

    private static RevisionSpec pod(String slot, Features features) {
        return pod(Specs.inference(), slot, features, Limits.DEFAULT);
    }

    private static RevisionSpec pod(Specs specs, String slot, Features features, Limits limits) {
        return new PodTemplate(settings(STORE, Optional.empty(), Map.of()), features, limits)
                .of(Specs.id("digits"), version(specs), PlacementPlanTest.slot(slot), SIZE);
    }

    private static Version version(Specs specs) {
        return specs.version(1, Instant.EPOCH);
    }

    private static Container container(RevisionSpec pod) {
        return pod.getContainers().getFirst();
    }

    private static Map<String, String> environment(Container container) {
        return container.getEnv().stream().collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes());
    }
}
