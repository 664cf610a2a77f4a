package io.knabla.runtime.generation.calibrate;

import io.knabla.functions.tokenizer.Tokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Texts from which the scales of keys and values are measured: prose, numbers and code, and tokens at random. */
final class CalibrationTexts {
    /** So few, that a model of a billion weights reads them in some seconds. */
    private static final int MOST_TOKENS = 256;

    private static final String WRITTEN = """
            The river had risen during the night, and by morning the lower fields stood under water. Nobody in the
            village could remember such a spring. "We should move the animals first," said Anna; her brother only nodded.
            How long would the bridge hold? Three days, perhaps four, if the rain stopped at once.

            1. Measure 250 g of flour and 1.5 l of milk. 2. Heat to 180 °C for 35 minutes. Total: $12.90 (VAT 19 %).

            def mean(values: list[float]) -> float:
                return sum(values) / len(values) if values else 0.0

            {"id": 4711, "tags": ["new", "urgent"], "done": false, "due": "2024-02-29T08:30:00Z"}

            Der Zug nach Köln fährt heute um 7:45 Uhr von Gleis 3 ab. El niño comía una manzana en el jardín.
            Il fait beau aujourd'hui. 今天天气很好,我们去公园吧。明日は東京へ行きます。 Привет, как дела?
            """;

    private CalibrationTexts() {}

    /**
     * The same texts each time.
     *
     * @param vocabulary number of tokens; all of them occur at random
     * @param context most tokens of a text; 2 or more
     */
    static List<int[]> of(Tokenizer tokenizer, int vocabulary, int context) {
        int most = Math.min(MOST_TOKENS, context);
        int[] random = new SplittableRandom(1).ints(most, 0, vocabulary).toArray();
        int[] written = tokenizer.encode(WRITTEN, true).ids();
        return written.length < 2
                ? List.of(random)
                : List.of(Arrays.copyOf(written, Math.min(most, written.length)), random);
    }
}
