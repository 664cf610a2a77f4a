package io.knabla.runtime.grpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Descriptors of the proto files whose services are offered, as {@code protoc} wrote them. Read at the first use. */
final class Descriptors {
    private static final String RESOURCE = "services.protoset";

    private final List<String> services = new ArrayList<>();
    private final Map<String, byte[]> byName = new LinkedHashMap<>();
    private final Map<String, byte[]> bySymbol = new LinkedHashMap<>();

    private static final class Offered {
        static final Descriptors INSTANCE = read();
    }

    private Descriptors(WireReader set) {
        while (set.next() != 0) {
            add(set.message());
        }
    }

    static Descriptors offered() {
        return Offered.INSTANCE;
    }

    private static Descriptors read() {
        try (InputStream in = Descriptors.class.getResourceAsStream(RESOURCE)) {
            byte[] set = in.readAllBytes();
            return new Descriptors(new WireReader(set, 0, set.length));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Fields of {@code FileDescriptorProto}. */
    private void add(WireReader file) {
        var bytes = new byte[file.size()];
        file.copyTo(bytes, 0);
        String scope = "";
        for (int field = file.next(); field != 0; field = file.next()) {
            switch (field) {
                case 1 -> byName.put(file.text(), bytes);
                case 2 -> scope = file.text() + ".";
                case 4 -> addMessage(file.message(), scope, bytes);
                case 5 -> bySymbol.put(scope + name(file.message()), bytes);
                case 6 -> services.add(addService(file.message(), scope, bytes));
                default -> file.skip();
            }
        }
    }

    /** Fields of {@code DescriptorProto}, whose name comes first. */
    private void addMessage(WireReader message, String scope, byte[] file) {
        String name = scope;
        for (int field = message.next(); field != 0; field = message.next()) {
            switch (field) {
                case 1 -> bySymbol.put(name += message.text(), file);
                case 3 -> addMessage(message.message(), name + ".", file);
                case 4 -> bySymbol.put(name + "." + name(message.message()), file);
                default -> message.skip();
            }
        }
    }

    /** Fields of {@code ServiceDescriptorProto}, whose name comes first. */
    private String addService(WireReader service, String scope, byte[] file) {
        String name = scope;
        for (int field = service.next(); field != 0; field = service.next()) {
            switch (field) {
                case 1 -> bySymbol.put(name += service.text(), file);
                case 2 -> bySymbol.put(name + "." + name(service.message()), file);
                default -> service.skip();
            }
        }
        return name;
    }

    private static String name(WireReader named) {
        named.next();
        return named.text();
    }

    /** Full names. */
    List<String> services() {
        return services;
    }

    /** The file of this name; null if there is none. */
    byte[] file(String name) {
        return byName.get(name);
    }

    /** The file that defines a service, a method, a message or an enumeration, by its full name; null if none does. */
    byte[] fileOf(String symbol) {
        return bySymbol.get(symbol);
    }
}
