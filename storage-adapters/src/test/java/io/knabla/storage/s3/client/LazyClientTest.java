package io.knabla.storage.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

class LazyClientTest {
    private final List<Thread> makers = new ArrayList<>();

    private final LazyClient client = new LazyClient(() -> {
        makers.add(Thread.currentThread());
        return new Client();
    });

    private record Client() implements S3Client {
        @Override
        public String serviceName() {
            return "s3";
        }

        @Override
        public void close() {}
    }

    private static <T> T inVirtualThread(Callable<T> work) throws Exception {
        var task = new FutureTask<>(work);
        Thread.startVirtualThread(task);
        return task.get();
    }

    @Test
    void isCreatedOnceAndNeverByAVirtualThread() throws Exception {
        S3Client first = inVirtualThread(client::get);

        assertThat(client.get()).isSameAs(first);
        assertThat(makers).singleElement().returns(false, Thread::isVirtual);
    }

    @Test
    void isCreatedByAPlatformThreadThatAsks() {
        client.get();

        assertThat(makers).containsExactly(Thread.currentThread());
    }

    @Test
    void aClientThatCannotBeCreatedFailsAlikeInBothKindsOfThread() {
        var broken = new LazyClient(() -> {
            throw new IllegalStateException("no region");
        });

        assertThatThrownBy(broken::get).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> inVirtualThread(broken::get))
                .cause()
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("no region");
    }
}
