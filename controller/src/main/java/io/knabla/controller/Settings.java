package io.knabla.controller;

import io.knabla.controller.cluster.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a person may set: as a flag of {@code up}, as an environment variable ({@code KNABLA_HOME} for
 * {@code knabla.home}), or in {@code $KNABLA_HOME/config.yaml}; the first named wins.
 */
@ConfigMapping(prefix = "knabla")
public interface Settings {
    /** Everything that Knabla writes is below it; see {@link Home}. */
    @WithDefault("${user.home}/.knabla")
    Path home();

    /** {@code file:///…} or {@code s3://bucket/prefix}; without it, the folder {@code store} below {@link #home}. */
    Optional<String> store();

    /** How to reach S3, such as {@code endpoint}; see {@link StoreAccess}. */
    Map<String, String> s3();

    CatalogSettings catalog();

    @WithDefault("127.0.0.1")
    String host();

    /** 0 takes a free one. */
    @WithDefault("8080")
    int port();

    /** What callers must send as {@code Authorization: Bearer}; needed on any but a loopback host. */
    Optional<String> token();

    /** Of Knative: where this controller itself is. */
    Optional<String> namespace();

    /** The java executable for replicas; without it, that of this process. */
    Optional<Path> java();

    ReplicaSettings replica();

    CheckSettings check();

    UploadSettings upload();

    GcSettings gc();

    ClusterSettings cluster();

    /** The virtual nodes of this machine; empty takes a sensible set. */
    List<NodeSettings> nodes();

    /** What this controller does to see the others' changes. */
    interface CatalogSettings {
        /** How long a change may stay unseen; without it, 1 s in files and 5 s in S3, where looking costs. */
        Optional<Duration> refresh();
    }

    /** Where the replica's program is. */
    interface ReplicaSettings {
        /** The folder with {@code replica.args}: the build's {@code runtime/target/replica}. */
        Optional<Path> home();
    }

    /** What a new unit may take while the engine tries it once, see {@code EngineCheck}. */
    interface CheckSettings {
        @WithDefault("60")
        int seconds();

        @WithDefault("8192")
        int mebibytes();
    }

    /** How large an uploaded model file may be. */
    interface UploadSettings {
        @WithDefault("65536")
        long mebibytes();
    }

    /** When garbage is collected without being asked for. */
    interface GcSettings {
        @WithDefault("true")
        boolean automatic();

        /** Counted from the last collection on any controller of this store. */
        @WithDefault("24h")
        Duration every();

        /** What is younger stays, also where a collection that was asked for says nothing else. */
        @WithDefault("24h")
        Duration grace();
    }

    /** What is written {@code key=value;key=value}: keys of annotations are no names of variables. */
    record Pairs(Map<String, String> values) {
        public Pairs {
            values = Map.copyOf(values);
        }

        /** @throws IllegalArgumentException for what is no such pair, with a sentence */
        public static Pairs parse(CharSequence text) {
            Map<String, String> values = new TreeMap<>();
            for (String pair : text.toString().split(";")) {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException(
                            "'%s' is no key=value; write such as eks.amazonaws.com/role-arn=arn:aws:iam::111122223333:role/replica, several with ; between"
                                    .formatted(pair.strip()));
                }
                values.put(
                        pair.substring(0, equals).strip(),
                        pair.substring(equals + 1).strip());
            }
            return new Pairs(values);
        }
    }

    /** Where replicas run. */
    interface ClusterSettings {
        @WithDefault("Local")
        ClusterKind kind();

        /** Of Knative: the namespaces whose functions are this controller's; empty for all. */
        Optional<List<String>> namespaces();

        /** Of Knative: the replica's image. */
        Optional<String> image();

        /** Of Knative: the replica's image for GPUs; without it, {@link #image}. */
        Optional<String> gpuImage();

        /** Of Knative: the PriorityClass of replicas; without it, the cluster's default. */
        Optional<String> priorityClass();

        /** Of Knative: the service account of pods that try models; without it, the namespace's default. */
        Optional<String> checkAccount();

        /** Of Knative: annotations of the service account of replicas, such as the role that reads the bucket. */
        Optional<Pairs> serviceAccountAnnotations();
    }

    /** Who starts and stops replicas. */
    enum ClusterKind {
        /** This process, as processes of this machine. */
        Local,
        /** Knative, as pods of the cluster that this process finds by its kubeconfig or service account. */
        Knative
    }

    /** One virtual node. */
    interface NodeSettings {
        String name();

        @WithDefault("cpu")
        Pool pool();

        @WithDefault("OnDemand")
        CapacityType capacity();

        @WithDefault("local")
        String instanceType();

        @WithDefault("local")
        String zone();

        @WithDefault("4")
        int slots();
    }
}
