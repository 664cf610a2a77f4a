package io.knabla.controller.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.UnitException;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import jakarta.ws.rs.core.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the kind of a store failure, not its text, chooses the status. */
class ExceptionMappersTest {
    @ParameterizedTest
    @EnumSource
    void fullDiskIs507(Kind kind) {
        try (Response answer =
                new ExceptionMappers().store(new StorageException(kind, "no space left, the disk is full", ""))) {
            assertThat(answer.getStatus()).isEqualTo(kind == Kind.DISK_FULL ? 507 : 503);
        }
    }

    @Test
    void unitFailureIs503() {
        try (Response answer = new ExceptionMappers()
                .unit((UnitException) FailureCode.UNIT_MISSING.reported("the disk is full of other units"))) {
            assertThat(answer.getStatus()).isEqualTo(503);
        }
    }
}
