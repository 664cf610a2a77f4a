package io.knabla.controller.cost.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes manifests as JSON; unknown fields are ignored. */
final class ManifestJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** @param files by {@link RecordKind#folder} */
    record Document(int schema, long version, Map<String, FileDocument> files, List<String> segments) {}

    /**
     * @param lastEnd ISO 8601; null if a row lasts
     * @param sums null if there are none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FileDocument(String key, long bytes, String sha256, long rows, String lastEnd, FileDocument sums) {}

    private ManifestJson() {}

    static byte[] encode(Manifest manifest) {
        Map<String, FileDocument> files = manifest.files().entrySet().stream()
                .collect(Collectors.toMap(file -> file.getKey().folder(), file -> document(file.getValue())));
        List<String> segments =
                manifest.segments().stream().map(SegmentName::toString).sorted().toList();
        try {
            return MAPPER.writeValueAsBytes(new Document(manifest.schema(), manifest.version(), files, segments));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a manifest cannot be written as JSON: " + manifest, impossible);
        }
    }

    private static FileDocument document(Manifest.ParquetFile file) {
        return new FileDocument(
                file.key().path(),
                file.bytes(),
                file.sha256(),
                file.rows(),
                file.lastEnd().map(Instant::toString).orElse(null),
                file.sums().map(ManifestJson::document).orElse(null));
    }

    /** @throws IOException if the bytes are no manifest */
    static Manifest decode(byte[] bytes) throws IOException {
        try {
            Document document = MAPPER.readValue(bytes, Document.class);
            Map<RecordKind, Manifest.ParquetFile> files = new EnumMap<>(RecordKind.class);
            // A kind that this version does not know makes the schema newer, which the compactor respects.
            document.files()
                    .forEach(
                            (folder, file) -> RecordKind.ofFolder(folder).ifPresent(kind -> files.put(kind, of(file))));
            Set<SegmentName> segments = document.segments().stream()
                    .flatMap(name -> SegmentName.parse(name).stream())
                    .collect(Collectors.toSet());
            return new Manifest(document.schema(), document.version(), files, segments);
        } catch (RuntimeException incomplete) {
            throw new IOException("not a manifest of usage: " + incomplete.getMessage(), incomplete);
        }
    }

    private static Manifest.ParquetFile of(FileDocument file) {
        return new Manifest.ParquetFile(
                new ObjectKey(file.key()),
                file.bytes(),
                file.sha256(),
                file.rows(),
                Optional.ofNullable(file.lastEnd()).map(Instant::parse),
                Optional.ofNullable(file.sums()).map(ManifestJson::of));
    }
}
