package io.knabla.controller.local;

import io.knabla.controller.local.liveness.LivenessProbes;
import io.knabla.controller.local.liveness.LivenessSettings;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.GpuLossReason;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.Failure;
import io.knabla.controller.platform.Replica.State;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One replica and its process, from start to exit. State changes are made and reported under this object's lock:
 * listeners receive them in order.
 */
final class ReplicaProcess {
    /**
     * Time to read the remaining output of an ended process on a busy machine. Only a child of the process could write
     * for longer.
     */
    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration MEMORY_INTERVAL = Duration.ofMillis(500);

    /** From an assignment until the member listens; then a fresh process is started, which takes far longer. */
    private static final Duration POOLED_DEADLINE = Duration.ofSeconds(10);

    private final ReplicaLog log;
    private final Cluster.Listener listener;
    private final Runnable onEnd;
    private final ScheduledExecutorService timers;
    private final LivenessProbes probes;
    private final MemoryGuard guard;
    private final Consumer<ReplicaEvent.Report> reports;
    private final long askedNanos = System.nanoTime();

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Replica replica;
    private volatile ReplicaChild child;
    private ReplicaLauncher launcher;
    private ScheduledFuture<?> deadline;
    private int port;
    private double placeMillis;
    private long spawnedNanos;
    private String failure = "";
    private MemoryGuard.Hold hold = MemoryGuard.Hold.NONE;

    /** Whether this class ended the process, so that its exit code tells nothing. */
    private boolean killed;

    private boolean interrupted;

    ReplicaProcess(
            Replica starting,
            ReplicaLog log,
            Cluster.Listener listener,
            Runnable onEnd,
            ScheduledExecutorService timers,
            MemoryGuard guard,
            Consumer<ReplicaEvent.Report> reports) {
        this.replica = starting;
        this.log = log;
        this.listener = listener;
        this.onEnd = onEnd;
        this.timers = timers;
        this.probes = new LivenessProbes(new ReplicaHealth(this), LivenessSettings.DEFAULT, timers, System::nanoTime);
        this.guard = guard;
        this.reports = reports;
    }

    Replica replica() {
        return replica;
    }

    ReplicaLog log() {
        return log;
    }

    boolean ended() {
        return switch (replica.state()) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> false;
            case STOPPED, FAILED -> true;
        };
    }

    /**
     * Starts the process; from here on its output and its exit drive all changes. Does nothing if the replica was
     * stopped already.
     */
    synchronized void launch(ReplicaLauncher from, Duration startDeadline) throws IOException {
        if (ended()) {
            onEnd.run();
            return;
        }
        launcher = from;
        adopt(from.launch());
        deadline = timers.schedule(
                () -> giveUp("it was not ready within %d s".formatted(startDeadline.toSeconds())),
                startDeadline.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void adopt(ReplicaChild started) {
        spawnedNanos = System.nanoTime();
        placeMillis = (spawnedNanos - askedNanos) / 1e6;
        child = started;
        hold = guard.hold(handle(), launcher.memory(), MEMORY_INTERVAL);
        replica = replica.startedAs(started.start());
        listener.changed(replica);
        Thread errors = thread("log", () -> log.pump(started.process().getErrorStream()));
        thread("events", () -> follow(started, errors));
        if (started.isPooled()) {
            timers.schedule(() -> replaceSilent(started), POOLED_DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Kills a pool member that does not react; its exit leads to a fresh process. */
    private synchronized void replaceSilent(ReplicaChild asked) {
        if (child == asked && port == 0) {
            kill();
        }
    }

    /** Fails a replica whose process could not be started. */
    synchronized void failUnstarted(String reason) {
        if (!ended()) {
            end(State.FAILED, reason);
        }
    }

    ProcessHandle handle() {
        return child.process().toHandle();
    }

    /** Probes its health at once. */
    void suspect() {
        probes.suspect();
    }

    /** Changes between ready and unresponsive; does nothing in other states. */
    synchronized void setResponsive(boolean responsive, String reason) {
        State now = responsive ? State.READY : State.UNRESPONSIVE;
        boolean changes = switch (replica.state()) {
            case READY, UNRESPONSIVE -> replica.state() != now;
            case STARTING, DRAINING, STOPPED, FAILED -> false;
        };
        if (changes) {
            log.note(reason);
            changeState(now, reason);
        }
    }

    /** A process that hangs would not notice a signal to stop. */
    synchronized void killHanging(String reason) {
        setResponsive(false, reason);
        if (replica.state() == State.UNRESPONSIVE) {
            failure = reason;
            killed = true;
            kill();
        }
    }

    /** Kills it together with its node. */
    synchronized void interrupt() {
        if (child != null && !ended()) {
            interrupted = true;
            killed = true;
            kill();
        }
    }

    synchronized void stop(Duration grace) {
        switch (replica.state()) {
            case STARTING -> stopStarting();
            case READY, UNRESPONSIVE -> {
                // Reported before the signal: no one then sends it a request that it would reject.
                changeState(State.DRAINING, "finishing its requests");
                // Process.destroy would also close its standard input, which ends it at once.
                handle().destroy();
                timers.schedule(this::kill, grace.toMillis(), TimeUnit.MILLISECONDS);
            }
            case DRAINING, STOPPED, FAILED -> {}
        }
    }

    /** It has no requests to finish. */
    private void stopStarting() {
        if (child == null) {
            end(State.STOPPED, "stopped before it ran");
        } else {
            changeState(State.DRAINING, "stopped while it started");
            kill();
        }
    }

    /** Waits, at most this long, until it has ended and all listeners were notified. */
    void awaitEnd(Duration most) {
        try {
            ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills it; if it was not launched yet, it never will be. */
    synchronized void abort() {
        if (child != null) {
            kill();
        } else if (!ended()) {
            end(State.STOPPED, "stopped before it ran");
        }
    }

    /** Uses the handle, which leaves the streams open: the last output is still read. */
    private void kill() {
        handle().destroyForcibly();
    }

    private void forgetDeadline() {
        // There is none if the cluster was closed at that moment.
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    private synchronized void giveUp(String reason) {
        if (replica.state() == State.STARTING) {
            failure = reason;
            killed = true;
            kill();
        }
    }

    private void follow(ReplicaChild followed, Thread errors) {
        try (BufferedReader lines = followed.events()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                onEvent(ReplicaEvent.parse(line));
            }
        } catch (IOException closed) {
            log.note("cannot read further events: " + closed.getMessage());
        }
        try {
            int code = followed.process().waitFor();
            // The last output of a crashed process explains the crash.
            errors.join(OUTPUT_TIMEOUT);
            exited(code);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void onEvent(ReplicaEvent event) {
        switch (event) {
            case ReplicaEvent.Listening(int at) -> port = at;
            case ReplicaEvent.Ready(Map<String, Double> phases) -> ready(phases);
            case ReplicaEvent.Report report -> reports.accept(report);
            case ReplicaEvent.Failed(String error) -> failure = error;
            case ReplicaEvent.Unknown(String line) -> log.note("on standard output: " + line);
        }
    }

    private void ready(Map<String, Double> reported) {
        if (replica.state() != State.STARTING || port == 0) {
            return;
        }
        forgetDeadline();
        Map<String, Double> phases = new HashMap<>(reported);
        phases.put("place", placeMillis);
        phases.put("boot", bootMillis(reported));
        replica = new Replica(
                replica.id(),
                replica.function(),
                replica.version(),
                replica.versionCreated(),
                replica.node(),
                State.READY,
                Optional.of(URI.create("http://127.0.0.1:" + port)),
                replica.token(),
                Map.copyOf(phases),
                replica.started(),
                "ready",
                Failure.UNSPECIFIED,
                replica.start());
        listener.changed(replica);
        probes.start();
    }

    /**
     * Time since the start of the process without fetching and loading; a process cannot measure its own start this
     * exactly.
     */
    private double bootMillis(Map<String, Double> reported) {
        double sinceSpawn = (System.nanoTime() - spawnedNanos) / 1e6;
        double fetched = reported.getOrDefault("fetch", 0.0);
        return Math.max(0, sinceSpawn - fetched - reported.getOrDefault("load", 0.0));
    }

    private synchronized void exited(int code) {
        OptionalLong exceeded = hold.exceeded();
        hold.close();
        child.cleanUp().run();
        String exit = ExitCodes.explain(code);
        log.note("ended: " + exit);
        exceeded.ifPresent(this::noteMemory);
        if (exceeded.isEmpty() && isLostMember()) {
            startFresh();
            return;
        }
        forgetDeadline();
        if (replica.state() == State.DRAINING) {
            end(State.STOPPED, exit);
            return;
        }
        if (interrupted) {
            end(State.FAILED, "its node was taken back", Failure.INTERRUPTED);
            return;
        }
        if (exceeded.isPresent()) {
            end(State.FAILED, launcher.memory().replicaKilled(), Failure.OUT_OF_MEMORY);
            return;
        }
        String why = killed ? failure + ", so it was killed" : failure.isEmpty() ? exit : failure + "; " + exit;
        String lastWords = failure.isEmpty() ? log.lastLine() : "";
        end(
                State.FAILED,
                lastWords.isEmpty() ? why : why + ", last log line: " + lastWords,
                code == GpuLossReason.EXIT_CODE ? Failure.DEVICE_LOST : Failure.UNSPECIFIED);
    }

    /** Whether its process came from the pool and ended before it served, without a reason of its own. */
    private boolean isLostMember() {
        return replica.state() == State.STARTING && child.isPooled() && !killed && failure.isEmpty();
    }

    private void startFresh() {
        log.note("the process was from the pool, so a fresh one starts");
        port = 0;
        try {
            adopt(launcher.fresh());
            launcher.noter().accept(handle());
        } catch (IOException error) {
            forgetDeadline();
            end(State.FAILED, "cannot start its process: " + error.getMessage());
        }
    }

    private void noteMemory(long used) {
        log.note("it used %d MiB: %s".formatted(used >> 20, launcher.memory().replicaKilled()));
    }

    private void end(State state, String reason) {
        end(state, reason, Failure.UNSPECIFIED);
    }

    private void end(State state, String reason, Failure kind) {
        log.close();
        onEnd.run();
        changeState(state, reason, kind);
        ended.countDown();
    }

    private void changeState(State state, String reason) {
        changeState(state, reason, Failure.UNSPECIFIED);
    }

    private void changeState(State state, String reason, Failure kind) {
        replica = new Replica(
                replica.id(),
                replica.function(),
                replica.version(),
                replica.versionCreated(),
                replica.node(),
                state,
                replica.address(),
                replica.token(),
                replica.phases(),
                replica.started(),
                reason,
                kind,
                replica.start());
        listener.changed(replica);
    }

    private Thread thread(String role, Runnable task) {
        return Thread.ofPlatform().daemon().name(replica.id() + "-" + role).start(task);
    }
}
