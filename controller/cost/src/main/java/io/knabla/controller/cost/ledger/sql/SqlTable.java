package io.knabla.controller.cost.ledger.sql;

import io.knabla.controller.cost.ledger.parquet.Columns;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table that queries may read. In the folder of a query it is two files: {@code NAME.columns}, and {@code NAME.jsonl}
 * with an object of JSON a line.
 *
 * @param columns names and types as DuckDB's {@code read_json} takes them; what else a line has is left out
 * @param lines read once
 */
public record SqlTable(String name, String columns, Stream<byte[]> lines) {
    static final String COLUMNS = ".columns";
    static final String LINES = ".jsonl";

    /**
     * Returns the tables {@code nodes}, {@code replicas} and {@code requests}. Of the last two the column
     * {@code counters} is a map from names to numbers, and null where nothing is in it.
     */
    public static List<SqlTable> of(List<UsageRecord> rows) {
        return Arrays.stream(RecordKind.values())
                .map(kind -> new SqlTable(
                        kind.folder(),
                        Columns.meaning(kind),
                        rows.stream().filter(row -> row.kind() == kind).map(RowJson::encode)))
                .toList();
    }

    /** @param lines an object of JSON each */
    public static SqlTable ofTexts(String name, String columns, Stream<String> lines) {
        return new SqlTable(name, columns, lines.map(line -> line.getBytes(StandardCharsets.UTF_8)));
    }

    /** Writes the files of the table. */
    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(name + COLUMNS), columns);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(folder.resolve(name + LINES)))) {
            for (Iterator<byte[]> all = lines.iterator(); all.hasNext(); ) {
                out.write(all.next());
                out.write('\n');
            }
        }
    }
}
