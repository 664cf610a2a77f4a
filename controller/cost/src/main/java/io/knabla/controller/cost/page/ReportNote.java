package io.knabla.controller.cost.page;

import io.knabla.controller.cost.report.ReportTexts;
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
record ReportNote(Kind kind, String text, Set<String> subjects, Set<String> scenarios) {
    /** Kinds of notes, the gravest first. */
    enum Kind {
        DAMAGE,
        MISSING_PRICE,
        FAULT,
        ASSUMPTION
    }

    /** Notes in the order of their kinds; those of one text are one note. */
    static List<ReportNote> of(CostPageInput input) {
        List<ReportNote> notes = new ArrayList<>();
        input.damages().forEach(damage -> notes.add(new ReportNote(Kind.DAMAGE, damage, Set.of(), Set.of())));
        for (ScenarioResult result : input.results()) {
            Set<String> in = Set.of(ReportTexts.of(result.scenario()));
            result.unpriced()
                    .forEach(unpriced -> notes.add(new ReportNote(
                            Kind.MISSING_PRICE, ReportTexts.of(unpriced.reason()), Set.of(unpriced.subject()), in)));
            result.faults()
                    .forEach(fault -> notes.add(new ReportNote(
                            Kind.FAULT,
                            ReportTexts.of(fault.kind()),
                            Set.of(fault.row() + ": " + fault.detail()),
                            in)));
            result.assumptions()
                    .forEach(assumption -> notes.add(new ReportNote(
                            Kind.ASSUMPTION, ReportTexts.of(assumption), subjects(assumption.subject()), in)));
        }
        return merged(notes);
    }

    private static Set<String> subjects(String subject) {
        return subject.isBlank() ? Set.of() : Set.of(subject);
    }

    private static List<ReportNote> merged(List<ReportNote> notes) {
        Map<List<Object>, ReportNote> merged = new LinkedHashMap<>();
        for (ReportNote note : notes) {
            ReportNote all = merged.computeIfAbsent(
                    List.of(note.kind(), note.text()),
                    key -> new ReportNote(note.kind(), note.text(), new LinkedHashSet<>(), new LinkedHashSet<>()));
            all.subjects().addAll(note.subjects());
            all.scenarios().addAll(note.scenarios());
        }
        return merged.values().stream()
                .sorted(Comparator.comparing(ReportNote::kind))
                .toList();
    }
}
