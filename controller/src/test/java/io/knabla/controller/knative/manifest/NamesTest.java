package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.capacity.CapacitySlot;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests the names of a function's Kubernetes objects. */
class NamesTest {
    @Test
    void buildsReadableNames() {
        String configuration = Names.configuration("digits", PlacementPlanTest.slot("cpu-spot"));

        assertThat(configuration).isEqualTo("digits-cpu-spot");
        assertThat(Names.revision(configuration, 3, "content")).matches("digits-cpu-spot-v3-[0-9a-f]{5}");
        assertThat(Names.revision(configuration, 3, "other")).isNotEqualTo(Names.revision(configuration, 3, "content"));
        assertThat(Names.companion("digits")).isEqualTo("digits-knabla");
    }

    /** Checks the rule of Knative's webhook. */
    @Property
    void areDnsLabelsForAnyFunctionName(
            @ForAll("functions") String function,
            @ForAll @IntRange(min = 1) int version,
            @ForAll @IntRange(max = 3) int slot) {
        String configuration =
                Names.configuration(function, CapacitySlot.all().toList().get(slot));
        String revision = Names.revision(configuration, version, function);

        assertThat(Stream.of(configuration, revision))
                .allMatch(name -> name.matches("[a-z]([-a-z0-9]{0,61}[a-z0-9])?"));
        assertThat(revision).startsWith(configuration + "-");
    }

    @Property
    void differForDifferentFunctions(@ForAll("functions") String one, @ForAll("functions") String other) {
        CapacitySlot slot = PlacementPlanTest.slot("gpu-on-demand");

        assertThat(Names.configuration(one, slot).equals(Names.configuration(other, slot)))
                .isEqualTo(one.equals(other));
    }

    /** Function names with common prefixes, also long ones and ones with dashes at the cut. */
    @Provide
    Arbitrary<String> functions() {
        return Arbitraries.strings()
                .withChars("ab-")
                .ofMinLength(1)
                .ofMaxLength(63)
                .map(text -> "f" + text.substring(1))
                .filter(text -> !text.endsWith("-"));
    }
}
