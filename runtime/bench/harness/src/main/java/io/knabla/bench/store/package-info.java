/** The way between a unit in S3 and a file on this machine, against the barest client that could do it. */
package io.knabla.bench.store;
