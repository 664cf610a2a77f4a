package io.knabla.controller.app;

import io.knabla.controller.auth.Addresses;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private final Map<String, String> environment;
    private final List<String> faults = new ArrayList<>();

    private StartCheck(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Empty when the platform may start. */
    static List<String> faults(Map<String, String> environment) {
        var check = new StartCheck(environment);
        Home home = new Home(
                check.setting("home").map(Path::of).orElse(Path.of(System.getProperty("user.home"), ".knabla")));
        check.takeOver(ConfigFile.read(home.config()));
        check.doors();
        check.faults.addAll(ClusterCheck.faults(check::setting, environment));
        if (check.writable(home)) {
            check.store(home);
        }
        check.port();
        return check.faults;
    }

    private void takeOver(ConfigFile file) {
        faults.addAll(file.faults());
        file.settings().forEach((name, value) -> {
            if (setting(name.substring(ConfigFile.PREFIX.length())).isEmpty()) {
                System.setProperty(name, value);
            }
        });
    }

    private void doors() {
        Addresses.refusal(setting("host").orElse("127.0.0.1"), setting("token")).ifPresent(faults::add);
    }

    private boolean writable(Home home) {
        try {
            for (Path folder : List.of(home.path(), home.uploads(), home.run(), home.logs())) {
                Files.createDirectories(folder);
                Files.delete(Files.createTempFile(folder, ".knabla", ".probe"));
            }
            return true;
        } catch (IOException refused) {
            faults.add("cannot write below %s (%s). Make it writable, or set KNABLA_HOME or --home to another folder."
                    .formatted(home.path(), refused));
            return false;
        }
    }

    private void store(Home home) {
        String location = setting("store").orElse(home.store().toUri().toString());
        try {
            look(location);
        } catch (IllegalArgumentException unusable) {
            faults.add(unusable.getMessage());
        } catch (StorageException outage) {
            unreached(outage);
        }
    }

    /** On a cluster, readiness and the functions' conditions report the outage; exiting would cause a crash loop. */
    private void unreached(StorageException outage) {
        if (setting("cluster.kind").equals(Optional.of(ClusterKind.Knative.name()))) {
            System.err.println("knabla: starts without its store: " + outage.getMessage());
        } else {
            faults.add(outage.getMessage());
        }
    }

    private void look(String location) {
        try (ObjectStore store = StoreAccess.of(location, environment, s3())
                        .withShortTimeouts()
                        .open();
                Stream<ObjectInfo> some = store.list("catalog/functions/")) {
            some.findFirst();
        }
    }

    /** Settings of the configuration file are system properties by now, like flags. */
    private static Map<String, String> s3() {
        String prefix = ConfigFile.PREFIX + "s3.";
        return System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(prefix))
                .collect(Collectors.toMap(name -> name.substring(prefix.length()), System::getProperty));
    }

    private void port() {
        String text = setting("port").orElse("8080");
        String host = setting("host").orElse("127.0.0.1");
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
            faults.add("the port is '%s'; allowed is 0 to 65535, 0 takes a free one".formatted(text));
            return;
        }
        int port = Integer.parseInt(text);
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (UnknownHostException unknown) {
            faults.add("--host %s is no address of this machine".formatted(host));
        } catch (BindException taken) {
            faults.add(
                    "cannot listen on %s:%d (%s). Another program has this port, perhaps another Knabla: stop it, or take another with --port (0 takes a free one)."
                            .formatted(host, port, taken.getMessage()));
        } catch (IOException refused) {
            faults.add("cannot listen on %s:%d: %s".formatted(host, port, refused.getMessage()));
        }
    }

    /** Flags are system properties here and override the environment. */
    private Optional<String> setting(String name) {
        return Optional.ofNullable(System.getProperty(ConfigFile.PREFIX + name))
                .or(() -> Optional.ofNullable(environment.get(StoreAccess.variable(name))))
                .filter(value -> !value.isBlank());
    }
}
