package io.knabla.runtime.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares with Netty's implementation, and with the examples of RFC 7541, appendix C. */
class HpackDecoderTest {
    private static List<String> decoded(HpackDecoder decoder, byte[] block) {
        List<String> fields = new ArrayList<>();
        decoder.decode(block, block.length, (name, value) -> fields.add(name + ": " + value));
        return fields;
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void decodesTheExamplesWithHuffmanCode() {
        var decoder = new HpackDecoder();
        assertThat(decoded(decoder, hex("828684418cf1e3c2e5f23a6ba0ab90f4ff")))
                .containsExactly(":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com");
        assertThat(decoded(decoder, hex("828684be5886a8eb10649cbf")))
                .containsExactly(
                        ":method: GET",
                        ":scheme: http",
                        ":path: /",
                        ":authority: www.example.com",
                        "cache-control: no-cache");
        assertThat(decoded(decoder, hex("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf")))
                .containsExactly(
                        ":method: GET",
                        ":scheme: https",
                        ":path: /index.html",
                        ":authority: www.example.com",
                        "custom-key: custom-value");
    }

    @Property(tries = 300)
    void decodesWhatNettyEncodes(@ForAll("blocks") List<List<Map.Entry<String, String>>> blocks) throws Http2Exception {
        var encoder = new DefaultHttp2HeadersEncoder((name, value) -> false, false);
        var decoder = new HpackDecoder();
        for (List<Map.Entry<String, String>> block : blocks) {
            Http2Headers headers = new DefaultHttp2Headers(false);
            block.forEach(field -> headers.add(field.getKey(), field.getValue()));
            ByteBuf bytes = Unpooled.buffer();
            encoder.encodeHeaders(1, headers, bytes);
            List<String> expected = new ArrayList<>();
            headers.forEach(field -> expected.add(field.getKey() + ": " + field.getValue()));
            assertThat(decoded(decoder, toArray(bytes))).isEqualTo(expected);
        }
    }

    @Property(tries = 100)
    void nettyDecodesWhatIsEncoded(@ForAll("block") List<Map.Entry<String, String>> block) throws Http2Exception {
        var encoder = new HpackEncoder();
        encoder.withoutTable();
        encoder.status(503);
        block.forEach(field -> encoder.field(field.getKey(), field.getValue()));
        ByteBuf bytes = Unpooled.wrappedBuffer(encoder.bytes(), 0, encoder.size());
        Http2Headers headers = new DefaultHttp2HeadersDecoder(false, 1 << 20).decodeHeaders(1, bytes);
        assertThat(headers.status()).hasToString("503");
        assertThat(headers.size()).isEqualTo(block.size() + 1);
        block.forEach(field -> assertThat(headers.contains(field.getKey(), field.getValue(), false))
                .isTrue());
    }

    private static byte[] toArray(ByteBuf bytes) {
        byte[] array = new byte[bytes.readableBytes()];
        bytes.readBytes(array);
        return array;
    }

    @Provide
    Arbitrary<List<List<Map.Entry<String, String>>>> blocks() {
        return block().list().ofMaxSize(8);
    }

    @Provide
    Arbitrary<List<Map.Entry<String, String>>> block() {
        Arbitrary<String> names = Arbitraries.of("te", "accept", "grpc-timeout", "x-a", "x-b", ":path", "user-agent")
                .injectDuplicates(0.5);
        Arbitrary<String> values =
                Arbitraries.strings().withCharRange(' ', '\u00ff').ofMaxLength(200);
        return Arbitraries.maps(names, values).ofMaxSize(7).map(map -> List.copyOf(map.entrySet()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80", // index 0
                "be", // an entry that is not there
                "ff ff ff ff ff 7f", // a number without end
                "40", // no name
                "40 05 61", // a name that ends too early
                "3f e2 1f", // a table of 4097 bytes
                "82 20", // a change of the table behind a field
                "00 01 61 81 fe", // padding that is not all ones
                "00 01 61 84 ff ff ff ff" // the end symbol, as padding of more than 7 bits
            })
    void refusesMalformedBlocks(String block) {
        assertThatThrownBy(() -> decoded(new HpackDecoder(), hex(block))).isInstanceOf(HpackException.class);
    }

    @Test
    void theTableStaysWithinItsLimit() {
        var table = new HeaderTable(4096);
        for (int i = 0; i < 1000; i++) {
            table.add(new HeaderTable.Field("n", "v".repeat(i % 300)));
        }
        long held = 0;
        int entries = 0;
        try {
            for (int i = 62; ; i++) {
                held += table.get(i).size();
                entries++;
            }
        } catch (HpackException none) {
            assertThat(none).hasMessageContaining("does not exist");
        }
        assertThat(held).isBetween(3500L, 4096L);
        assertThat(entries).isPositive();
        table.resize(0);
        assertThatThrownBy(() -> table.get(62)).isInstanceOf(HpackException.class);
    }
}
