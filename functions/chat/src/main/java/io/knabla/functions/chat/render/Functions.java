package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Function;
import io.knabla.functions.chat.value.Value;
import java.time.Clock;
import java.util.List;
import java.util.stream.LongStream;

/** Functions that the transformers library gives to templates, and Jinja's {@code range}. */
final class Functions {
    private static final int LONGEST_RANGE = 100_000;

    private final Budget budget;
    private final Clock clock;

    Functions(Budget budget, Clock clock) {
        this.budget = budget;
        this.clock = clock;
    }

    /** Tells that the template itself refuses the conversation. */
    static final class RaisedException extends RuntimeException {
        RaisedException(String words) {
            super(words, null, false, false);
        }
    }

    Value call(Function function, CallArguments given) {
        return switch (function) {
            case RAISE_EXCEPTION -> throw new RaisedException(given.written(0, ""));
            case RANGE -> range(given);
            case STRFTIME_NOW -> new Value.Text(Strftime.format(given.text(0), clock));
        };
    }

    private Value range(CallArguments given) {
        boolean one = !given.has(1);
        long from = one ? 0 : Arithmetics.whole(given.get(0));
        long to = Arithmetics.whole(given.get(one ? 0 : 1));
        long step = given.has(2) ? Arithmetics.whole(given.get(2)) : 1;
        if (step == 0) {
            throw RefusedException.of("a range has step 0");
        }
        double count = Math.ceil(((double) to - from) / step);
        if (count > LONGEST_RANGE) {
            throw RefusedException.of("a range has more than %d numbers", LONGEST_RANGE);
        }
        budget.chargeValues((long) Math.max(0, count));
        List<Value> numbers = LongStream.range(0, (long) Math.max(0, count))
                .<Value>mapToObj(i -> new Value.Int(from + i * step))
                .toList();
        return new Value.Items(numbers);
    }
}
