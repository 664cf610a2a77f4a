package io.knabla.bench.serve;

import io.knabla.bench.Progress;
import io.knabla.bench.statistics.Paired;
import io.knabla.bench.statistics.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Everyone for one window in each round, in random order, after a warm-up for each. */
final class Tournament {
    private static final Duration WARM_UP = Duration.ofSeconds(6);
    private static final Duration WINDOW = Duration.ofSeconds(2);

    private final Map<Player, List<Window>> windows = new EnumMap<>(Player.class);

    private Tournament() {}

    static Tournament play(List<Contender> contenders, int rounds, Progress progress) {
        var tournament = new Tournament();
        for (Contender contender : contenders) {
            progress.say("warming up " + contender.player().title());
            contender.run(WARM_UP);
        }
        var order = new ArrayList<>(contenders);
        var random = new Random();
        for (int round = 1; round <= rounds; round++) {
            progress.say("round %d of %d".formatted(round, rounds));
            Collections.shuffle(order, random);
            for (Contender contender : order) {
                tournament
                        .windows
                        .computeIfAbsent(contender.player(), player -> new ArrayList<>())
                        .add(contender.run(WINDOW));
            }
        }
        return tournament;
    }

    /** Requests a second of both, round by round. */
    Paired rates(Player subject, Player reference) {
        var paired = new Paired();
        List<Window> left = windows.get(subject);
        List<Window> right = windows.get(reference);
        for (int i = 0; i < left.size(); i++) {
            paired.add(left.get(i).perSecond(), right.get(i).perSecond());
        }
        return paired;
    }

    double median(Player player, ToDoubleFunction<Window> figure) {
        double[] values = windows.get(player).stream().mapToDouble(figure).toArray();
        return new Samples(values).median();
    }
}
