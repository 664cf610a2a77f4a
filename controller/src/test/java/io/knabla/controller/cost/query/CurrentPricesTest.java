package io.knabla.controller.cost.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.RowBook;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CurrentPricesTest {
    private static final PriceBook BOOK = new RowBook(List.of());

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final CountDownLatch storeAnswers = new CountDownLatch(1);
    private final CurrentPrices prices = new CurrentPrices(this::read);

    private PriceBook read() {
        reads.incrementAndGet();
        try {
            storeAnswers.await();
        } catch (InterruptedException closed) {
            throw new IllegalStateException(closed);
        }
        return BOOK;
    }

    @AfterEach
    void close() {
        prices.close();
    }

    @Test
    void nobodyWaitsForTheStore() {
        assertThat(prices.book()).isEmpty();
        await().until(() -> reads.get() == 1);
        assertThat(prices.book()).isEmpty();

        storeAnswers.countDown();
        await().until(() -> prices.book().isPresent());
        assertThat(prices.book()).containsSame(BOOK);
        assertThat(reads).as("one read answers all questions").hasValue(1);
    }

    @Test
    void theFirstBookIsToldOnce() {
        prices.whenKnown(told::incrementAndGet);
        assertThat(told).hasValue(0);

        storeAnswers.countDown();
        await().until(() -> told.get() == 1);
        prices.whenKnown(told::incrementAndGet);
        assertThat(told).as("at once, as it is known").hasValue(2);
    }
}
