package io.knabla.runtime.tesseract;

import java.util.List;

/** Rejects a request with an HTTP status and its faults. */
final class RequestException extends RuntimeException {
    private final int status;
    private final List<Fault> faults;

    private RequestException(int status, String sentence, List<Fault> faults) {
        // No stack trace: these are the caller's faults, and the message is enough.
        super(sentence, null, false, false);
        this.status = status;
        this.faults = List.copyOf(faults);
    }

    int status() {
        return status;
    }

    /** Empty if the message is the whole error. */
    List<Fault> faults() {
        return faults;
    }

    static RequestException invalid(List<Fault> faults) {
        String all = String.join(
                "; ",
                faults.stream()
                        .map(fault -> String.join(
                                        ".",
                                        fault.place().stream()
                                                .map(Object::toString)
                                                .toList())
                                + ": "
                                + fault.sentence())
                        .toList());
        return new RequestException(422, all, faults);
    }

    static RequestException malformedJson(String why) {
        return invalid(List.of(new Fault("json_invalid", List.of("body"), "not JSON: " + why)));
    }

    static RequestException withStatus(int status, String format, Object... arguments) {
        return new RequestException(status, format.formatted(arguments), List.of());
    }
}
