package io.knabla.controller.cli.client;

/** Where a platform answers. */
public interface Address {
    /** Without a slash at the end. */
    String url();

    /** Looks where it answers now, after a connection broke. */
    void lookAgain();

    /**
     * What a connection that broke means, and what to do.
     *
     * @param why for people
     */
    String broken(String why);

    /** One that stays, of a platform that somebody started by hand. */
    record Fixed(String url) implements Address {
        @Override
        public void lookAgain() {}

        @Override
        public String broken(String why) {
            return "the connection to %s broke (%s). See whether ./knabla up still runs there.".formatted(url, why);
        }
    }
}
