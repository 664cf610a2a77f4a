/** Random programs on a store whose network is at fault, and whether all they saw can be explained. */
package io.knabla.storage.s3.scenarios;
