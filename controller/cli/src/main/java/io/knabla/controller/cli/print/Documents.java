package io.knabla.controller.cli.print;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.UncheckedIOException;

/** Formats documents as JSON or YAML. */
public final class Documents {
    public static final ObjectMapper JSON =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    private static final DefaultPrettyPrinter PRETTY = new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    private Documents() {}

    public static String json(Object document) {
        try {
            return JSON.writer(PRETTY).writeValueAsString(document);
        } catch (JsonProcessingException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    public static String yaml(Object document) {
        try {
            var mapper = YAMLMapper.builder()
                    .disable(Feature.WRITE_DOC_START_MARKER)
                    .enable(Feature.MINIMIZE_QUOTES)
                    .addModule(new Jdk8Module())
                    .build();
            return mapper.writeValueAsString(document).stripTrailing();
        } catch (JsonProcessingException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
