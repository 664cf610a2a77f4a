package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests every request line that the gateway accepts, and near misses. */
class RequestTargetTest {
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', nullValues = "-", quoteCharacter = '`', textBlock = """
            -                     | /v2                               | OfServer[root=null, what=METADATA]
            -                     | /v2/                              | OfServer[root=null, what=METADATA]
            -                     | /v2/health/ready                  | OfServer[root=null, what=READY]
            -                     | /v2/models/m/                     | OfModel[function=default/m, version=OptionalInt.empty, what=METADATA, name=m]
            -                     | /v2/models/m/versions/1           | OfModel[function=default/m, version=OptionalInt[1], what=METADATA, name=m]
            -                     | /v2/models/m/versions/999999999/ready | OfModel[function=default/m, version=OptionalInt[999999999], what=READY, name=m]
            -                     | /v2/models/m/versions/10/         | OfModel[function=default/m, version=OptionalInt[10], what=METADATA, name=m]
            -                     | /v2/models/m/versions/1000000000  | NotFound[message='1000000000' is not a version
            -                     | /v2/models/m/versions/            | NotFound[message='' is not a version
            -                     | /v2/models/m/versions/0           | NotFound[message='0' is not a version
            -                     | /v2/models/m/versions/1/          | OfModel[function=default/m, version=OptionalInt[1]
            -                     | /v2/models/m/versions/1:          | NotFound[message='1:' is not a version
            -                     | /v2/models/m/versions/1.          | NotFound[message='1.' is not a version
            -                     | /v2/models/m/x                    | NotFound[message=nothing is at /v2/models/m/x; there are /v2,
            -                     | /v2/models/m/versions/2/config    | OfModel[function=default/m, version=OptionalInt[2], what=CONFIG, name=m]
            -                     | /v2/models/m/stats                | OfModel[function=default/m, version=OptionalInt.empty, what=STATISTICS, name=m]
            -                     | /v2/models/stats                  | OfServer[root=null, what=STATISTICS]
            -                     | /functions/n/m/v2/models/stats    | OfModel[function=n/m, version=OptionalInt.empty, what=STATISTICS, name=]
            -                     | /v2/repository/models/m/load      | OfModel[function=default/m, version=OptionalInt.empty, what=LOAD, name=m]
            -                     | /v2/repository/models/m/unload    | OfModel[function=default/m, version=OptionalInt.empty, what=UNLOAD, name=m]
            -                     | /v2/repository/models/m           | NotFound[message=nothing is at /v2/repository/models/m;
            -                     | /v2/systemsharedmemory/status     | OfSharedMemory[path=/v2/systemsharedmemory/status]
            -                     | /v2/systemsharedmemoryx           | NotFound
            -                     | /v1/models                        | OfServer[root=null, what=V1_MODELS]
            -                     | /v1/models/m                      | OfModel[function=default/m, version=OptionalInt.empty, what=READY, name=m]
            -                     | /v1/models/m:predict              | OfModel[function=default/m, version=OptionalInt.empty, what=PREDICT, name=m]
            -                     | /v1/models/m/versions/3:predict   | OfModel[function=default/m, version=OptionalInt[3], what=PREDICT, name=m]
            -                     | /v1/models/m:explain              | NotFound[message=nothing is at /v1/models/m:explain; there are
            -                     | /v1/chat/completions              | OfText[path=/v1/chat/completions]
            -                     | /tokenize                         | OfText[path=/tokenize]
            -                     | /functions/n/m/v1/completions     | OfReplica[function=n/m, path=/v1/completions]
            -                     | /v1/models/m/infer                | NotFound[message=nothing is at /v1/models/m/infer;
            -                     | /functions/n/m/v1/models/o:predict | OfModel[function=n/m, version=OptionalInt.empty, what=PREDICT, name=o]
            -                     | /                                 | NotFound[message=nothing is at /;
            -                     | /functions/                       | NotFound[message=write /functions/NAMESPACE/NAME/ and then the path]
            -                     | /functions/n/m/v2                 | OfServer[root=n/m, what=METADATA]
            -                     | /functions/n/m/v2x                | OfReplica[function=n/m, path=/v2x]
            -                     | /functions/n/m/v2/x               | NotFound[message=nothing is at /v2/x
            -                     | /functions/n/m/v2/models/o        | OfModel[function=n/m, version=OptionalInt.empty, what=METADATA, name=o]
            m.n.localhost         | /functions/a/b                    | OfReplica[function=n/m, path=/functions/a/b]
            m.n.localhost         | ``                                | OfModel[function=n/m, version=OptionalInt.empty, what=METADATA, name=]
            M.N.LOCALHOST:1       | /x                                | OfReplica[function=n/m, path=/x]
            a.b.localhost:        | /x                                | OfReplica[function=b/a, path=/x]
            """)
    void parses(String host, String path, String target) {
        assertThat(RequestTarget.of(host, path).toString()).startsWith(target);
        assertThat(RequestTarget.isFunctionHost(host)).isEqualTo(host != null);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost",
        ".localhost",
        "n.localhost",
        ".n.localhost",
        "m.n.x.localhost",
        "m.n.localhosts",
        "m..localhost",
        "xlocalhost",
        "m.nlocalhost",
        "m.localhost:80"
    })
    void isNoFunctionHost(String host) {
        assertThat(RequestTarget.isFunctionHost(host)).isFalse();
        assertThat(RequestTarget.of(host, "/v2")).hasToString("OfServer[root=null, what=METADATA]");
    }
}
