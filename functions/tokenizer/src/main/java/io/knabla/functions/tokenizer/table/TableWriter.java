package io.knabla.functions.tokenizer.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.CRC32C;

/** Lays the sections of a table out in one file. */
final class TableWriter {
    private final Map<Section, byte[]> sections = new EnumMap<>(Section.class);

    void bytes(Section section, byte[] bytes) {
        sections.put(section, bytes);
    }

    void ints(Section section, int[] values) {
        ByteBuffer bytes = buffer(values.length * Integer.BYTES);
        bytes.asIntBuffer().put(values);
        bytes(section, bytes.array());
    }

    void doubles(Section section, double[] values) {
        ByteBuffer bytes = buffer(values.length * Double.BYTES);
        bytes.asDoubleBuffer().put(values);
        bytes(section, bytes.array());
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Format: magic, version, CRC-32C of everything after it, size, then offset and size of each section. */
    byte[] file() {
        int size = Section.headerBytes();
        for (byte[] section : sections.values()) {
            size = Math.addExact(aligned(size), section.length);
        }
        ByteBuffer file = buffer(size);
        file.putLong(Section.MAGIC).putInt(Section.VERSION).putInt(0).putLong(size);
        int at = Section.headerBytes();
        for (Section section : Section.values()) {
            byte[] bytes = sections.getOrDefault(section, new byte[0]);
            at = bytes.length == 0 ? at : aligned(at);
            file.putInt(at).putInt(bytes.length).put(at, bytes);
            at += bytes.length;
        }
        var checksum = new CRC32C();
        checksum.update(file.array(), Section.CHECKED_FROM, size - Section.CHECKED_FROM);
        file.putInt(Section.CHECKSUM_AT, (int) checksum.getValue());
        return file.array();
    }

    private static int aligned(int offset) {
        return Math.ceilDiv(offset, Section.ALIGNMENT) * Section.ALIGNMENT;
    }
}
