/**
 * Packages models into units before any request: checks, transforms, analyses and stores them; start at
 * {@link io.knabla.functions.packaging.Packager}.
 */
package io.knabla.functions.packaging;
