package io.knabla.controller.cli.client;

/** Base URL of a platform or ingress; it may change while a client uses it. */
public interface Address {
    /** URL without a trailing slash. */
    String url();

    /** Resolves the URL again after a broken connection. */
    void refresh();

    /**
     * Message for a broken connection: its meaning and what to do.
     *
     * @param why cause of the break, for the message
     */
    String brokenMessage(String why);

    /** Address that never changes, of a platform that was started by hand. */
    record Fixed(String url) implements Address {
        @Override
        public void refresh() {}

        @Override
        public String brokenMessage(String why) {
            return "the connection to %s broke (%s). See whether ./knabla up still runs there.".formatted(url, why);
        }
    }
}
