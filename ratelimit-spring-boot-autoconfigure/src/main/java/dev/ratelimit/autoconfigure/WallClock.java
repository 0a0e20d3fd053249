package dev.ratelimit.autoconfigure;

import java.time.InstantSource;

/**
 * This instance's clock. A type of our own, since applications have clocks as beans that
 * are not meant for this.
 *
 * @param source the clock
 */
record WallClock(InstantSource source) {

	static WallClock system() {
		return new WallClock(InstantSource.system());
	}

}
