/** {@code ./knabla demo} as a person runs it, with its functions in an S3 server that others wrote. */
package io.knabla.controller.demo;
