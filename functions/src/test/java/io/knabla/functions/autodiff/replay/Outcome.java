package io.knabla.functions.autodiff.replay;

import java.util.List;

/** How a replayed case ended. */
sealed interface Outcome {
    /** One line for a list. */
    String reason();

    /** @param error the worst of all tensors, relative by norm */
    record Agrees(double error) implements Outcome {
        @Override
        public String reason() {
            return "agrees to %.1e".formatted(error);
        }
    }

    /** @param problems in words, with the operation at the start */
    record Refused(List<String> problems) implements Outcome {
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
