/**
 * Measures processes and the machine from {@code /proc}, and runs child processes that are always cleaned up; start at
 * {@code Child}.
 */
package io.knabla.bench.machine;
