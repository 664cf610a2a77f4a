package io.knabla.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a report as the JSON of {@code bench -o json}; external checks read its keys. */
public final class ReportJson {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ReportJson() {}

    public static String write(Report report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("bench", report.bench());
        document.put("host", report.host());
        document.put("rows", report.rows().stream().map(ReportJson::row).toList());
        document.put("failed", report.failed());
        try {
            return JSON.writeValueAsString(document);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a report of numbers and words as JSON", impossible);
        }
    }

    private static Map<String, Object> row(Row row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", row.title().name());
        fields.put("value", row.value());
        fields.put("unit", row.title().unit());
        fields.put("reference", row.reference());
        fields.put("ratio", row.ratio());
        fields.put("goal", row.title().goal());
        fields.put("rounds", row.spread().rounds());
        fields.put("min", row.spread().min());
        fields.put("max", row.spread().max());
        fields.putAll(row.details());
        return fields;
    }
}
