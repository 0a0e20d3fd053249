/**
 * Internal: edits of live rules by users: the resources of the live endpoint, and the
 * page.
 */
@NullMarked
package dev.ratelimit.live.edit;

import org.jspecify.annotations.NullMarked;
