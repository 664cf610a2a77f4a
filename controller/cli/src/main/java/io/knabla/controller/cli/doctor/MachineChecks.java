package io.knabla.controller.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.StoredMachineProfile;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.machine.ProcessMemory;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.settings.SettingsReader;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks whether this machine meets the requirements of Knabla, in the order of repair. */
public final class MachineChecks {
    private static final long GIB = 1L << 30;

    private final Settings settings;
    private final Path root;

    public MachineChecks(Settings settings, Path root) {
        this.settings = settings;
        this.root = root;
    }

    public List<Finding> findings() {
        var replica = new ReplicaBuildCheck(root.resolve("runtime/target/replica"));
        var gpu = new GpuCheck(root, System.getenv());
        Stream<Finding> server =
                settings.find("server").map(address -> ServerCheck.check(address, settings.find("token"))).stream();
        return Stream.of(
                        machine(replica).stream(),
                        gpu.isAskedFor() ? gpu.findings().stream() : Stream.<Finding>empty(),
                        server)
                .flatMap(findings -> findings)
                .toList();
    }

    private List<Finding> machine(ReplicaBuildCheck replica) {
        return List.of(
                jdk(),
                MavenCheck.check(),
                cores(),
                memory(),
                memoryLimit(),
                home(),
                disk(),
                port(),
                store(),
                replica.files(),
                replica.cache(),
                machineSpeed());
    }

    private static Finding jdk() {
        String found = "Java %s in %s".formatted(Runtime.version(), System.getProperty("java.home"));
        return Runtime.version().feature() >= 25
                ? Finding.good("JDK", found)
                : Finding.bad("JDK", found, "install a JDK 25 or newer, or set JAVA_HOME to it");
    }

    private static Finding cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores >= 2
                ? Finding.good("cores", Integer.toString(cores))
                : Finding.poor("cores", "1", "starts and builds are faster with 2 or more");
    }

    private static Finding memory() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)) {
            return Finding.poor("memory", "unknown", "have 2 GiB free or more");
        }
        String found = "%s, %s free"
                .formatted(Amounts.bytes(system.getTotalMemorySize()), Amounts.bytes(system.getFreeMemorySize()));
        return system.getTotalMemorySize() >= 2 * GIB
                ? Finding.good("memory", found)
                : Finding.poor("memory", found, "the platform and a few replicas need 2 GiB");
    }

    private static Finding memoryLimit() {
        return ProcessMemory.isReported()
                ? Finding.good("memory limit", "replicas are held to spec.resources.memory")
                : Finding.poor(
                        "memory limit",
                        "this system does not tell how much memory a process uses",
                        "spec.resources.memory bounds only the Java heap of replicas here; on Linux it bounds all of it");
    }

    private Finding home() {
        Path home = settings.home();
        return Files.isWritable(existing(home))
                ? Finding.good("home", home + " is writable")
                : Finding.bad("home", home + " is not writable", "set KNABLA_HOME to a folder that you can write to");
    }

    /** The folder or its nearest existing parent: a check must not create anything. */
    private static Path existing(Path folder) {
        return Files.exists(folder) || folder.getParent() == null ? folder : existing(folder.getParent());
    }

    private Finding disk() {
        try {
            Path home = settings.home();
            long free = Files.getFileStore(Files.exists(home) ? home : home.getRoot())
                    .getUsableSpace();
            return free >= 2 * GIB
                    ? Finding.good("disk", Amounts.bytes(free) + " free at the home")
                    : Finding.poor(
                            "disk",
                            Amounts.bytes(free) + " free at the home",
                            "models are kept there; free some space or move KNABLA_HOME");
        } catch (IOException unknown) {
            return Finding.poor("disk", "unknown: " + unknown.getMessage(), "look with df");
        }
    }

    private Finding port() {
        SettingsReader reader = settings.reader();
        int port = reader.number("KNABLA_PORT", 8080, 0, 65_535);
        if (!reader.faults().isEmpty()) {
            return Finding.bad("port", reader.faults().getFirst(), "correct it, or leave it out for 8080");
        }
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return Finding.good("port", socket.getLocalPort() + " is free");
        } catch (IOException taken) {
            return Finding.poor("port", port + " is in use", "if it is not Knabla itself: ./knabla up --port 0");
        }
    }

    /** A missing measurement is no problem: {@code up} makes it. */
    private Finding machineSpeed() {
        return Finding.good(
                "calibration",
                StoredMachineProfile.read(settings)
                        .map(Machine::text)
                        .orElse(
                                "not measured yet, predictions are for %s; ./knabla up measures it after the first request about a function"
                                        .formatted(Machine.ASSUMED.text())));
    }

    private Finding store() {
        StoreAccess access = settings.store(Optional.empty());
        try (ObjectStore store = access.isRemote() ? access.open() : Stores.openToRead(access.location())) {
            return Finding.good("store", "%s answers, %d functions".formatted(access, StoredFunctions.count(store)));
        } catch (StorageException | IllegalArgumentException refused) {
            return Finding.bad(
                    "store",
                    access + ": " + refused.getMessage(),
                    access.isRemote()
                            ? "./knabla doctor --store %s shows details".formatted(access)
                            : "correct KNABLA_STORE, or the folder's permissions");
        }
    }
}
