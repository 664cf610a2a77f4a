package io.knabla.controller.config;

import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.Quantities;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
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
    @Description("Root folder of everything that Knabla writes.")
    @WithDefault("${user.home}/.knabla")
    Path home();

    @Description("Location of all objects, file:///… or s3://bucket/prefix; without it, the folder store below home.")
    Optional<String> store();

    @Description("How to reach S3.")
    Map<String, String> s3();

    CatalogSettings catalog();

    @Description("Address that up listens on; one that is no loopback address needs token.")
    @WithDefault("127.0.0.1")
    String host();

    @Description("Port that up listens on; 0 takes a free one.")
    @WithDefault("8080")
    @Bounds(from = 0, to = 65_535)
    int port();

    @Description("Token that callers send as Authorization: Bearer; required unless the host is a loopback address.")
    Optional<String> token();

    @Description("Largest body of a request to a function, such as 64Mi; a quarter of the function's memory is a "
            + "limit too.")
    Optional<MemorySize> maxBody();

    @Description("Laptop only: whether clients on this machine may pass tensors in shared memory (Triton's "
            + "extension). Off unless set: who can call the platform can then read and write this user's "
            + "objects in /dev/shm.")
    @WithDefault("false")
    boolean sharedMemory();

    @Description("Origins of web pages that may call the platform from a browser (CORS), such as "
            + "https://app.example.org.")
    Optional<List<Origin>> origins();

    @Description("Knative only: the namespace of this controller.")
    Optional<String> namespace();

    @Description("The java executable for replicas; without it, that of this process.")
    Optional<Path> java();

    ReplicaSettings replica();

    CheckSettings check();

    UploadSettings upload();

    GcSettings gc();

    UsageSettings usage();

    PriceRefreshSettings priceRefresh();

    SpotSettings spot();

    @Description("Account that pays for the nodes, such as that of AWS; for exports of costs in FOCUS.")
    Optional<String> billingAccount();

    ClusterSettings cluster();

    WarmSettings warm();

    @Description("Virtual nodes of this machine; empty uses a default set.")
    List<NodeSettings> nodes();

    @Description("How this controller notices changes made by other controllers.")
    interface CatalogSettings {
        @Description("Interval between refreshes; default 1 s for files and 5 s for S3, where each listing is billed.")
        Optional<@WithConverter(TimeConverter.Positive.class) Duration> refresh();
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

    @Description("Location of the replica program.")
    interface ReplicaSettings {
        @Description("The folder with replica.args: the build's runtime/target/replica.")
        Optional<Path> home();
    }

    @Description("Limits of the trial run of a new unit in the engine.")
    interface CheckSettings {
        @Description("Longest time of the trial run in seconds.")
        @WithDefault("60")
        @Bounds(from = 1, to = 86_400)
        int seconds();

        @Description("Most memory of the trial run in MiB; by default what the machine has and the function declares.")
        @Bounds(from = 1, to = Bounds.MEBIBYTES)
        OptionalInt mebibytes();
    }

    @Description("Limit on the size of an uploaded model file.")
    interface UploadSettings {
        @Description("Largest model file in MiB.")
        @WithDefault("65536")
        @Bounds(from = 1, to = Bounds.MEBIBYTES)
        long mebibytes();
    }

    @Description("When garbage is collected automatically.")
    interface GcSettings {
        @Description("Whether garbage is collected without being asked.")
        @WithDefault("true")
        boolean automatic();

        @Description("Time between collections, counted from the last one of any controller of this store.")
        @WithDefault("24h")
        @WithConverter(TimeConverter.Positive.class)
        Duration every();

        @Description("Objects younger than this are kept; also the default of a manual collection.")
        @WithDefault("24h")
        @WithConverter(TimeConverter.class)
        Duration grace();
    }

    @Description("The ledger of what nodes and replicas used, which cost reports are made of.")
    interface UsageSettings {
        @Description("Usage that ended longer ago is deleted.")
        @WithDefault("400d")
        @WithConverter(TimeConverter.Positive.class)
        Duration retention();
    }

    @Description("How often and for what AWS is asked for prices; needs its credentials.")
    interface PriceRefreshSettings {
        @Description("Time after which prices are asked for again; without it AWS is never asked.")
        Optional<@WithConverter(TimeConverter.Positive.class) Duration> every();

        @Description("Regions to ask for, in addition to those of the nodes of the last 90 days.")
        Optional<List<String>> regions();

        @Description("Instance types to ask for in all regions, in addition to those of the nodes of the last 90 days.")
        Optional<List<String>> instanceTypes();
    }

    @Description("What follows an interruption of spot capacity.")
    interface SpotSettings {
        @Description("Whether the platform moves replicas off nodes of a cluster that are taken back or lost.")
        @WithDefault("true")
        boolean act();

        @Description("Time for which no replica is placed on spot capacity of a zone that took a node back; on a "
                + "cluster, for which a function stays off spot capacity that had no room for it.")
        @WithDefault("3m")
        @WithConverter(TimeConverter.class)
        Duration block();

        @Description("Longest time for which the drain of a cluster's node waits until the last spot replica of a "
                + "function on it is replaced; 0s to let it be evicted at once.")
        @WithDefault("2m")
        @WithConverter(TimeConverter.class)
        Duration hold();

        @Description("Time after which a virtual node of this machine returns that a drill took back.")
        @WithDefault("190s")
        @WithConverter(TimeConverter.class)
        Duration nodeReturn();

        @Description("URL of the SQS queue with the events of EC2 instances; the leader reads it.")
        Optional<String> queue();

        @Description("Whether to ask the metadata service of the EC2 instance that this platform runs on.")
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

    @Description("What is kept ready for functions that sleep.")
    interface WarmSettings {
        @Description("Memory of all replicas without requests together, such as 8Gi; those of schedules and of "
                + "scaling.min do not count.")
        Optional<MemorySize> memory();

        PoolSettings pool();
    }

    @Description("Local only: replica processes without a function, which wait for one that wakes.")
    interface PoolSettings {
        @Description("Processes kept without demand, each of about 35 MB; default 1, or 0 without a pool.")
        @Bounds(from = 0, to = 1_000)
        OptionalInt min();

        @Description("Processes kept after a burst of starts; 0 switches the pool off.")
        @WithDefault("4")
        @Bounds(from = 0, to = 1_000)
        int max();
    }

    @Description("Where replicas run.")
    interface ClusterSettings {
        @Description("Local runs replicas as processes of this machine, Knative as pods of a cluster.")
        @WithDefault("Local")
        ClusterKind kind();

        @Description("Knative only: the namespaces that this controller manages; empty for all.")
        Optional<List<String>> namespaces();

        @Description("Knative only: the replica's image.")
        Optional<String> image();

        @Description("Knative only: the image of replicas on GPUs; without it they are refused.")
        Optional<String> gpuImage();

        @Description("Knative only: the resource that a share of a GPU asks for: nvidia.com/gpu, nvidia.com/gpu.shared "
                + "where the device plugin renames shares, or one of MIG such as nvidia.com/mig-1g.10gb.")
        @WithDefault("nvidia.com/gpu")
        String gpuShareResource();

        @Description("Knative only: the PriorityClass of replicas; default that of the cluster.")
        Optional<String> priorityClass();

        @Description("Knative only: the service account of the engine check's pods; default that of the namespace.")
        Optional<String> checkAccount();

        @Description("Knative only: annotations of the replicas' service account, such as the role that reads the "
                + "bucket.")
        Optional<Pairs> serviceAccountAnnotations();

        WakePoolSettings wakePool();
    }

    @Description(
            "Knative only: a pool of generic replicas in a namespace, which answers for its functions without pods.")
    interface WakePoolSettings {
        @Description("Namespaces that have one; * for all, empty for none.")
        Optional<List<String>> namespaces();

        @Description("Memory of the pool's pod.")
        @WithDefault("1Gi")
        MemorySize memory();

        @Description("Functions that need more memory are left out of the pool.")
        @WithDefault("512Mi")
        MemorySize functionMemory();

        @Description("Processes that wait for a function, each of about 35 MB.")
        @WithDefault("1")
        @Bounds(from = 0, to = 1_000)
        int spares();
    }

    /** System that starts and stops replicas. */
    enum ClusterKind {
        /** This process, as child processes on this machine. */
        Local,
        /** Knative, as pods of the cluster that the kubeconfig or service account selects. */
        Knative
    }

    @Description("One virtual node.")
    interface NodeSettings {
        @Description("Name of the node; replicas and reports name it.")
        String name();

        @Description("Pool that its replicas belong to.")
        @WithDefault("cpu")
        Pool pool();

        @Description("Whether the provider may take it back.")
        @WithDefault("OnDemand")
        CapacityType capacity();

        @Description("Type of the provider's machine that it is priced as, such as m7i.large.")
        @WithDefault("local")
        String instanceType();

        @Description("Zone; for prices a zone id of the provider, such as use1-az4.")
        @WithDefault("local")
        String zone();

        @Description("Replicas that it has room for.")
        @WithDefault("4")
        @Bounds(from = 1, to = 100_000)
        int slots();

        @Description("How it is paid for: Hourly, Reserved (used first) or PerUse (used last).")
        @WithDefault("Hourly")
        Purchase purchase();
    }
}
