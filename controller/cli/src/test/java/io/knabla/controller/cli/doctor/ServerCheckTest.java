package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.doctor.Finding.Grade;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the doctor says about the address in {@code KNABLA_SERVER}. */
class ServerCheckTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(quoteCharacter = '`', textBlock = """
            200, `{"items": []}`,      good, answers
            200, `<html>hello</html>`, bad,  not as Knabla does
            404, `not found`,          bad,  not as Knabla does
            401, `{"title": "no"}`,    bad,  refuses this (401)
            """)
    void asksTheServer(int status, String body, Grade grade, String says) {
        try (var platform = new FakePlatform()) {
            platform.on("GET /api/v1/functions", Reply.status(status, body));

            Finding finding = ServerCheck.check(platform.url(), Optional.of("t"));

            assertThat(finding.grade()).isEqualTo(grade);
            assertThat(finding.found()).contains(says, platform.url());
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:1, does not answer", "http://not a url, does not answer"})
    void saysThatNothingAnswers(String server, String says) {
        assertThat(ServerCheck.check(server, Optional.empty()).found()).contains(says);
    }
}
