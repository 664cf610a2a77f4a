/** Runs {@code ./knabla demo} like a user, with its store on third-party S3 servers. */
package io.knabla.controller.demo;
