package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The replica's image by itself, in pods as tight as a function's: no store, no controller. */
class ReplicaImageOnCluster {
    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    private static String image;
    private static String namespace;

    @BeforeAll
    static void push() throws IOException {
        namespace = cluster.namespace("image");
        image = PushedReplica.image();
        assertThat(image).startsWith(TestCluster.registry() + "/knabla/replica@sha256:");
    }

    /** A JVM that must use its cache and cannot ends with code 1, before any word of ours. */
    @Test
    void itsJvmTakesItsAotCacheAndTheLogEndsWithWhatIsWrong() {
        ContainerStateTerminated end = run("aot", "-XX:AOTMode=on", "@/knabla/replica.args");

        // Events for machines go to the other stream; which of two is written first nobody
        // promises.
        assertThat(end.getMessage()
                        .lines()
                        .filter(line -> !line.startsWith("{"))
                        .toList())
                .last(STRING)
                .startsWith("replica failed: the replica's settings are wrong: ")
                .contains("KNABLA_UNIT is not set", "KNABLA_STORE is not set");
        assertThat(end.getExitCode()).isEqualTo(3);
    }

    /** The engine's libraries load, and what it runs fits into the memory of the smallest sample. */
    @Test
    void itsEngineRunsWithoutAnyRight() {
        ContainerStateTerminated end = run("engine", "@/knabla/replica.args", "calibrate");

        assertThat(end.getExitCode()).as(end.toString()).isZero();
        // The node may copy the last lines of a container after it says that it ended.
        TestCluster.await().untilAsserted(() -> assertThat(log("engine")).contains("{\"event\":\"calibrated\""));
    }

    private static String log(String pod) {
        return cluster.client().pods().inNamespace(namespace).withName(pod).getLog();
    }

    private static ContainerStateTerminated run(String name, String... arguments) {
        cluster.apply(pod(name, List.of(arguments))).good();
        return TestCluster.await()
                .until(
                        () -> cluster.client()
                                .pods()
                                .inNamespace(namespace)
                                .withName(name)
                                .get()
                                .getStatus()
                                .getContainerStatuses()
                                .getFirst()
                                .getState()
                                .getTerminated(),
                        ended -> ended != null);
    }

    private static String pod(String name, List<String> arguments) {
        return """
               apiVersion: v1
               kind: Pod
               metadata: {name: %s, namespace: %s}
               spec:
                 restartPolicy: Never
                 automountServiceAccountToken: false
                 securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
                 containers:
                   - name: replica
                     image: %s
                     args: ["%s"]
                     terminationMessagePolicy: FallbackToLogsOnError
                     resources: {requests: {cpu: 20m, memory: 128Mi}, limits: {memory: 128Mi}}
                     securityContext:
                       readOnlyRootFilesystem: true
                       allowPrivilegeEscalation: false
                       capabilities: {drop: [ALL]}
                     volumeMounts: [{name: temporary, mountPath: /tmp}]
                 volumes: [{name: temporary, emptyDir: {}}]
               """.formatted(name, namespace, image, String.join("\", \"", arguments));
    }
}
