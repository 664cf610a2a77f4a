package io.knabla.controller.cost.alert;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.config.Settings;
import io.knabla.controller.cost.budget.Budget;
import io.knabla.controller.cost.budget.BudgetDecider;
import io.knabla.controller.cost.budget.BudgetDecider.Alert;
import io.knabla.controller.cost.budget.BudgetStatus;
import io.knabla.controller.cost.query.Budgets;
import io.knabla.controller.platform.FunctionEvents;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Looks at the budgets every few minutes and gives each alert once, whatever the number of controllers: an object in
 * the store is empty while one of them gives the alert, and then holds it. An alert is given again at the next look if
 * its webhook fails, and by any controller if the one that gave it was killed meanwhile.
 */
@Singleton
public final class BudgetAlerts implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(BudgetAlerts.class.getName());
    private static final Duration PAUSE = Duration.ofMinutes(5);
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final String RECORDS = "budgets/alerts/";

    private final Source budgets;
    private final ObjectStore store;
    private final List<FunctionEvents> events;
    private final BudgetWebhook webhook;
    private final MultiGauge gauge;
    private final InstantSource clock;
    private final boolean any;
    private final PeriodicTask task = new PeriodicTask("knabla-budgets", "check the budgets", this::check);

    /** Tells how much of each budget is spent. */
    interface Source {
        List<BudgetStatus> statuses() throws IOException;
    }

    @Inject
    BudgetAlerts(
            Budgets budgets,
            ObjectStore store,
            @Any Instance<FunctionEvents> events,
            Settings settings,
            MeterRegistry meters,
            Clock clock) {
        this(
                budgets::statuses,
                store,
                events.select(new ForPlatform.Literal(settings.cluster().kind())).stream()
                        .toList(),
                new BudgetWebhook(),
                meters,
                clock,
                !budgets.isEmpty());
    }

    BudgetAlerts(
            Source budgets,
            ObjectStore store,
            List<FunctionEvents> events,
            BudgetWebhook webhook,
            MeterRegistry meters,
            InstantSource clock,
            boolean any) {
        this.budgets = budgets;
        this.store = store;
        this.events = events;
        this.webhook = webhook;
        this.gauge = MultiGauge.builder("knabla.budget.spent.share")
                .description("Spent share of a budget in its current period")
                .register(meters);
        this.clock = clock;
        this.any = any;
    }

    /** Without budgets it never looks. */
    @Override
    public void start() {
        if (any) {
            task.start(FIRST, PAUSE);
        }
    }

    /** Gives the alerts that are due. */
    void check() throws IOException {
        List<BudgetStatus> statuses = budgets.statuses();
        gauge.register(statuses.stream().map(BudgetAlerts::row).toList(), true);
        for (Alert alert : BudgetDecider.due(statuses, this::isGiven)) {
            if (claim(record(alert.id()))) {
                give(alert);
            }
        }
    }

    /** Also true while a controller gives it. */
    private boolean isGiven(String id) {
        return store.stat(record(id)).filter(record -> !isAbandoned(record)).isPresent();
    }

    private boolean isAbandoned(ObjectInfo record) {
        return record.size() == 0 && record.modified().plus(PAUSE).isBefore(clock.instant());
    }

    private boolean claim(ObjectKey record) throws IOException {
        store.stat(record).filter(this::isAbandoned).ifPresent(_ -> store.delete(record));
        return store.createOnce(record, Content.of(new byte[0])).isPresent();
    }

    private static ObjectKey record(String id) {
        return new ObjectKey(RECORDS + id);
    }

    private static MultiGauge.Row<?> row(BudgetStatus status) {
        Tags tags = Tags.of(
                "budget",
                status.budget().subject(),
                "period",
                status.budget().period().name());
        return MultiGauge.Row.of(tags, status.share().doubleValue());
    }

    private void give(Alert alert) throws IOException {
        Budget budget = alert.status().budget();
        if (!posted(alert)) {
            store.delete(record(alert.id()));
            return;
        }
        store.write(record(alert.id()), Content.of(alert.sentence().getBytes(StandardCharsets.UTF_8)));
        LOG.log(System.Logger.Level.WARNING, alert.sentence());
        budget.function()
                .map(name -> new FunctionId(budget.namespace(), name))
                .ifPresent(function -> events.forEach(each -> each.warn(function, "BudgetAlert", alert.sentence())));
    }

    private boolean posted(Alert alert) {
        URI address = alert.status().budget().webhook().orElse(null);
        try {
            if (address != null) {
                webhook.post(alert, address);
            }
            return true;
        } catch (IOException refused) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the webhook of the {0} failed, and is called again in {1} minutes: {2}",
                    alert.status().budget().subject(),
                    PAUSE.toMinutes(),
                    refused.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
