package io.knabla.runtime.http.hpack;

/** Fields that a header block can refer to by index: the static ones, then the latest ones of the connection. */
final class HeaderTable {
    /** Bytes that an entry counts besides its name and value. */
    private static final int OVERHEAD = 32;

    /** The static table (RFC 7541, appendix A): name and value separated by a blank. */
    private static final String[] STATIC = {
        ":authority ",
        ":method GET",
        ":method POST",
        ":path /",
        ":path /index.html",
        ":scheme http",
        ":scheme https",
        ":status 200",
        ":status 204",
        ":status 206",
        ":status 304",
        ":status 400",
        ":status 404",
        ":status 500",
        "accept-charset ",
        "accept-encoding gzip, deflate",
        "accept-language ",
        "accept-ranges ",
        "accept ",
        "access-control-allow-origin ",
        "age ",
        "allow ",
        "authorization ",
        "cache-control ",
        "content-disposition ",
        "content-encoding ",
        "content-language ",
        "content-length ",
        "content-location ",
        "content-range ",
        "content-type ",
        "cookie ",
        "date ",
        "etag ",
        "expect ",
        "expires ",
        "from ",
        "host ",
        "if-match ",
        "if-modified-since ",
        "if-none-match ",
        "if-range ",
        "if-unmodified-since ",
        "last-modified ",
        "link ",
        "location ",
        "max-forwards ",
        "proxy-authenticate ",
        "proxy-authorization ",
        "range ",
        "referer ",
        "refresh ",
        "retry-after ",
        "server ",
        "set-cookie ",
        "strict-transport-security ",
        "transfer-encoding ",
        "user-agent ",
        "vary ",
        "via ",
        "www-authenticate "
    };

    private static final Field[] FIXED = new Field[STATIC.length];

    static {
        for (int i = 0; i < STATIC.length; i++) {
            int blank = STATIC[i].indexOf(' ');
            FIXED[i] = new Field(STATIC[i].substring(0, blank), STATIC[i].substring(blank + 1));
        }
    }

    record Field(String name, String value) {
        int size() {
            return name.length() + value.length() + OVERHEAD;
        }
    }

    private final int most;

    /** A ring: the latest entry is at {@code next - 1}. */
    private final Field[] ring;

    private int next;
    private int count;
    private int size;
    private int limit;

    /** @param most bytes that its dynamic entries may take */
    HeaderTable(int most) {
        this.most = most;
        this.limit = most;
        this.ring = new Field[most / OVERHEAD + 1];
    }

    Field get(int index) {
        if (index >= 1 && index <= FIXED.length) {
            return FIXED[index - 1];
        }
        int age = index - FIXED.length - 1;
        if (index == 0 || age >= count) {
            throw new HpackException("a header block refers to entry %d, which does not exist".formatted(index));
        }
        return ring[Math.floorMod(next - 1 - age, ring.length)];
    }

    void add(Field field) {
        evict(limit - field.size());
        if (field.size() <= limit) {
            ring[next] = field;
            next = (next + 1) % ring.length;
            count++;
            size += field.size();
        }
    }

    void resize(int bytes) {
        if (bytes > most) {
            throw new HpackException("a table of %d bytes is larger than the %d allowed".formatted(bytes, most));
        }
        limit = bytes;
        evict(bytes);
    }

    /** Removes the oldest entries until {@code bytes} are enough for the rest. */
    private void evict(int bytes) {
        while (count > 0 && size > bytes) {
            int oldest = Math.floorMod(next - count, ring.length);
            size -= ring[oldest].size();
            ring[oldest] = null;
            count--;
        }
    }
}
