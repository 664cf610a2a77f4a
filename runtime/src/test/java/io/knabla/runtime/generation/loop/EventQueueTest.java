package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;

final class EventQueueTest {
    private static final int EVENTS = 200;

    @RepeatedTest(20)
    void aReceiverGetsAllEventsInOrderWheneverItComes() throws InterruptedException {
        List<GenerationEvent> sent = IntStream.range(0, EVENTS)
                .<GenerationEvent>mapToObj(at -> new Piece("" + at, List.of()))
                .toList();
        var queue = new EventQueue();
        Thread engine = Thread.ofPlatform().start(() -> sent.forEach(queue::add));
        assertThat(queue.next()).isEqualTo(sent.getFirst());
        List<GenerationEvent> received = new ArrayList<>();
        queue.forward(received::add);
        engine.join();
        assertThat(received).isEqualTo(sent.subList(1, EVENTS));
    }
}
