package io.knabla.functions.chat.syntax;

import java.util.List;
import java.util.Optional;

/** A statement of a template. */
public sealed interface Statement {
    Position at();

    /** Writes a text. */
    record Data(Position at, String text) implements Statement {}

    /** Writes a value. */
    record Output(Position at, Expression value) implements Statement {}

    record If(Position at, List<Branch> branches, List<Statement> otherwise) implements Statement {
        public record Branch(Position at, Expression condition, List<Statement> body) {}
    }

    /**
     * @param targets one, or several to which the parts of each item are assigned
     * @param filter only items for which it holds are looped over
     * @param otherwise done if there are no items
     */
    record For(
            Position at,
            List<String> targets,
            Expression items,
            Optional<Expression> filter,
            List<Statement> body,
            List<Statement> otherwise)
            implements Statement {}

    /** @param targets one, or several to which the parts of the value are assigned */
    record Set(Position at, List<Target> targets, Expression value) implements Statement {}

    record SetBlock(Position at, Target target, List<Statement> body) implements Statement {}

    record Macro(Position at, String name, List<Parameter> parameters, List<Statement> body) implements Statement {
        public record Parameter(String name, Optional<Expression> otherwise) {}
    }

    /** Statements whose variables end with them. */
    record Scope(Position at, List<Statement> body) implements Statement {}

    record Break(Position at) implements Statement {}

    record Continue(Position at) implements Statement {}

    /** What is assigned to. */
    sealed interface Target {
        record Variable(String name) implements Target {}

        record Member(String namespace, String name) implements Target {}
    }
}
