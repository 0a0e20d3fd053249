/**
 * The slots that this instance holds, renewed in batches.
 */
@NullMarked
package dev.ratelimit.store.hold;

import org.jspecify.annotations.NullMarked;
