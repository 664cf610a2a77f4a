package io.knabla.controller.simulate.warm.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.knabla.controller.simulate.rows.TraceFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceReaderTest {
    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Trace read(String text) throws IOException {
        return TraceReader.read(file("trace.csv", text), 1);
    }

    private List<String> faults(String text) throws IOException {
        Path file = file("trace.csv", text);
        return catchThrowableOfType(TraceFault.class, () -> TraceReader.read(file, 1))
                .faults();
    }

    @Test
    void plainRowsMayComeInAnyOrder() throws IOException {
        Trace trace = read("time,function,duration\n7.5,b,0.25\n1,a,2\n0.5,b,1e-1\n");

        assertThat(trace.functions()).extracting(FunctionTrace::name).containsExactly("a", "b");
        FunctionTrace b = trace.functions().getLast();
        assertThat(b.startMillis()).containsExactly(500, 7500);
        assertThat(b.durationMillis()).containsExactly(100, 250);
        assertThat(trace.endMillis()).isEqualTo(7750);
        assertThat(trace.requests()).isEqualTo(3);
    }

    @Test
    void azure2021TellsTheEndOfARequest() throws IOException {
        Trace trace = read("app,func,end_timestamp,duration\nx,f,10.5,0.5\ny,f,0.2,0.7\n");

        assertThat(trace.functions()).extracting(FunctionTrace::name).containsExactly("x/f", "y/f");
        assertThat(trace.functions().getFirst().startMillis()).containsExactly(10_000);
        assertThat(trace.functions().getLast().startMillis()).containsExactly(0);
    }

    @Test
    void azureLlmIsOneFunctionWithoutDurations() throws IOException {
        Trace trace = read("TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,4808,10\r\n"
                + "2023-11-16 18:17:04.0319600,3180,8\r\n2023-11-16 18:17:05.5+00:00,1,8");

        assertThat(trace.functions()).singleElement().satisfies(llm -> {
            assertThat(llm.startMillis()[1] - llm.startMillis()[0]).isEqualTo(52);
            assertThat(llm.durationMillis()).containsOnly(0);
            assertThat(llm.size()).isEqualTo(3);
        });
    }

    @Test
    void azure2019CountsPerMinuteAreSpread() throws IOException {
        String minutes =
                IntStream.rangeClosed(1, 1440).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String header = "HashOwner,HashApp,HashFunction,Trigger," + minutes + "\n";
        file("invocations.d01.csv", header + "o,a,f,http," + counts(0, 3) + "\n");
        file("invocations.d02.csv", header + "o,a,f,http," + counts(1439, 20) + "\n");
        file("durations.d01.csv", "HashOwner,HashApp,HashFunction,Average,Count\no,a,f,1500,2\n");
        file("memory.d01.csv", "HashOwner,HashApp,SampleCount,AverageAllocatedMb,pct1\no,a,3,250,1\n");
        Trace trace = TraceReader.read(folder, 1);

        assertThat(trace.requests()).isEqualTo(23);
        assertThat(trace.endMillis()).isEqualTo(2 * 86_400_000L);
        assertThat(trace.functions()).singleElement().satisfies(function -> {
            assertThat(function.memoryGb()).isEqualTo(OptionalDouble.of(0.25));
            assertThat(function.durationMillis()).containsOnly(1500);
            assertThat(function.startMillis()).hasSize(9);
            assertThat(function.startMillis()[2]).isLessThan(60_000);
            assertThat(function.startMillis()[3]).isBetween(2 * 86_400_000L - 60_000, 2 * 86_400_000L);
            assertThat(function.requests()).containsExactly(1, 1, 1, 4, 4, 3, 3, 3, 3);
        });
        assertThat(TraceReader.read(folder, 2).functions().getFirst().startMillis())
                .isNotEqualTo(trace.functions().getFirst().startMillis());
    }

    @Test
    void aDayOfAzure2019MayBeCut() throws IOException {
        Trace trace = read("HashOwner,HashApp,HashFunction,Trigger,1,2,3\no,a,f,timer,0,1,2\n");

        assertThat(trace.requests()).isEqualTo(3);
        assertThat(trace.endMillis()).isEqualTo(180_000);
    }

    private static String counts(int minute, int count) {
        return IntStream.range(0, 1440)
                .mapToObj(i -> i == minute ? Integer.toString(count) : "0")
                .collect(Collectors.joining(","));
    }

    @Test
    void allFaultsAreToldWithTheirLines() throws IOException {
        assertThat(faults("time,function,duration\n1,a,2\n-1,a,x\n2,,3\n1,2\nNaN,a,1\n"))
                .containsExactly(
                        "trace.csv, line 3: time is '-1', but must be a number from 0 to 32503680000",
                        "trace.csv, line 3: duration is 'x', but must be a number from 0 to 604800",
                        "trace.csv, line 4: function is empty; write which one it is",
                        "trace.csv, line 5: has 2 columns, but the first line names 3",
                        "trace.csv, line 6: time is 'NaN', but must be a number from 0 to 32503680000");
    }

    @Test
    void faultsAreBounded() throws IOException {
        List<String> faults = faults("time,function,duration\n" + "x,a,1\n".repeat(1000));

        assertThat(faults).hasSize(21);
        assertThat(faults.getLast()).isEqualTo("and 980 more");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a,b\n1,2\n",
                "\u0000",
                "time,function\n",
                "time;function;duration\n1;a;2\n",
                "HashOwner,HashApp,HashFunction,Trigger\n"
            })
    void anUnknownFormatIsToldWhatIsKnown(String text) throws IOException {
        assertThat(faults(text)).singleElement().asString().contains("line 1", "time,function,duration", "HashOwner");
    }

    @Test
    void whatIsNoTextIsNoTrace() throws IOException {
        Path file = Files.write(folder.resolve("trace.csv"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 10});

        assertThat(catchThrowableOfType(TraceFault.class, () -> TraceReader.read(file, 1)))
                .isNotNull();
    }

    @Test
    void bytesThatAreNoTextAreAFault() throws IOException {
        byte[] text = "time,function,duration\n1,a,2\n2,\u00e9,3\n".getBytes(StandardCharsets.ISO_8859_1);
        Path file = Files.write(folder.resolve("trace.csv"), text);

        assertThat(catchThrowableOfType(TraceFault.class, () -> TraceReader.read(file, 1))
                        .faults())
                .isNotEmpty();
    }

    @Test
    void aTraceWithoutRequestsIsAFault() throws IOException {
        assertThat(faults("time,function,duration\n"))
                .singleElement()
                .asString()
                .contains("no requests");
    }

    @Test
    void theGeneratorFollowsThePublishedShares() {
        Trace trace = new TraceGenerator(400, 2).generate(3);
        double[] perDay = trace.functions().stream()
                .mapToDouble(function -> function.size() / 2.0)
                .toArray();
        double silent = 400 - trace.functions().size();

        assertThat((silent + Arrays.stream(perDay).filter(rate -> rate <= 24).count()) / 400)
                .isBetween(0.35, 0.55);
        assertThat(Arrays.stream(perDay).filter(rate -> rate > 1440).count() / 400.0)
                .isBetween(0.10, 0.25);
        assertThat(trace.functions().stream()
                        .filter(function -> Arrays.stream(function.durationMillis())
                                        .average()
                                        .orElseThrow()
                                < 1000)
                        .count())
                .isBetween(150L, 250L);
        assertThat(new TraceGenerator(400, 2).generate(3).requests()).isEqualTo(trace.requests());
    }
}
