package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import io.knabla.functions.spec.Parsed.Invalid;
import io.knabla.functions.spec.Parsed.Valid;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Property tests: parsing any text returns a result, and any resource survives a round trip. */
class FunctionYamlPropertyTest {
    @Property(tries = 2_000)
    void parsesOrRefusesAnyText(@ForAll String text) {
        isAnswered(text);
    }

    @Property(tries = 2_000)
    void parsesOrRefusesAnyTextOfSyntaxCharacters(@ForAll("punctuation") String text) {
        isAnswered(text);
        isAnswered("{" + text);
    }

    @Provide
    Arbitrary<String> punctuation() {
        return Arbitraries.strings()
                .withChars("{}[]:,-?&*!|>'\"%@`#~<= \n\tab01.\\")
                .ofMaxLength(60);
    }

    @Property(tries = 2_000)
    void parsesOrRefusesMutationsOfValidText(@ForAll long seed) {
        Random random = new Random(seed);
        FunctionResource resource = RandomFunctions.resource(random);
        String start = random.nextBoolean()
                ? FunctionYaml.write(resource)
                : FunctionYaml.toJson(resource).toString();
        StringBuilder text = new StringBuilder(start);
        for (int i = random.nextInt(1, 8); i > 0 && !text.isEmpty(); i--) {
            mutate(text, random);
        }
        isAnswered(text.toString());
    }

    private static void mutate(StringBuilder text, Random random) {
        int at = random.nextInt(text.length());
        int end = Math.min(text.length(), at + random.nextInt(1, 20));
        switch (random.nextInt(5)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.setCharAt(at, (char) random.nextInt(0x250));
            case 2 -> text.insert(at, "{}[]:,-?&*!|>'\"%@`#~\n\t".charAt(random.nextInt(22)));
            case 3 -> text.insert(at, text.substring(at, end).repeat(3));
            default -> text.delete(at, end);
        }
    }

    private static void isAnswered(String text) {
        switch (FunctionYaml.parse(text)) {
            case Valid(FunctionResource resource) -> roundTrips(resource);
            case Invalid(List<Fault> faults) -> {
                assertThat(faults).isNotEmpty();
                for (Fault fault : faults) {
                    assertThat(fault.message()).isNotBlank().hasSizeLessThan(1_000);
                    assertThat(fault.toString().chars()).noneMatch(Character::isISOControl);
                }
            }
        }
    }

    @Property(tries = 500)
    void whatIsWrittenReadsBack(@ForAll long seed) {
        roundTrips(RandomFunctions.resource(new Random(seed)));
    }

    private static void roundTrips(FunctionResource resource) {
        String yaml = FunctionYaml.write(resource);
        assertThat(FunctionYaml.fromJson(FunctionYaml.toJson(resource))).isEqualTo(resource);
        switch (FunctionYaml.parse(yaml)) {
            case Valid(FunctionResource read) -> {
                assertThat(read).isEqualTo(resource);
                assertThat(FunctionYaml.write(read)).isEqualTo(yaml);
            }
            case Invalid(List<Fault> faults) ->
                assertThat(faults).as(yaml).allMatch(fault -> fault.message().startsWith("not supported yet"));
        }
    }
}
