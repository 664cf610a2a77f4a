package io.knabla.controller.knative.rights;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.knative.calls.ApiCall;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Keeps the tasks that the rights of this controller's service account do not allow, with the calls that are refused.
 * The API server is asked twice a minute while this controller leads, so that a missing right is told before it is
 * needed.
 */
public final class RefusedTasks implements Lifecycle {
    static final Duration PERIOD = Duration.ofSeconds(30);

    private static final System.Logger LOG = System.getLogger(RefusedTasks.class.getName());
    private static final Duration ROUNDS = Duration.ofSeconds(1);

    private final Set<PrivilegedTask> tasks;
    private final Predicate<ApiCall> isAllowed;
    private final InstantSource clock;
    private final BooleanSupplier leads;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final PeriodicTask task = new PeriodicTask("knabla-rights", "ask for this account's rights", this::round);

    private volatile Instant next = Instant.MIN;
    private volatile Map<PrivilegedTask, String> refusals = Map.of();

    /**
     * @param tasks that this controller does
     * @param isAllowed asks the API server
     */
    public RefusedTasks(
            Set<PrivilegedTask> tasks, Predicate<ApiCall> isAllowed, InstantSource clock, BooleanSupplier leads) {
        this.tasks = Set.copyOf(tasks);
        this.isAllowed = isAllowed;
        this.clock = clock;
        this.leads = leads;
    }

    @Override
    public void start() {
        task.start(Duration.ZERO, ROUNDS);
    }

    /**
     * What is refused, what follows and what to do, by task; no entry for a task that can be done. A new leader asks
     * first: without an answer it would take back what the last one told.
     */
    public Map<PrivilegedTask, String> refusals() {
        round();
        return refusals;
    }

    /** The next round asks, even if the last one did: a call was refused. */
    public void askAgain() {
        next = Instant.MIN;
    }

    /**
     * Calls the listener after an answer changed.
     *
     * @return removes the listener
     */
    public Runnable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    synchronized void round() {
        Instant now = clock.instant();
        if (!leads.getAsBoolean() || now.isBefore(next)) {
            return;
        }
        next = now.plus(PERIOD);
        var found = new EnumMap<PrivilegedTask, String>(PrivilegedTask.class);
        for (PrivilegedTask asked : tasks) {
            List<ApiCall> refused =
                    asked.calls().stream().filter(isAllowed.negate()).toList();
            if (!refused.isEmpty()) {
                found.put(asked, sentence(refused, asked));
            }
        }
        Map<PrivilegedTask, String> before = refusals;
        refusals = Map.copyOf(found);
        tasks.forEach(asked -> log(asked, before.get(asked), found.get(asked)));
        if (!refusals.equals(before)) {
            listeners.forEach(Runnable::run);
        }
    }

    /** @param before null like {@code now}, if nothing is refused */
    private static void log(PrivilegedTask task, String before, String now) {
        if (!Objects.equals(before, now)) {
            Optional.ofNullable(now)
                    .ifPresentOrElse(
                            sentence -> LOG.log(WARNING, sentence),
                            () -> LOG.log(INFO, "the controller's account has its rights again: {0}", task.done()));
        }
    }

    private static String sentence(List<ApiCall> refused, PrivilegedTask task) {
        return "the controller's account may not %s, %s; 'kubectl apply -k' of the overlay that installed Knabla grants it, and './knabla doctor --context' checks it"
                .formatted(
                        refused.stream()
                                .map(call -> call.verb() + " " + call.resource())
                                .collect(Collectors.joining(", ")),
                        task.undone());
    }

    @Override
    public void close() {
        task.close();
    }
}
