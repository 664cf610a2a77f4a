package io.knabla.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings.ClusterKind;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the order in which the controller starts and stops its parts on each platform. */
class StartupTest {
    private static final String NONE = "";

    private final List<String> events = new ArrayList<>();

    @Test
    void localPlatformStartsAndStopsInOrder() {
        run(startup(ClusterKind.Local, NONE));

        assertThat(events)
                .containsExactlyElementsOf(startedAndStopped(
                        "CatalogRefresher",
                        "UsageRecorder",
                        "LedgerMaintenance",
                        "ModelUploads",
                        "TrainingStateCleaner",
                        "CollectionScheduler",
                        "PriceRefreshSchedule",
                        "BudgetAlerts",
                        "ReplicaGauges",
                        "CostMetrics",
                        "WarmKeeper",
                        "SpotRisks",
                        "Autoscaler",
                        "MachineSignals",
                        "Gateway"));
    }

    @Test
    void knativePlatformStartsAndStopsInOrder() {
        run(startup(ClusterKind.Knative, NONE));

        assertThat(events)
                .containsExactlyElementsOf(startedAndStopped(
                        "CatalogRefresher",
                        "ModelUploads",
                        "TrainingStateCleaner",
                        "CollectionScheduler",
                        "PriceRefreshSchedule",
                        "BudgetAlerts",
                        "ReplicaGauges",
                        "CostMetrics",
                        "Leadership",
                        "ClusterSignals",
                        "WakePools",
                        "RefusedTasks",
                        "NodeInterruptions",
                        "UsageRecorder",
                        "LedgerMaintenance",
                        "ReplicaScraper",
                        "WarmKeeper",
                        "SpotRisks",
                        "PolicySplits"));
    }

    private static List<String> startedAndStopped(String... parts) {
        var events = new ArrayList<String>();
        Stream.of(parts).map("+"::concat).forEach(events::add);
        List.of(parts).reversed().stream().map("-"::concat).forEach(events::add);
        return events;
    }

    /** The process ends then, and each running part must stop. */
    @Test
    void failedStartStopsOnlyWhatRuns() {
        Startup startup = startup(ClusterKind.Local, "CollectionScheduler");

        assertThatIllegalStateException().isThrownBy(() -> startup.start(new StartupEvent()));
        startup.stop(new ShutdownEvent());

        assertThat(events)
                .containsExactlyElementsOf(startedAndStopped(
                        "CatalogRefresher",
                        "UsageRecorder",
                        "LedgerMaintenance",
                        "ModelUploads",
                        "TrainingStateCleaner"));
    }

    @Test
    void laptopStartsNothingOfKubernetes() {
        assertThat(Startup.local()).noneMatch(part -> part.getPackageName().contains(".knative"));
    }

    @Test
    void listsEveryPart() {
        var classes = new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests())
                .importPackages("io.knabla.controller");

        assertThat(classes.stream()
                        .filter(type -> type.isAssignableTo(Lifecycle.class) && !type.isInterface())
                        .map(type -> type.getName()))
                .hasSizeGreaterThan(5)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Startup.local(), Startup.knative())
                        .flatMap(List::stream)
                        .map(Class::getName)
                        .distinct()
                        .toList());
    }

    private static void run(Startup startup) {
        startup.start(new StartupEvent());
        startup.stop(new ShutdownEvent());
    }

    private Startup startup(ClusterKind kind, String failing) {
        return new Startup(
                kind,
                part -> new Recorded(part.getSimpleName(), part.getSimpleName().equals(failing)));
    }

    private final class Recorded implements Lifecycle {
        private final String name;
        private final boolean fails;

        Recorded(String name, boolean fails) {
            this.name = name;
            this.fails = fails;
        }

        @Override
        public void start() {
            if (fails) {
                throw new IllegalStateException(name);
            }
            events.add("+" + name);
        }

        @Override
        public void close() {
            events.add("-" + name);
        }
    }
}
