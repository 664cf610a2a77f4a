package io.knabla.controller.config;

import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.Quantities;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Settings of the platform, from flags of {@code up}, environment variables and {@code $KNABLA_HOME/config.yaml}. A
 * flag beats a variable ({@code KNABLA_HOME} for {@code knabla.home}), which beats the file.
 */
@ConfigMapping(prefix = "knabla")
public interface Settings {
    /** Root folder of everything that Knabla writes; see {@link Home}. */
    @WithDefault("${user.home}/.knabla")
    Path home();

    /** {@code file:///…} or {@code s3://bucket/prefix}; without it, the folder {@code store} below {@link #home}. */
    Optional<String> store();

    /** How to reach S3, such as {@code endpoint}; see {@link StoreAccess}. */
    Map<String, String> s3();

    CatalogSettings catalog();

    @WithDefault("127.0.0.1")
    String host();

    /** 0 takes a free port. */
    @WithDefault("8080")
    int port();

    /** Token that callers send as {@code Authorization: Bearer}; required unless the host is a loopback address. */
    Optional<String> token();

    /** Largest body of a request to a function, such as 64Mi; a quarter of the function's memory is a limit too. */
    Optional<MemorySize> maxBody();

    /**
     * Laptop only: whether clients on this machine may pass tensors in shared memory (Triton's extension). Off unless
     * set: who can call the platform can then read and write this user's objects in {@code /dev/shm}.
     */
    @WithDefault("false")
    boolean sharedMemory();

    /**
     * Origins of web pages that may call the platform from a browser (CORS), such as {@code https://app.example.org}.
     */
    Optional<List<Origin>> origins();

    /** Knative only: the namespace of this controller. */
    Optional<String> namespace();

    /** The java executable for replicas; without it, that of this process. */
    Optional<Path> java();

    ReplicaSettings replica();

    CheckSettings check();

    UploadSettings upload();

    GcSettings gc();

    UsageSettings usage();

    PriceRefreshSettings priceRefresh();

    SpotSettings spot();

    /** Account that pays for the nodes, such as that of AWS; for exports of costs in FOCUS. */
    Optional<String> billingAccount();

    ClusterSettings cluster();

    WarmSettings warm();

    /** Virtual nodes of this machine; empty uses a default set. */
    List<NodeSettings> nodes();

    /** How this controller notices changes made by other controllers. */
    interface CatalogSettings {
        /** Interval between refreshes; default 1 s for files and 5 s for S3, where each listing is billed. */
        Optional<Duration> refresh();
    }

    /** Scheme, host and port of a web page, as browsers send it (RFC 6454): in lower case, without a default port. */
    record Origin(String value) {
        private static final Pattern FORM = Pattern.compile("https?://(?:[a-z0-9.-]+|\\[[0-9a-f:.]+])(?::\\d{1,5})?");

        /** @throws IllegalArgumentException if it is none; the message shows an example */
        public static Origin parse(CharSequence text) {
            String origin = text.toString().strip().toLowerCase(Locale.ROOT);
            if (!FORM.matcher(origin).matches()) {
                throw new IllegalArgumentException(
                        "'%s' is no origin of a web page; write such as https://app.example.org or http://localhost:3000, each by itself, without a path and without *"
                                .formatted(text));
            }
            return new Origin(origin.replaceFirst("^(http://[^/]*):80$|^(https://[^/]*):443$", "$1$2"));
        }
    }

    /** A size such as {@code 512Mi}. */
    record MemorySize(long bytes) {
        /** @throws IllegalArgumentException if it is none; the message shows an example */
        public static MemorySize parse(CharSequence text) {
            return Quantities.parseBytes(text.toString())
                    .filter(bytes -> bytes > 0)
                    .map(MemorySize::new)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'%s' is no size; write such as 512Mi or 8Gi".formatted(text)));
        }
    }

    /** Location of the replica program. */
    interface ReplicaSettings {
        /** The folder with {@code replica.args}: the build's {@code runtime/target/replica}. */
        Optional<Path> home();
    }

    /** Limits of the trial run of a new unit in the engine; see {@code EngineCheck}. */
    interface CheckSettings {
        @WithDefault("60")
        int seconds();

        /** Default: what the machine has and the function declares. */
        OptionalInt mebibytes();
    }

    /** Limit on the size of an uploaded model file. */
    interface UploadSettings {
        @WithDefault("65536")
        long mebibytes();
    }

    /** When garbage is collected automatically. */
    interface GcSettings {
        @WithDefault("true")
        boolean automatic();

        /** Counted from the last collection on any controller of this store. */
        @WithDefault("24h")
        Duration every();

        /** Objects younger than this are kept; also the default of a manual collection. */
        @WithDefault("24h")
        Duration grace();
    }

    /** The ledger of what nodes and replicas used, which cost reports are made of. */
    interface UsageSettings {
        /** Usage that ended longer ago is deleted. */
        @WithDefault("400d")
        Duration retention();
    }

    /** How often and for what AWS is asked for prices; needs its credentials. */
    interface PriceRefreshSettings {
        /** Without it AWS is never asked. */
        Optional<Duration> every();

        /** In addition to those of the nodes of the last 90 days. */
        Optional<List<String>> regions();

        /** In addition to those of the nodes of the last 90 days; asked for in all regions. */
        Optional<List<String>> instanceTypes();
    }

    /** What follows an interruption of spot capacity. */
    interface SpotSettings {
        /** Whether the platform moves replicas off nodes of a cluster that are taken back or lost. */
        @WithDefault("true")
        boolean act();

        /**
         * Time for which no replica is placed on spot capacity of a zone that took a node back; on a cluster, for which
         * a function stays off spot capacity that had no room for it.
         */
        @WithDefault("3m")
        Duration block();

        /**
         * Longest time for which the drain of a cluster's node waits until the last spot replica of a function on it is
         * replaced; 0s to let it be evicted at once.
         */
        @WithDefault("2m")
        Duration hold();

        /** Time after which a virtual node of this machine returns that a drill took back. */
        @WithDefault("190s")
        Duration nodeReturn();

        /** URL of the SQS queue with the events of EC2 instances; the leader reads it. */
        Optional<String> queue();

        /** Whether to ask the metadata service of the EC2 instance that this platform runs on. */
        @WithDefault("false")
        boolean metadata();
    }

    /** A map written as {@code key=value;key=value}: annotation keys cannot be part of a variable name. */
    record Pairs(Map<String, String> values) {
        public Pairs {
            values = Map.copyOf(values);
        }

        /** @throws IllegalArgumentException when a part is no {@code key=value}; the message shows an example */
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

    /** What is kept ready for functions that sleep. */
    interface WarmSettings {
        /**
         * Memory of all replicas without requests together, such as {@code 8Gi}; those of schedules and of
         * {@code scaling.min} do not count.
         */
        Optional<MemorySize> memory();

        PoolSettings pool();
    }

    /** Local only: replica processes without a function, which wait for one that wakes. */
    interface PoolSettings {
        /** Kept without demand, each of about 35 MB; default 1, or 0 without a pool. */
        OptionalInt min();

        /** Kept after a burst of starts; 0 switches the pool off. */
        @WithDefault("4")
        int max();
    }

    /** Where replicas run. */
    interface ClusterSettings {
        @WithDefault("Local")
        ClusterKind kind();

        /** Knative only: the namespaces that this controller manages; empty for all. */
        Optional<List<String>> namespaces();

        /** Knative only: the replica's image. */
        Optional<String> image();

        /** Knative only: the replica's image for GPUs; default {@link #image}. */
        Optional<String> gpuImage();

        /** Knative only: the PriorityClass of replicas; default that of the cluster. */
        Optional<String> priorityClass();

        /** Knative only: the service account of the engine check's pods; default that of the namespace. */
        Optional<String> checkAccount();

        /** Knative only: annotations of the replicas' service account, such as the role that reads the bucket. */
        Optional<Pairs> serviceAccountAnnotations();

        WakePoolSettings wakePool();
    }

    /** Knative only: a pool of generic replicas in a namespace, which answers for its functions without pods. */
    interface WakePoolSettings {
        /** Namespaces that have one; {@code *} for all, empty for none. */
        Optional<List<String>> namespaces();

        /** Of the pool's pod. */
        @WithDefault("1Gi")
        MemorySize memory();

        /** Functions that need more are left out. */
        @WithDefault("512Mi")
        MemorySize functionMemory();

        /** Processes that wait for a function, each of about 35 MB. */
        @WithDefault("1")
        int spares();
    }

    /** System that starts and stops replicas. */
    enum ClusterKind {
        /** This process, as child processes on this machine. */
        Local,
        /** Knative, as pods of the cluster that the kubeconfig or service account selects. */
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

        /** For prices a zone id of the provider, such as {@code use1-az4}. */
        @WithDefault("local")
        String zone();

        @WithDefault("4")
        int slots();

        @WithDefault("Hourly")
        Purchase purchase();
    }
}
