package io.knabla.functions.decoder.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Fault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ModernBertReaderTest {
    /** The first of three layers attends to all tokens, the others to those in their window. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"max_position_embeddings\": 512} | 160000 | 10000",
                "{\"max_position_embeddings\": 512, \"global_rope_theta\": 80000} | 80000 | 10000",
                "{\"max_position_embeddings\": 512, \"global_rope_theta\": 80000, \"local_rope_theta\": null} | 80000 | 80000",
                "{\"max_position_embeddings\": 512, \"global_rope_theta\": 80000, \"local_rope_theta\": 5000} | 80000 | 5000",
            })
    void takesTheGlobalThetaWhereTheLocalOneIsNull(String json, double global, double local)
            throws JsonProcessingException {
        List<Fault> faults = new ArrayList<>();
        var config = new ConfigObject(new ObjectMapper().readTree(json), "config.json: ", faults);

        ModernBert read = new ModernBertReader(config, 64).read(3);

        assertThat(faults).isEmpty();
        assertThat(read.layers()).extracting(layer -> layer.rope().theta()).containsExactly(global, local, local);
    }
}
