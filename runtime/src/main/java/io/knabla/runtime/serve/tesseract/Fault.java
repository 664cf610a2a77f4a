package io.knabla.runtime.serve.tesseract;

import java.util.List;

/**
 * One thing wrong with a request, as Tesseract's servers tell it.
 *
 * @param type a word for machines
 * @param place the way to it: texts for fields, integers for items
 */
record Fault(String type, List<Object> place, String sentence) {
    Fault {
        place = List.copyOf(place);
    }
}
