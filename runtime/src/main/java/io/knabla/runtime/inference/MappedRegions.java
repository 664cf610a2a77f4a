package io.knabla.runtime.inference;

import io.knabla.runtime.protocol.ProtocolException;
import io.knabla.runtime.protocol.SharedMemory;
import io.knabla.runtime.shm.SharedRegion;
import io.knabla.runtime.shm.SharedRegions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Maps registered regions of {@code /dev/shm} into this process. Mappings are kept: mapping costs more than a small
 * request. A client that shrinks its object while a request uses it ends this process.
 */
final class MappedRegions {
    private static final int MOST = 64;

    private final Path folder;
    private final int most;
    private final Map<Mapping, MemorySegment> mapped = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Mapping, MemorySegment> eldest) {
            return size() > MOST;
        }
    };

    /** @param file identity of the object: another one of the same name is mapped anew */
    private record Mapping(SharedRegion region, Object file) {}

    /**
     * @param folder where the system shows shared memory objects: {@code /dev/shm}
     * @param most bytes of a tensor: pages that this process touches first count as its own memory
     */
    MappedRegions(Path folder, int most) {
        this.folder = folder;
        this.most = most;
    }

    /** The memory of these regions. */
    SharedMemory of(SharedRegions regions) {
        return (name, offset, size) -> {
            SharedRegion region = regions.find(name)
                    .orElseThrow(() -> bad("Unable to find shared memory region: '%s'; register it first"
                            .formatted(name.length() <= 80 ? name : name.substring(0, 80) + "…")));
            if (offset < 0 || size < 0 || offset > region.byteSize() - size) {
                throw bad("%d bytes from byte %d on are not within shared memory region '%s' of %d bytes"
                        .formatted(size, offset, name, region.byteSize()));
            }
            if (size > most) {
                throw new ProtocolException(
                        413,
                        "%d bytes of shared memory region '%s' are more than the %d that a tensor may take; share less, or give the function more memory in spec.resources (to a replica of your own: KNABLA_MAX_BODY_BYTES)"
                                .formatted(size, name, most));
            }
            return map(region).asSlice(offset, size).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        };
    }

    private synchronized MemorySegment map(SharedRegion region) {
        Path object = folder.resolve(region.key());
        try {
            var file = Files.readAttributes(object, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!file.isRegularFile() || file.size() < region.offset() + region.byteSize()) {
                throw bad("shared memory object '/%s' has no %d bytes from %d on for region '%s'"
                        .formatted(region.key(), region.byteSize(), region.offset(), region.name()));
            }
            Mapping mapping = new Mapping(region, file.fileKey());
            MemorySegment known = mapped.get(mapping);
            if (known == null) {
                known = open(object, region);
                mapped.put(mapping, known);
            }
            return known;
        } catch (IOException missing) {
            throw bad("shared memory object '/%s' of region '%s' cannot be opened; create it before it is used"
                    .formatted(region.key(), region.name()));
        }
    }

    private static MemorySegment open(Path object, SharedRegion region) throws IOException {
        try (var channel = FileChannel.open(
                object, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            return channel.map(MapMode.READ_WRITE, region.offset(), region.byteSize(), Arena.ofAuto());
        }
    }

    private static ProtocolException bad(String sentence) {
        return new ProtocolException(400, sentence);
    }
}
