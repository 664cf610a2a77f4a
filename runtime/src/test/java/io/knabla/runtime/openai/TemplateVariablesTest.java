package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.FinishReason;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls a model whose template reads variables of the caller, as Qwen 3's does. */
class TemplateVariablesTest {
    private static final String TEMPLATE = """
            {%- if enable_thinking is defined and enable_thinking is false %}no{% else %}yes!{% endif %}\
            {%- if times is defined %}{{ 'a' * times }}{% endif %}\
            {%- for word in words or [] %}{{ word.text }}{% endfor %}""";

    private final FakeGenerator generator = new FakeGenerator(Optional.of(TEMPLATE));
    private OpenAiReplica replica;

    @BeforeEach
    void start() throws IOException {
        replica = OpenAiReplica.of(GenerationModel.of(generator, FakeGenerator.KEY_VALUES));
    }

    @AfterEach
    void stop() {
        replica.close();
    }

    private String tokenized(String variables) throws Exception {
        return replica.call(
                        "/tokenize",
                        "{'messages':[{'role':'user','content':'hi'}],'chat_template_kwargs':%s}".formatted(variables))
                .body();
    }

    private String prompt(String text) throws Exception {
        return replica.call("/tokenize", "{'prompt':'%s','add_special_tokens':false}".formatted(text))
                .body();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            null                                          | yes!
            {}                                            | yes!
            {'enable_thinking':true}                      | yes!
            {'enable_thinking':0}                         | yes!
            {'enable_thinking':false}                     | no
            {'enable_thinking':false,'times':3}           | noaaa
            {'words':[{'text':'ab'},{'text':'c'}]}        | yes!abc
            """, quoteCharacter = '"')
    void variablesReachTheTemplate(String variables, String text) throws Exception {
        assertThat(tokenized(variables)).isEqualTo(prompt(text));
    }

    @ParameterizedTest
    @CsvSource({"false, no", "true, yes!"})
    void chatsTakeThem(boolean thinking, String text) throws Exception {
        generator.answer(new FakeGeneration().end(FinishReason.STOP, text.length(), 1));
        replica.call(
                "/v1/chat/completions",
                "{'model':'m','messages':[{'role':'user','content':'hi'}],'chat_template_kwargs':{'enable_thinking':%s}}"
                        .formatted(thinking));
        assertThat(generator.requests.getFirst().prompt()).hasSize(text.length());
    }

    @Test
    void whatTheRequestDecidesIsNoVariable() throws Exception {
        assertThat(tokenized("{'messages':[],'tools':null}"))
                .contains("'chat_template_kwargs' has 'messages', which the request itself decides; leave it out")
                .contains("has 'tools'");
        assertThat(tokenized("[1]")).contains("'chat_template_kwargs' must be an object of the template's variables");
    }
}
