import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Reads the XML reports of Surefire and Failsafe that are newer than a file: which test classes failed and which took
 * longest. Run from its source by {@code ./knabla test}.
 */
final class TestReports {
    private static final int LINES_OF_OUTPUT = 60;
    private static final int LINES_OF_MESSAGE = 25;

    private TestReports() {}

    /**
     * @param args failed, output, messages or slowest; the repository's root; the suite, which names the reports' folders; a file
     *     that is older than the reports; and, for slowest, the number of classes
     */
    public static void main(String[] args) throws IOException {
        List<Report> reports = reports(Path.of(args[1]), args[2], Files.getLastModifiedTime(Path.of(args[3])));
        switch (args[0]) {
            case "failed" -> failed(reports).forEach(report -> System.out.println(report.line()));
            case "output" -> failed(reports).forEach(Report::printFailures);
            case "messages" -> failed(reports).forEach(Report::printMessages);
            case "slowest" -> printSlowest(reports, Integer.parseInt(args[4]));
            default -> throw new IllegalArgumentException("write failed, output, messages or slowest; found " + args[0]);
        }
    }

    private static List<Report> failed(List<Report> reports) {
        return reports.stream().filter(report -> !report.failures().isEmpty()).toList();
    }

    private static void printSlowest(List<Report> reports, int count) {
        Map<String, Double> modules = reports.stream()
                .collect(Collectors.groupingBy(Report::module, TreeMap::new, Collectors.summingDouble(Report::seconds)));
        double all = reports.stream().mapToDouble(Report::seconds).sum();
        int tests = reports.stream().mapToInt(Report::tests).sum();
        System.out.printf("%d tests of %d classes took %.0f s of their processes, by module:%n", tests, reports.size(), all);
        modules.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(module -> System.out.printf("%7.1f s  %s%n", module.getValue(), module.getKey()));
        System.out.println("The slowest classes:");
        reports.stream()
                .sorted(Comparator.comparingDouble(Report::seconds).reversed())
                .limit(count)
                .forEach(report -> System.out.printf(
                        "%7.1f s %4d tests  %s  %s%n", report.seconds(), report.tests(), report.module(), report.name()));
    }

    /** The reports TARGET/surefire-reports/SUITE/TEST-CLASS.xml, and those of Failsafe. */
    private static List<Report> reports(Path root, String suite, FileTime since) throws IOException {
        try (Stream<Path> files = Files.find(
                root, 7, (file, facts) -> isReport(file, suite) && facts.lastModifiedTime().compareTo(since) > 0)) {
            return files.map(file -> Report.of(root, file)).toList();
        }
    }

    private static boolean isReport(Path file, String suite) {
        return file.getFileName().toString().matches("TEST-.*\\.xml")
                && file.getParent().endsWith(suite)
                && file.getParent().getParent().getFileName().toString().matches("(surefire|failsafe)-reports");
    }

    private static Document document(Path file) {
        try {
            return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file.toFile());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (ParserConfigurationException | SAXException malformed) {
            throw new IllegalStateException("not a test report: " + file, malformed);
        }
    }

    private static String text(NodeList elements) {
        return elements.getLength() == 0 ? "" : elements.item(0).getTextContent();
    }

    /**
     * One report: of a test class.
     *
     * @param plugin surefire or failsafe
     * @param seconds that the class took, from its first test to its last
     */
    private record Report(String module, String plugin, String name, int tests, double seconds, List<Failure> failures) {
        static Report of(Path root, Path file) {
            Element suite = document(file).getDocumentElement();
            Path folder = file.getParent().getParent();
            return new Report(
                    root.relativize(folder.getParent().getParent()).toString(),
                    folder.getFileName().toString().replace("-reports", ""),
                    suite.getAttribute("name").replaceFirst("\\$.*", ""),
                    suite.getElementsByTagName("testcase").getLength(),
                    Double.parseDouble(suite.getAttribute("time").replace(",", "")),
                    failures(suite));
        }

        private static List<Failure> failures(Element suite) {
            var failures = new ArrayList<Failure>();
            for (String kind : List.of("failure", "error")) {
                NodeList found = suite.getElementsByTagName(kind);
                for (int i = 0; i < found.getLength(); i++) {
                    failures.add(Failure.of((Element) found.item(i)));
                }
            }
            return failures;
        }

        String line() {
            return module + " " + plugin + " " + name;
        }

        void printFailures() {
            System.out.printf("== %s (%s)%n", name, module);
            failures.forEach(failure -> System.out.printf("%s%n%s%n", failure.test(), failure.output()));
        }

        void printMessages() {
            failures.forEach(failure -> System.out.printf("failed: %s (%s): %s%n", failure.test(), module, failure.message()));
        }
    }

    /**
     * A failed test.
     *
     * @param test its class, which is not the report's where that is a suite, and its name
     * @param message its first lines, and where in the test it failed
     * @param output the first lines of its stack trace, and the last of what it printed
     */
    private record Failure(String test, String message, String output) {
        static Failure of(Element failure) {
            var test = (Element) failure.getParentNode();
            String printed = text(test.getElementsByTagName("system-out")) + text(test.getElementsByTagName("system-err"));
            return new Failure(
                    test.getAttribute("classname") + "." + test.getAttribute("name"),
                    message(failure.getTextContent(), test.getAttribute("classname")),
                    first(failure.getTextContent()) + (printed.isBlank() ? "" : "\nprinted:\n" + last(printed)));
        }

        private static String message(String trace, String testClass) {
            Stream<String> said = trace.lines().takeWhile(line -> !line.startsWith("\tat ")).limit(LINES_OF_MESSAGE);
            Stream<String> place = trace.lines().filter(line -> line.startsWith("\tat " + testClass)).limit(1);
            return Stream.concat(said, place).collect(Collectors.joining("\n"));
        }

        private static String first(String text) {
            return text.lines().limit(LINES_OF_OUTPUT).collect(Collectors.joining("\n"));
        }

        private static String last(String text) {
            List<String> lines = text.lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_OF_OUTPUT), lines.size()));
        }
    }
}
