package io.knabla.functions.chat;

import io.knabla.functions.chat.render.RefusedException;
import io.knabla.functions.chat.render.Renderer;
import io.knabla.functions.chat.syntax.Statement;
import io.knabla.functions.chat.syntax.TemplateParser;
import io.knabla.functions.chat.value.Value;
import io.knabla.functions.chat.value.Values;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A chat template of a Hugging Face model: Jinja2 with the settings, functions and filters of the transformers library.
 * What it does not know of Jinja2 is a fault with its place. Safe for use by several threads.
 */
public final class ChatTemplate {
    private final List<Statement> statements;
    private final Clock clock;

    private ChatTemplate(List<Statement> statements, Clock clock) {
        this.statements = statements;
        this.clock = clock;
    }

    public static Parsed parse(String source) {
        return switch (TemplateParser.parse(source)) {
            case TemplateParser.Result.Template(var statements) ->
                new Parsed.Valid(new ChatTemplate(statements, Clock.systemDefaultZone()));
            case TemplateParser.Result.Faulty(var faults) -> new Parsed.Invalid(faults);
        };
    }

    /** The same template with another time for {@code strftime_now}. */
    public ChatTemplate withClock(Clock other) {
        return new ChatTemplate(statements, other);
    }

    /**
     * Renders a conversation. Takes at most 4 million steps, of which one is an expression, or 8 characters that are
     * made; what takes more is refused.
     *
     * @param messages maps with {@code role}, {@code content} and whatever else the template reads; values are null,
     *     strings, booleans, integers, doubles, lists and maps
     * @param variables others by name, such as {@code bos_token} and {@code add_generation_prompt}
     * @throws IllegalArgumentException for values of other types
     */
    public Rendered render(List<? extends Map<String, ?>> messages, Map<String, ?> variables) {
        Map<String, Value> all = new HashMap<>();
        variables.forEach((name, value) -> all.put(name, Values.of(value)));
        all.put("messages", Values.of(messages));
        try {
            return new Rendered.Text(Renderer.render(statements, all, clock));
        } catch (RefusedException refused) {
            return new Rendered.Refused(refused.getMessage());
        }
    }
}
