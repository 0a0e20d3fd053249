/**
 * Live rules in etcd.
 */
@NullMarked
package dev.ratelimit.live.etcd;

import org.jspecify.annotations.NullMarked;
