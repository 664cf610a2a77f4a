package io.knabla.runtime.generation.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which texts the grammars of schemas allow. */
class SchemaTextsTest {
    private static final TokenVocabulary VOCABULARY = TestVocabularies.small();

    /** Whether a text may be written byte by byte, and end. */
    private static boolean allows(String schema, String written) {
        GrammarText text = RandomTexts.grammar(VOCABULARY, schema).text();
        for (byte one : written.getBytes(StandardCharsets.UTF_8)) {
            int token = 1 + (one & 0xff);
            if (!mayFollow(text, token)) {
                return false;
            }
            text.add(token);
        }
        return mayFollow(text, TestVocabularies.END);
    }

    private static boolean mayFollow(GrammarText text, int token) {
        return Arrays.stream(RandomTexts.allowed(text, VOCABULARY.size())).anyMatch(id -> id == token);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'null'}                                    | null        | 'null'",
                "{'type':['boolean','null']}                        | false       | 0",
                "{'type':'integer'}                                 | -12         | 1.0",
                "{'type':'integer'}                                 | 0           | 01",
                "{'type':'number'}                                  | -0.5e-7     | 1.",
                "{'type':'number'}                                  | 12E9        | 1e999",
                "{'type':'integer','minimum':0,'maximum':150}       | 150         | 151",
                "{'type':'integer','minimum':-7.5}                  | -7          | -8",
                "{'type':'integer','exclusiveMaximum':10}           | 9           | 10",
                "{'type':'number','minimum':0,'maximum':1}          | 0.75        | 1.0",
                "{'type':'number','exclusiveMinimum':0}             | 0.01        | 0",
                "{'type':'number','maximum':-1}                     | -1.5        | -0.5",
                "{'type':'string','maxLength':2}                    | '日本'      | 'abc'",
                "{'type':'string','minLength':2}                    | 'ab'        | 'a'",
                "{'type':'string'}                                  | '\\\\'      | '\\u0041'",
                "{'type':'string','pattern':'^a+$'}                 | 'aa'        | 'ab'",
                "{'type':'string','pattern':'b'}                    | 'xbx'       | 'x'",
                "{'type':'string','pattern':'^[a-z]+$','maxLength':2} | 'ab'      | 'abc'",
                "{'type':'string','format':'date'}                  | '2024-02-28'| '2024-02-31'",
                "{'type':'string','format':'uuid'}                  | '00000000-0000-0000-0000-000000000000' | '0'",
                "{'enum':[1,'a',[2],{'b':null}]}                    | {'b':null}  | 2",
                "{'const':'x'}                                      | 'x'         | x",
                "{'enum':[1,'a'],'type':'string'}                   | 'a'         | 1",
                "{'type':'array','items':{'type':'null'}}           | [null, null]| [null,]",
                "{'type':'array','minItems':1,'maxItems':2,'items':{'type':'null'}} | [null] | []",
                "{'type':'array','minItems':1,'maxItems':2,'items':{'type':'null'}} | [null,null] | [null,null,null]",
                "{'type':'array','prefixItems':[{'type':'null'},{'type':'boolean'}]} | [null,true] | [true,null]",
                "{'type':'array','prefixItems':[{'type':'null'}],'items':false} | [] | [null,null]",
                "{'type':'object','properties':{'a':{'type':'null'},'b':{'type':'null'}},'required':['b']} | {'b': null} | {'a':null}",
                "{'type':'object','properties':{'a':{'type':'null'},'b':{'type':'null'}},'required':['b']} | {'a':null, 'b':null} | {'b':null,'a':null}",
                "{'type':'object','properties':{'a':{'type':'null'}},'additionalProperties':{'type':'boolean'}} | {'b':true,'ab':false} | {'a':true}",
                "{'type':'object','properties':{'é':{'type':'null'}},'additionalProperties':true} | {'b':[1,{}]} | {'é':1}",
                "{'type':'object','additionalProperties':false}     | {}          | {'a':1}",
                "{'type':'object','required':['a']}                 | {'a':1}     | {}",
                "{'anyOf':[{'type':'null'},{'type':'boolean'}]}     | true        | 1",
                "{'oneOf':[{'type':'null'},{'type':'boolean'}]}     | null        | 1",
                "{'oneOf':[{'$ref':'#/$defs/a'},{'$ref':'#/$defs/b'}],'$defs':{'a':{'type':'object','properties':{'k':{'const':'a'}},'required':['k']},'b':{'type':'object','properties':{'k':{'enum':['b','c']}},'required':['k']}}} | {'k':'c'} | {'k':'d'}",
                "{'$ref':'#/$defs/a','$defs':{'a':{'type':'array','items':{'$ref':'#/$defs/a'}}}} | [[],[[]]] | [1]",
                "{'allOf':[{'type':'null'}]}                        | null        | true",
                "{}                                                 | {'a':[1,'b',{}]} | {'a'}",
                "{'properties':{'a':true}}                          | {'a':2}     | 2",
            })
    void aValidTextIsAllowedAndAnotherOneIsNot(String schema, String valid, String other) {
        assertThat(allows(json(schema), json(valid))).as(valid).isTrue();
        assertThat(allows(json(schema), json(other))).as(other).isFalse();
    }

    private static String json(String quoted) {
        return quoted.replace('\'', '"');
    }

    @Test
    void blanksAreSingle() {
        String schema = json("{'type':'object','properties':{'a':{'type':'null'}},'required':['a']}");
        assertThat(allows(schema, "{\"a\": null}")).isTrue();
        assertThat(allows(schema, "{\"a\":  null}")).isFalse();
        assertThat(allows(schema, "{ \"a\":null}")).isFalse();
        assertThat(allows(schema, "{\"a\":null}\n")).isFalse();
    }

    @Test
    void whatNestsWithoutEndIsClosedInTime() {
        String schema = json("{'type':'array','items':{'$ref':'#'},'maxItems':1}");
        GrammarText text = RandomTexts.grammar(VOCABULARY, schema).text();
        int depth = 0;
        while (mayFollow(text, 1 + '[')) {
            text.add(1 + '[');
            depth++;
        }
        assertThat(depth).isBetween(32, 100);
        for (int i = 0; i < depth; i++) {
            assertThat(text.isAtItsEnd()).isFalse();
            text.add(1 + ']');
        }
        assertThat(text.isAtItsEnd()).isTrue();
        assertThat(mayFollow(text, TestVocabularies.END)).isTrue();
    }

    private static List<String> next(GrammarText text) {
        return Arrays.stream(RandomTexts.allowed(text, VOCABULARY.size()))
                .mapToObj(token -> new String(VOCABULARY.bytes(token), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void tokensThatCrossBordersAreAllowedWhereAllTheirBytesAre() {
        String schema = json("{'type':'object','properties':{'name':{'type':'string'}},'required':['name']}");
        GrammarText text = RandomTexts.grammar(VOCABULARY, schema).text();
        assertThat(next(text)).containsExactlyInAnyOrder("{", "{\"");
        text.add(1 + '{');
        assertThat(next(text)).containsExactlyInAnyOrder("\"", "\"name\":\"");
    }
}
