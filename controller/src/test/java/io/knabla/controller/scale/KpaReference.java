package io.knabla.controller.scale;

import io.knabla.controller.scale.KpaDecider.Signal;
import java.util.ArrayList;
import java.util.List;

/**
 * Reference implementation of Knative's formula, as simple as possible: it keeps the whole history and computes every
 * result from the beginning. Oracle for {@link KpaDecider}.
 */
final class KpaReference {
    private final KpaPolicy policy;
    private final List<Signal> history = new ArrayList<>();

    KpaReference(KpaPolicy policy) {
        this.policy = policy;
    }

    int decide(Signal now) {
        history.add(now);
        int answer = panicking(history.size() - 1) ? panicAnswer() : s(now);
        if (now.reachable() && policy.scaleDownDelay().isPresent()) {
            for (int i = history.size() - 1; i >= 0 && history.get(i).reachable(); i--) {
                boolean old = history.get(i)
                        .now()
                        .isBefore(now.now().minus(policy.scaleDownDelay().get()));
                answer = old ? answer : Math.max(answer, undelayed(i));
            }
        }
        boolean idle = !now.idleFor().isZero();
        if (idle && now.idleFor().compareTo(policy.idleAfter()) >= 0) {
            answer = 0;
        } else if (idle && answer == 0 && now.ready() > 0) {
            answer = 1;
        }
        answer = now.reachable() ? Math.max(answer, policy.min()) : answer;
        boolean started = history.stream().anyMatch(seen -> seen.ready() >= policy.initialScale());
        answer = started ? answer : Math.max(answer, policy.initialScale());
        return Math.min(answer, policy.max());
    }

    private int undelayed(int index) {
        KpaReference past = new KpaReference(policy);
        past.history.addAll(history.subList(0, index + 1));
        return past.panicking(index) ? past.panicAnswer() : s(history.get(index));
    }

    private boolean over(Signal seen) {
        return Math.ceil(seen.panic() / policy.goal()) / Math.max(1, seen.ready()) >= policy.panicThreshold();
    }

    private boolean panicking(int index) {
        for (int i = index; i >= 0; i--) {
            if (over(history.get(i))) {
                return history.get(i)
                        .now()
                        .plus(policy.stableWindow())
                        .isAfter(history.get(index).now());
            }
        }
        return false;
    }

    /** Highest count since this panic began. */
    private int panicAnswer() {
        int most = 0;
        for (int i = history.size() - 1; i >= 0 && panicking(i); i--) {
            most = Math.max(most, Math.max(s(history.get(i)), p(history.get(i))));
        }
        return most;
    }

    private int s(Signal seen) {
        return wanted(seen, seen.stable());
    }

    private int p(Signal seen) {
        return wanted(seen, seen.panic());
    }

    private int wanted(Signal seen, double average) {
        int ready = Math.max(1, seen.ready());
        int raw = (int) Math.ceil(average / policy.goal());
        int up = (int) Math.ceil(policy.maxScaleUpRate() * ready);
        int down = seen.reachable() ? (int) Math.floor(ready / policy.maxScaleDownRate()) : 0;
        int bounded = Math.max(down, Math.min(up, raw));
        return raw > 0 ? Math.max(bounded, policy.activationScale()) : bounded;
    }
}
