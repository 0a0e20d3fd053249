/**
 * Internal: edits of live rules by users: the resources of the live endpoint, and the
 * page. May use live rules and the engine. Entered by the live endpoint and by the HTTP
 * API.
 */
@NullMarked
package dev.ratelimit.live.edit;

import org.jspecify.annotations.NullMarked;
