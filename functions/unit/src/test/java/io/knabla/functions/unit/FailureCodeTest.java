package io.knabla.functions.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailureCodeTest {
    @Test
    void findsCauseOfUnitFailure() {
        assertThat(FailureCode.of(UnitException.absent(new ObjectKey("units/a.json"), "s3://m")))
                .isEqualTo(FailureCode.UNIT_MISSING);
        assertThat(FailureCode.of(UnitException.cannotWrite("/cache", new IOException("No space left on device"))))
                .isEqualTo(FailureCode.DISK_FULL);
        assertThat(FailureCode.of(UnitException.cannotWrite("/cache", new IOException("Read-only file system"))))
                .isEqualTo(FailureCode.CACHE_UNUSABLE);
        assertThat(FailureCode.of(UnitException.badManifest("it is empty"))).isEqualTo(FailureCode.UNIT_UNUSABLE);
        assertThat(FailureCode.of(new IllegalStateException("no credentials, no bucket")))
                .isEqualTo(FailureCode.OTHER);
    }

    /** A stream of the store can only throw an IOException, with the store's exception as its cause. */
    @Test
    void findsStoreFailureInCauses() {
        var store = new StorageException(Kind.CREDENTIALS_EXPIRED, "expired.", "Renew them.");
        assertThat(FailureCode.of(new UncheckedIOException(new IOException(store))))
                .isEqualTo(FailureCode.CREDENTIALS_EXPIRED);
    }

    @Test
    void everyStoreFailureHasItsOwnCode() {
        assertThat(Arrays.stream(Kind.values()).map(kind -> FailureCode.of(new StorageException(kind, "x", ""))))
                .doesNotHaveDuplicates()
                .doesNotContain(FailureCode.OTHER);
    }

    @ParameterizedTest
    @EnumSource(names = "OTHER", mode = EnumSource.Mode.EXCLUDE)
    void keepsCodeOfReportedFailure(FailureCode code) {
        RuntimeException failed = FailureCode.parse(code.name()).reported("as the replica said");

        assertThat(failed).hasMessage("as the replica said");
        assertThat(FailureCode.of(failed)).isEqualTo(code);
    }

    @Test
    void readsMissingOrUnknownCodeAsOther() {
        assertThat(FailureCode.parse("")).isEqualTo(FailureCode.OTHER);
        assertThat(FailureCode.parse("OF_A_NEWER_REPLICA")).isEqualTo(FailureCode.OTHER);
        assertThat(FailureCode.OTHER.reported("x")).isInstanceOf(StorageException.class);
    }
}
