/** Cold starts that callers see and memory that it takes to avoid them, under each keep-warm policy. */
package io.knabla.bench.warm;
