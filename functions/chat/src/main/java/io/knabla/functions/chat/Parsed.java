package io.knabla.functions.chat;

import io.knabla.functions.chat.syntax.TemplateFault;
import java.util.List;

/** What a template's source says. */
public sealed interface Parsed {
    record Valid(ChatTemplate template) implements Parsed {}

    /** @param faults one or more, in the order of their places */
    record Invalid(List<TemplateFault> faults) implements Parsed {}
}
