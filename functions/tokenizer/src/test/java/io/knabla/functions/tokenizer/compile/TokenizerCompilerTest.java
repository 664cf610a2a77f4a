package io.knabla.functions.tokenizer.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.tree.TokenizerFault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that every fault of a tokenizer.json is told with its place. */
class TokenizerCompilerTest {
    private static final String SMALL = """
            {"added_tokens": [{"id": 3, "content": "<s>", "special": true}],
             "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
             "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "x+"}, "behavior": "Isolated", "invert": false},
             "post_processor": {"type": "BertProcessing", "sep": ["b", 1], "cls": ["a", 0]},
             "decoder": {"type": "Strip", "content": " ", "start": 1, "stop": 0},
             "model": {"type": "BPE", "unk_token": "a", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}
            """;

    private static List<String> faults(String json) {
        return switch (TokenizerCompiler.compile(json.getBytes(StandardCharsets.UTF_8))) {
            case Compiled.Valid _ -> List.of();
            case Compiled.Invalid(var faults) ->
                faults.stream().map(TokenizerFault::toString).toList();
        };
    }

    @Test
    void compilesTheSmallOne() {
        assertThat(faults(SMALL)).isEmpty();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "BPE"               | "BPF"                | model.type: 'BPF' is not supported, nearest is 'BPE'
            "NFC"               | "nfkcc"              | normalizer.normalizers[0].type: 'nfkcc' is not supported, nearest is 'NFKC'
            "NFC"               | 7                    | normalizer.normalizers[0].type: found 7; a text is needed
            "type": "NFC"       | "type": "NFC", "x":1 | normalizer.normalizers[0].x: not supported here
            {"type": "NFC"}     | []                   | normalizer.normalizers[0]: found a list; an object is needed
            "Split"             | "Spilt"              | pre_tokenizer.type: 'Spilt' is not supported, nearest is 'Split'
            "Isolated"          | "Isolate"            | pre_tokenizer.behavior: 'Isolate' is not supported, nearest is 'Isolated'
            "x+"                | "(x+)+y"             | pre_tokenizer.pattern.Regex: '(x+)+y': a repeated group
            "x+"                | "(?<=a)b"            | the group '(?<=' at character 0 is not supported
            "x+"                | "(a"                 | pre_tokenizer.pattern.Regex: '(a':
            "x+"                | "[[:alpha:]]"        | a POSIX bracket '[:'
            "x+"                | "a{1,3}+"            | a second quantifier after '}'
            "x+"                | "\\\\1"              | '\\1' at character 0 is not supported
            "x+"                | "\\\\p{Nonsense}"    | pre_tokenizer.pattern.Regex
            "x+"                | ""                   | it has 0 characters
            "BertProcessing"    | "Bert"               | post_processor.type: 'Bert' is not supported
            ["b", 1]            | ["b"]                | post_processor.sep: found a list; a list of a token and its id is needed
            "content": " "      | "content": "ab"      | decoder.content: found 'ab'; a text of one character is needed
            "start": 1          | "start": -1          | decoder.start: found -1; a whole number from 0 to
            "start": 1,         |                      | decoder.start: missing; a whole number
            "type": "Strip"     | "type": "CTC"        | decoder.type: 'CTC' is not supported
            "unk_token": "a"    | "unk_token": "u"     | model.unk_token: 'u' is not in the vocabulary
            "unk_token": "a"    | "dropout": 0.1       | model.dropout: not supported
            "b": 1              | "b": -1              | model.vocab: 'b' has the id -1; a whole number from 0 to
            "b": 1              | "b": 1.5             | model.vocab: 'b' has the id 1.5
            "b": 1              | "b": 0               | model.vocab: 'a' and 'b' have one id, 0
            "b": 1              | "b": 99999999        | model.vocab: 'b' has the id 99999999
            "b": 1              | "a": 1               | model.vocab: 'a' is written twice
            ["a b"]             | ["a c"]              | model.merges[0]: 'c' is not in the vocabulary
            ["a b"]             | ["b a"]              | model.merges[0]: 'ba' is not in the vocabulary
            ["a b"]             | ["ab"]               | model.merges[0]: found 'ab'; two tokens are needed
            ["a b"]             | [["a"]]              | model.merges[0]: found a list; two tokens are needed
            ["a b"]             | null                 | model.merges: found null; a list is needed
            "ab": 2             | "a\\ud800": 2        | has a lone surrogate
            "id": 3             | "id": 1              | added_tokens[0].id: 1 belongs to 'b'
            "content": "<s>"    | "content": "b"       | added_tokens[0].id: found 3; the model's vocabulary gives this token 1
            "content": "<s>"    | "content": ""        | added_tokens[0].content: a text of 1 to
            "special": true     | "special": 1         | added_tokens[0].special: found 1; true or false is needed
            "model"             | "modle"              | model: missing; an object with the vocabulary is needed; the document has:
            "normalizer"        | "normaliser"         | normaliser: not supported here
            """)
    void tellsAFault(String part, String instead, String fault) {
        assertThat(SMALL).contains(part);

        assertThat(faults(SMALL.replace(part, instead == null ? "" : instead)))
                .anySatisfy(found -> assertThat(found).contains(fault));
    }

    @Test
    void tellsAllFaultsAtOnce() {
        String bad = SMALL.replace("NFC", "NFX").replace("Isolated", "I").replace("\"b\": 1", "\"b\": -1");

        assertThat(faults(bad))
                .anySatisfy(fault -> assertThat(fault).startsWith("normalizer"))
                .anySatisfy(fault -> assertThat(fault).startsWith("pre_tokenizer.behavior"))
                .anySatisfy(fault -> assertThat(fault).startsWith("model.vocab"))
                .anySatisfy(fault -> assertThat(fault).startsWith("model.merges[0]"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``      | the document ends too early
            {       | not JSON
            []      | an object is needed
            7       | an object is needed
            {}      | model: missing
            {} {}   | something follows
            {"a":1e}| not JSON
            """)
    void refusesOtherDocuments(String json, String fault) {
        assertThat(faults(json)).anySatisfy(found -> assertThat(found).contains(fault));
    }

    @Test
    void refusesDeepNesting() {
        String sequences = "{\"type\": \"Sequence\", \"pretokenizers\": [".repeat(100_000);

        assertThat(faults("{\"pre_tokenizer\": " + sequences))
                .anySatisfy(fault -> assertThat(fault).contains("nesting depth"));
    }

    @Test
    void countsTheFaultsBeyondAHundred() {
        String merges = IntStream.range(0, 1_000_000).mapToObj(i -> "\"x y\"").collect(Collectors.joining(","));

        List<String> faults = faults(SMALL.replace("\"a b\"", merges));
        assertThat(faults).hasSize(101);
        assertThat(faults.getLast()).isEqualTo("1999900 more faults; correct those above first");
    }

    @Test
    void readsWhatOldFilesLeaveOut() {
        String old = SMALL.replace("\"type\": \"BPE\", ", "").replace("[\"a b\"]", "[\"#version: 0.2\", \"a b\"]");

        assertThat(Tokenizer.of(ByteBuffer.wrap(
                                ((Compiled.Valid) TokenizerCompiler.compile(old.getBytes(StandardCharsets.UTF_8)))
                                        .table()))
                        .encode("abab", false)
                        .ids())
                .containsExactly(2, 2);
    }

    @Property(tries = 1500)
    void answersChangedDocuments(@ForAll int place, @ForAll byte value) {
        byte[] json = SMALL.getBytes(StandardCharsets.UTF_8);
        json[Math.floorMod(place, json.length)] = value;

        assertThat(TokenizerCompiler.compile(json)).isNotNull();
    }
}
