package io.knabla.functions.chat.syntax;

import java.util.List;

/** A part of a template's source, white space around it already removed as its tags say. */
sealed interface Part {
    Position at();

    /** Text that is copied. */
    record Data(Position at, String text) implements Part {}

    /** An expression between double braces. */
    record Output(Position at, List<Token> tokens) implements Part {}

    /** A statement between braces with percent signs. */
    record Tag(Position at, List<Token> tokens) implements Part {}
}
