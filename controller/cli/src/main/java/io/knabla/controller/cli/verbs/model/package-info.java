/** Verbs that analyze, differentiate and download models. */
package io.knabla.controller.cli.verbs.model;
