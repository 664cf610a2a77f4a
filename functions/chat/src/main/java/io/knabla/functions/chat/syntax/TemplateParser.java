package io.knabla.functions.chat.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the statements of a template. A tag that cannot be read is reported, and reading goes on after it. */
public final class TemplateParser {
    private static final int LONGEST = 1 << 20;
    private static final int DEEPEST = 50;
    private static final Set<String> CLOSERS =
            Set.of("endif", "elif", "else", "endfor", "endset", "endmacro", "endgeneration");
    private static final List<String> TAGS =
            List.of("break", "continue", "for", "generation", "if", "macro", "raw", "set");

    private final Names names;
    private final Faults faults;
    private final List<Part> parts;
    private int open;
    private boolean tooDeep;
    private int at;
    private int loops;

    private TemplateParser(List<Part> parts, Faults faults) {
        this.parts = parts;
        this.faults = faults;
        this.names = new Names(faults);
    }

    /** What a source says. */
    public sealed interface Result {
        record Template(List<Statement> statements) implements Result {}

        record Faulty(List<TemplateFault> faults) implements Result {}
    }

    public static Result parse(String source) {
        var faults = new Faults();
        if (source.length() > LONGEST) {
            faults.add(new Position(1, 1), "the template has %d characters; the most are %d", source.length(), LONGEST);
            return new Result.Faulty(faults.list());
        }
        var parser = new TemplateParser(PartReader.read(source, faults), faults);
        List<Statement> statements = parser.body(Set.of());
        parser.names.checkCalls();
        List<TemplateFault> found = faults.list();
        return found.isEmpty() ? new Result.Template(statements) : new Result.Faulty(found);
    }

    /** Reads statements until a tag with one of these names, which is left. */
    List<Statement> body(Set<String> closers) {
        List<Statement> body = new ArrayList<>();
        while (at < parts.size()) {
            if (parts.get(at) instanceof Part.Tag tag && CLOSERS.contains(name(tag))) {
                if (closers.contains(name(tag)) || !closers.isEmpty()) {
                    return body;
                }
                faults.add(tag.at(), "there is nothing for '%s' to close here", name(tag));
                at++;
                continue;
            }
            statement(parts.get(at++)).ifPresent(body::add);
        }
        return body;
    }

    private static String name(Part.Tag tag) {
        return tag.tokens().getFirst().text();
    }

    private Optional<Statement> statement(Part part) {
        try {
            return switch (part) {
                case Part.Data(var place, var text) -> Optional.of(new Statement.Data(place, text));
                case Part.Output(var place, var tokens) -> {
                    var in = new Cursor(tokens);
                    Expression value = new ExpressionParser(in, names).tuple();
                    in.expectEnd();
                    yield Optional.of(new Statement.Output(place, value));
                }
                case Part.Tag tag -> tag(tag);
            };
        } catch (SyntaxException bad) {
            faults.add(bad.fault);
            return Optional.empty();
        }
    }

    private Optional<Statement> tag(Part.Tag tag) {
        var in = new Cursor(tag.tokens());
        Token name = in.next();
        var statements = new TagParser(this, names, tag.at());
        return switch (name.text()) {
            case "if" -> Optional.of(statements.condition(in));
            case "for" -> Optional.of(statements.loop(in));
            case "set" -> statements.set(in);
            case "macro" -> Optional.of(statements.macro(in));
            case "generation" -> Optional.of(statements.generation(in));
            case "break" -> Optional.of(new Statement.Break(jump(in, name)));
            case "continue" -> Optional.of(new Statement.Continue(jump(in, name)));
            default -> {
                // The end of what was reported at its beginning is not reported again.
                if (!name.text().startsWith("end")) {
                    names.unknown(tag.at(), "tag", name.text(), TAGS);
                }
                yield Optional.empty();
            }
        };
    }

    private Position jump(Cursor in, Token name) {
        in.expectEnd();
        if (loops == 0) {
            throw new SyntaxException(name.at(), "'%s' stands outside of a loop", name.text());
        }
        return name.at();
    }

    /** Reads a body that may leave a loop around it. */
    List<Statement> loopBody(Position place, Set<String> closers) {
        loops++;
        List<Statement> body = nested(place, closers);
        loops--;
        return body;
    }

    /** Reads a body that is outside of the loops around it. */
    List<Statement> separateBody(Position place, Set<String> closers) {
        int around = loops;
        loops = 0;
        List<Statement> body = nested(place, closers);
        loops = around;
        return body;
    }

    List<Statement> nested(Position place, Set<String> closers) {
        if (open >= DEEPEST) {
            at = parts.size();
            tooDeep = true;
            throw new SyntaxException(place, "tags are nested more than %d deep here", DEEPEST);
        }
        open++;
        try {
            return body(closers);
        } finally {
            open--;
        }
    }

    /** Takes the tag that closes a body; empty, with a fault, if it is another one or the template ends. */
    Optional<Cursor> closer(Position opened, String tag, Set<String> allowed) {
        if (at >= parts.size()) {
            // What was not read to the end is not open.
            if (!tooDeep) {
                faults.add(opened, "tag '%s' is not closed; close it by end%s", tag, tag);
            }
            return Optional.empty();
        }
        Part.Tag found = (Part.Tag) parts.get(at);
        if (!allowed.contains(name(found))) {
            faults.add(found.at(), "found '%s', expected end%s for the tag at %s", name(found), tag, opened);
            at++;
            return Optional.empty();
        }
        at++;
        return Optional.of(new Cursor(found.tokens()));
    }
}
