package io.knabla.controller.pages;

import java.util.Base64;
import java.util.HexFormat;

/** A script of several pages: inlined in a page that is saved as a file, loaded by URL in one that a server answers. */
public record SharedScript(String text) {
    /** An element with the script. */
    public String inline() {
        return "<script>" + text + "</script>";
    }

    /**
     * An element that loads the script from {@link #path} on the page's own server. By its integrity, the hash that
     * {@link HtmlPage#policy} allows holds for it too (Content Security Policy 3, External Hashes), and no further
     * address needs to be allowed.
     */
    public String external() {
        return "<script src=\"%s\" integrity=\"sha256-%s\"></script>"
                .formatted(path(), Base64.getEncoder().encodeToString(HtmlPage.sha256(text)));
    }

    /** Where a server answers the script: each content has a path of its own, so that browsers may keep it for ever. */
    public String path() {
        return "/assets/" + hash();
    }

    /** SHA-256 of the text in UTF-8, as 64 hexadecimal digits. */
    public String hash() {
        return HexFormat.of().formatHex(HtmlPage.sha256(text));
    }
}
