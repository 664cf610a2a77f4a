/** Verbs for those who operate a platform: its store, its Secrets, its environment. */
package io.knabla.controller.cli.verbs.platform;
