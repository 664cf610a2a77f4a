package io.knabla.runtime.tesseract;

import java.util.List;

/**
 * One fault in a request, in the form of Tesseract's validation errors.
 *
 * @param type machine-readable code, such as {@code missing}
 * @param place path to the faulty value: strings for fields, integers for list items
 */
record Fault(String type, List<Object> place, String sentence) {
    Fault {
        place = List.copyOf(place);
    }
}
