package io.knabla.functions.unit.download;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.ByteRange;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares byte range sets with a bit set as the model. */
class ExtentsTest {
    private static final int SIZE = 64;

    /** The model is a {@link BitSet}. */
    @Property
    void isTheUnionOfWhatWasAdded(@ForAll("ranges") List<ByteRange> ranges) {
        var extents = new Extents();
        var model = new BitSet();
        for (ByteRange range : ranges) {
            extents.add(range);
            model.set((int) range.offset(), (int) (range.offset() + range.length()));
        }

        assertThat(extents.bytes()).isEqualTo(model.cardinality());
        for (int from = 0; from < SIZE; from++) {
            assertThat(extents.contiguousEnd(from)).isEqualTo(model.nextClearBit(from));
        }
        var missing = new BitSet();
        for (ByteRange gap : extents.gaps(SIZE)) {
            assertThat(gap.length()).isPositive();
            missing.set((int) gap.offset(), (int) (gap.offset() + gap.length()));
        }
        model.flip(0, SIZE);
        assertThat(missing).isEqualTo(model);
    }

    @Provide
    Arbitrary<List<ByteRange>> ranges() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, SIZE),
                        Arbitraries.integers().between(0, SIZE))
                .as((a, b) -> new ByteRange(Math.min(a, b), Math.abs(a - b)))
                .list()
                .ofMaxSize(12);
    }
}
