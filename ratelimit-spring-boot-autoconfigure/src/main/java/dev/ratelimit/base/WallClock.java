package dev.ratelimit.base;

import java.time.InstantSource;

/**
 * Internal: this instance's clock. A type of our own, since applications have clocks as
 * beans that are not meant for this.
 *
 * @param source the clock
 */
public record WallClock(InstantSource source) {

	public static WallClock system() {
		return new WallClock(InstantSource.system());
	}

}
