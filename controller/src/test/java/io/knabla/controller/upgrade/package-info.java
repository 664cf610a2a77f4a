/** Homes that older builds wrote, under this build. */
package io.knabla.controller.upgrade;
