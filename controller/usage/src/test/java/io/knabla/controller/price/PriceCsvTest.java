package io.knabla.controller.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceCsvTest {
    @ParameterizedTest
    @CsvSource({
        "'a,cheap', usd is 'cheap'",
        "'a,-1', usd is -1",
        "'a,', usd is missing",
        "'a', usd is missing",
    })
    void aBadAmountIsNamedWithItsFileRowAndColumn(String row, String problem) throws IOException {
        PriceCsv.Row line = read("type,usd\na,1\n" + row + "\n").get(1);

        assertThatThrownBy(() -> line.amount("usd"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("prices.csv, row 2: " + problem);
    }

    @Test
    void amountsAreExactAndMayBeLeftOut() throws IOException {
        List<PriceCsv.Row> lines = read("type,usd\na,2.1e-09\nb,\n");

        assertThat(lines.get(0).amount("usd")).isEqualTo("0.0000000021");
        assertThat(lines.get(0).amountIfGiven("usd")).isPresent();
        assertThat(lines.get(1).amountIfGiven("usd")).isEmpty();
    }

    @Test
    void aMissingColumnAndAMissingFileAreNamed() throws IOException {
        PriceCsv.Row line = read("type,usd\na,1\n").getFirst();

        assertThatThrownBy(() -> line.text("region")).hasMessage("prices.csv, row 1: region is missing");
        assertThatThrownBy(() -> PriceCsv.bundled("none.csv"))
                .hasMessageContaining("none.csv are not on the class path");
    }

    private static List<PriceCsv.Row> read(String text) throws IOException {
        return PriceCsv.read("prices.csv", new StringReader(text));
    }
}
