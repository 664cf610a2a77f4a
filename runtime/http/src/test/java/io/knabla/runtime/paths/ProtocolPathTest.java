package io.knabla.runtime.paths;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the grammar of the protocols' paths: what is written is read as the same, and near misses are nothing. */
class ProtocolPathTest {
    @Property
    void aPathOfAModelIsReadAsItWasWritten(
            @ForAll @AlphaChars @NumericChars @Chars({'-', '_', '.'}) @StringLength(min = 1, max = 12) String model,
            @ForAll @NumericChars @StringLength(min = 1, max = 4) String version,
            @ForAll ModelAction action) {
        boolean statisticsOfAll = action.path(model).equals(ServerAction.STATISTICS.path());
        assertThat(ProtocolPath.of(action.path(model)))
                .isEqualTo(
                        statisticsOfAll
                                ? new ProtocolPath.OfServer(ServerAction.STATISTICS)
                                : new ProtocolPath.OfModel(model, Optional.empty(), action));
        boolean versioned = action != ModelAction.LOAD && action != ModelAction.UNLOAD;
        assertThat(ProtocolPath.of(action.path(model, version)))
                .isEqualTo(
                        versioned
                                ? new ProtocolPath.OfModel(model, Optional.of(version), action)
                                : new ProtocolPath.Unknown());
        assertThat(ProtocolPath.isProtocol(action.path(model))).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aPathOfTheServerIsReadAsItWasWritten(ServerAction action) {
        assertThat(ProtocolPath.of(action.path())).isEqualTo(new ProtocolPath.OfServer(action));
        assertThat(ServerAction.of(action.path())).isEqualTo(action);
        assertThat(ProtocolPath.isProtocol(action.path())).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /v2/                          | OfServer[action=METADATA]
            /v2/models/m/                 | OfModel[model=m, version=Optional.empty, action=METADATA]
            /v2/models/                   | OfModel[model=, version=Optional.empty, action=METADATA]
            /v2/models/stats/infer        | OfModel[model=stats, version=Optional.empty, action=INFER]
            /v2/models/m/versions/        | OfModel[model=m, version=Optional[], action=METADATA]
            /v2/models/m/versions/x/ready | OfModel[model=m, version=Optional[x], action=READY]
            /v2/models/m/versions         | Unknown[]
            /v2/models/m//infer           | Unknown[]
            /v2/models/m/infer/           | Unknown[]
            /v2/models/m/predict          | Unknown[]
            /v2/models/m/load             | Unknown[]
            /v2/models                    | Unknown[]
            /v2/nothing                   | Unknown[]
            /v1/models/m                  | OfModel[model=m, version=Optional.empty, action=READY]
            /v1/models/m/                 | OfModel[model=m, version=Optional.empty, action=READY]
            /v1/models/:predict           | OfModel[model=, version=Optional.empty, action=PREDICT]
            /v1/models/m:explain          | Unknown[]
            /v1/models/m/infer            | Unknown[]
            /v1/models:predict            | Unknown[]
            /v1                           | Unknown[]
            /v2/repository/models/m/load/ | Unknown[]
            /v2/repository/models/m       | Unknown[]
            /                             | Unknown[]
            /count                        | Unknown[]
            """)
    void reads(String path, String target) {
        assertThat(ProtocolPath.of(path)).hasToString(target);
    }

    @ParameterizedTest
    @CsvSource({
        "/v2, true",
        "/v2/x, true",
        "/v1/models, true",
        "/v1/models/m, true",
        "/v2x, false",
        "/v1, false",
        "/v1/chat/completions, false",
        "/v1/models:predict, false",
        "/, false"
    })
    void tellsProtocolsFromOtherPaths(String path, boolean protocol) {
        assertThat(ProtocolPath.isProtocol(path)).isEqualTo(protocol);
    }

    @Test
    void tellsTheModelOfAPathThatAsksForNothingKnown() {
        assertThat(ProtocolPath.modelOf("/v2/models/m/versions/1/nothing")).contains("m");
        assertThat(ProtocolPath.modelOf("/v2/models/m")).contains("m");
        assertThat(ProtocolPath.modelOf("/v1/models/m")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /functions/n/m       | Optional[FunctionPath[namespace=n, name=m, rest=]]
            /functions/n/m/      | Optional[FunctionPath[namespace=n, name=m, rest=/]]
            /functions/n/m/a/b   | Optional[FunctionPath[namespace=n, name=m, rest=/a/b]]
            /functions/n         | Optional.empty
            /functions/          | Optional.empty
            """)
    void readsTheRootOfAFunction(String path, String function) {
        assertThat(FunctionPath.isOfFunctions(path)).isTrue();
        assertThat(FunctionPath.of(path)).hasToString(function);
    }

    @Test
    void writesTheRootOfAFunction() {
        assertThat(FunctionPath.root("n", "m")).isEqualTo("/functions/n/m");
        assertThat(FunctionPath.isOfFunctions("/function/n/m")).isFalse();
    }
}
