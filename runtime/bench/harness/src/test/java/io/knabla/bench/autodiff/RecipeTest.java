package io.knabla.bench.autodiff;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Compares generated numbers with those that stream.py prints for the same recipes. */
class RecipeTest {
    @Test
    void floatsMatchPython() {
        ByteBuffer bytes = Recipe.of("recipe: uniform -1.0 1.0 7").orElseThrow().bytes(3);

        assertThat(bytes.getFloat()).isEqualTo(-0.4051859378814697f);
        assertThat(bytes.getFloat()).isEqualTo(0.2295469045639038f);
        assertThat(bytes.getFloat()).isEqualTo(0.7017741203308105f);
    }

    @Test
    void integersMatchPython() {
        ByteBuffer bytes = Recipe.of("recipe: below 5000 1000").orElseThrow().bytes(4);

        assertThat(new long[] {bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong()})
                .containsExactly(459, 723, 4024, 282);
    }

    @Test
    void ignoresOtherDocStrings() {
        assertThat(Recipe.of("")).isEmpty();
        assertThat(Recipe.of("made by hand")).isEmpty();
    }
}
