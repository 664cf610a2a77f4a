package io.knabla.controller.cli.print;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Table without borders, as {@code kubectl} prints it; numbers are right-aligned. */
public final class Table {
    /** No borders: the library draws only the characters that are set. */
    private static final Character[] NO_BORDER = new Character[29];

    private final Column[] columns;
    private final List<Object[]> rows = new ArrayList<>();

    private Table(Column[] columns) {
        this.columns = columns;
    }

    /** A heading that starts with {@code >} marks a column of numbers. */
    public static Table of(String... headings) {
        return new Table(Arrays.stream(headings).map(Table::column).toArray(Column[]::new));
    }

    private static Column column(String heading) {
        boolean number = heading.startsWith(">");
        var align = number ? HorizontalAlign.RIGHT : HorizontalAlign.LEFT;
        return new Column()
                .header(number ? heading.substring(1) : heading)
                .headerAlign(align)
                .dataAlign(align)
                .maxWidth(200);
    }

    public Table row(Object... cells) {
        rows.add(cells);
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    @Override
    public String toString() {
        return AsciiTable.getTable(NO_BORDER, columns, rows.toArray(Object[][]::new))
                .lines()
                .map(line -> line.startsWith(" ") ? line.substring(1) : line)
                .map(String::stripTrailing)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(System.lineSeparator()));
    }
}
