package io.knabla.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class StartFailureTest {
    @Test
    void theSentenceOfTheStoreIsToldAndNotThatOfTheSystemBelow() {
        var store = new StorageException(
                StorageException.Kind.UNAVAILABLE,
                "cannot read 'a' in the store /s.",
                "Check the disk.",
                new IOException("Is a directory"));
        assertThat(StartFailure.sentence(new RuntimeException("a bean failed", store)))
                .isEqualTo("cannot read 'a' in the store /s. Check the disk.");
    }

    @Test
    void thePlaceAndTheRemedyAreToldWithTheErrorOfTheFileSystem() {
        var met = new UncheckedIOException("cannot use /home/run: make it writable", new IOException("Is a directory"));
        assertThat(StartFailure.sentence(new RuntimeException("a bean failed", met)))
                .isEqualTo("cannot use /home/run: make it writable (java.io.IOException: Is a directory)");
    }

    @Test
    void elseTheFirstCauseIsToldWithItsType() {
        assertThat(StartFailure.sentence(new RuntimeException("a bean failed", new IOException("Is a directory"))))
                .isEqualTo("java.io.IOException: Is a directory");
    }
}
