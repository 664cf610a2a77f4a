package io.knabla.controller.app;

import io.knabla.controller.auth.Addresses;
import io.knabla.controller.config.ConfigKeys;
import io.knabla.controller.config.SettingBounds;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.cost.query.CostSettings;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.settings.SettingsReader;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks settings, home folder, store and port before Quarkus boots, and reports every fault at once. Copies settings
 * of {@code config.yaml} that no flag or environment variable overrides into system properties, where Quarkus reads
 * them.
 */
final class StartCheck {
    private static final String PORT = "KNABLA_PORT";

    private final SettingsReader settings;
    private final Home home;

    /** Those that were made to see whether they can be written, the last one first. */
    private final List<Path> made = new ArrayList<>();

    private StartCheck(SettingsReader settings, Home home) {
        this.settings = settings;
        this.home = home;
    }

    /** Empty when the platform may start. */
    static List<String> faults(Map<String, String> environment) {
        Map<String, String> flags = flags();
        var overrides = new SettingsReader(List.of(() -> flags, () -> environment));
        Home home = Home.of(overrides);
        ConfigFile file = ConfigFile.read(home.config());
        var settings = new SettingsReader(List.of(() -> flags, () -> environment, file::byVariable));
        ConfigKeys.faults(file).forEach(settings::report);
        CostSettings.of(file).faults().forEach(fault -> settings.report("%s: %s".formatted(file.path(), fault)));
        takeOver(file, overrides);
        var check = new StartCheck(settings, home);
        check.check(environment);
        if (!settings.faults().isEmpty()) {
            check.deleteFolders();
        }
        return settings.faults();
    }

    /** {@code up} has made its flags system properties, which Quarkus reads. */
    private static Map<String, String> flags() {
        var properties = System.getProperties();
        return SettingNames.byVariable(properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty)));
    }

    private static void takeOver(ConfigFile file, SettingsReader overrides) {
        file.values().forEach((path, value) -> {
            String key = SettingNames.key(path);
            if (!value.isBlank()
                    && ConfigKeys.isForQuarkus(path)
                    && overrides.text(SettingNames.variable(key)).isEmpty()) {
                System.setProperty(SettingNames.property(key), value);
            }
        });
    }

    private void check(Map<String, String> environment) {
        doors();
        origins();
        ClusterCheck.check(settings, environment);
        SettingBounds.check(settings);
        if (writable()) {
            store();
        }
        port();
    }

    private String host() {
        return settings.text("KNABLA_HOST").orElse("127.0.0.1");
    }

    private void doors() {
        Addresses.refusal(host(), settings.text("KNABLA_TOKEN")).ifPresent(settings::report);
    }

    /** A variable separates origins with commas; the file holds a list. */
    private void origins() {
        settings.names().stream()
                .filter(name -> name.matches("KNABLA_ORIGINS(_\\d+_)?"))
                .flatMap(name -> settings.text(name).stream())
                .flatMap(text -> Stream.of(text.split(",", -1)))
                .forEach(origin -> {
                    try {
                        Settings.Origin.parse(origin);
                    } catch (IllegalArgumentException refused) {
                        settings.report("origins: " + refused.getMessage());
                    }
                });
    }

    private boolean writable() {
        try {
            for (Path folder : List.of(home.path(), home.uploads(), home.run(), home.logs())) {
                boolean isNew = Files.notExists(folder);
                Files.createDirectories(folder);
                if (isNew) {
                    made.addFirst(folder);
                }
                Files.delete(Files.createTempFile(folder, ".knabla", ".probe"));
            }
            return true;
        } catch (IOException refused) {
            settings.report(
                    "cannot write below %s: %s. Make it writable, or set KNABLA_HOME or --home to another folder."
                            .formatted(home.path(), reason(refused)));
            return false;
        }
    }

    /** What did not start leaves nothing behind, not even the folders of its store. A folder with files stays. */
    private void deleteFolders() {
        for (Path folder : made) {
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder())
                        .filter(Files::isDirectory)
                        .forEach(one -> one.toFile().delete());
            } catch (IOException unreadable) {
                settings.report("cannot delete %s: %s".formatted(folder, reason(unreadable)));
            }
        }
    }

    private static String reason(IOException refused) {
        return switch (refused) {
            case AccessDeniedException denied -> "this user has no right to " + denied.getFile();
            case FileAlreadyExistsException file -> file.getFile() + " is a file";
            case FileSystemException failed
            when failed.getReason() != null -> failed.getFile() + ": " + failed.getReason();
            case FileSystemException failed -> failed.getFile() + " cannot be made";
            default -> String.valueOf(refused.getMessage());
        };
    }

    private void store() {
        try {
            look();
        } catch (IllegalArgumentException unusable) {
            settings.report(unusable.getMessage());
        } catch (StorageException outage) {
            unreached(outage);
        }
    }

    /** On a cluster, readiness and the functions' conditions report the outage; exiting would cause a crash loop. */
    private void unreached(StorageException outage) {
        if (settings.text("KNABLA_CLUSTER_KIND").equals(Optional.of(ClusterKind.Knative.name()))) {
            System.err.println("knabla: starts without its store: " + outage.getMessage());
        } else {
            settings.report(outage.getMessage());
        }
    }

    private void look() {
        try (ObjectStore store =
                        StoreAccess.of(settings, home).withShortTimeouts().open();
                Stream<ObjectInfo> some = store.list("catalog/functions/")) {
            some.findFirst();
        }
    }

    private void port() {
        // After a wrong port, which is reported, port 0 is always free and checks the host.
        int otherwise = settings.text(PORT).isPresent() ? 0 : 8080;
        int port = settings.number(PORT, otherwise, 0, 65_535);
        String host = host();
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (UnknownHostException unknown) {
            settings.report("--host %s is no address of this machine".formatted(host));
        } catch (BindException taken) {
            settings.report(
                    "cannot listen on %s:%d (%s). Another program has this port, perhaps another Knabla: stop it, or take another with --port (0 takes a free one)."
                            .formatted(host, port, taken.getMessage()));
        } catch (IOException refused) {
            settings.report("cannot listen on %s:%d: %s".formatted(host, port, refused.getMessage()));
        }
    }
}
