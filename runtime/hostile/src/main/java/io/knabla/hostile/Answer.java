package io.knabla.hostile;

/** One HTTP response; status 0 stands for bytes that are no response. */
record Answer(int status, String head, String body) {
    boolean isRefusal() {
        return status >= 400;
    }
}
