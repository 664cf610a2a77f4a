package io.knabla.hostile;

/** One HTTP response, or something that is none: status 0. */
record Answer(int status, String head, String body) {
    boolean isRefusal() {
        return status >= 400;
    }
}
