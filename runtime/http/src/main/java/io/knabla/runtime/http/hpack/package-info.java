/** Header compression of HTTP/2 (RFC 7541); start at {@link io.knabla.runtime.http.hpack.HpackDecoder}. */
package io.knabla.runtime.http.hpack;
