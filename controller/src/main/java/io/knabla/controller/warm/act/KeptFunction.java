package io.knabla.controller.warm.act;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.platform.KeepWarm.Warmth;
import io.knabla.controller.warm.live.BusyReplicas;
import io.knabla.controller.warm.live.LivePolicy;
import io.knabla.controller.warm.live.LivePolicyState;
import io.knabla.controller.warm.live.WarmNeed;
import io.knabla.controller.warm.policy.AdaptivePolicy;
import io.knabla.controller.warm.policy.FixedPolicy;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.StartCost;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.schedule.CronTimes;
import io.knabla.controller.warm.schedule.MinimumSchedule;
import io.knabla.functions.spec.FunctionSpec.KeepWarm;
import io.knabla.functions.spec.FunctionSpec.Schedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Keep-warm settings, costs and policy of one function. Only {@link #busy} is used by several threads. */
final class KeptFunction {
    private static final System.Logger LOG = System.getLogger(KeptFunction.class.getName());

    /** What a start costs is taken as changed from this share on; each change makes all decisions anew. */
    private static final double NOTICEABLE = 0.1;

    static final String SCHEDULE = "SCHEDULE";

    final BusyReplicas busy = new BusyReplicas();
    private final FunctionId id;
    private final LivePolicy keeper = new LivePolicy(FixedPolicy.never());
    private KeepWarm settings;
    private Costs costs;
    private MinimumSchedule schedule = new MinimumSchedule(List.of());

    /**
     * What a policy weighs.
     *
     * @param startSeconds of one start
     * @param gb memory of a replica, in GB of 10^9 bytes
     */
    record Costs(double startSeconds, double gb, double usdPerGbSecond) {
        boolean resembles(Costs other) {
            return alike(startSeconds, other.startSeconds)
                    && alike(gb, other.gb)
                    && alike(usdPerGbSecond, other.usdPerGbSecond);
        }

        private static boolean alike(double one, double other) {
            return Math.abs(one - other) <= NOTICEABLE * Math.max(one, other);
        }
    }

    KeptFunction(FunctionId id) {
        this.id = id;
    }

    /** Goes on with these settings and costs. */
    void use(KeepWarm wanted, Costs now) {
        boolean other = !wanted.equals(settings);
        if (other) {
            schedule = schedule(wanted);
        }
        if (other || !costs.resembles(now)) {
            settings = wanted;
            costs = now;
            keeper.use(policy());
        }
    }

    private FunctionPolicy policy() {
        WarmPolicy policy = switch (settings.policy()) {
            case Adaptive -> new AdaptivePolicy(settings.coldStartCost(), costs.usdPerGbSecond());
            case Fixed -> FixedPolicy.fixed(settings.idleTimeout().toMillis());
            case Always -> FixedPolicy.always();
            case Never -> FixedPolicy.never();
        };
        StartCost start = new StartCost(0, 0, costs.startSeconds(), 0, 0, costs.gb());
        return policy.forFunction(FunctionProfile.of(id.toString(), start));
    }

    private MinimumSchedule schedule(KeepWarm wanted) {
        return new MinimumSchedule(
                wanted.schedule().stream().flatMap(this::entry).toList());
    }

    /** The file's reader accepts names of zones that only a newer Java knows. */
    private Stream<MinimumSchedule.Entry> entry(Schedule wanted) {
        try {
            CronTimes times = CronTimes.of(wanted.cron(), ZoneId.of(wanted.timezone()));
            return Stream.of(new MinimumSchedule.Entry(times, wanted.duration(), wanted.min()));
        } catch (IllegalArgumentException | DateTimeException unknown) {
            LOG.log(WARNING, "{0}: a schedule of keepWarm is left out: {1}", id, unknown.getMessage());
            return Stream.empty();
        }
    }

    double gb() {
        return costs.gb();
    }

    double startSeconds() {
        return costs.startSeconds();
    }

    /** Learns from the requests since the last call; returns how many replicas became busy. */
    int learn(long now) {
        List<BusyReplicas.Change> changes = busy.take(now);
        changes.forEach(keeper::changed);
        return (int) changes.stream().filter(BusyReplicas.Change::busy).count();
    }

    /** What the policy needs, its schedule left aside. */
    WarmNeed need(long now, Duration lead, Duration idleAfter) {
        return switch (settings.policy()) {
            case Always -> WarmNeed.always(1);
            case Never -> WarmNeed.none(Reason.NEVER);
            case Adaptive, Fixed -> keeper.need(now, lead.toMillis(), idleAfter.toMillis());
        };
    }

    /** Adds the schedule's minimum, which no budget reduces. */
    Warmth warmth(WarmNeed need, Instant now, Duration lead) {
        int scheduled = schedule.minimumWithin(now, lead);
        String reason = scheduled > 0 && scheduled >= need.keep()
                ? SCHEDULE
                : need.reason().map(Enum::name).orElse("");
        return new Warmth(
                Math.max(scheduled, need.keep()),
                Math.max(scheduled, need.start()),
                reason,
                Stream.concat(need.nextStart().map(Instant::ofEpochMilli).stream(), nextWindow(now))
                        .min(Instant::compareTo));
    }

    private Stream<Instant> nextWindow(Instant now) {
        return schedule.entries().stream()
                .map(entry -> entry.begin().after(now))
                .flatMap(Optional::stream);
    }

    LivePolicyState state() {
        return keeper.state();
    }

    void restore(LivePolicyState state) {
        keeper.restore(state);
    }
}
