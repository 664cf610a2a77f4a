package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PromptLookupDraftsTest {
    private static int[] draft(int most, int... tokens) {
        return PromptLookupDrafts.draft(tokens, tokens.length, most);
    }

    @Test
    void whatFollowedTheLongestSuffixFollowsItAgain() {
        assertThat(draft(2, 1, 2, 3, 40, 41, 42, 9, 2, 3, 50, 51, 1, 2, 3)).containsExactly(40, 41);
    }

    @Test
    void theLastOfEqualMatchesCounts() {
        assertThat(draft(1, 1, 2, 40, 1, 2, 50, 1, 2)).containsExactly(50);
    }

    @Test
    void aMatchMayOverlapTheEnd() {
        assertThat(draft(4, 7, 7, 7, 7)).containsExactly(7);
    }

    @Test
    void aSingleTokenIsNoMatch() {
        assertThat(draft(4, 1, 2, 3, 1)).isEmpty();
    }

    @Test
    void whatStandsAfterTheTextIsNotRead() {
        assertThat(PromptLookupDrafts.draft(new int[] {1, 2, 3, 1, 2, 99, 99}, 5, 4))
                .containsExactly(3, 1, 2);
        assertThat(PromptLookupDrafts.draft(new int[] {1, 2, 3, 1, 2}, 5, 0)).isEmpty();
    }
}
