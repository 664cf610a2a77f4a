package io.knabla.storage.s3.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.Checkup.Grade;
import io.knabla.storage.s3.faults.S3CredentialSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests clock skew and the descriptions of credential providers. */
class S3ConnectivityCheckTest {
    @ParameterizedTest
    @CsvSource({
        "0, GOOD, agrees with the server's",
        "-1, GOOD, agrees with the server's",
        "30, GOOD, 30 s behind the server's",
        "31, POOR, 31 s behind the server's",
        "-899, POOR, 899 s ahead of the server's",
        "900, BAD, 900 s behind the server's",
        "-3600, BAD, 3600 s ahead of the server's"
    })
    void gradesClockSkew(long seconds, Grade grade, String found) {
        var answer = S3ConnectivityCheck.gradeSkew(Duration.ofSeconds(seconds));

        assertThat(answer.grade()).isEqualTo(grade);
        assertThat(answer.found()).isEqualTo(found);
        assertThat(answer.fix().isEmpty()).isEqualTo(grade == Grade.GOOD);
    }

    @ParameterizedTest
    @CsvSource({
        "g, AWS_ACCESS_KEY_ID of the environment",
        "'n,r', a profile with single sign-on",
        "q, a web identity token (IRSA)",
        "z, 'the container''s endpoint (EKS pod identity, ECS)'",
        "0, the instance's role (IMDSv2)",
        "SomethingNew, SomethingNew"
    })
    void describesTheCredentialProvider(String provider, String words) {
        assertThat(S3CredentialSource.describe(Optional.of(provider))).isEqualTo(words);
    }

    @Test
    void reportsOnlyUnexpectedProviderErrors() {
        String chain =
                "Unable to load credentials from any of the providers in the chain X(a=[AProvider(), BProvider()]) : "
                        + "[EnvironmentVariableCredentialsProvider(): Unable to load credentials from system settings., "
                        + "ProfileCredentialsProvider(profileName=work): The SSO session has expired., "
                        + "InstanceProfileCredentialsProvider(): Failed to load credentials from IMDS.]";

        assertThat(S3CredentialSource.describeMissing(chain)).endsWith(": The SSO session has expired.");
    }

    @ParameterizedTest
    @CsvSource({"-3, -3", "0, 0", "7, 0", "10, 0", "12, 2"})
    void slowResponseIsNoClockSkew(long read, long off) {
        Instant before = Instant.EPOCH;

        assertThat(S3ConnectivityCheck.clockSkew(before, before.plusSeconds(read), before.plusSeconds(10)))
                .isEqualTo(Duration.ofSeconds(off));
    }
}
