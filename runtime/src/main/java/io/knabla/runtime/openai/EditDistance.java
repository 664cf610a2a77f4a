package io.knabla.runtime.openai;

/** Counts the edits between two names. */
final class EditDistance {
    private static final int LONGEST = 64;

    private EditDistance() {}

    /** Insertions, deletions and changes of characters; of the first 64 of the written name. */
    static int of(String written, String known) {
        String name = written.substring(0, Math.min(written.length(), LONGEST));
        int[] row = new int[known.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= name.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (name.charAt(i - 1) == known.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[known.length()];
    }
}
