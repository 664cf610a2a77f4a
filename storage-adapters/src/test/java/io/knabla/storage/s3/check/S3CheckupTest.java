package io.knabla.storage.s3.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.S3Location;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

class S3CheckupTest {
    private static final S3Location PLACE = S3Location.parse("s3://units/p");

    @Test
    void keepsProblemApartFromItsCure() {
        assertThat(S3Checkup.refused(Action.LIST, PLACE, new ConnectException("127.0.0.1. Refused")))
                .isEqualTo(Answer.bad(
                        "nothing answers there (127.0.0.1. Refused)",
                        "Start the server, or check KNABLA_S3_ENDPOINT and the firewall"));
    }

    @Test
    void keepsAllSentencesOfTheCure() {
        var denied = S3Exception.builder()
                .statusCode(403)
                .awsErrorDetails(
                        AwsErrorDetails.builder().errorCode("AccessDenied").build())
                .build();

        Answer answer = S3Checkup.refused(Action.READ, PLACE, denied);

        assertThat(answer.found()).isEqualTo("access denied (AccessDenied)");
        assertThat(answer.fix())
                .startsWith("Its credentials need s3:GetObject on arn:aws:s3:::units/*")
                .endsWith("./knabla doctor prints the whole policy");
    }
}
