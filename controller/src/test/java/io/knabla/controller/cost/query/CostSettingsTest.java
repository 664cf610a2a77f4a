package io.knabla.controller.cost.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.budget.Budget;
import io.knabla.controller.cost.budget.BudgetPeriod;
import io.knabla.controller.cost.token.TokenPrice;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.price.DeclaredPrice;
import io.knabla.functions.Fault;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostSettingsTest {
    @TempDir
    Path folder;

    private CostSettings read(String yaml) throws IOException {
        return CostSettings.of(ConfigFile.read(Files.writeString(folder.resolve("config.yaml"), yaml)));
    }

    @Test
    void readsPricesAndBudgets() throws IOException {
        CostSettings settings = read("""
                port: 0
                prices:
                  - {offer: OwnMachine, instanceType: box, purchasePrice: 8000, watts: 400, perKilowattHour: 0.3, years: 4}
                budgets:
                  - {function: resize, namespace: shop, amount: 10, period: day, alertAt: [1, 0.5], webhook: 'https://example.org/a'}
                  - {namespace: lab, amount: 99.5}
                """);

        assertThat(settings.faults()).isEmpty();
        assertThat(settings.prices())
                .singleElement()
                .extracting(DeclaredPrice::offer)
                .isInstanceOf(DeclaredPrice.OwnMachine.class);
        assertThat(settings.budgets())
                .containsExactly(
                        new Budget(
                                "shop",
                                Optional.of("resize"),
                                BigDecimal.TEN.stripTrailingZeros(),
                                BudgetPeriod.DAY,
                                List.of(BigDecimal.ONE, new BigDecimal("0.5")),
                                Optional.of(URI.create("https://example.org/a"))),
                        new Budget(
                                "lab",
                                Optional.empty(),
                                new BigDecimal("99.5"),
                                BudgetPeriod.MONTH,
                                List.of(new BigDecimal("0.8"), BigDecimal.ONE),
                                Optional.empty()));
    }

    @Test
    void readsTokenPrices() throws IOException {
        CostSettings settings = read("""
                tokenPrices:
                  - {name: GPT-5 mini, input: 0.25, cachedInput: 0.025, output: 2}
                  - {name: another, input: 1, output: 3}
                """);

        assertThat(settings.faults()).isEmpty();
        assertThat(settings.tokenPrices())
                .containsExactly(
                        new TokenPrice(
                                "GPT-5 mini", new BigDecimal("0.25"), new BigDecimal("0.025"), new BigDecimal("2")),
                        new TokenPrice("another", BigDecimal.ONE, BigDecimal.ONE, new BigDecimal("3")));
    }

    @Test
    void tellsAllFaultsOfTokenPrices() throws IOException {
        List<Fault> faults = read("""
                tokenPrices:
                  - {input: -1, cachedInput: much, colour: red, currency: EUR}
                  - {name: a, input: 1e9, output: 1}
                  - {name: a, input: 1, output: 1}
                """).faults();

        assertThat(faults)
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        "tokenPrices[0].name",
                        "tokenPrices[0].input",
                        "tokenPrices[0].cachedInput",
                        "tokenPrices[0].output",
                        "tokenPrices[0].colour",
                        "tokenPrices[0].currency",
                        "tokenPrices[1].input",
                        "tokenPrices[2].name");
    }

    @Test
    void tellsAllFaultsOfBothLists() throws IOException {
        CostSettings settings = read("""
                prices: [{offer: OnDemand, instanceType: a, perHour: 1, currency: EUR}, 5]
                budgets:
                  - {amount: 0, currency: EUR, period: year, alertAt: [2, -1], webhook: 'mail:me', colour: red}
                  - {function: Not-A-Label, amount: many, alertAt: 0.8}
                """);

        assertThat(settings.faults())
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        "prices[0].currency",
                        "prices[1].offer",
                        "budgets[0].function",
                        "budgets[0].amount",
                        "budgets[0].currency",
                        "budgets[0].period",
                        "budgets[0].alertAt",
                        "budgets[0].webhook",
                        "budgets[0].colour",
                        "budgets[1].function",
                        "budgets[1].amount",
                        "budgets[1].alertAt");
        assertThat(read("prices: 5\nbudgets: {amount: 1}\n").faults())
                .extracting(Fault::path)
                .containsExactly("prices", "budgets");
        assertThat(read("prices: []\nbudgets:\n").faults()).isEmpty();
    }
}
