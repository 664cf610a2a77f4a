/** How the controller and the command line ask other servers. */
package io.knabla.controller.http;
