/**
 * Says what the unit of a model's folder will hold; start at {@link io.knabla.functions.packaging.folder.FolderUnit}.
 */
package io.knabla.functions.packaging.folder;
