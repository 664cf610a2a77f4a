package io.knabla.controller.knative.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.knabla.controller.deploy.DeployResult.Busy;
import io.knabla.controller.deploy.DeployResult.Deployed;
import io.knabla.controller.deploy.DeployResult.ModelMissing;
import io.knabla.controller.deploy.DeployResult.Refused;
import io.knabla.functions.Fault;
import io.knabla.storage.StorageException;
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
                arguments(
                        failed("cannot read 'x' in the store s3://m: access denied (AccessDenied). Its …"),
                        "False",
                        "StoreForbidden",
                        "access denied"),
                arguments(
                        failed("cannot read 'x' in the store s3://m: there is no bucket 'm' there."),
                        "False",
                        "BucketMissing",
                        "there is no bucket"),
                arguments(failed("something that no one wrote down"), "False", "StoreUnavailable", "something"),
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

    private static PackagingState failed(String said) {
        return new PackagingState.Failed(new StorageException(said, null));
    }
}
