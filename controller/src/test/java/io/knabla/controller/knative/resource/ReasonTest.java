package io.knabla.controller.knative.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.rights.PrivilegedTask;
import io.knabla.controller.scale.Unavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds the table of reasons in k8s/README.md, and the reasons of a laptop, to the enum. */
class ReasonTest {
    private static final Pattern WORD = Pattern.compile("`(\\w+)`");

    private static final List<String> CONDITIONS = Stream.concat(
                    Stream.of("Packaged", "Placed", "Ready"),
                    Stream.of(PrivilegedTask.values()).map(PrivilegedTask::condition))
            .toList();

    /** Of the local platform: no cluster has it. */
    private static final Set<Reason> LOCAL = EnumSet.of(Reason.PlacementFailed);

    @Test
    void tableSaysWhatDeployGivesUpOn() throws IOException {
        Map<Reason, Boolean> said = table();

        assertThat(said).isNotEmpty();
        said.forEach((reason, givesUp) -> assertThat(givesUp).as(reason.name()).isEqualTo(reason.isFinal()));
    }

    @Test
    void tableHasEveryFinalReason() throws IOException {
        assertThat(table().keySet())
                .containsAll(Stream.of(Reason.values())
                        .filter(Reason::isFinal)
                        .filter(reason -> !LOCAL.contains(reason))
                        .toList());
    }

    /** Reasons by whether the table says that {@code ./knabla deploy} gives up on them. */
    private static Map<Reason, Boolean> table() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "k8s", "README.md"));
        int head = lines.indexOf("| condition, reason | deploy gives up | cause | what to do |");
        assertThat(head).as("the table's head").isNotNegative();
        var found = new TreeMap<Reason, Boolean>();
        lines.stream().skip(head + 2L).takeWhile(line -> line.startsWith("|")).forEach(line -> {
            String[] cells = line.split("\\|");
            assertThat(cells[2].strip()).as(line).isIn("yes", "no");
            for (Reason reason : reasons(cells[1])) {
                found.put(reason, cells[2].strip().equals("yes"));
            }
        });
        return found;
    }

    /** A cell such as {@code `Placed` `FeatureDisabled`, `KnativeTooOld`}, or {@code any, `UnitMissing`}. */
    private static List<Reason> reasons(String cell) {
        List<String> words = new ArrayList<>(
                WORD.matcher(cell).results().map(match -> match.group(1)).toList());
        if (!cell.strip().startsWith("any,")) {
            assertThat(words.removeFirst()).isIn(CONDITIONS);
        }
        return words.stream()
                .map(word -> Reason.find(word).orElseThrow(() -> new AssertionError("unknown reason " + word)))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = "Gone", mode = EnumSource.Mode.EXCLUDE)
    void knowsReasonsOfLocalPlatform(Unavailable.Kind kind) {
        assertThat(Reason.find(kind.name())).isPresent();
    }

    @Test
    void treatsForeignReasonAsUnknown() {
        assertThat(Reason.find("CreateContainerConfigError")).isEmpty();
        assertThat(Reason.find("crashloop")).isEmpty();
    }
}
