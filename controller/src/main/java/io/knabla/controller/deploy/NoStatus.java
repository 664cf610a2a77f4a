package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionRecord;
import io.quarkus.arc.DefaultBean;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Stands in where nothing runs replicas: whatever is recorded is packaged, more is not known. */
@DefaultBean
@Singleton
final class NoStatus implements FunctionStatus {
    @Override
    public Status of(FunctionRecord record) {
        return new Status(
                Optional.empty(),
                0,
                0,
                0,
                0,
                List.of(new Condition("Packaged", "True", "Packaged", "the unit is in the store")));
    }
}
