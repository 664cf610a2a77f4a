package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.platform.CollectableFiles.FileDecision;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the mark of a unit goes with its last version. */
class ProvenMarksTest {
    @TempDir
    Path folder;

    @Test
    void marksOfUnitsThatAreGoneAreDeleted() throws IOException {
        var catalog = new MapCatalog();
        FunctionRecord function = Specs.inference().record("kept", Instant.EPOCH);
        catalog.put(function);
        Digest needed = function.latest().unit();
        Digest gone = Sha256.of(new byte[] {1, 2, 3});
        var proven = new ProvenUnits(folder);
        proven.add(needed);
        proven.add(gone);
        var marks = new ProvenMarks(proven, catalog);

        for (FileDecision decision : marks.decide()) {
            if (!decision.keeps()) {
                assertThat(marks.delete(decision.file())).isTrue();
            }
        }

        assertThat(proven.has(gone)).isFalse();
        assertThat(proven.has(needed)).isTrue();
        assertThat(new ProvenUnits(folder).marks()).containsExactly(folder.resolve(needed.hex()));
    }
}
