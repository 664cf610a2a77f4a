package io.knabla.functions.compiler.autodiff.replay;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How a replayed case ended. */
sealed interface Outcome {
    /** One line for a list. */
    String reason();

    /** The operators that cannot be differentiated; "-" if none is named. */
    default String operators() {
        return "-";
    }

    /** @param error the worst of all tensors, relative by norm */
    record Agrees(double error) implements Outcome {
        @Override
        public String reason() {
            return "agrees to %.1e".formatted(error);
        }
    }

    /** @param problems in words, with the operation at the start */
    record Refused(List<String> problems) implements Outcome {
        private static final Pattern OPERATOR = Pattern.compile("^graph\\S*\\[(?:'[^']*' )?([\\w.]+)[^\\]]*\\]");

        @Override
        public String operators() {
            return problems.stream()
                    .map(OPERATOR::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .distinct()
                    .sorted()
                    .collect(Collectors.collectingAndThen(Collectors.joining(","), Refused::or));
        }

        private static String or(String operators) {
            return operators.isEmpty() ? "-" : operators;
        }

        @Override
        public String reason() {
            return "refused: " + String.join("; ", problems);
        }
    }

    record Differs(String tensor, double error) implements Outcome {
        @Override
        public String reason() {
            return "differs: %s by %.1e".formatted(tensor, error);
        }
    }

    /** An exception that no caller should see. */
    record Fails(String message) implements Outcome {
        @Override
        public String reason() {
            return "fails: " + message;
        }
    }
}
