package io.knabla.controller.cost.page;

import io.knabla.controller.cost.report.Wording;
import io.knabla.controller.cost.scenario.ScenarioResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Something that a reader must know of the amounts.
 *
 * @param subjects what it is about, such as functions or instance types
 * @param scenarios names of those that it is about; empty if all
 */
record Note(Kind kind, String text, Set<String> subjects, Set<String> scenarios) {
    /** Kinds of notes, the gravest first. */
    enum Kind {
        DAMAGE,
        MISSING_PRICE,
        FAULT,
        ASSUMPTION
    }

    /** Notes in the order of their kinds; those of one text are one note. */
    static List<Note> of(CostPageInput input) {
        List<Note> notes = new ArrayList<>();
        input.damages().forEach(damage -> notes.add(new Note(Kind.DAMAGE, damage, Set.of(), Set.of())));
        for (ScenarioResult result : input.results()) {
            Set<String> in = Set.of(Wording.of(result.scenario()));
            result.unpriced()
                    .forEach(unpriced -> notes.add(new Note(
                            Kind.MISSING_PRICE, Wording.of(unpriced.reason()), Set.of(unpriced.subject()), in)));
            result.faults()
                    .forEach(fault -> notes.add(new Note(
                            Kind.FAULT, Wording.of(fault.kind()), Set.of(fault.row() + ": " + fault.detail()), in)));
            result.assumptions()
                    .forEach(assumption -> notes.add(
                            new Note(Kind.ASSUMPTION, Wording.of(assumption), subjects(assumption.subject()), in)));
        }
        return merged(notes);
    }

    private static Set<String> subjects(String subject) {
        return subject.isBlank() ? Set.of() : Set.of(subject);
    }

    private static List<Note> merged(List<Note> notes) {
        Map<List<Object>, Note> merged = new LinkedHashMap<>();
        for (Note note : notes) {
            Note all = merged.computeIfAbsent(
                    List.of(note.kind(), note.text()),
                    key -> new Note(note.kind(), note.text(), new LinkedHashSet<>(), new LinkedHashSet<>()));
            all.subjects().addAll(note.subjects());
            all.scenarios().addAll(note.scenarios());
        }
        return merged.values().stream().sorted(Comparator.comparing(Note::kind)).toList();
    }
}
