/**
 * A real etcd for tests, where there is one.
 */
@NullMarked
package dev.ratelimit.test.etcd;

import org.jspecify.annotations.NullMarked;
