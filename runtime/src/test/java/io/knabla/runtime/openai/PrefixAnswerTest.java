package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrefixAnswerTest {
    private static final String KEY_VALUES = FakeGenerator.KEY_VALUES.digest().value();

    private final FakeGenerator generator = new FakeGenerator(Optional.empty());
    private OpenAiReplica replica;

    @BeforeEach
    void start() throws Exception {
        replica = OpenAiReplica.of(GenerationModel.of(generator, FakeGenerator.KEY_VALUES));
    }

    @AfterEach
    void stop() {
        replica.close();
    }

    private HttpResponse<String> call(String json) throws Exception {
        return replica.call("/prefix-blocks", json);
    }

    @Test
    void sendsWhatWasReadAndFreesIt() throws Exception {
        var request = replica.post(
                "/prefix-blocks", "{'key_values':'%s','first_block':0,'prompt':[1,2]}".formatted(KEY_VALUES));
        HttpResponse<byte[]> answer = replica.client.send(request, BodyHandlers.ofByteArray());
        assertThat(answer.body()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(answer.headers().firstValue("Knabla-Prefix-Blocks")).contains("2");
        assertThat(answer.headers().firstValue("Knabla-Cached-Tokens")).contains("1");
        await().untilAtomic(generator.freed, org.hamcrest.Matchers.is(1));
    }

    @Test
    void allFaultsAreTold() throws Exception {
        HttpResponse<String> answer =
                call("{'key_values':'%s','first_block':-1,'prompt':'text','more':1}".formatted(KEY_VALUES));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains("'more' is not a known field", "'first_block' is -1", "'prompt' must be a list of ids");
    }

    @Test
    void anotherModelIsRefused() throws Exception {
        HttpResponse<String> answer = call("{'prompt':[1,2]}");
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("both functions need the same model");
    }

    @Test
    void tokensOfAnotherVocabularyAreRefused() throws Exception {
        HttpResponse<String> answer = call("{'key_values':'%s','prompt':[1,999999]}".formatted(KEY_VALUES));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("the id of a token is 0 to");
    }
}
