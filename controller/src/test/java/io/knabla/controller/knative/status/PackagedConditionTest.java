package io.knabla.controller.knative.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.knabla.controller.deploy.DeployResult.Busy;
import io.knabla.controller.deploy.DeployResult.Deployed;
import io.knabla.controller.deploy.DeployResult.ModelMissing;
import io.knabla.controller.deploy.DeployResult.Refused;
import io.knabla.functions.Fault;
import io.knabla.functions.unit.FailureCode;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the condition {@code Packaged} for every outcome of packaging. */
class PackagedConditionTest {
    @ParameterizedTest(name = "{1} {2}")
    @MethodSource("packagings")
    void reportsOutcome(PackagingState packaging, String truth, String reason, String message) {
        ConditionResult verdict = PackagedCondition.evaluate(packaging);

        assertThat(verdict.truth().name()).isEqualTo(truth);
        assertThat(verdict.reason()).isEqualTo(reason);
        assertThat(verdict.message()).contains(message);
    }

    static Stream<Arguments> packagings() {
        var record = Recordings.record(2);
        return Stream.of(
                arguments(
                        ended(new Deployed(record, record.latest(), List.of("it was not tried"))),
                        "True",
                        "Packaged",
                        "version 2 is unit sha256:7f7f"),
                arguments(
                        ended(new Deployed(record, record.latest(), List.of("it was not tried"))),
                        "True",
                        "Packaged",
                        "; it was not tried"),
                arguments(
                        ended(new ModelMissing(List.of(Recordings.UNIT))),
                        "False",
                        "ModelMissing",
                        "kubectl sends no files: run ./knabla deploy"),
                arguments(
                        refused(new Fault("spec.model", "the operator Foo is unknown")),
                        "False",
                        "ModelRefused",
                        "spec.model: the operator Foo is unknown"),
                arguments(
                        refused(
                                new Fault("spec.model", "it has no output"),
                                new Fault("spec.traffic[0].version", "there is no version 9")),
                        "False",
                        "Invalid",
                        "spec.model: it has no output; spec.traffic[0].version: there is no version 9"),
                arguments(
                        ended(new Busy("too many deploys", Duration.ofSeconds(5))),
                        "Unknown",
                        "Busy",
                        "too many deploys"),
                arguments(failed(Kind.ACCESS_DENIED), "False", "StoreForbidden", "cannot read 'x'. Do."),
                arguments(failed(Kind.CREDENTIALS_EXPIRED), "False", "CredentialsExpired", "cannot read 'x'"),
                arguments(failed(Kind.BUCKET_MISSING), "False", "BucketMissing", "cannot read 'x'"),
                arguments(failed(Kind.UNAVAILABLE), "False", "StoreUnavailable", "cannot read 'x'"),
                arguments(failed(Kind.DISK_FULL), "False", "StoreUnavailable", "cannot read 'x'"),
                arguments(
                        new PackagingState.Failed(FailureCode.UNIT_MISSING.reported("the unit is gone")),
                        "False",
                        "UnitMissing",
                        "the unit is gone"),
                arguments(
                        new PackagingState.Failed(new IllegalStateException(
                                "cannot pack", FailureCode.BUCKET_MISSING.reported("no bucket"))),
                        "False",
                        "BucketMissing",
                        "cannot pack"),
                arguments(
                        new PackagingState.Failed(new IllegalStateException()),
                        "False",
                        "Failed",
                        "java.lang.IllegalStateException"));
    }

    private static PackagingState ended(io.knabla.controller.deploy.DeployResult deployment) {
        return new PackagingState.Ended(deployment);
    }

    private static PackagingState refused(Fault... faults) {
        return ended(new Refused(List.of(faults)));
    }

    private static PackagingState failed(Kind kind) {
        return new PackagingState.Failed(new StorageException(kind, "cannot read 'x'.", "Do."));
    }
}
