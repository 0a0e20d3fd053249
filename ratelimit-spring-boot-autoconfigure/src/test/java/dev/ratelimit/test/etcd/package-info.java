/**
 * A real etcd for tests, if it is installed.
 */
@NullMarked
package dev.ratelimit.test.etcd;

import org.jspecify.annotations.NullMarked;
