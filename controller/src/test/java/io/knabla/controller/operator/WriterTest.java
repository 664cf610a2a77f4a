package io.knabla.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WriterTest {
    private final World world = new World();
    private final Writer writer = new Writer(world.client);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aStatusIsOfOneFunctionAndNotOfTheNextOfItsName() {
        world.apply("digits", 4);
        FunctionObject former = function();
        world.delete("digits");
        world.apply("digits", 4);

        assertThatThrownBy(() -> writer.status(former, status(7)))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(function().getStatus()).isNull();

        writer.status(function(), status(1));
        assertThat(function().getStatus().latestVersion()).isEqualTo(1);
    }

    private FunctionObject function() {
        return world.function("digits").orElseThrow();
    }

    private static FunctionObjectStatus status(int version) {
        return new FunctionObjectStatus(1L, null, version, null, null, null, null, null, List.of());
    }
}
