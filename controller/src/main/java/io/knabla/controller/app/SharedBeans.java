package io.knabla.controller.app;

import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Settings;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.settings.SettingsReader;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Produces the beans that all parts share; a test replaces a bean by declaring another one. */
@ApplicationScoped
class SharedBeans {
    /** How many unknown names the catalog remembers if each lookup is a billed request. */
    private static final int ABSENCES = 1000;

    @Produces
    @Singleton
    @DefaultBean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    @DefaultBean
    RandomGenerator random() {
        // Random is thread-safe; a secret such as a replica's token needs SecureRandom instead.
        return new Random();
    }

    @Produces
    @Singleton
    @DefaultBean
    Ids ids(RandomGenerator random) {
        return () -> {
            String digits = Long.toString(random.nextLong() & Long.MAX_VALUE, Character.MAX_RADIX);
            return "0".repeat(8).concat(digits).substring(digits.length());
        };
    }

    @Produces
    @Singleton
    StoreAccess access(Settings settings, Home home) {
        Map<String, String> selected = new TreeMap<>();
        settings.store().ifPresent(store -> selected.put("KNABLA_STORE", store));
        settings.s3().forEach((key, value) -> selected.put(SettingNames.variable("s3." + key), value));
        return StoreAccess.of(new SettingsReader(List.of(() -> selected, System::getenv)), home);
    }

    /** {@code StartCheck} has already rejected a location that cannot be opened. */
    @Produces
    @Singleton
    ObjectStore store(StoreAccess access) {
        return access.open();
    }

    void close(@Disposes ObjectStore store) {
        store.close();
    }

    @Produces
    @Singleton
    StoreCatalog catalog(ObjectStore store, RandomGenerator random, StoreAccess access) {
        return new StoreCatalog(store, random, access.isRemote() ? ABSENCES : 0);
    }

    @Produces
    @Singleton
    Home home(Settings settings) {
        return new Home(settings.home());
    }
}
