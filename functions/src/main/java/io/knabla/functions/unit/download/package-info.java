/**
 * Large files from afar: in parallel ranges, resumed where they broke, their digest computed as they arrive; start at {@link
 * io.knabla.functions.unit.download.Download}.
 */
package io.knabla.functions.unit.download;
