/** Sends HTTP requests to other servers, for the controller and the command line. */
package io.knabla.controller.http;
