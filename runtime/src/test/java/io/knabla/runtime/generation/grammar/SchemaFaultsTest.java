package io.knabla.runtime.generation.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas that are refused, and why. */
class SchemaFaultsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'object','minProperties':1}         | #/minProperties: this keyword is not supported; a schema may have type, enum",
                "{'type':'object','properties':{'a/b':{'tipe':1}}} | #/properties/a~1b/tipe: this keyword is not supported",
                "{'type':'text'}                             | #/type: 'text' is no type; types are null, boolean, integer",
                "{'type':'array','items':5}                  | #/items: a schema must be an object",
                "{'type':'array','minItems':2,'maxItems':1}  | #/minItems: it must be at most the number of items",
                "{'type':'string','minLength':-1}            | #/minLength: it must be a whole number of 0 or more",
                "{'type':'string','minLength':3,'maxLength':2} | #/minLength: it must be at most maxLength",
                "{'type':'string','pattern':'(?=a)'}         | #/pattern: it has a group that looks around",
                "{'type':'string','pattern':'a\\\\b'}        | #/pattern: it has the escape '\\b'",
                "{'type':'string','pattern':'(a'}            | #/pattern: it has a group that is not closed",
                "{'type':'string','pattern':'a{2000}'}       | #/pattern: it has a repetition whose number is not 0 to 1000",
                "{'type':'string','format':'email'}          | #/format: 'email' is not supported; formats are date, date-time, time, uuid",
                "{'type':'number','minimum':0.5}             | #/minimum: a bound of type number must be a whole number",
                "{'type':'integer','minimum':3,'maximum':2}  | #: no integer of at most 15 digits is within its bounds",
                "{'type':'number','multipleOf':2}            | #/multipleOf: this keyword is not supported",
                "{'enum':[]}                                 | #/enum: it has no value",
                "{'enum':[1],'type':'string'}                | #/enum: it has no value of the schema's type",
                "{'enum':[1],'minimum':0}                    | #/minimum: it cannot stand beside 'enum'",
                "{'anyOf':[{'type':'null'}],'properties':{}} | #/properties: it cannot stand beside 'anyOf'",
                "{'anyOf':[]}                                | #/anyOf: it must have 1 to 256 schemas",
                "{'oneOf':[{'type':'integer'},{'type':'number'}]} | #/oneOf: its schemas may hold together; use anyOf",
                "{'allOf':[{},{}]}                           | #/allOf: it must have one schema",
                "{'$ref':'#/$defs/x'}                        | #/$ref: there is nothing at '#/$defs/x'",
                "{'$ref':'#'}                                | #: no value of it can be written: it has no end",
                "{'type':'object','required':['a'],'properties':{'a':{'$ref':'#'}}} | #: no value of it can be written: it has no end",
                "{'type':'object','required':['a'],'additionalProperties':false} | #/required: it names a property that 'properties' does not have",
            })
    void aFaultNamesItsPlace(String schema, String fault) {
        assertThat(RandomTexts.faults(schema.replace('\'', '"')))
                .anySatisfy(one -> assertThat(one).contains(fault));
    }

    @Test
    void allFaultsAreTold() {
        assertThat(RandomTexts.faults(
                        "{\"type\":\"object\",\"x\":1,\"properties\":{\"a\":{\"y\":1},\"b\":{\"type\":\"c\"}}}"))
                .hasSize(3);
    }

    private static String repeated(int count, String what) {
        return IntStream.range(0, count).mapToObj(what::formatted).collect(Collectors.joining(","));
    }

    @Test
    void whatIsTooLargeIsRefused() {
        List<String> large = List.of(
                "{\"enum\":[" + repeated(20_000, "\"%d has a value\"") + "]}",
                "{\"type\":\"object\",\"properties\":{" + repeated(10_000, "\"p%d\":{\"type\":\"string\"}") + "}}",
                "{\"$ref\":\"#/$defs/d0\",\"$defs\":{"
                        + IntStream.range(0, 2000)
                                .mapToObj(i -> "\"d%d\":{\"$ref\":\"#/$defs/d%d\"}".formatted(i, i + 1))
                                .collect(Collectors.joining(","))
                        + "}}",
                "{\"anyOf\":[" + repeated(50, "{\"type\":\"string\",\"minLength\":2,\"maxLength\":1500%d}") + "]}");
        assertThat(large)
                .allSatisfy(schema -> assertThat(RandomTexts.faults(schema))
                        .isNotEmpty()
                        .allSatisfy(fault -> assertThat(fault).startsWith("#")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^((a{1,100}){1,100}){1,100}$",
                "(a|b)*a(a|b){20}",
                "(.*a){30}.*b.{30}",
                "^(((((x?){50}){50}){50}){50})$"
            })
    void patternsThatWouldExplodeAreRefused(String pattern) {
        assertThat(RandomTexts.faults("{\"type\":\"string\",\"pattern\":\"" + pattern + "\"}"))
                .anySatisfy(fault -> assertThat(fault).contains("its pattern", "smaller"));
    }

    /** Each alone is allowed, but not so many. */
    @Test
    void manyLaboriousPatternsAreRefused() {
        String one = "{\"type\":\"string\",\"pattern\":\"(a|b)*a(a|b){8}x{%d}\"}";
        assertThat(RandomTexts.faults(one.formatted(1))).isEmpty();
        assertThat(RandomTexts.faults("{\"anyOf\":[" + repeated(250, one) + "]}"))
                .anySatisfy(fault -> assertThat(fault).contains("smaller"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"^(a+)+$", "^(a|aa)+$", "^([a-z]+)*[0-9]{3}$", "^(x+x+)+y$"})
    void patternsThatOthersStumbleOverAreCompiled(String pattern) {
        assertThat(RandomTexts.faults("{\"type\":\"string\",\"pattern\":\"" + pattern + "\"}"))
                .isEmpty();
    }
}
