package io.knabla.runtime.tesseract;

import java.util.List;

/**
 * One fault in a request, in the form of Tesseract's validation errors.
 *
 * @param type machine-readable code, such as {@code missing}
 * @param place path to the faulty value: strings for fields, cut if they are long; integers for list items
 */
record Fault(String type, List<Object> place, String sentence) {
    Fault {
        place = place.stream()
                .map(step -> step instanceof String name ? cut(name) : step)
                .toList();
    }

    static String cut(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
